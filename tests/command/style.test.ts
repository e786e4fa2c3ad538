/** Colors and widths of a terminal. The streams are what Node.js has for a terminal: `isTTY` and `columns`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { styleOf } from '../../src/command/style.ts'
import { createCollections, runIn } from '../helpers/collections.ts'
import { nameField, page } from '../helpers/page.ts'
import { createScreen, createWorkspace, Text } from '../helpers/workspace.ts'

const XTERM = { TERM: 'xterm' }

test.each([
  ['as wide as a narrow terminal', 40, 40],
  ['as wide as a wide terminal', 120, 120],
  ['120 columns wide in a wider one', 300, 120],
  ['20 columns wide in a narrower one', 5, 20],
  ['80 columns wide if the terminal does not know its width', 0, 80],
])('frames are %s', (_, columns, width) => {
  expect(styleOf(createScreen(columns), {}).columns).toBe(width)
})

test('frames in a pipe are 80 columns wide', () => {
  expect(styleOf(new Text(), {}).columns).toBe(80)
})

const isColored = (stream: Text, env: NodeJS.ProcessEnv) => styleOf(stream, env).fault('x') !== 'x'

test.each([
  ['has colors', createScreen(80), XTERM, true],
  ['has none with NO_COLOR', createScreen(80), { ...XTERM, NO_COLOR: '1' }, false],
  ['has none if TERM is "dumb"', createScreen(80), { TERM: 'dumb' }, false],
  ['has none with FORCE_COLOR=0', createScreen(80), { ...XTERM, FORCE_COLOR: '0' }, false],
])('a terminal %s', (_, stream, env, expected) => {
  expect(isColored(stream, env)).toBe(expected)
})

test.each([
  ['has no colors', XTERM, false],
  ['has colors with FORCE_COLOR', { FORCE_COLOR: '1' }, true],
])('a pipe %s', (_, env, expected) => {
  expect(isColored(new Text(), env)).toBe(expected)
})

test('a color ends where its text ends', () => {
  const { place, fault, warning, faint } = styleOf(createScreen(80), XTERM)
  expect([place('a'), fault('b'), warning('c'), faint('d')]).toEqual([
    '\x1b[1ma\x1b[22m',
    '\x1b[31mb\x1b[39m',
    '\x1b[33mc\x1b[39m',
    '\x1b[2md\x1b[22m',
  ])
})

test.each([
  ['build-data', createSite],
  ['manyurls check', createRepository],
])(
  '%s has colors in a terminal, and none in its JSON and in the summary of a step',
  async (_, create) => {
    const { run, folder } = create()
    const summary = join(folder, 'summary.md')
    const env = { ...XTERM, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }

    const { stdout, stderr } = await run(['--json'], env, () => createScreen(40))
    expect(stderr).toContain('\x1b[31m1 problem\x1b[39m')
    expect(stderr).toContain('\x1b[31m^^^')
    expect(stderr).toContain('\x1b[33mUnread')
    expect(stdout + readFileSync(summary, 'utf8')).not.toContain('\x1b')
  },
)

test.each([
  ['build-data', createSite],
  ['manyurls check', createRepository],
])('the frames of %s are as wide as its terminal', async (_, create) => {
  const widths = [40, 100].map(async (columns) => {
    const { stderr } = await create().run([], {}, () => createScreen(columns))
    const frame = stderr.split('\n').filter((line) => line.includes(' | '))
    return Math.max(...frame.map((line) => line.length))
  })
  expect(await Promise.all(widths)).toEqual([40, 100])
})

/** A site with a wrong value in a long line, and a file that is not read. */
function createSite() {
  const { batch, build, folder } = createWorkspace()
  const form = { fields: [{ ...nameField, type: 'e-mail', placeholder: 'x'.repeat(200) }] }
  batch('a.json', JSON.stringify([page({ form })]))
  batch('a.csv', 'code')
  return { folder, run: build }
}

/** A repository with a wrong value in a long line, and a pattern that leaves out no file. */
function createRepository() {
  const files = ['a.json', '!b.json']
  const schema = { items: { properties: { kind: { enum: ['tram'] } } } }
  const record = { code: 'x'.repeat(200), kind: 'trams' }
  const { folder } = createCollections({ 'a.json': [record], 'a.schema.json': schema }, {})

  const load = async () => ({ default: { a: { files, schema: 'a.schema.json', id: 'code' } } })
  const run = (args: string[], env: NodeJS.ProcessEnv, stream: () => Text) => {
    return runIn(folder, 'check', args, { env, load, stream })
  }
  return { folder, run }
}
