/** Writes the batches that are measured, and checks the results. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '../../src/generated/dataset.json'
import { sampleBatches } from '../../src/samples/batches.ts'

export interface Sample {
  pages: number
  /** Whether values are spelled and spaced in many ways. */
  isMixed: boolean
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
 * @param isMixed whether values are spelled and spaced in as many ways as in real deliveries
 */
export function writeSample(folder: string, pages: number, isMixed = false): Sample {
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
    const batch = isMixed
      ? delivered.map((page, at) => spellOtherwise(page, first + at))
      : delivered
    const style = isMixed ? mixedStyle(number) : { space: 2, isEscaped: false }
    const name = `batch-${String(++number).padStart(3, '0')}.json`
    bytes += writeBatch(join(sample.batches, name), batch, style)
    const faulty = batch.map((page, index) => {
      if ((first + index) % distance !== 0) return page
      problems++
      return { ...page, title: page.title.toLowerCase() }
    })
    writeBatch(join(sample.faulty, name), faulty, style)
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
  return { pages, isMixed, records, bytes, folder, ...sample, ...found }
}

interface Style {
  /** The indentation in spaces. */
  space: number
  /** Whether characters beyond ASCII are written as escapes. */
  isEscaped: boolean
}

/** Three kinds of spacing, and one batch in seven with escapes. */
function mixedStyle(batch: number): Style {
  return { space: [2, 4, 0][batch % 3] as number, isEscaped: batch % 7 === 3 }
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

/** @returns the number of bytes written */
function writeBatch(name: string, batch: readonly Page[], { space, isEscaped }: Style): number {
  const file = openSync(name, 'w')
  let bytes = 0
  for (let at = 0; at < batch.length; at += 1_000) {
    const json = JSON.stringify(batch.slice(at, at + 1_000), null, space)
    const text = json.slice(1, space === 0 ? -1 : -2)
    const written = isEscaped ? text.replace(/[\u0080-\uffff]/g, escapeOf) : text
    bytes += writeSync(file, `${at === 0 ? '[' : ','}${written}`)
  }
  bytes += writeSync(file, '\n]\n')
  closeSync(file)
  return bytes
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
