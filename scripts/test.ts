/**
 * The last step of `npm test`: runs the unit tests and the browser tests at the same time, because
 * each of them often only waits. Prints what the browser tests say after the unit tests, and meanwhile
 * how many have ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { scripts } from '../package.json'

/** The line with which Playwright begins, such as "Running 145 tests using 2 workers". */
const BEGINNING = /Running (\d+) tests/

/** After how many browser tests a line says how many there are so far. */
const STEP = 25

// Ctrl-C reaches both, too. Each removes what it has created, then ends.
process.on('SIGINT', () => {})

const unit = start('test:unit', 'inherit')
// One worker: each starts a browser of its own, and the unit tests take two cores already.
const browser = start('test:browser', 'pipe', ['--workers=1'])
const output = holdBack(browser.child)

await unit.ended
output.release()

const statuses = await Promise.all([unit.ended, browser.ended])
const hasFailed = statuses.some((status) => status !== 0)
process.exitCode = hasFailed ? 1 : 0

/** Starts the tests of an npm script, without the build before them, and with further arguments. */
function start(
  name: 'test:unit' | 'test:browser',
  stdio: 'inherit' | 'pipe',
  args: readonly string[] = [],
) {
  const command = [scripts[name].replace('npm run build && ', ''), ...args].join(' ')
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const env = { ...process.env, ...color }
  const child = spawn(command, { shell: true, stdio: ['ignore', stdio, stdio], env })

  const ended = once(child, 'close').then(([status]) => status as number | null)
  return { child, ended }
}

/**
 * Keeps what the browser tests print until it's released, and then prints what comes as it comes. What
 * comes before the first test, such as the download of a browser, is printed at once.
 */
function holdBack({ stdout, stderr }: ChildProcess) {
  const held: Buffer[] = []
  let isReleased = false
  let total: number | undefined
  let lines = 0

  const hold = (chunk: Buffer) => {
    const text = chunk.toString()
    total ??= numberOfTests(text)
    if (isReleased || total === undefined) {
      process.stdout.write(chunk)
      return
    }

    held.push(chunk)
    const before = lines
    // Playwright prints a line for each test that has ended.
    lines += text.split('\n').length - 1
    const isNextStep = Math.floor(lines / STEP) > Math.floor(before / STEP)
    if (isNextStep && lines < total) console.log(`Browser tests: ${lines} of ${total} so far`)
  }

  // Node throws away what nobody has read when the process ends.
  for (const stream of [stdout, stderr]) stream?.on('data', hold)

  return {
    release() {
      isReleased = true
      for (const chunk of held) process.stdout.write(chunk)
    },
  }
}

function numberOfTests(text: string): number | undefined {
  const [, digits] = BEGINNING.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}
