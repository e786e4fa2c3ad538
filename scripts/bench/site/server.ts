/** Serves a built site as a good static host does: brotli at its highest quality, from memory. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

export interface StaticServer {
  /** Such as `http://localhost:4000`, without a trailing slash. */
  origin: string
  close(): void
}

/** Serves a folder; `/a/b` is answered with `a/b.html` or `a/b/index.html`. */
export async function serve(folder: string): Promise<StaticServer> {
  const compressed = new Map<string, Buffer>()
  const compress = (file: string): Buffer => {
    const known = compressed.get(file)
    if (known) return known
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    const made = brotliCompressSync(readFileSync(file), { params })
    compressed.set(file, made)
    return made
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const place = join(folder, normalize(pathname))
    const candidates = [place, `${place}.html`, join(place, 'index.html')]
    const file = candidates.find((path) => existsSync(path) && statSync(path).isFile())
    const shown = file ?? join(folder, '404.html')
    if (!existsSync(shown)) return response.writeHead(404).end()
    const body = compress(shown)
    response.writeHead(file ? 200 : 404, {
      'content-type': TYPES[extname(shown)] ?? 'application/octet-stream',
      'content-encoding': 'br',
      'content-length': body.length,
      'cache-control': /\/(assets|_astro)\//.test(pathname)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
