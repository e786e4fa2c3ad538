// Runs jq, and reports its peak memory instead of this program's own.
import { spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { BENCH_BATCHES, BENCH_OUT, BENCH_PEAK } = process.env
const filter =
  'reduce (inputs | .[]) as $page ({}; if has($page.path) then . else .[$page.path] = $page end) | .[]'
const files = readdirSync(BENCH_BATCHES)
  .sort()
  .map((name) => join(BENCH_BATCHES, name))
const out = openSync(join(BENCH_OUT, 'pages.json'), 'w')
const child = spawn('jq', ['-n', '-c', filter, ...files], { stdio: ['ignore', out, 'inherit'] })
let peak = 0
const timer = setInterval(() => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
    peak = Math.max(peak, Number(kib) * 1024)
  } catch {
    // It has just exited, or this is not Linux.
  }
}, 10)
child.on('close', (status) => {
  clearInterval(timer)
  process.exitCode = status
  process.on('exit', () => writeFileSync(BENCH_PEAK, String(peak)))
})
