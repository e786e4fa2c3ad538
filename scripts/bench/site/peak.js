// Loaded into a measured program before its own code: writes the peak of its resident memory, in
// bytes, to the file in BENCH_PEAK. On Linux, /proc has the peak of this program alone, while
// `resourceUsage` includes the program that started it, as it was then.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

function peak() {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    return Number(kib) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

const { BENCH_PEAK } = process.env
if (isMainThread && BENCH_PEAK) process.on('exit', () => writeFileSync(BENCH_PEAK, String(peak())))
