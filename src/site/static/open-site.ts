/**
 * The built site as our own server serves it: every file is in memory, found by the exact string of
 * its address, and sent in the encoding that the browser prefers. No address becomes a disk path.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import fresh from 'fresh'
import { lookup } from 'mrmime'
import Negotiator from 'negotiator'
import { NOT_FOUND, pathAt } from '../../dataset/address.ts'
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
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const whole = join(entry.parentPath, entry.name)
    const file = relative(folder, whole).replaceAll('\\', '/')
    if (!entry.isFile() || HIDDEN.includes(file)) continue
    // `blog/029.html` is served at `/blog/029`, every other file at its own name.
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
    byPath.set(path, siteFile(file, readFileSync(whole)))
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
    document: (path: string) => byPath.get(path)?.body.toString(),
    /** The Not found document. */
    notFound: notFound.body.toString(),
    /** The dataset that the site was built from: its bytes and its pages. */
    ...built,
  }
}

/** Files with a content hash in their names. */
const IMMUTABLE = /^assets\/.*-[\w-]{8}\.\w+$/

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|xml))/

/** In bytes. Compressing a smaller file gains nothing. */
const LEAST_TO_COMPRESS = 256

/** One below the best quality: 230 kB take 0.1 s instead of 0.3 s, for one more kilobyte. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
const compress = { br: (body: Buffer) => brotliCompressSync(body, { params }), gzip: gzipSync }

interface SiteFile {
  type: string
  isImmutable: boolean
  /** The hash of the content, for the entity tag. */
  hash: string
  body: Buffer
  /** The encodings on offer, smallest first. The last is the unencoded body. */
  encodings: string[]
  /** Compressed on the first request, then cached. */
  encoded: Map<string, Buffer>
}

function siteFile(name: string, body: Buffer): SiteFile {
  const type = lookup(name) ?? 'application/octet-stream'
  const isText = COMPRESSIBLE.test(type)
  const isWorthIt = isText && body.length >= LEAST_TO_COMPRESS
  return {
    type: isText && type !== 'image/svg+xml' ? `${type}; charset=utf-8` : type,
    isImmutable: IMMUTABLE.test(name),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    body,
    encodings: isWorthIt ? ['br', 'gzip', 'identity'] : ['identity'],
    encoded: new Map([['identity', body]]),
  }
}

/**
 * Returns a file as a response, without a body for HEAD and 304. RFC 9110: content negotiation
 * (12.5.3), a strong entity tag for each encoding (8.8.3), 304.
 */
function send(status: number, file: SiteFile, { method, headers }: FileRequest) {
  const { hash, type, isImmutable, encodings } = file
  const negotiator = new Negotiator({ headers })
  const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings })
  const isEncoded = encoding !== 'identity'
  const etag = isEncoded ? `"${hash}-${encoding}"` : `"${hash}"`
  const answer: Record<string, string> = {
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (encodings.length > 1) answer.Vary = 'Accept-Encoding'
  if (status === 200) answer.ETag = etag
  if (status === 200 && fresh(headers, { etag })) {
    return { status: 304, headers: answer, body: undefined }
  }
  const { body, encoded } = file
  const made = encoded.get(encoding) ?? compress[encoding === 'br' ? 'br' : 'gzip'](body)
  encoded.set(encoding, made)
  answer['Content-Type'] = type
  answer['Content-Length'] = String(made.length)
  if (isEncoded) answer['Content-Encoding'] = encoding
  return { status, headers: answer, body: method === 'HEAD' ? undefined : made }
}
