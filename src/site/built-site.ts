/**
 * The built site as our own server has it: every file in memory, found by the very string of
 * its address, in the encoding that the browser likes best. No address is ever a path of the disk.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import fresh from 'fresh'
import Negotiator from 'negotiator'

export const MANIFEST = 'manifest.json'
export const PACK = 'compressed.bin'
export const NOT_FOUND_FILE = '404.html'

/** What a build tells the server. */
export interface SiteManifest {
  /** The headers of every answer. */
  headers: Record<string, string>
  /** The SHA-256 of the pack, which holds all compressed files one after the other. */
  pack: string
  files: FileEntry[]
}

export interface FileEntry {
  /** Below the folder of the site, with `/` between folders. */
  file: string
  /** The address; the document of Not found has none. */
  path?: string
  type: string
  /** See {@link hashOf}. */
  hash: string
  /** Whether its name changes with its content. */
  isImmutable: boolean
  /** By size, the smallest first; each with its place in the pack. */
  encodings: (readonly [encoding: string, start: number, length: number])[]
}

interface FileAnswer {
  status: number
  headers: Record<string, string>
  /** Undefined where there is nothing to send, as for HEAD. */
  body: Buffer | undefined
}

interface FileRequest {
  method: string
  /** As in the request line, with its query. */
  url: string
  headers: IncomingHttpHeaders
}

export interface BuiltSite {
  /** The headers of every answer. */
  headers: Record<string, string>
  /** Answers with a file, or with Not found. */
  answer(request: FileRequest): FileAnswer
  /** The document of an address, as it was built. */
  document(path: string): string | undefined
  /** The document of Not found. */
  notFound: string
}

/** The site has to be built, or built again; the message is one line that says so. */
export class SiteError extends Error {
  override name = 'SiteError'
}

/** Where the compressed files of a site are: beside it, so that hosts which copy it need not know. */
export function compressedFolder(site: string): string {
  return `${site}-compressed`
}

/** The content of a file in 22 letters, for its entity tag: the first half of its SHA-256. */
export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest().subarray(0, 16).toString('base64url')
}

interface LoadedFile extends FileEntry {
  body: Buffer
  encoded: Map<string, Buffer>
}

/**
 * Loads a site and everything the build made for the server.
 *
 * @throws {SiteError} when there is none, or when its files are not of one build
 */
export function openSite(folder: string): BuiltSite {
  const compressed = compressedFolder(folder)
  if (!existsSync(join(compressed, MANIFEST)) || !existsSync(join(folder, NOT_FOUND_FILE))) {
    throw new SiteError(
      'There is no built site in dist/. "npm run build" makes it, and "npm start" does both.',
    )
  }
  const manifest: SiteManifest = JSON.parse(readFileSync(join(compressed, MANIFEST), 'utf8'))
  const pack = readFileSync(join(compressed, PACK))
  if (createHash('sha256').update(pack).digest('hex') !== manifest.pack) throw mixed(PACK)
  const load = (entry: FileEntry): LoadedFile => {
    const file = join(folder, entry.file)
    const body = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    if (hashOf(body) !== entry.hash) throw mixed(entry.file)
    const places = entry.encodings.map(
      ([encoding, start, length]) => [encoding, pack.subarray(start, start + length)] as const,
    )
    return { ...entry, body, encoded: new Map(places) }
  }
  const byPath = new Map<string, LoadedFile>()
  let notFound: LoadedFile | undefined
  for (const entry of manifest.files) {
    const file = load(entry)
    if (entry.path === undefined) notFound = file
    else byPath.set(entry.path, file)
  }
  if (!notFound) throw mixed(NOT_FOUND_FILE)
  const missing = notFound
  return {
    headers: manifest.headers,
    answer(request) {
      const [path = ''] = request.url.split('?')
      const file = byPath.get(path)
      if (!file) return send(404, missing, request)
      if (request.method === 'GET' || request.method === 'HEAD') return send(200, file, request)
      const headers = { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' }
      return { status: 405, headers, body: Buffer.from('This address can only be read.\n') }
    },
    document: (path) => byPath.get(path)?.body.toString(),
    notFound: missing.body.toString(),
  }
}

function mixed(file: string): SiteError {
  return new SiteError(
    `${file} is not of the same build as the rest of the site. "npm run build" makes all of it anew.`,
  )
}

/** RFC 9110: content negotiation (12.5.3), a strong entity tag for each encoding (8.8.3), 304. */
function send(status: number, file: LoadedFile, { method, headers }: FileRequest): FileAnswer {
  const { hash, type, isImmutable, body, encoded } = file
  const available = [...encoded.keys(), 'identity']
  const [encoding = 'identity'] = new Negotiator({ headers }).encodings(available, {
    preferred: available,
  })
  const chosen = encoded.get(encoding) ?? body
  const etag = encoded.has(encoding) ? `"${hash}-${encoding}"` : `"${hash}"`
  const answer: Record<string, string> = {
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (encoded.size > 0) answer.Vary = 'Accept-Encoding'
  if (status === 200) answer.ETag = etag
  if (status === 200 && fresh(headers, { etag })) {
    return { status: 304, headers: answer, body: undefined }
  }
  answer['Content-Type'] = type
  answer['Content-Length'] = String(chosen.length)
  if (encoded.has(encoding)) answer['Content-Encoding'] = encoding
  return { status, headers: answer, body: method === 'HEAD' ? undefined : chosen }
}
