/**
 * Hides what HTTP asks of a server before anybody looks at a request: the headers of the policy on
 * every answer, an end for whoever is slow, a port that is free, and an end in good order.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
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
      handle(request, response)
    },
  )
  return {
    server,
    answerClientError(error, socket) {
      const response = answering.get(socket)
      const isHalfAnswered = response?.headersSent && !response.writableFinished
      if (error.code === 'ECONNRESET' || !socket.writable || isHalfAnswered) {
        socket.destroy()
        return
      }
      const [status, text] = CLIENT_ERRORS.get(error.code) ?? NO_REQUEST
      const lines = [
        `HTTP/1.1 ${status}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${text.length + 1}`,
        'Cache-Control: no-store',
        'Connection: close',
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n${text}\n`)
      socket.destroySoon()
    },
  }
}

const NO_REQUEST = ['400 Bad Request', 'This is not a request that HTTP knows.'] as const
const CLIENT_ERRORS = new Map<string | undefined, readonly [status: string, text: string]>([
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long.']],
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too large.']],
])

/** How many ports are tried, from the one asked for on. */
const ATTEMPTS = 20

/**
 * Resolves to the port: the one asked for, or the next that is free.
 *
 * @throws {ConfigError} when none is, or nobody may listen there
 */
export async function listen(server: Server, port: number, host?: string): Promise<number> {
  const last = port === 0 ? 0 : Math.min(port + ATTEMPTS - 1, 65_535)
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
  throw wrongSetting('PORT', port, `another: no port from ${port} to ${last} is free`)
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
