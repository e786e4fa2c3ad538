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
import { documentFile, NOT_FOUND, pathAt } from '../../page/address.ts'
import { headers, IMMUTABLE } from '../../site/static/policy.ts'
import { COPIES, readSite, SiteError } from '../../site/static/site-files.ts'

type FileRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

export interface FileResponse {
  status: number
  headers: Record<string, string>
  body: Buffer | string | undefined
}

/** @throws {SiteError} when the folder has no site, or one of its files is missing */
export function openSite(folder: string) {
  const { files: names, ...built } = readSite(folder)
  const { base } = built
  const files = new Set(names)
  // All is read at once: a site built later does not mix in. Of a file with a brotli copy, only that.
  const bodies = new Map<string, Buffer>()
  try {
    for (const file of [RECEIPT, REFUSED, ...names]) {
      if (!files.has(`${file}.br`)) bodies.set(file, readFileSync(join(folder, file)))
    }
  } catch (error) {
    throw new SiteError((error as Error).message)
  }

  /** Returns the file at a path: `blog/029.html` at `/blog/029`, every other at its own name. */
  function fileAt(path: string): string | undefined {
    if ([NOT_FOUND, '/index', '/_receipt', '/_refused'].includes(path)) return undefined
    const document = documentFile(path)
    if (files.has(document)) return document
    const name = path.slice(1)
    const isCopy = /\.(br|gz)$/.test(name) && files.has(name.slice(0, -3))
    const isHidden = isCopy || name.endsWith('.html')
    return files.has(name) && !isHidden ? name : undefined
  }

  function bodyOf(file: string, encoding: string): Buffer {
    const body = bodies.get(`${file}${COPIES.get(encoding) ?? ''}`)
    return body ?? brotliDecompressSync(bodies.get(`${file}.br`) as Buffer)
  }

  /**
   * Returns a file as a response, without a body for HEAD and 304. RFC 9110: content negotiation
   * (12.5.3), a strong entity tag for each encoding (8.8.3), 304.
   */
  function send(status: number, file: string, { method, headers }: FileRequest): FileResponse {
    const encodings: string[] = []
    for (const [encoding, end] of COPIES) {
      if (files.has(file + end)) encodings.push(encoding)
    }
    encodings.push('identity')
    const negotiator = new Negotiator({ headers })
    const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings })
    const body = bodyOf(file, encoding)
    const digest = createHash('sha256').update(body).digest('base64url')
    const etag = `"${digest.slice(0, 22)}"`
    const isNamed = file.startsWith(`${IMMUTABLE}/`)
    const cache = isNamed ? 'public, max-age=31536000, immutable' : 'no-cache'
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

  return {
    ...built,
    /** The headers of every response. */
    headers,
    /** Returns the response: a file (200 or 304), the way to a site with a base (308) or 404. */
    answer(request: FileRequest): FileResponse {
      const { url = '' } = request
      const [address = ''] = url.split('?')
      if (base && (address === '/' || address === base)) {
        const Location = `${base}/${url.slice(address.length)}`
        const headers = { 'Cache-Control': 'no-cache', Location }
        return { status: 308, headers, body: undefined }
      }
      const file = fileAt(pathAt(address, base))
      return file ? send(200, file, request) : send(404, ABSENT, request)
    },
    /** The documents of the receiver, with the marks of their places. */
    answers: {
      receipt: String(bodyOf(RECEIPT, '')),
      refused: String(bodyOf(REFUSED, '')),
    },
  }
}

const ABSENT = documentFile(NOT_FOUND)
const RECEIPT = '_receipt.html'
const REFUSED = '_refused.html'

const TEXT = /^(text\/|application\/(json|xml))/
