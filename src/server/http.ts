/**
 * The HTTP server that hands each request to the receiver: the headers of the policy on every
 * response, timeouts for slow clients, and bodies of any size.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { wrongSetting } from './config.ts'
import { networkOf } from './receive/visitors.ts'

/** Slow headers and bodies are cut off within ten seconds: Node checks twice a second. */
const TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 8_500,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
}

/**
 * How many connections are open at once, how many of one visitor, and how long a response may take
 * until it is read, in milliseconds. Without these limits, a visitor could hold every descriptor of
 * the process, and the store needs some, too. At 5 kB a second, the largest response takes a minute.
 */
const LIMITS = { connections: 1_000, ofOne: 100, response: 60_000 }

/**
 * Creates a server, not listening yet, that sends the given headers with every response. `isProxy`
 * tells the addresses of proxies, whose connections may be those of many visitors.
 */
export function createPolicyServer(
  headers: Record<string, string>,
  handle: RequestListener,
  limits = LIMITS,
  isProxy: (address: string, hop: number) => boolean = () => false,
) {
  // Node's own responses use this class too, for example to a request without a host.
  class PolicyResponse extends ServerResponse {
    constructor(...args: ConstructorParameters<typeof ServerResponse>) {
      super(...args)
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    }
  }
  const answering = new WeakMap<Socket, ServerResponse>()
  /** The visitor of each open connection. The longest without a request or a response comes first. */
  const open = new Map<Socket, string>()
  const touch = (socket: Socket) => {
    const visitor = open.get(socket)
    if (open.delete(socket) && visitor !== undefined) open.set(socket, visitor)
  }
  const server = createServer(
    { ...TIMEOUTS, ServerResponse: PolicyResponse },
    (request, response) => {
      answering.set(request.socket, response)
      touch(request.socket)
      const end = setTimeout(() => request.socket.destroy(), limits.response).unref()
      response.on('close', () => {
        clearTimeout(end)
        touch(request.socket)
      })
      // RFC 9112, 3.2
      if (request.headersDistinct.host?.[1]) response.writeHead(400).end()
      else handle(request, response)
    },
  )
  server.maxConnections = limits.connections

  /** Closes a connection without a request, or else one that waits for its visitor, not for us. */
  function makeRoom(among: readonly Socket[]) {
    const isIdle = (socket: Socket) => answering.get(socket)?.closed !== false
    const isSlow = (socket: Socket) => {
      const response = answering.get(socket)
      return response?.req.complete === false || response?.writableEnded === true
    }
    const closed = among.find(isIdle) ?? among.find(isSlow)
    closed?.destroy()
    return closed
  }

  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    const visitor = networkOf(remoteAddress)
    const others = [...open.keys()]
    const own = isProxy(remoteAddress, 0) ? [] : others.filter((each) => open.get(each) === visitor)
    open.set(socket, visitor)
    socket.on('close', () => open.delete(socket))
    if (own.length >= limits.ofOne) {
      if (!makeRoom(own)) socket.destroy()
    } else if (open.size >= limits.connections) {
      // The next one must find a place.
      makeRoom(others)
    }
  })
  // Answers what Node refuses before there is a request, with the same headers.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = answering.get(socket)
    const isAnswering = response !== undefined && !response.writableFinished
    // Garbage after a complete request does not prevent its response.
    if (isAnswering && response.req.complete && socket.writable) {
      response.once('finish', () => socket.destroySoon())
      return
    }
    const isTooLate = isAnswering && response.headersSent
    if (error.code === 'ECONNRESET' || !socket.writable || isTooLate) {
      socket.destroy()
      return
    }
    const status = CLIENT_ERRORS.get(error.code) ?? '400 Bad Request'
    const page = `<!doctype html><html lang="en"><title>${status}</title><p>${status}. Nothing was stored.</p></html>\n`
    const own = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': page.length,
      'Cache-Control': 'no-store',
      Connection: 'close',
    }
    const all = Object.entries({ ...headers, ...own })
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${page}`)
    socket.destroySoon()
  })
  return server
}

const CLIENT_ERRORS = new Map<string | undefined, string>([
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
])

/**
 * Reads a body to its end, however long it is. Closing the connection instead would reset it: a
 * browser reads no response before it has sent everything, so it would show its own error page. The
 * server's `requestTimeout` limits how long this may take.
 *
 * @param most how many bytes to keep; of a larger body, none is returned
 * @throws the system's error ECONNRESET if the connection ends before the body
 */
export async function readBody(request: Readable, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= most) chunks.push(chunk)
  }
  return length <= most ? Buffer.concat(chunks) : undefined
}

/** Resolves to the port; for 0, any free one. Throws a {@link ConfigError} if it cannot be used. */
export async function listen(server: Server, port: number, host?: string): Promise<number> {
  try {
    server.listen({ port, host })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw wrongSetting('PORT', port, 'one that this user may use')
    if (code === 'EADDRINUSE') throw wrongSetting('PORT', port, 'another: that port is taken')
    throw host ? wrongSetting('HOST', host, 'an address of this machine') : error
  }
}

/** Returns the URL to show to people for the port of a server. */
export function urlOf(port: number, host?: string): string {
  const isUsual = host === undefined || ['0.0.0.0', '::', '127.0.0.1'].includes(host)
  return `http://${isUsual ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}/`
}
