import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scripts } from '../../package.json'
import { type Page, sampleBatches } from '../../scripts/samples/batches.ts'
import { makeBatches } from '../../scripts/samples/command.ts'
import { content } from '../../src/content.ts'
import { sha256Of } from '../../src/text/digest.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const DEFAULTS = { pages: 100, batches: 5, duplicates: 0.32, forms: 0.3, seed: 1 }
const ROOT = join(import.meta.dirname, '../..')

const sample = (options: Partial<typeof DEFAULTS> = {}) => [
  ...sampleBatches({ ...DEFAULTS, ...options }),
]
const numberOf = (page: Page) => Number(page.path.slice(page.path.lastIndexOf('/') + 1))
const categoryOf = (page: Page) => page.path.split('/')[1]
const count = <T>(items: Iterable<T>) => new Set(items).size

const options = fc
  .record({
    pages: fc.integer({ min: 1, max: 400 }),
    batches: fc.integer({ min: 1, max: 40 }),
    duplicates: fc.double({ min: 0, max: 2, noNaN: true }),
    forms: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  })
  .filter((o) => o.batches <= Math.min(16, o.pages) + Math.round(o.duplicates * o.pages))

describe('a set of sample batches', () => {
  property([options])('has the batches, pages, duplicates and forms asked for', (options) => {
    const batches = sample(options)
    const records = batches.flat()
    const first = new Map(records.toReversed().map((record) => [record.path, record]))
    expect(batches).toHaveLength(options.batches)
    expect(first.size).toBe(options.pages)
    expect(records.length - options.pages).toBe(Math.round(options.duplicates * options.pages))
    expect([...first.values()].filter(({ form }) => form)).toHaveLength(
      Math.round(options.forms * options.pages),
    )
    for (const batch of batches) {
      const numbers = batch.map(numberOf)
      expect(numbers[0]).toBe(1)
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    }
  })

  property([fc.integer({ min: 0, max: 2 ** 32 - 1 })])(
    'has the numbers 001 and 100, all 16 categories and both forms with any seed',
    (seed) => {
      const records = sample({ seed }).flat()
      const numbers = records.map(numberOf)
      expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, 100])
      expect(count(records.map(categoryOf))).toBe(16)
      expect(new Set(records.map(({ form }) => form?.fields.length))).toEqual(
        new Set([undefined, 2, 3]),
      )
    },
  )

  test('passes the schema and the rules, with bodies of one to five paragraphs', () => {
    const schema = JSON.parse(readFileSync(join(ROOT, 'schema/batch.schema.json'), 'utf8'))
    const check = compileCheck(schema)
    const pages = sample({ pages: 1000 }).flat()
    const batch = Buffer.from(JSON.stringify(pages))
    expect(validate('a.json', batch, check, 0, content).problems).toEqual([])
    const lengths = pages.map(({ contentHtml }) => contentHtml.split('<p>').length - 1)
    expect([...new Set(lengths)].sort()).toEqual([1, 2, 3, 4, 5])
  })
})

describe('make-batches', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'make-batches-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const make = (...args: string[]) => makeBatches(['--out', folder, ...args])
  const contents = (of: string) =>
    readdirSync(of)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(join(of, name), 'utf8')])

  test('writes the same bytes on any machine, those that were committed once', () => {
    const command = `${scripts['make-batches']} --out "${folder}"`
    const { status } = spawnSync(command, { cwd: ROOT, shell: true })
    expect(status).toBe(0)

    const batches = contents(folder)
    expect(batches).toHaveLength(5)
    // Not compared with the committed batches, which you may edit.
    const digest = sha256Of(batches.map(([, text]) => text).join(''))
    expect(digest).toBe('6a1d6e0471cb11f039df582b78d79d2b06b0e8f9ca83be58445713c72d6992de')
  })

  test('says what it wrote', async () => {
    expect(await make()).toBe(
      `Wrote 5 batches to ${folder}: 132 records, 100 pages, 32 duplicates.`,
    )
  })

  test('refuses a folder with other batches, by name', async () => {
    mkdirSync(join(folder, 'late'))
    writeFileSync(join(folder, 'batch-06.json'), '[]')
    writeFileSync(join(folder, 'late', 'extra.json'), '[]')
    const before = contents(folder)
    await expect(make()).rejects.toThrow(
      `${folder} has other batches (batch-06.json, ${join('late', 'extra.json')}); ` +
        'remove them or choose another folder with --out',
    )
    expect(contents(folder)).toEqual(before)
  })

  test.each([
    [['--outt', 'a'], "Unknown option '--outt' (did you mean --out?)"],
    [['--out', ''], '--out must be the name of a folder, but is empty'],
    [['--out', 'package.json/batches'], 'ENOTDIR'],
  ])('says what is wrong with %j and writes nothing', async (args, message) => {
    await expect(make(...args)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
  })
})
