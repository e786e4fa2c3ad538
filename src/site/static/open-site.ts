/**
 * The built site as our own server serves it: every file is in memory, found by the exact string of
 * its address, and sent in the encoding that the browser prefers. No address becomes a disk path.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fresh from 'fresh'
import { lookup } from 'mrmime'
import Negotiator from 'negotiator'
import { NOT_FOUND, pathAt } from '../../dataset/address.ts'
import { COPIES } from './compress.ts'
import { headers } from './policy.ts'
import { BASE_FILE, DATASET_FILE, parseDataset } from './read-dataset.ts'

/** Files that are not served: they are for static hosts and for the receiver. */
const HIDDEN = ['_headers', DATASET_FILE, BASE_FILE]

interface FileRequest {
  method: string
  /** As in the request line, including the query. */
  url: string
  headers: IncomingHttpHeaders
}

/** The site has to be built, or built again. The message says so in one line. */
export class SiteError extends Error {
  override name = 'SiteError'
  constructor(reason: string) {
    super(`There is no finished site in dist/ (${reason}). "npm run build" makes it.`)
  }
}

/** Reads the dataset of a site. Throws a {@link SiteError} when it is missing or incomplete. */
export function readDataset(folder: string) {
  try {
    const dataset = readFileSync(join(folder, DATASET_FILE))
    return { dataset, pages: parseDataset(dataset) }
  } catch (error) {
    throw new SiteError((error as Error).message)
  }
}

/**
 * Loads a site.
 *
 * @throws {SiteError} when there is none, or a page has no document
 */
export function openSite(folder: string) {
  const built = readDataset(folder)
  const baseFile = join(folder, BASE_FILE)
  const base: string = existsSync(baseFile) ? JSON.parse(readFileSync(baseFile, 'utf8')).base : ''
  const byPath = new Map<string, SiteFile>()
  const files = filesIn(folder)
  for (const file of files) {
    if (HIDDEN.includes(file) || isCopy(file, files)) continue
    // `blog/029.html` is served at `/blog/029`, every other file at its own name.
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
    byPath.set(path, siteFile(folder, file, files))
  }
  const paths = ['/', NOT_FOUND, ...built.pages.map(({ path }) => path)]
  const missing = paths.find((path) => !byPath.has(path))
  if (missing) throw new SiteError(`no document for ${missing}`)
  const notFound = byPath.get(NOT_FOUND) as SiteFile
  byPath.delete(NOT_FOUND)
  return {
    /** See `address.ts`. */
    base,
    /** The headers of every response. */
    headers,
    /** Returns the response: a file (200 or 304), the way to a site with a base (308), 404 or 405. */
    answer(request: FileRequest) {
      const [address = ''] = request.url.split('?')
      if (base && (address === '/' || address === base)) {
        const Location = `${base}/${request.url.slice(address.length)}`
        return { status: 308, headers: { 'Cache-Control': 'no-cache', Location }, body: undefined }
      }
      const file = byPath.get(pathAt(address, base))
      if (!file) return send(404, notFound, request)
      if (request.method === 'GET' || request.method === 'HEAD') return send(200, file, request)
      const headers: Record<string, string> = {
        Allow: 'GET, HEAD',
        'Content-Type': 'text/plain; charset=utf-8',
      }
      return {
        status: 405,
        headers,
        body: Buffer.from('This address accepts GET and HEAD only.\n'),
      }
    },
    /** Returns the document of a path, as built. */
    document(path: string): string | undefined {
      const file = byPath.get(path)
      return file && bodyOf(file, 'identity').toString()
    },
    /** The Not found document. */
    notFound: bodyOf(notFound, 'identity').toString(),
    /** The dataset that the site was built from: its bytes and its pages. */
    ...built,
  }
}

/** Files with a content hash in their names. */
const IMMUTABLE = /^assets\/.*-[\w-]{8}\.\w+$/

const TEXT = /^(text\/|application\/(json|xml))/

interface SiteFile {
  type: string
  isImmutable: boolean
  /** The hash of the content, for the entity tag. Made for the first request. */
  hash?: string
  /** By encoding. If there is a brotli copy, the file itself is decoded from it when it is needed. */
  bodies: Map<string, Buffer>
  /** The encodings on offer, smallest first. The last is the file as it is. */
  encodings: string[]
}

/** Returns the names of all files in a folder, with `/` between their parts. */
function filesIn(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        relative(folder, join(parentPath, name)).replaceAll('\\', '/'),
      ),
  )
}

function isCopy(file: string, files: ReadonlySet<string>): boolean {
  return Object.values(COPIES).some((end) => {
    return file.endsWith(end) && files.has(file.slice(0, -end.length))
  })
}

function siteFile(folder: string, file: string, files: ReadonlySet<string>): SiteFile {
  const type = lookup(file) ?? 'application/octet-stream'
  const bodies = new Map<string, Buffer>()
  for (const [encoding, end] of Object.entries(COPIES)) {
    if (files.has(file + end)) bodies.set(encoding, readFileSync(join(folder, file + end)))
  }
  const encodings = [...bodies.keys(), 'identity']
  if (!bodies.has('br')) bodies.set('identity', readFileSync(join(folder, file)))
  return {
    type: TEXT.test(type) ? `${type}; charset=utf-8` : type,
    isImmutable: IMMUTABLE.test(file),
    bodies,
    encodings,
  }
}

/** Returns a file in one of its encodings. */
function bodyOf({ bodies }: SiteFile, encoding: string): Buffer {
  const body = bodies.get(encoding) ?? brotliDecompressSync(bodies.get('br') as Buffer)
  bodies.set(encoding, body)
  return body
}

/**
 * Returns a file as a response, without a body for HEAD and 304. RFC 9110: content negotiation
 * (12.5.3), a strong entity tag for each encoding (8.8.3), 304.
 */
function send(status: number, file: SiteFile, { method, headers }: FileRequest) {
  const { type, isImmutable, bodies, encodings } = file
  const [first = Buffer.of()] = bodies.values()
  file.hash ??= createHash('sha256').update(first).digest('base64url').slice(0, 22)
  const negotiator = new Negotiator({ headers })
  const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings })
  const isEncoded = encoding !== 'identity'
  const etag = isEncoded ? `"${file.hash}-${encoding}"` : `"${file.hash}"`
  const answer: Record<string, string> = {
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (encodings.length > 1) answer.Vary = 'Accept-Encoding'
  if (status === 200) answer.ETag = etag
  if (status === 200 && fresh(headers, { etag })) {
    return { status: 304, headers: answer, body: undefined }
  }
  const body = bodyOf(file, encoding)
  answer['Content-Type'] = type
  answer['Content-Length'] = String(body.length)
  if (isEncoded) answer['Content-Encoding'] = encoding
  return { status, headers: answer, body: method === 'HEAD' ? undefined : body }
}
