/** Writes the batches that are measured, and checks the results. */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Page, sampleBatches } from '../samples/batches.ts'

export interface Sample {
  pages: number
  spelling: Spelling
  records: number
  bytes: number
  /** The folder that contains the two below. */
  folder: string
  /** The folder of the batches. */
  batches: string
  /** The folder of the same batches with problems in them, evenly spread. */
  faulty: string
  problems: number
  /** The digest of a result with the right pages in the right order. */
  digest: string
  /** The digest of each right page. */
  firsts: ReadonlySet<number>
}

const DUPLICATES = 0.3
const MOST_BATCHES = 500
const MOST_PROBLEMS = 10_000

/**
 * Writes batches with the given number of pages into a folder, one by one to save memory.
 *
 * @param spelling how they are written
 */
export function writeSample(folder: string, pages: number, spelling: Spelling = 'own'): Sample {
  // 100,000 pages in 50 batches: no delivered batch is larger. With more pages, more batches.
  const batches = Math.max(5, Math.min(MOST_BATCHES, Math.round(pages / 2_000)))
  const options = { pages, batches, duplicates: DUPLICATES, forms: 0.3, seed: 1 }
  const distance = Math.ceil((pages * (1 + DUPLICATES)) / MOST_PROBLEMS)
  const sample = { batches: join(folder, 'batches'), faulty: join(folder, 'faulty') }
  const seen = new Set<string>()
  const firsts = new Set<number>()
  const hash = createHash('sha256')
  let records = 0
  let problems = 0
  let bytes = 0
  let number = 0
  for (const place of Object.values(sample)) mkdirSync(place, { recursive: true })
  for (const delivered of sampleBatches(options)) {
    const first = records
    const batch =
      spelling === 'mixed'
        ? delivered.map((page, at) => spellOtherwise(page, first + at))
        : delivered
    const name = `batch-${String(number + 1).padStart(3, '0')}.json`
    const text = write(batch, spelling, number)
    bytes += Buffer.byteLength(text)
    writeFileSync(join(sample.batches, name), text)
    const faulty = batch.map((page, index) => {
      if ((first + index) % distance !== 0) return page
      problems++
      return { ...page, title: page.title.toLowerCase() }
    })
    writeFileSync(join(sample.faulty, name), write(faulty, spelling, number))
    number++
    records += batch.length
    for (const page of batch) {
      if (seen.has(page.path)) continue
      seen.add(page.path)
      const line = lineOf(page)
      hash.update(line)
      firsts.add(numberOf(line))
    }
  }
  const found = { problems, digest: hash.digest('hex'), firsts }
  return { pages, spelling, records, bytes, folder, ...sample, ...found }
}

/** How a batch is written: by this project's generator, in many ways, or as a program does. */
export type Spelling = 'own' | 'mixed' | keyof typeof PROGRAMS

/** How programs write JSON by default. */
const PROGRAMS = {
  // json.dumps of Python 3.11
  Python: (batch: readonly Page[]) => {
    // Within a string of JSON there are no line breaks.
    const spaced = JSON.stringify(batch, null, 1)
      .replace(/([[{])\n */g, '$1')
      .replace(/\n *([\]}])/g, '$1')
      .replace(/\n */g, ' ')
    return spaced.replace(/[\u007f-\uffff]/g, escapeOf)
  },
  // json_encode of PHP 8
  PHP: (batch: readonly Page[]) =>
    JSON.stringify(batch)
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, escapeOf),
  // json.Encoder of Go 1.22
  Go: (batch: readonly Page[]) =>
    `${JSON.stringify(batch).replace(/[<>&\u2028\u2029]/g, escapeOf)}\n`,
  // jq 1.6
  jq: (batch: readonly Page[]) =>
    `${JSON.stringify(batch, null, 2).replaceAll('\u007f', '\\u007f')}\n`,
}

export const SPELLINGS: readonly Spelling[] = ['own', 'mixed', 'Python', 'PHP', 'Go', 'jq']

/** Writes a batch. Mixed batches have three kinds of spacing, and one in seven has escapes. */
function write(batch: readonly Page[], spelling: Spelling, number: number): string {
  if (spelling === 'own') return `${JSON.stringify(batch, null, 2)}\n`
  if (spelling !== 'mixed') return PROGRAMS[spelling](batch)
  const json = `${JSON.stringify(batch, null, [2, 4, 0][number % 3])}\n`
  return number % 7 === 3 ? json.replace(/[\u0080-\uffff]/g, escapeOf) : json
}

/**
 * The same page as another program would have written it: every second one has its instants spelled
 * differently, one in ten has text beyond ASCII, one in fifty has its keys in another order.
 */
function spellOtherwise(page: Page, number: number): Page {
  const respell = [
    (instant: string) => instant.replace(/\.\d+Z$/, 'Z'),
    (instant: string) => instant.replace(/\.\d+Z$/, '.123456Z'),
    (instant: string) => instant.replace(/Z$/, '+00:00'),
  ][Math.floor(number / 2) % 3]
  const { createdAt, updatedAt, contentHtml } = page
  const spelled = {
    ...page,
    ...(number % 2 === 1 &&
      respell && { createdAt: respell(createdAt), updatedAt: respell(updatedAt) }),
    ...(number % 10 === 0 && { contentHtml: contentHtml.replace(/\b[Tt]he\b/g, 'où ça – 日本') }),
  }
  return number % 50 === 0 ? reversed(spelled) : spelled
}

function reversed(page: Page): Page {
  const { updatedAt, createdAt, form, contentHtml, title, path } = page
  return { updatedAt, createdAt, form, contentHtml, title, path }
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes a schema that allows numbers beyond 100, which samples need from 1,600 pages on. */
export function writeSchema(file: string): string {
  const schema = readFileSync(join(import.meta.dirname, '../../schema/batch.schema.json'), 'utf8')
  const number = '(?:0(?!00)[0-9]{2}|100)'
  if (!schema.includes(number))
    throw new Error('the pattern for page numbers in the schema has changed')
  writeFileSync(file, schema.replaceAll(number, '[0-9]{3,}'))
  return file
}

/**
 * Describes how a result differs from the right pages in the right order; undefined if it does not.
 * Fields that a peer adds to a page are ignored.
 */
export async function findDifference(file: string, sample: Sample): Promise<string | undefined> {
  const hash = createHash('sha256')
  const found = new Set<number>()
  let count = 0
  for await (const page of pagesOf(file)) {
    const line = lineOf(page)
    const number = numberOf(line)
    hash.update(line)
    if (sample.firsts.has(number)) found.add(number)
    count++
  }
  if (hash.digest('hex') === sample.digest) return undefined
  if (count !== sample.pages) return `${count.toLocaleString('en')} pages`
  const others = sample.firsts.size - found.size
  return others === 0 ? 'in another order' : `${others.toLocaleString('en')} are not the first`
}

/** Yields the pages of a JSON array or JSON Lines, one by one if each is on a line of its own. */
async function* pagesOf(file: string): AsyncGenerator<Page> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const text = line.trim().replace(/,$/, '')
    const isPage = text.startsWith('{') && text.endsWith('}')
    if (isPage) yield JSON.parse(text)
    else if (text !== '[' && text !== ']') {
      yield* JSON.parse(readFileSync(file, 'utf8'))
      return
    }
  }
}

/** A 48-bit digest of a page: millions of strings would be too many. */
function numberOf(line: string): number {
  return createHash('sha1').update(line).digest().readUIntBE(0, 6)
}

function lineOf({ path, title, contentHtml, form, createdAt, updatedAt }: Page): string {
  return JSON.stringify([path, title, contentHtml, form, createdAt, updatedAt])
}
