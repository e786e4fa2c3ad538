/**
 * The built site as our own server serves it: every file is found by the exact string of its address,
 * and sent in the encoding that the browser prefers. No address becomes a disk path.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import fresh from 'fresh'
import { lookup } from 'mrmime'
import Negotiator from 'negotiator'
import { NOT_FOUND, pathAt } from '../../dataset/address.ts'
import type { SitePage } from '../content/page.ts'
import { headers } from './policy.ts'
import { BASE_FILE, COPIES, DATASET_FILE, filesIn } from './site-files.ts'

/** Files that are not served: they are for static hosts and for the receiver. */
const HIDDEN = ['_headers', DATASET_FILE, BASE_FILE]

interface FileRequest {
  method: string
  /** As in the request line, including the query. */
  url: string
  headers: IncomingHttpHeaders
}

interface FileResponse {
  status: number
  headers: Record<string, string>
  body: Buffer | undefined
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
    const pages: SitePage[] = JSON.parse(dataset.toString())
    return { dataset, pages }
  } catch (error) {
    throw new SiteError((error as Error).message)
  }
}

/**
 * Opens a site.
 *
 * @throws {SiteError} when there is none, or a page has no document
 */
export function openSite(folder: string) {
  const built = readDataset(folder)
  const files = filesIn(folder)
  const isCopy = (file: string) => /\.(br|gz)$/.test(file) && files.has(file.slice(0, -3))
  const byPath = new Map<string, SiteFile>()
  for (const file of files) {
    if (HIDDEN.includes(file) || isCopy(file)) continue
    // `blog/029.html` is served at `/blog/029`, every other file at its own name.
    const path = file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`
    const stored = new Map<string, string>()
    for (const [encoding, end] of Object.entries(COPIES)) {
      if (files.has(file + end)) stored.set(encoding, file + end)
    }
    if (!stored.has('br')) stored.set('identity', file)
    byPath.set(path, { file, stored })
  }
  const paths = ['/', NOT_FOUND, ...built.pages.map(({ path }) => path)]
  const missing = paths.find((path) => !byPath.has(path))
  if (missing) throw new SiteError(`no document for ${missing}`)
  const notFound = byPath.get(NOT_FOUND) as SiteFile
  byPath.delete(NOT_FOUND)

  const bodies = new Map<string, Buffer>()
  function read(file: string): Buffer {
    const body = bodies.get(file) ?? readFileSync(join(folder, file))
    bodies.set(file, body)
    return body
  }

  /** Returns a file in one of its encodings. */
  function bodyOf({ stored }: SiteFile, encoding: string): Buffer {
    const file = stored.get(encoding)
    return file ? read(file) : brotliDecompressSync(read(stored.get('br') as string))
  }

  /**
   * Returns a file as a response, without a body for HEAD and 304. RFC 9110: content negotiation
   * (12.5.3), a strong entity tag for each encoding (8.8.3), 304.
   */
  function send(status: number, known: SiteFile, { method, headers }: FileRequest): FileResponse {
    const { file, stored } = known
    const encodings = [...Object.keys(COPIES).filter((each) => stored.has(each)), 'identity']
    const negotiator = new Negotiator({ headers })
    const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings })
    const body = bodyOf(known, encoding)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const answer: Record<string, string> = {
      'Cache-Control': IMMUTABLE.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (encodings.length > 1) answer.Vary = 'Accept-Encoding'
    if (status === 200) answer.ETag = etag
    if (status === 200 && fresh(headers, { etag })) {
      return { status: 304, headers: answer, body: undefined }
    }
    const type = lookup(file) ?? 'application/octet-stream'
    answer['Content-Type'] = TEXT.test(type) ? `${type}; charset=utf-8` : type
    answer['Content-Length'] = String(body.length)
    if (encoding !== 'identity') answer['Content-Encoding'] = encoding
    return { status, headers: answer, body: method === 'HEAD' ? undefined : body }
  }

  const base: string = files.has(BASE_FILE) ? JSON.parse(read(BASE_FILE).toString()).base : ''
  return {
    /** See `address.ts`. */
    base,
    /** The headers of every response. */
    headers,
    /** Returns the response: a file (200 or 304), the way to a site with a base (308), 404 or 405. */
    answer(request: FileRequest): FileResponse {
      const { method, url } = request
      const [address = ''] = url.split('?')
      if (base && (address === '/' || address === base)) {
        const Location = `${base}/${url.slice(address.length)}`
        return { status: 308, headers: { 'Cache-Control': 'no-cache', Location }, body: undefined }
      }
      const file = byPath.get(pathAt(address, base))
      if (!file) return send(404, notFound, request)
      if (method === 'GET' || method === 'HEAD') return send(200, file, request)
      const body = Buffer.from('This address accepts GET and HEAD only.\n')
      const headers = { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' }
      return { status: 405, headers, body }
    },
    /** Returns the document of a path, as built. */
    document(path: string): string | undefined {
      const file = byPath.get(path)
      return file && bodyOf(file, 'identity').toString()
    },
    /** The Not found document. */
    notFound: bodyOf(notFound, 'identity').toString(),
    /** Reads all that is not in memory yet, between requests: a site built later does not mix in. */
    async readAll(): Promise<void> {
      for (const { stored } of byPath.values()) {
        for (const file of stored.values()) read(file)
        await setImmediate()
      }
    },
    /** The dataset that the site was built from: its bytes and its pages. */
    ...built,
  }
}

interface SiteFile {
  /** Its name in the folder. */
  file: string
  /** The files that have it, by encoding. If one is of brotli, it is decoded from that. */
  stored: Map<string, string>
}

/** Files with a content hash in their names. */
const IMMUTABLE = /^assets\/.*-[\w-]{8}\.\w+$/

const TEXT = /^(text\/|application\/(json|xml))/
