/** The house: which room of `src` may import which. Biome checks that no modules form a circle. */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import fg from 'fast-glob'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

/** What nearly every room may import. */
const GROUND = ['text', 'machine', 'fault', 'page']

/** Each room with what it may import from the rest of `src`. Rooms stand below those that they import. */
const ROOMS: Record<string, readonly string[]> = {
  text: [],
  machine: ['text'],
  fault: ['text'],
  formats: ['text', 'machine', 'fault'],
  page: ['text', 'fault', 'formats', 'generated'],
  schema: GROUND,
  collections: [...GROUND, 'formats'],
  dataset: GROUND,
  accept: [...GROUND, 'formats', 'schema', 'collections'],
  explain: [...GROUND, 'formats', 'schema', 'collections', 'dataset', 'accept'],
  build: [...GROUND, 'formats', 'schema', 'collections', 'dataset', 'accept', 'explain'],
  report: [...GROUND, 'dataset', 'accept', 'explain', 'build'],
  command: [...GROUND, 'collections', 'dataset', 'accept', 'explain', 'build', 'report'],
  package: [...[...GROUND, 'formats', 'collections'], ...['explain', 'build', 'report', 'command']],
  // A browser runs it.
  app: ['text', 'page', 'site.ts'],
  static: [...GROUND, 'explain', 'site.ts', 'content.ts', 'app'],
  store: GROUND,
  notify: [...GROUND, 'site.ts', 'store'],
  forms: [...GROUND, 'site.ts', 'app', 'static', 'store', 'notify'],
  owner: [...GROUND, 'store', 'notify', 'forms'],
}

/**
 * The pure rooms, whose functions take values and return values, with the modules of Node that they use.
 * These compute. Only `module`, which loads installed packages on demand, reads the disk, and `vm` runs
 * the code that ajv has made of a schema.
 */
const PURE: Record<string, readonly string[]> = {
  text: ['crypto', 'url'],
  fault: [],
  page: ['module'],
  formats: ['buffer', 'module', 'util'],
  schema: ['module', 'url'],
  collections: ['path'],
  dataset: ['util'],
  accept: ['module', 'path', 'vm'],
  explain: [],
  app: [],
}

/** Such as `from './page.ts'`, `import './style.css'` or `import('../explain/explain.ts')`. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** Returns what a file of `src` imports, as it is written there. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(SRC, file), 'utf8')
  return Array.from(code.matchAll(IMPORT), ([, specifier = '']) => specifier)
}

/** Returns where a relative import leads: a room, a file of `src`, or a place beside it, such as "../scripts". */
function placeOf(file: string, specifier: string): string {
  const [first = '', second = ''] = posix.join(file, '..', specifier).split('/')
  return first === '..' ? `../${second}` : first
}

const rooms = Object.entries(ROOMS).map(([room, allowed]) => {
  const files = fg.globSync(`${room}/**/*.{ts,tsx}`, { cwd: SRC })
  const imports = files.flatMap((file) =>
    importsOf(file).map((specifier) => ({ file, specifier, place: placeOf(file, specifier) })),
  )
  const beyond = imports.filter(({ specifier, place }) => specifier[0] === '.' && place !== room)
  return { room, allowed, imports, beyond }
})

test.each(rooms)('$room imports only from where its row allows', ({ allowed, beyond }) => {
  const refused = beyond.filter(({ place }) => !allowed.includes(place))
  expect(refused).toEqual([])
})

test.each(rooms)('the row of $room allows nothing that it has no need for', (row) => {
  const places = [...GROUND, ...row.beyond.map(({ place }) => place)]
  expect(places).toEqual(expect.arrayContaining([...row.allowed]))
})

test('a row allows only rooms above it', () => {
  const order = Object.keys(ROOMS)
  const upward = order.filter((room, at) =>
    order.slice(at).some((lower) => ROOMS[room]?.includes(lower)),
  )
  expect(upward).toEqual([])
})

test.each(Object.entries(PURE))('%s imports of Node only %j', (name, modules) => {
  const { imports = [] } = rooms.find(({ room }) => room === name) ?? {}
  expect(imports).not.toEqual([])
  const used = imports.flatMap(({ specifier }) => /^node:(.*)/.exec(specifier)?.[1] ?? [])
  expect([...new Set(used)].sort()).toEqual(modules)
})
