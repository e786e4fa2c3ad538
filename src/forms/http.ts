/**
 * The HTTP server that hands each request to the receiver: the headers of the policy on every
 * response, timeouts for slow clients, and bodies of any size.
 */
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { codeOf } from '../machine/errors.ts'
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

type Limits = typeof LIMITS

/** Whether an address is that of a proxy, whose connections may be those of many visitors. */
type IsProxy = (address: string, hop: number) => boolean

/** The start of a target in absolute form (RFC 9112, 3.2.2), such as `http://example.com`. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i

/** Creates a server, not listening yet, that sends the given headers with every response. */
export function createPolicyServer(
  headers: Record<string, string>,
  handle: RequestListener,
  limits: Limits = LIMITS,
  isProxy: IsProxy = () => false,
): Server {
  const connections = new Connections(limits, isProxy)
  const options = { ...TIMEOUTS, ServerResponse: responseWith(headers) }

  const server = createServer(options, (request, response) => {
    connections.answer(request, response)
    // RFC 9112, 3.2
    if (request.headersDistinct.host?.[1]) {
      response.writeHead(400).end()
      return
    }

    toOriginForm(request)
    handle(request, response)
  })
  server.maxConnections = limits.connections

  server.on('connection', (socket) => connections.open(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseClient(error, socket, connections.responseOf(socket), headers)
  })
  return server
}

/** Returns the class of responses. Node's own use it, too, for example to a request without a host. */
function responseWith(headers: Record<string, string>) {
  return class extends ServerResponse {
    constructor(...args: ConstructorParameters<typeof ServerResponse>) {
      super(...args)
      this.setHeader('Cache-Control', 'no-store')
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    }
  }
}

/** Gives a request in absolute form the target and the host that it would have in origin form. */
function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request
  const [start, host] = ABSOLUTE_FORM.exec(url) ?? []
  if (start === undefined) return

  const target = url.slice(start.length)
  request.url = target.startsWith('/') ? target : `/${target}`
  // RFC 9112, 3.2.2: it replaces the header.
  request.headers.host = host
}

/** The open connections, of which the longest without a request or a response comes first. */
class Connections {
  readonly #limits: Limits
  readonly #isProxy: IsProxy
  readonly #responses = new WeakMap<Socket, ServerResponse>()
  /** The visitor of each connection. */
  readonly #visitors = new Map<Socket, string>()

  constructor(limits: Limits, isProxy: IsProxy) {
    this.#limits = limits
    this.#isProxy = isProxy
  }

  responseOf(socket: Socket): ServerResponse | undefined {
    return this.#responses.get(socket)
  }

  /** Adds a connection. If there are too many, closes one that nobody misses. */
  open(socket: Socket): void {
    const { remoteAddress = '' } = socket
    const { ofOne, connections } = this.#limits

    const visitor = networkOf(remoteAddress)
    const before = [...this.#visitors.keys()]
    const isProxy = this.#isProxy(remoteAddress, 0)
    const sameVisitor = before.filter((other) => this.#visitors.get(other) === visitor)

    this.#visitors.set(socket, visitor)
    socket.on('close', () => this.#visitors.delete(socket))

    if (!isProxy && sameVisitor.length >= ofOne) {
      if (!this.#makeRoom(sameVisitor)) socket.destroy()
    } else if (this.#visitors.size >= connections) {
      // The next one must find a place.
      this.#makeRoom(before)
    }
  }

  /** Remembers that a response has begun, and limits how long it takes. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    this.#responses.set(socket, response)
    this.#touch(socket)
    const end = setTimeout(() => socket.destroy(), this.#limits.response).unref()

    response.on('close', () => {
      clearTimeout(end)
      this.#touch(socket)
    })
  }

  #touch(socket: Socket): void {
    const visitor = this.#visitors.get(socket)
    if (this.#visitors.delete(socket) && visitor !== undefined) this.#visitors.set(socket, visitor)
  }

  /** Closes a connection without a request, or else one that waits for its visitor, not for us. */
  #makeRoom(sockets: readonly Socket[]): boolean {
    const closed =
      sockets.find((socket) => this.#isIdle(socket)) ??
      sockets.find((socket) => this.#isSlow(socket))
    closed?.destroy()
    return closed !== undefined
  }

  #isIdle(socket: Socket): boolean {
    return this.#responses.get(socket)?.closed !== false
  }

  #isSlow(socket: Socket): boolean {
    const response = this.#responses.get(socket)
    return response?.req.complete === false || response?.writableEnded === true
  }
}

/** Answers what Node refuses before there is a request, with the same headers. */
function refuseClient(
  error: NodeJS.ErrnoException,
  socket: Socket,
  response: ServerResponse | undefined,
  headers: Record<string, string>,
): void {
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

  socket.write(clientErrorResponse(error.code, headers))
  socket.destroySoon()
}

/** Returns a whole response as it goes over the connection. */
function clientErrorResponse(code: string | undefined, headers: Record<string, string>): string {
  const status = CLIENT_ERRORS.get(code) ?? '400 Bad Request'
  const page = `<!doctype html><html lang="en"><title>${status}</title><p>${status}. Nothing was stored.</p></html>\n`
  const allHeaders = {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': page.length,
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${page}`
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
    const code = codeOf(error)
    if (code === 'EACCES') throw wrongSetting('PORT', port, 'one that this user may use')
    if (code === 'EADDRINUSE') throw wrongSetting('PORT', port, 'another: that port is taken')
    throw host ? wrongSetting('HOST', host, 'an address of this machine') : error
  }
}

/** Addresses at which this machine is reached as localhost. */
const LOCAL = ['0.0.0.0', '::', '127.0.0.1']

/** Returns the URL to show to people for the port of a server. */
export function urlOf(port: number, host = '::'): string {
  if (LOCAL.includes(host)) return `http://localhost:${port}/`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}/`
}
