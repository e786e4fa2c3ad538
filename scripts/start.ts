/** `npm start`: serves the built site of `dist/` until it is interrupted. PORT chooses the port. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sirv from 'sirv'
import { headers } from '../src/site/policy.ts'

const DIST = join(import.meta.dirname, '../dist')
const { PORT } = process.env
const port = Number(PORT || 4173)

if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
  refuse(`PORT is "${PORT}", but must be a number from 0 to 65535.`)
}
if (!existsSync(join(DIST, '404.html'))) {
  refuse('There is no built site in dist/. "npm run build" makes it, and "npm start" does both.')
}

const notFound = readFileSync(join(DIST, '404.html'))
const serveFile = sirv(DIST, {
  brotli: true,
  gzip: true,
  etag: true,
  extensions: ['html'],
  setHeaders: (response, path) => {
    const isHashed = path.startsWith('/assets/')
    response.setHeader(
      'Cache-Control',
      isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
  },
})

const server = createServer((request, response) => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // The files are small and sent whole: sirv fails, and the process ends, at the range `bytes=9-5`.
  delete request.headers.range
  const [path = '/'] = (request.url ?? '/').split('?')
  // One address for each page: neither `/blog/029/` nor `/blog/029.html` nor `/blog/%30%32%39`.
  const isCanonical = path === '/' || !/\/$|\.html$|%|^\/(index|404)$/.test(path)
  if (isCanonical) serveFile(request, response, () => answerNotFound(request, response))
  else answerNotFound(request, response)
})

function answerNotFound({ method }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(method === 'HEAD' ? undefined : notFound)
}

// Where the port is taken, the next free one serves.
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') refuse(`The server cannot start: ${error.message}`)
  server.listen(0)
})
server.on('listening', () => {
  const { port } = server.address() as AddressInfo
  console.log(`ManyURLs Pages: http://localhost:${port}/ (Ctrl-C to stop)`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
server.listen(port)

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
