/**
 * What HTTP asks of a server before anybody looks at a request: the headers of the policy on
 * every answer, an end for whoever is slow, a port that is free, and an end in good order.
 */
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, isIP, isIPv6, type Socket } from 'node:net'
import { wrongSetting } from './config.ts'

/** Slow headers and slow bodies are at an end within ten seconds: the sweep comes twice a second. */
export const TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 8_500,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
}

interface PolicyServer {
  server: Server
  /** What Node has to refuse before there is a request is answered like everything else. */
  answerClientError(error: NodeJS.ErrnoException, socket: Socket): void
}

/** A server, not listening yet, that sends some headers with every answer. */
export function createPolicyServer(
  headers: Record<string, string>,
  handle: RequestListener,
): PolicyServer {
  // What Node answers by itself goes through this class too: a request without a host, say.
  class PolicyResponse extends ServerResponse {
    constructor(...args: ConstructorParameters<typeof ServerResponse>) {
      super(...args)
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    }
  }
  const answering = new WeakMap<Socket, ServerResponse>()
  const server = createServer(
    { ...TIMEOUTS, ServerResponse: PolicyResponse },
    (request, response) => {
      answering.set(request.socket, response)
      const refusal = refusalOf(request)
      if (!refusal) return handle(tidy(request), response)
      const [status, text] = refusal
      response.writeHead(Number(status.slice(0, 3)), PLAIN).end(`${text}\n`)
    },
  )
  return {
    server,
    answerClientError(error, socket) {
      const response = answering.get(socket)
      const isAnswering = response !== undefined && !response.writableFinished
      // What follows a whole request does not keep that from being answered.
      if (isAnswering && response.req.complete && socket.writable) {
        response.once('finish', () => socket.destroySoon())
        return
      }
      if (
        error.code === 'ECONNRESET' ||
        !socket.writable ||
        (isAnswering && response.headersSent)
      ) {
        socket.destroy()
        return
      }
      const [status, text] = CLIENT_ERRORS.get(error.code) ?? NO_REQUEST
      const lines = [
        `HTTP/1.1 ${status}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...Object.entries(PLAIN).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${text.length + 1}`,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${text}\n`)
      socket.destroySoon()
    },
  }
}

const PLAIN = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  Connection: 'close',
}
const NO_REQUEST = ['400 Bad Request', 'This is not a request that HTTP knows.'] as const
const CLIENT_ERRORS = new Map<string | undefined, readonly [status: string, text: string]>([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long.']],
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too large.']],
])

/** RFC 9112: what Node lets pass, and must not be (3.2), or is not understood here (6.1). */
function refusalOf({ rawHeaders, headers }: IncomingMessage) {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => /^host$/i.test(name)).length > 1) return NO_REQUEST
  const coding = headers['transfer-encoding'] ?? 'chunked'
  if (coding.trim().toLowerCase() === 'chunked') return undefined
  return ['501 Not Implemented', 'Of the transfer codings only chunked is known here.'] as const
}

/**
 * Puts a request into its usual form: with a target without a host, which then is that of the header
 * (RFC 9112, 3.2.2), and with addresses alone in `X-Forwarded-For`.
 */
function tidy(request: IncomingMessage): IncomingMessage {
  const [, host, path] = /^https?:\/\/([^/?]+)(.*)$/i.exec(request.url ?? '') ?? []
  if (host !== undefined) {
    request.headers.host = host
    request.url = path?.startsWith('/') ? path : `/${path}`
  }
  const forwarded = request.headers['x-forwarded-for']
  if (typeof forwarded === 'string') {
    request.headers['x-forwarded-for'] = addressesOf(forwarded).join(', ')
  }
  return request
}

/**
 * The addresses of `X-Forwarded-For` without their ports, as far as the proxies nearest to us have
 * named any: what cannot be read, and all before it, is nobody's word.
 */
function addressesOf(forwarded: string): string[] {
  const addresses = forwarded
    .split(',')
    .map((item) => item.trim().replace(/^\[(.*)\](:\d+)?$|^([^:]*):\d+$/, '$1$3'))
  return addresses.slice(addresses.findLastIndex((address) => !isIP(address)) + 1)
}

/** How many ports are tried, from the one asked for on. */
const ATTEMPTS = 20

/**
 * Resolves to the port: the one asked for, or the next that is free.
 *
 * @param isChosen whether it must be that one: a proxy would look for it nowhere else
 * @throws {ConfigError} when none is, or nobody may listen there
 */
export async function listen(
  server: Server,
  port: number,
  host?: string,
  isChosen = port === 0,
): Promise<number> {
  const last = isChosen ? port : Math.min(port + ATTEMPTS - 1, 65_535)
  for (let candidate = port; candidate <= last; candidate++) {
    try {
      server.listen({ port: candidate, host })
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EACCES') throw wrongSetting('PORT', candidate, 'one that this user may use')
      if (host && NO_SUCH_HOST.includes(code)) throw wrongSetting('HOST', host)
      if (code !== 'EADDRINUSE') throw error
    }
  }
  const taken = isChosen ? 'that port is taken' : `no port from ${port} to ${last} is free`
  throw wrongSetting('PORT', port, `another: ${taken}`)
}

/** The address for people, of the port that a server listens on. */
export function addressOf(port: number, host?: string): string {
  const isUsual = host === undefined || LOCALHOST.includes(host)
  return `http://${isUsual ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}/`
}

/** Where a browser gets to by the name of localhost. */
const LOCALHOST = ['0.0.0.0', '::', '127.0.0.1']

/** What the system says of a host that it does not know, cannot look up, or that is another's. */
const NO_SUCH_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/** Takes no new connections, and resolves when the last is done, or has had its time. */
export async function drain(server: Server, milliseconds: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // An answer in flight leaves its connection open for the next request, which is not to come.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const end = setTimeout(() => server.closeAllConnections(), milliseconds)
  await closed
  clearInterval(sweep)
  clearTimeout(end)
}
