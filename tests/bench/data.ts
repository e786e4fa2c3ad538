/** Writes the batches that are measured, as different programs would, and checks the results. */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Page, sampleBatches } from '../../scripts/samples/batches.ts'

export interface Sample {
  records: number
  bytes: number
  /** The folder of the batches. */
  batches: string
  /** Whether a file has the right pages in the right order: a JSON array, one page on a line. */
  isIn(file: string): Promise<boolean>
}

const MOST_BATCHES = 500

/** Writes batches with the given number of pages into a folder, one by one to save memory. */
export function writeSample(folder: string, pages: number): Sample {
  // 100,000 pages in 50 batches: no delivered batch is larger. With more pages, more batches.
  const batches = Math.max(5, Math.min(MOST_BATCHES, Math.round(pages / 2_000)))
  const seen = new Set<string>()
  const hash = createHash('sha256')
  let [records, bytes, number] = [0, 0, 0]
  mkdirSync(folder)
  for (const delivered of sampleBatches({ pages, batches, duplicates: 0.3, forms: 0.3, seed: 1 })) {
    const first = records
    const batch = delivered.map((page, at) => spellOtherwise(page, first + at))
    const text = write(batch, number++)
    bytes += Buffer.byteLength(text)
    records += batch.length
    writeFileSync(join(folder, `batch-${String(number).padStart(3, '0')}.json`), text)
    for (const page of batch) {
      if (seen.has(page.path)) continue
      seen.add(page.path)
      hash.update(lineOf(page))
    }
  }
  const digest = hash.digest('hex')
  const isIn = async (file: string) => (await digestOf(file)) === digest
  return { records, bytes, batches: folder, isIn }
}

/** Writes a batch, with one of three kinds of spacing; one in seven has escapes. */
function write(batch: readonly Page[], number: number): string {
  const json = `${JSON.stringify(batch, null, [2, 4, 0][number % 3])}\n`
  const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
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
  if (number % 50 !== 0) return spelled
  return Object.fromEntries(Object.entries(spelled).reverse()) as typeof spelled
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

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const text = line.trim().replace(/,$/, '')
    if (text.startsWith('{')) hash.update(lineOf(JSON.parse(text)))
  }
  return hash.digest('hex')
}

/** The order of keys is free, and DuckDB adds none. */
function lineOf({ path, title, contentHtml, form, createdAt, updatedAt }: Page): string {
  return JSON.stringify([path, title, contentHtml, form, createdAt, updatedAt])
}
