/** The files of a built site: which there are, their compressed copies, and what the receiver reads. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import glob from 'fast-glob'
import { messageOf } from '../machine/errors.ts'
import type { FormPage } from '../page/page.ts'

/** What the receiver knows of a built site. */
const SITE_FILE = 'site.json'

interface BuiltSite {
  /** See `address.ts`. */
  base: string
  /** The address of the site, such as `https://example.com/docs`; undefined without SITE_URL. */
  address?: string | undefined
  /** The digest of the dataset that the site was built from. */
  dataset: string
  pages: readonly FormPage[]
  /** All files that it reads, so that none is sought. */
  files: readonly string[]
}

/** Finishes a site: a folder without this file isn't one. */
export function finishSite(folder: string, site: BuiltSite): void {
  writeFileSync(join(folder, SITE_FILE), `${JSON.stringify(site)}\n`)
}

/** The site has to be built or copied again. The message says so in one line. */
export class SiteError extends Error {
  constructor(reason: string) {
    const advice = 'Run "npm run build", or copy all of dist/ again.'
    super(`There is no finished site in dist/ (${reason}). ${advice}`)
  }
}

/** Reads what the receiver knows of a site. Throws a {@link SiteError} if there is none. */
export function readSite(folder: string): BuiltSite {
  try {
    const site = JSON.parse(readFileSync(join(folder, SITE_FILE), 'utf8'))

    const areTexts = [site.base, site.dataset].every((value) => typeof value === 'string')
    const areLists = [site.pages, site.files].every((value) => Array.isArray(value))
    if (!areTexts || !areLists) throw new Error('it was built by another version')

    return site
  } catch (error) {
    throw new SiteError(messageOf(error))
  }
}

/** Returns the names of all files in a folder, with `/` between their parts. */
export function filesIn(folder: string): Set<string> {
  return new Set(glob.globSync('**', { cwd: folder, dot: true }).sort())
}

/** The encodings of the copies of a file, smallest first, with the ends of their names. */
export const COPIES = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
])

const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt|xml)$/

/** In bytes. Compressing a smaller file gains nothing. */
const LEAST = 128

/**
 * Returns the compressed copies of a file, each with the end of its name, if they are smaller. Only a
 * few files, which many load, get them.
 */
export function compressWell(file: string, body: Buffer): [end: string, copy: Buffer][] {
  if (!COMPRESSIBLE.test(file) || body.length < LEAST) return []

  const copies = file.endsWith('.json') ? FOR_DATA : FOR_CODE
  return [
    ['.br', brotli(body, copies.brotli)],
    ['.gz', gzipSync(body, { level: copies.gzip })],
  ]
}

/** Every visitor loads it, and it doesn't grow: the best quality of both. */
const FOR_CODE = { brotli: 11, gzip: 9 }

/** The words and texts of the search grow with the site. The best would take ten times as long. */
const FOR_DATA = { brotli: 6, gzip: 6 }

/**
 * Returns the copy of a document, for many of them: one of 3 kB takes 0.1 ms and becomes 1.1 kB; at
 * the best quality it would take 5 ms and become 0.9 kB.
 */
export function compressQuickly(body: Buffer): Buffer {
  return brotli(body, 5)
}

function brotli(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}
