/**
 * Makes the built site ready for our own server: all files, compressed as browsers accept them, and the
 * manifest of what is where go beside its folder. The folder itself stays what any static host takes.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Zstd } from '@hpcc-js/wasm-zstd'
import { lookup } from 'mrmime'
import {
  compressedFolder,
  type FileEntry,
  hashOf,
  MANIFEST,
  NOT_FOUND_FILE,
  PACK,
  type SiteManifest,
} from './built-site.ts'

/** Above so many files, all but the large scripts are compressed fast and not as well as can be. */
const MANY = 1000
const SMALL = 64 * 1024

/** What Vite has named after its content. */
const IMMUTABLE = /^assets\/.*-[\w-]{8}\.\w+$/

const compressible = /^(text\/|image\/svg|application\/(json|xml))/

/**
 * Compresses a built site for `openSite`. Files are replaced whole; a server that starts between two
 * of them finds that they do not belong together, and says so.
 *
 * @param site its folder
 * @param headers what every answer of the server is to carry
 */
export async function compressSite(site: string, headers: Record<string, string>): Promise<void> {
  const out = compressedFolder(site)
  mkdirSync(out, { recursive: true })
  const paths = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
  const compress = await compressor(paths.length > MANY)

  const pack = createWriteStream(join(out, `${PACK}.new`))
  const digest = createHash('sha256')
  let length = 0
  const append = (bytes: Uint8Array) => {
    const place = [length, bytes.length] as const
    length += bytes.length
    digest.update(bytes)
    pack.write(bytes)
    return place
  }
  const files: FileEntry[] = []
  for (const file of paths) {
    const body = readFileSync(join(site, file))
    const type = typeOf(file)
    const encoded = compressible.test(type) ? compress(file, body) : []
    files.push({
      file,
      ...(file !== NOT_FOUND_FILE && { path: addressOf(file) }),
      type,
      hash: hashOf(body),
      isImmutable: IMMUTABLE.test(file),
      // The smallest first: it is what a browser gets that has no wish of its own.
      encodings: encoded
        .filter(([, bytes]) => bytes.length < body.length)
        .sort(([, a], [, b]) => a.length - b.length)
        .map(([encoding, bytes]) => [encoding, ...append(bytes)]),
    })
    if (pack.writableNeedDrain) await once(pack, 'drain')
  }
  pack.end()
  await finished(pack)
  const manifest: SiteManifest = { headers, pack: digest.digest('hex'), files }
  writeFileSync(join(out, `${MANIFEST}.new`), JSON.stringify(manifest))
  for (const name of [PACK, MANIFEST]) renameSync(join(out, `${name}.new`), join(out, name))
}

/** `blog/029.html` is found at `/blog/029`, everything else at its own name. */
function addressOf(file: string): string {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
}

function typeOf(file: string): string {
  const type = lookup(file) ?? 'application/octet-stream'
  return compressible.test(type) && type !== 'image/svg+xml' ? `${type}; charset=utf-8` : type
}

/**
 * Zstandard comes from WebAssembly: Node has had it since 22.15 only, and so the bytes are the same
 * on every machine. Of small files it makes more than brotli does, and whoever takes it takes brotli,
 * so where there are many it is left out. All is done in this thread: for a few kilobytes the way to
 * another costs as much as the work.
 */
async function compressor(isMany: boolean) {
  const zstd = await Zstd.load()
  return (file: string, body: Buffer): [encoding: string, bytes: Uint8Array][] => {
    const isLarge = body.length > SMALL
    const isBest = !isMany || (isLarge && IMMUTABLE.test(file))
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: isBest ? constants.BROTLI_MAX_QUALITY : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    }
    // Otherwise each call takes 16 KiB, which is memory for nothing until it is collected.
    const chunkSize = Math.max(constants.Z_MIN_CHUNK, body.length)
    const encoded: [string, Uint8Array][] = [
      ['br', brotliCompressSync(body, { params, chunkSize })],
      ['gzip', gzipSync(body, { level: isBest ? constants.Z_BEST_COMPRESSION : 6, chunkSize })],
    ]
    if (isLarge || !isMany) encoded.push(['zstd', zstd.compress(body, isBest ? 15 : 9)])
    return encoded
  }
}
