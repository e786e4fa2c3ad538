import { expect, test } from 'vitest'
import { Progress, progressOn } from '../../src/command/progress.ts'
import { say } from '../../src/command/terminal.ts'
import { createCollections, runIn } from '../helpers/collections.ts'
import { createScreen, createText } from '../helpers/workspace.ts'

const ERASE = '\r\x1b[K'
const line = (text: string) => `${ERASE}\x1b[?7l${text}\x1b[?7h`

const READ = { collection: 'countries', file: 'file', read: 4120, of: 15_631 }

/** A progress at times in milliseconds since the command was started, on a terminal. */
function createProgress(...times: number[]) {
  const screen = createScreen(80)
  const progress = new Progress(screen, () => times.shift() ?? Number.POSITIVE_INFINITY)
  return { screen, progress }
}

test('the progress of a build is shown from its first second on', () => {
  const { screen, progress } = createProgress(999, 1000)
  progress.show({ ...READ, read: 4119 })
  progress.show(READ)
  expect(screen.text).toBe(line('countries: 4,120 of 15,631 files'))
})

test('at most ten lines a second are shown', () => {
  const { screen, progress } = createProgress(1000, 1050, 1099, 1100)
  for (const read of [1, 2, 3, 4]) progress.show({ ...READ, read })
  expect(screen.text).toBe(
    line('countries: 1 of 15,631 files') + line('countries: 4 of 15,631 files'),
  )
})

test('the name of a collection controls no terminal', () => {
  const { screen, progress } = createProgress(1000)
  progress.show({ ...READ, collection: '\x1b[31m' })
  expect(screen.text).toBe(line('\\u001b[31m: 4,120 of 15,631 files'))
})

test('the line is gone before anything else is printed', async () => {
  const { screen, progress } = createProgress(1000)
  const terminal = { env: {}, stdout: screen, stderr: screen, progress }
  progress.show(READ)
  await say(terminal, 'stdout', ['a\n'])
  await say(terminal, 'stderr', ['b\n'])
  expect(screen.text).toBe(`${line('countries: 4,120 of 15,631 files')}${ERASE}a\nb\n`)
})

test('a terminal has a progress, unless it cannot erase a line; a pipe has none', () => {
  expect(progressOn(createScreen(80), { TERM: 'xterm' })).toBeInstanceOf(Progress)
  expect(progressOn(createScreen(80), { TERM: 'dumb' })).toBe(undefined)
  expect(progressOn(createText(), { TERM: 'xterm' })).toBe(undefined)
})

test('a command says after each file how many it has read', async () => {
  const { screen, progress } = createProgress(1000, 2000)
  const { folder } = createCollections({ 'a.json': { code: 'A' }, 'b.json': { code: 'B' } }, {})
  const load = async () => ({ default: { trams: { files: ['a.json', 'b.json'], id: 'code' } } })
  await runIn(folder, 'check', [], { load, stream: () => screen, progress })
  const lines = line('trams: 1 of 2 files') + line('trams: 2 of 2 files')
  expect(screen.text).toBe(`${lines}${ERASE}trams: 2 records, no mistake, no schema\n`)
})
