/** Hides which batches are measured, and how a result is told to be the right one. */
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
  records: number
  bytes: number
  /** Folder of all that is below. */
  folder: string
  /** Folder of the batches. */
  batches: string
  /** Folder of the same batches with problems in them, evenly spread. */
  faulty: string
  problems: number
  /** What a result with the right pages in the right order has as its digest. */
  digest: string
  /** The digest of each right page. */
  firsts: ReadonlySet<number>
}

const DUPLICATES = 0.3
const MOST_BATCHES = 500
const MOST_PROBLEMS = 10_000

/** Writes batches of so many pages into a folder, one by one: they never are in memory together. */
export function writeSample(folder: string, pages: number): Sample {
  // 50 batches of the 100,000 pages are as large as delivered ones get; more pages, more batches.
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
  for (const batch of sampleBatches(options)) {
    const name = `batch-${String(++number).padStart(3, '0')}.json`
    bytes += writeBatch(join(sample.batches, name), batch)
    const faulty = batch.map((page, index) => {
      if ((records + index) % distance !== 0) return page
      problems++
      return { ...page, title: page.title.toLowerCase() }
    })
    writeBatch(join(sample.faulty, name), faulty)
    records += batch.length
    for (const page of batch) {
      if (seen.has(page.path)) continue
      seen.add(page.path)
      const line = lineOf(page)
      hash.update(line)
      firsts.add(numberOf(line))
    }
  }
  return { pages, records, bytes, folder, ...sample, problems, digest: hash.digest('hex'), firsts }
}

/** @returns how many bytes */
function writeBatch(name: string, batch: readonly Page[]): number {
  const file = openSync(name, 'w')
  let bytes = 0
  for (let at = 0; at < batch.length; at += 1_000) {
    const text = JSON.stringify(batch.slice(at, at + 1_000), null, 2).slice(1, -2)
    bytes += writeSync(file, `${at === 0 ? '[' : ','}${text}`)
  }
  bytes += writeSync(file, '\n]\n')
  closeSync(file)
  return bytes
}

/** Sample pages have longer numbers than the specification's 100, from 1,600 pages on. */
export function writeSchema(file: string): string {
  const schema = readFileSync(join(import.meta.dirname, '../../schema/batch.schema.json'), 'utf8')
  const number = '(?:0(?!00)[0-9]{2}|100)'
  if (!schema.includes(number)) throw new Error('the schema says the number in other words now')
  writeFileSync(file, schema.replaceAll(number, '[0-9]{3,}'))
  return file
}

/**
 * What a result is, in a few words: nothing when it has the right pages in the right order. What a
 * peer adds to a page does not count.
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

/** The pages of a JSON array, read one by one where it has one a line, as have JSON Lines. */
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

/** 48 bits that stand for a page: as strings millions of them would be too many. */
function numberOf(line: string): number {
  return createHash('sha1').update(line).digest().readUIntBE(0, 6)
}

function lineOf({ path, title, contentHtml, form, createdAt, updatedAt }: Page): string {
  return JSON.stringify([path, title, contentHtml, form, createdAt, updatedAt])
}
