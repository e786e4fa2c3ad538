/**
 * The built site as our own server has it: every file in memory, found by the very string of its
 * address, in the encoding that the browser likes best. No address is ever a path of the disk.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import fresh from 'fresh'
import { lookup } from 'mrmime'
import Negotiator from 'negotiator'
import { DATASET_FILE, parseDataset } from './dataset.ts'
import { headers } from './policy.ts'

const NOT_FOUND = '/404'

/** What is for static hosts, and for the receiver. */
const HIDDEN = ['_headers', DATASET_FILE]

interface FileRequest {
  method: string
  /** As in the request line, with its query. */
  url: string
  headers: IncomingHttpHeaders
}

/** The site has to be built, or built again; the message is one line that says so. */
export class SiteError extends Error {
  override name = 'SiteError'
  constructor(reason: string) {
    super(`There is no finished site in dist/ (${reason}). "npm run build" makes it.`)
  }
}

/** Reads the dataset of a site. Throws a {@link SiteError} when it is not there, or not whole. */
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
  const byPath = new Map<string, SiteFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const whole = join(entry.parentPath, entry.name)
    const file = relative(folder, whole).replaceAll('\\', '/')
    if (!entry.isFile() || HIDDEN.includes(file)) continue
    // `blog/029.html` is found at `/blog/029`, everything else at its own name.
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
    byPath.set(path, siteFile(file, readFileSync(whole)))
  }
  const paths = ['/', NOT_FOUND, ...built.pages.map(({ path }) => path)]
  const missing = paths.find((path) => !byPath.has(path))
  if (missing) throw new SiteError(`no document for ${missing}`)
  const notFound = byPath.get(NOT_FOUND) as SiteFile
  byPath.delete(NOT_FOUND)
  return {
    /** The headers of every answer. */
    headers,
    /** Answers with a file, or with Not found. */
    answer(request: FileRequest) {
      const [path = ''] = request.url.split('?')
      const file = byPath.get(path)
      if (!file) return send(404, notFound, request)
      if (request.method === 'GET' || request.method === 'HEAD') return send(200, file, request)
      const headers: Record<string, string> = {
        Allow: 'GET, HEAD',
        'Content-Type': 'text/plain; charset=utf-8',
      }
      return { status: 405, headers, body: Buffer.from('This address can only be read.\n') }
    },
    /** The document of an address, as it was built. */
    document: (path: string) => byPath.get(path)?.body.toString(),
    /** The document of Not found. */
    notFound: notFound.body.toString(),
    /** The dataset that it was built of: its bytes, and its pages. */
    ...built,
  }
}

/** What Vite has named after its content. */
const IMMUTABLE = /^assets\/.*-[\w-]{8}\.\w+$/

const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|xml))/

/** In bytes; below it there is nothing to gain. */
const LEAST_TO_COMPRESS = 256

/** The best quality of brotli but one: 230 kB take 0.1 s and not 0.3 s, for one more kilobyte. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
const compress = { br: (body: Buffer) => brotliCompressSync(body, { params }), gzip: gzipSync }

interface SiteFile {
  type: string
  isImmutable: boolean
  /** Of its content, for its entity tag. */
  hash: string
  body: Buffer
  /** What it is sent in, the smallest first; the last is the body as it is. */
  encodings: string[]
  /** Made when it is first asked for, and kept. */
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

/** A file as an answer, without a body where there is nothing to send. RFC 9110: content negotiation (12.5.3), a strong entity tag for each encoding (8.8.3), 304. */
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
