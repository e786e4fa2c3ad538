/** Files in which whole pages or the heads of pages are damaged: no command calls itself complete that isn't. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql/promise'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { isLong } from '../helpers/long.ts'
import { owner } from '../helpers/owner.ts'
import { addAll } from '../helpers/receiver.ts'
import { openStore } from '../helpers/store.ts'

const PAGE = 4_096

const COUNT = 300

/** One line that names the file, or what to do next. */
const ONE_SENTENCE = /^submissions: .*(submissions\.db|"check" says more).+\n$/

/** Where in the head of a page its type is, and how many cells it has (two bytes). */
const TYPE = 0
const CELLS = 3

/** The bytes of a sound file. */
let good: Buffer

/** The root pages of the tables and indexes by name, counted from 0. */
const roots = new Map<string, number>()

/** What an export of it says of each submission. */
let originals: string[]

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-pages-'))
  const file = join(folder, 'submissions.db')
  const store = await openStore({ file })
  await addAll(store, submissions())
  // Each tenth again.
  await addAll(
    store,
    submissions().filter((_, index) => index % 10 === 0),
  )
  await store.close()
  good = readFileSync(file)
  originals = await exportOf(file)

  const database = new Database(file, {})
  const rows: { name: string; rootpage: number }[] = await (
    await database.prepare('SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0')
  ).all()
  for (const { name, rootpage } of rows) roots.set(name, rootpage - 1)
  database.close()
  rmSync(folder, { recursive: true })
})

function submissions() {
  return Array.from({ length: COUNT }, (_, index) => ({
    path: '/blog/029',
    fields: [
      ['email', `p${index}@example.com`] as const,
      ['message', 'hello '.repeat(20)] as const,
    ],
    dataset: '',
    isSuspect: false,
    channels: ['mail'] as const,
  }))
}

async function exportOf(file: string): Promise<string[]> {
  const { stdout } = await owner({ SUBMISSIONS_FILE: file }, ['export', '--format', 'json'])
  return rowsIn(stdout)
}

/** Returns the rows of an export, each as JSON. */
function rowsIn(stdout: string): string[] {
  const rows: unknown[] = JSON.parse(stdout)
  return rows.map((row) => JSON.stringify(row))
}

/** Writes a copy of the sound file with a damage. */
function damaged(change: (bytes: Buffer) => Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'submissions.db')
  writeFileSync(file, change(Buffer.from(good)))
  return file
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (2 ** bit), at)
  return bytes
}

/** Where the head of a page begins. The first page begins with that of the file. */
const headOf = (page: number) => (page === 0 ? 100 : page * PAGE)

/**
 * Each command ends, and if its status is 0, it has done all of what it says. Resolves to whether the
 * damage was noticed, and how many submissions the export has.
 */
async function expectHonesty(file: string, name: string) {
  const run = async (...args: string[]) => {
    const result = await owner({ SUBMISSIONS_FILE: file }, args)
    expect(result.stderr, name).not.toContain('internal error')
    if (result.status === 2) expect(result.stderr, name).toMatch(ONE_SENTENCE)
    return result
  }

  const checked = await run('check')
  const isSound = checked.status === 0
  const all = `Checked ${COUNT} submissions. No damage was found.\n`
  if (isSound) expect(checked.stdout, name).toBe(all)

  const exported = await run('export', '--format', 'json')
  if (exported.status === 0) expect(rowsIn(exported.stdout), name).toEqual(originals)
  if (exported.status === 1) {
    const unmarked = rowsIn(exported.stdout).filter((row) => !JSON.parse(row).damage)
    expect(originals, name).toEqual(expect.arrayContaining(unmarked))
  }

  for (const args of [['list', '--text', 'p7@'], ['count'], ['notifications']]) await run(...args)

  const copied = await run('backup', `${file}.copy`)
  if (copied.status === 0) expect(await exportOf(`${file}.copy`), name).toEqual(originals)

  const erased = await run('delete', '--email', 'p7@example.com', '--yes')
  if (erased.status === 0) {
    expect(erased.stdout, name).toContain('Deleted 1 submission.')
    expect(await exportOf(file), name).toHaveLength(COUNT - 1)
  }
  if (isSound)
    expect(
      [exported.status, copied.status, erased.status],
      `${name} ${copied.stderr} ${erased.stderr}`,
    ).toEqual([0, 0, 0])
  return { isNoticed: !isSound, exported: exported.stdout.match(/"receipt"/g)?.length ?? 0 }
}

it('a bit in the root page of each table and index, and such a page that is empty', async () => {
  expect(roots.size).toBeGreaterThan(10)
  for (const [name, page] of roots) {
    const head = headOf(page)
    const damages = {
      type: (bytes: Buffer) => flipped(bytes, head + TYPE, 3),
      'fewer or more cells': (bytes: Buffer) => flipped(bytes, head + CELLS + 1, 0),
      'many more cells': (bytes: Buffer) => flipped(bytes, head + CELLS, 0),
      zeros: (bytes: Buffer) => bytes.fill(0, page * PAGE, page * PAGE + PAGE),
    }
    for (const [what, damage] of Object.entries(damages)) {
      const { isNoticed, exported } = await expectHonesty(damaged(damage), `${name}: ${what}`)
      expect(isNoticed, name).toBe(true)
      // No other table or index is needed to read the submissions.
      if (name !== 'submissions') expect(exported, `${name}: ${what}`).toBe(COUNT)
    }
  }
})

it('bits in the heads of any pages, and pages that are empty', async () => {
  const places = fc.record({
    page: fc.nat(good.length / PAGE - 1),
    at: fc.nat(11),
    bit: fc.nat(7),
    isEmpty: fc.nat(9).map((digit) => digit === 0),
  })

  for (const place of fc.sample(places, { seed: 1, numRuns: isLong ? 1_000 : 40 })) {
    const { page, at, bit, isEmpty } = place
    const file = damaged((bytes) => {
      if (isEmpty) return bytes.fill(0, page * PAGE, page * PAGE + PAGE)
      return flipped(bytes, headOf(page) + at, bit)
    })
    await expectHonesty(file, JSON.stringify(place))
  }
})

it('bytes anywhere, in the head of the file and in the definitions of its tables', async () => {
  const places = fc.record({
    size: fc.constantFrom(100, PAGE, good.length),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 64 }),
    value: fc.nat(255),
  })

  let noticed = 0
  for (const place of fc.sample(places, { seed: 1, numRuns: isLong ? 1_000 : 40 })) {
    const { size, length, value } = place
    const at = place.at % size
    const file = damaged((bytes) => {
      return bytes.fill(bytes.readUInt8(at) ^ value, at, Math.min(size, at + length))
    })
    const { isNoticed } = await expectHonesty(file, JSON.stringify(place))
    if (isNoticed) noticed += 1
  }
  expect(noticed).toBeGreaterThan(0)
})

it('a file that ends too early', async () => {
  for (const part of [0.01, 0.3, 0.5, 0.9]) {
    const length = Math.floor(good.length * part)
    const file = damaged((bytes) => bytes.subarray(0, length))
    const { isNoticed } = await expectHonesty(file, `${length} bytes`)
    expect(isNoticed).toBe(true)
  }
})

it('a path that became another one is left out, and named', async () => {
  const file = damaged((bytes) => {
    const at = bytes.lastIndexOf('/blog/029')
    return flipped(bytes, at + 8, 0)
  })
  const env = { SUBMISSIONS_FILE: file }
  const exported = await owner(env, ['export', '--format', 'json', '--page', '/blog/029'])
  expect(exported.stderr).toContain('this may be incomplete: 1 submission is damaged and was left')
  expect(JSON.parse(exported.stdout)).toHaveLength(COUNT - 1)
  expect(exported.status).toBe(1)

  const erased = await owner(env, ['delete', '--page', '/blog/029', '--yes'])
  expect(erased.stdout).toContain(`Deleted ${COUNT - 1} submissions. That may not be all of them.`)
  expect(erased.status).toBe(1)
})

it('an export goes on after a page that cannot be read', async () => {
  const page = Math.floor(good.indexOf('p150@example.com') / PAGE)
  const file = damaged((bytes) => bytes.fill(0, page * PAGE, page * PAGE + PAGE))
  const exported = await exportOf(file)

  expect(exported.length).toBeGreaterThan(COUNT - 30)
  expect([exported[0], exported.at(-1)]).toEqual([originals[0], originals.at(-1)])
  expect(originals).toEqual(expect.arrayContaining(exported))
})
