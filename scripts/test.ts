/**
 * The last step of `npm test`: runs the unit tests and the browser tests at the same time, because
 * each of them often only waits. Prints what the browser tests say after the unit tests, and meanwhile
 * how many have ended, and which of them still run after minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { scripts } from '../package.json'

/** The line with which Playwright begins, such as "Running 145 tests using 2 workers". */
const BEGINNING = /Running (\d+) tests/

/** The beginning of a line that names a test which may hang; see `tests/helpers/running-tests.ts`. */
const STILL_RUNNING = 'Still running'

/** After how many browser tests a line says how many there are so far. */
const STEP = 25

// Ctrl-C reaches both, too. Each removes what it has created, then ends.
process.on('SIGINT', () => {})

const unit = start('test:unit', 'inherit')
const browser = start('test:browser', 'pipe')
const output = holdBack(browser.child)

await unit.ended
output.release()

const statuses = await Promise.all([unit.ended, browser.ended])
const hasFailed = statuses.some((status) => status !== 0)
process.exitCode = hasFailed ? 1 : 0

/** Starts the tests of an npm script, without the build before them. */
function start(name: 'test:unit' | 'test:browser', stdio: 'inherit' | 'pipe') {
  const command = scripts[name].replace('npm run build && ', '')
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
  const held: string[] = []
  let isReleased = false
  let total: number | undefined
  let ended = 0

  const hold = (line: string) => {
    total ??= numberOfTests(line)
    if (isReleased || total === undefined || line.startsWith(STILL_RUNNING)) {
      console.log(line)
      return
    }

    held.push(line)
    // Playwright prints a line for each test that has ended.
    ended += 1
    if (ended % STEP === 0 && ended < total)
      console.log(`Browser tests: ${ended} of ${total} so far`)
  }

  // Node throws away what nobody has read when the process ends.
  for (const stream of [stdout, stderr]) {
    if (stream) createInterface({ input: stream }).on('line', hold)
  }

  return {
    release() {
      isReleased = true
      for (const line of held) console.log(line)
    },
  }
}

function numberOfTests(text: string): number | undefined {
  const [, digits] = BEGINNING.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}
