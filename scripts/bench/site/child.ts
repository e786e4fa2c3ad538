/** Runs programs, measures what they cost, and interrupts them when this process exits. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Where {
  cwd?: string
  env?: Record<string, string>
  /** The Node that runs it; by default, the one that runs this. */
  node?: string
  /** The expected exit status (default 0), and text that must be printed. */
  expected?: { status: number; text: string }
}

export interface Cost {
  /** From start to exit, including Node's own start. */
  seconds: number
  /** The peak of resident memory, in bytes, of the Node process with its threads. */
  memory: number
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const { pid } of running) if (pid !== undefined) interrupt(pid)
})

/**
 * Runs a program to its end.
 *
 * @throws Error with its output, if it does not end as expected
 */
export function run(program: string, args: string[], where: Where = {}): Promise<string> {
  const { cwd, env, expected = { status: 0, text: '' } } = where
  const isWindows = process.platform === 'win32'
  const child = spawn(program, args, {
    ...(cwd && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that its children are interrupted too.
    detached: !isWindows,
    shell: isWindows,
  })
  running.add(child)
  let output = ''
  let printed = ''
  child.stdout.on('data', (text) => {
    output += text
    printed += text
  })
  child.stderr.on('data', (text) => {
    printed += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      running.delete(child)
      if (status === expected.status && printed.includes(expected.text)) resolve(output)
      else reject(new Error(`${program} ${args.join(' ')}: status ${status}\n${tail(printed)}`))
    })
  })
}

/** Runs a Node program and measures its cost. The arguments may begin with options of Node. */
export async function measure(temp: string, args: string[], where: Where = {}): Promise<Cost> {
  const peak = join(temp, 'peak')
  rmSync(peak, { force: true })
  const probe = join(import.meta.dirname, 'peak.js')
  const env = { ...where.env, BENCH_PEAK: peak, NODE_ENV: 'production' }
  const started = performance.now()
  await run(where.node ?? process.execPath, ['--import', probe, ...args], { ...where, env })
  const seconds = (performance.now() - started) / 1000
  return { seconds, memory: Number(readFileSync(peak, 'utf8')) }
}

function interrupt(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGINT')
  } catch {
    // It has just exited by itself.
  }
}

function tail(text: string): string {
  return text.trim().split('\n').slice(-15).join('\n')
}
