/**
 * The last step of `npm test`: runs the unit tests and the browser tests at the same time, because
 * each of them often only waits. Prints what the browser tests say after the unit tests.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { scripts } from '../package.json'

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

/** Keeps what a process prints until it's released, and then prints what comes as it comes. */
function holdBack({ stdout, stderr }: ChildProcess) {
  const held: Buffer[] = []
  let isReleased = false

  // Node throws away what nobody has read when the process ends.
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      if (isReleased) process.stdout.write(chunk)
      else held.push(chunk)
    })
  }

  return {
    release() {
      isReleased = true
      for (const chunk of held) process.stdout.write(chunk)
    },
  }
}
