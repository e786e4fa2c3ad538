/** The files of a built site: which there are, their compressed copies, and the dataset among them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib'
import { lookup } from 'mrmime'

/** The dataset in a built site. The build writes it last: a site without it is unfinished. */
export const DATASET_FILE = 'dataset.json'

/** The base of a built site, as JSON. A site at the root has no such file. */
export const BASE_FILE = 'site.json'

/** Returns the names of all files in a folder, with `/` between their parts. */
export function filesIn(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const start = join(folder, '/').length
  return new Set(
    files.map(({ parentPath, name }) => join(parentPath, name).slice(start).replaceAll('\\', '/')),
  )
}

/** The encodings of the copies of a file, smallest first, with the ends of their names. */
export const COPIES = { br: '.br', gzip: '.gz' }

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|xml))/

/** In bytes. Compressing a smaller file gains nothing. */
const LEAST = 128

const quality = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } })

/**
 * Writes compressed copies beside a file, if it gets smaller, so that no request has to wait: the
 * smallest, outside of the main thread (two seconds for a megabyte).
 *
 * @param isOneOfMany only a brotli copy, and quickly: a document of 2.5 kB takes 0.1 ms and becomes
 *   1.1 kB; at the best quality it would take 5 ms and become 0.9 kB
 */
export async function compress(file: string, isOneOfMany: boolean): Promise<void> {
  if (!COMPRESSIBLE.test(lookup(file) ?? '')) return
  const body = readFileSync(file)
  if (body.length < LEAST) return
  if (isOneOfMany) {
    writeFileSync(file + COPIES.br, brotliCompressSync(body, quality(5)))
    return
  }
  writeFileSync(file + COPIES.br, await promisify(brotliCompress)(body, quality(11)))
  writeFileSync(file + COPIES.gzip, await promisify(gzip)(body, { level: 9 }))
}
