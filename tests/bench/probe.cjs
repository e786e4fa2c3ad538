// Loaded into a measured program before its own code: writes what it cost to the file BENCH_COST.
const { readFileSync, writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

// On Linux, /proc has the peak of this program alone, while `resourceUsage` includes the program
// that started it, as it was then.
function peak() {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    return Number(kib) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

const { BENCH_COST } = process.env
if (isMainThread && BENCH_COST) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeFileSync(BENCH_COST, JSON.stringify({ cpu: (user + system) / 1e6, memory: peak() }))
  })
}
