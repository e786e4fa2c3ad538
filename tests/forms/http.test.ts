import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { compile } from '@fastify/proxy-addr'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPolicyServer, listen, urlOf } from '../../src/forms/http.ts'
import { exchange, get, post, startReceiver } from '../helpers/receiver.ts'
import { withTwoFields } from '../helpers/site.ts'

function newServer(): Server {
  const server = createPolicyServer({}, (_request, response) => response.end('here'))
  onTestFinished(() => void server.close())
  return server
}

/** Whether this machine has an address: many have no IPv6, and macOS has one loopback address. */
const canListen = (host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().on('error', () => resolve(false))
    server.listen({ port: 0, host }, () => server.close(() => resolve(true)))
  })

describe('a server', () => {
  for (const [host, origin] of [
    ['', 'http://localhost'],
    ['::', 'http://localhost'],
    ['127.0.0.1', 'http://localhost'],
    ['127.0.0.2', 'http://127.0.0.2'],
    ['::1', 'http://[::1]'],
  ] as const) {
    it(`answers at the address that it prints when HOST is "${host}"`, async ({ skip }) => {
      skip(!(await canListen(host)), 'this machine has no such address')
      const port = await listen(newServer(), 0, host || undefined)
      const address = urlOf(port, host || undefined)
      expect(address).toBe(`${origin}:${port}/`)
      expect(await (await fetch(address)).text()).toBe('here')
    })
  }
})

it('a request with two hosts is refused, because a proxy may have read the other', async () => {
  const socket = connect(await listen(newServer(), 0), 'localhost')
  socket.end('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
})

it('a request in absolute form gets the same answer, for the host that it names', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const base = `http://localhost:${receiver.port}`
  for (const [target, status] of [
    [`${base}/healthz`, 200],
    ['HTTP://elsewhere.example/healthz', 200],
    [base, 200],
    [`${base}?q=teams`, 200],
    [`${base}/nothing/here`, 404],
  ] as const) {
    expect((await get(receiver.port, target)).status, target).toBe(status)
  }
  const form = 'name=Ada&email=ada%40example.com'
  const path = `${base}/api/forms${withTwoFields.path}`
  const sent = await post(receiver.port, { path, body: form, headers: { Origin: base } })
  expect(sent.status).toBe(303)
  // RFC 9112, 3.2.2: the target replaces the header Host.
  const forged = { Origin: base, Host: `localhost:${receiver.port}` }
  const other = path.replace('localhost', 'elsewhere.example')
  const refused = await post(receiver.port, { path: other, body: form, headers: forged })
  expect(refused.status).toBe(403)
})

it('no answer of Node is cached either', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const head = 'GET / HTTP/1.1\r\nConnection: close\r\n'
  for (const [request, status] of [
    [`${head}\r\n`, 400],
    [`${head}Host: a\r\nHost: b\r\n\r\n`, 400],
    [`${head}Host: a\r\nExpect: something\r\n\r\n`, 417],
    ['nonsense\r\n\r\n', 400],
  ] as const) {
    const answer = await exchange(receiver.port, [request])
    expect(answer.status, request).toBe(status)
    expect(answer.headers.get('cache-control'), request).toBe('no-store')
  }
})

it('slow clients have less than ten seconds', async () => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const { headersTimeout, requestTimeout } = receiver.server
  for (const limit of [headersTimeout, requestTimeout]) {
    expect(limit).toBeGreaterThan(0)
    expect(limit).toBeLessThan(10_000)
  }
})

describe.concurrent('a slow client', () => {
  const head = `POST /api/forms${withTwoFields.path} HTTP/1.1\r\nHost: localhost\r\n`
  for (const [what, beginning, drip] of [
    ['nothing at all', '', ''],
    ['headers', head, 'X: 1\r\n'],
    ['a body', `${head}Content-Length: 1000\r\n\r\n`, 'a'],
    ['a chunked body', `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
  ] as const) {
    it(`that sends ${what} is cut off, and reads why`, async ({ expect, onTestFinished }) => {
      const receiver = await startReceiver()
      onTestFinished(() => receiver.stop())
      receiver.server.headersTimeout = 500
      receiver.server.requestTimeout = 1_000
      const socket = connect(receiver.port, '127.0.0.1').on('error', () => {})
      let answer = ''
      socket.setEncoding('utf8').on('data', (text) => {
        answer += text
      })
      socket.write(beginning)
      const dripping = setInterval(() => drip && socket.write(drip), 300)
      // It may end with an error, too, if it sends just when it is cut off.
      await new Promise((resolve) => socket.on('close', resolve))
      clearInterval(dripping)
      expect(answer).toMatch(/^HTTP\/1.1 408 /)
      expect(answer).toContain('Content-Type: text/html; charset=utf-8\r\n')
      expect(answer).toContain('Content-Security-Policy')
      expect(answer).toContain('Nothing was stored.')
      const [top, body] = answer.split('\r\n\r\n')
      expect(top).toContain(`Content-Length: ${body?.length}`)
    })
  }
})

describe('a visitor who reads nothing', () => {
  async function listenWith(
    limits: { connections: number; ofOne: number; response: number },
    proxies: string[] = [],
    host = '127.0.0.1',
  ) {
    const body = 'x'.repeat(1024 * 1024)
    const answer: RequestListener = (request, response) =>
      request.on('end', () => response.end(body)).resume()
    const server = createPolicyServer({}, answer, limits, compile(proxies))
    onTestFinished(() => void server.close())
    return { server, port: await listen(server, 0, host) }
  }

  function connectTo(port: number, host = '127.0.0.1') {
    const socket = connect(port, host).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  }

  it('loses the connection when a response is not read in time, as one who reads does not', async () => {
    const { server, port } = await listenWith({ connections: 200, ofOne: 200, response: 2_000 })
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    let accepted = 0
    server.on('connection', () => accepted++)
    const sockets = Array.from({ length: 3 }, () => connectTo(port).pause())
    for (const socket of sockets) socket.write(request.repeat(20))
    const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
    await expect.poll(() => accepted).toBe(3)
    await expect.poll(open).toBe(0)
    expect((await (await fetch(`http://127.0.0.1:${port}/`)).text()).length).toBe(1024 * 1024)
  })

  it('cannot take all connections by sending nothing while others read nothing', async () => {
    const { server, port } = await listenWith({ connections: 8, ofOne: 8, response: 60_000 })
    for (let index = 0; index < 4; index++) {
      connectTo(port).pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20))
      await once(server, 'request')
    }
    await Promise.all(Array.from({ length: 4 }, () => once(connectTo(port), 'connect')))
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it.each(['slow bodies', 'unread responses'])(
    'cannot keep anybody out by %s, and loses the oldest connection first',
    async (what) => {
      const { server, port } = await listenWith({ connections: 20, ofOne: 5, response: 60_000 })
      const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n'
      const bytes =
        what === 'slow bodies' ? `${request}Content-Length: 9\r\n\r\n` : `${request}\r\n`.repeat(20)
      const closed: number[] = []
      let opened = 0
      server.on('connection', (socket) => {
        const index = opened++
        socket.on('close', () => closed.push(index))
      })
      for (let index = 0; index < 5; index++) {
        connectTo(port).pause().write(bytes)
        await once(server, 'request')
      }
      // For a response that is collected unread, fetch would open another connection.
      const answers: Response[] = []
      for (let round = 0; round < 5; round++) answers.push(await fetch(`http://127.0.0.1:${port}/`))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(closed.filter((index) => index < 5)).toEqual([0])
    },
  )

  it.each([
    ['127.0.0.1', '10.0.0.0/8', 2],
    ['127.0.0.1', '127.0.0.0/8', 6],
    ['::1', '2001:db8::/32', 2],
    ['::1', '::1', 6],
  ])('of %s, with the proxies %s, holds at most %d connections', async (host, proxy, most) => {
    // Not every machine has IPv6.
    if (!(await canListen(host))) return
    const limits = { connections: 20, ofOne: 2, response: 60_000 }
    const { server, port } = await listenWith(limits, [proxy], host)
    for (let index = 0; index < 6; index++) await once(connectTo(port, host), 'connect')
    const count = () => new Promise((done) => server.getConnections((_, count) => done(count)))
    await expect.poll(count).toBe(most)
  })
})
