/**
 * The built site as our own server serves it: every file is found by the exact string of its address,
 * and sent in the encoding that the browser prefers. No address becomes a disk path.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fresh from 'fresh'
import { lookup } from 'mrmime'
import Negotiator from 'negotiator'
import { messageOf } from '../../machine/errors.ts'
import { documentFile, NOT_FOUND, pathAt } from '../../page/address.ts'
import type { FormPage } from '../../page/page.ts'
import { headers, IMMUTABLE } from '../../static/policy.ts'
import { COPIES, readSite, SiteError } from '../../static/site-files.ts'

type FileRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

export interface FileResponse {
  status: number
  headers: Record<string, string>
  body: Buffer | string | undefined
}

/** A built site. */
export interface Site {
  /** See `address.ts`. */
  base: string
  /** Its whole address, if the build knew it. */
  address: string | undefined
  /** The digest of the dataset that the site was built from. */
  dataset: string
  pages: readonly FormPage[]
  /** The headers of every response. */
  headers: Record<string, string>
  /** The documents of the receiver, with the marks of their places. */
  answers: { receipt: string; refused: string }
  /** Returns the response: a file (200 or 304), the way to a site with a base (308) or 404. */
  answer(request: FileRequest): FileResponse
}

const ABSENT = documentFile(NOT_FOUND)
const RECEIPT = '_receipt.html'
const REFUSED = '_refused.html'

/** Addresses of documents that are only sent as answers to something else. */
const HIDDEN = [NOT_FOUND, '/index', '/_receipt', '/_refused']

/** A media type of text, such as `text/css` or `application/json`. */
const TEXT = /^(text\/|application\/(json|xml))/

/** @throws {SiteError} when the folder has no site, or one of its files is missing */
export function openSite(folder: string): Site {
  const { files: names, base, address, dataset, pages } = readSite(folder)
  const files = new SiteFiles(folder, names)

  return {
    base,
    address,
    dataset,
    pages,
    headers,
    answers: { receipt: files.textOf(RECEIPT), refused: files.textOf(REFUSED) },
    answer: (request) => answer(files, base, request),
  }
}

function answer(files: SiteFiles, base: string, request: FileRequest): FileResponse {
  const { url = '' } = request
  const [address = ''] = url.split('?')
  if (base && (address === '/' || address === base)) {
    const Location = `${base}/${url.slice(address.length)}`
    return { status: 308, headers: { 'Cache-Control': 'no-cache', Location }, body: undefined }
  }

  const file = files.at(pathAt(address, base))
  return file ? files.send(200, file, request) : files.send(404, ABSENT, request)
}

class SiteFiles {
  readonly #names: ReadonlySet<string>
  /** If a file has a brotli copy, only that is kept. */
  readonly #bodies = new Map<string, Buffer>()

  /** Reads all files at once, so that a site built later does not mix in. */
  constructor(folder: string, names: readonly string[]) {
    this.#names = new Set(names)
    try {
      for (const file of [RECEIPT, REFUSED, ...names]) {
        if (this.#names.has(`${file}.br`)) continue
        this.#bodies.set(file, readFileSync(join(folder, file)))
      }
    } catch (error) {
      throw new SiteError(messageOf(error))
    }
  }

  /** Returns the file at a path: `blog/029.html` at `/blog/029`, every other at its own name. */
  at(path: string): string | undefined {
    if (HIDDEN.includes(path)) return undefined
    const document = documentFile(path)
    if (this.#names.has(document)) return document

    const name = path.slice(1)
    const isCopy = /\.(br|gz)$/.test(name) && this.#names.has(name.slice(0, -3))
    const isHidden = isCopy || name.endsWith('.html')

    return this.#names.has(name) && !isHidden ? name : undefined
  }

  textOf(file: string): string {
    return String(this.#bodyOf(file, 'identity'))
  }

  /**
   * Returns a file as a response, without a body for HEAD and 304. RFC 9110: content negotiation
   * (12.5.3), a strong entity tag for each encoding (8.8.3), 304.
   */
  send(status: number, file: string, { method, headers }: FileRequest): FileResponse {
    const encodings = this.#encodingsOf(file)
    const negotiator = new Negotiator({ headers })
    const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings })

    const body = this.#bodyOf(file, encoding)
    const etag = entityTagOf(body)

    const isNamedByContent = file.startsWith(`${IMMUTABLE}/`)
    const cache = isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache'
    const answer: Record<string, string> = { 'Cache-Control': cache }
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

  #encodingsOf(file: string): string[] {
    const encodings: string[] = []

    for (const [encoding, end] of COPIES) {
      if (this.#names.has(file + end)) encodings.push(encoding)
    }

    return [...encodings, 'identity']
  }

  #bodyOf(file: string, encoding: string): Buffer {
    const body = this.#bodies.get(`${file}${COPIES.get(encoding) ?? ''}`)
    return body ?? brotliDecompressSync(this.#bodies.get(`${file}.br`) as Buffer)
  }
}

function entityTagOf(body: Buffer): string {
  const digest = createHash('sha256').update(body).digest('base64url')
  return `"${digest.slice(0, 22)}"`
}
