/** Tests every response of the receiver, raw over a socket, with both stores. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { headers as policy } from '../../src/static/policy.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { startProxy } from '../helpers/proxy.ts'
import {
  type Answer,
  exchange,
  get,
  post,
  type Receiver,
  startReceiver,
} from '../helpers/receiver.ts'
import { pages, plain, unclaimed, withThreeFields, writeSite } from '../helpers/site.ts'

const { path } = withThreeFields
const target = `/api/forms${path}`
const valid = 'name=Ada&email=ada%40example.com&message=Hello'
const LIMIT = 64 * 1024

/** Returns a valid body with the given number of bytes. */
const bodyOf = (bytes: number) => valid.padEnd(bytes, 'x')
let count = 0
/** Returns a valid body that was not sent before. */
const another = () => `name=Ada+${++count}&email=ada%40example.com&message=`

const placeOf = ({ headers }: Answer) => headers.get('location') ?? ''
const expectProblem = (answer: Answer, status: number, ...words: string[]) => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  // A form that comes back may be shown again on Back.
  const isGiven = answer.body.includes('<form ') || answer.body.includes('<dl>')
  expect(answer.headers.get('cache-control')).toBe(isGiven ? 'private, no-cache' : 'no-store')
  for (const word of words) expect(answer.body).toContain(word)
}

for (const kind of ['SQLite', 'Postgres'] as const) {
  describe(`with ${kind}`, () => {
    /** A test of what does not depend on the store. */
    const once = (name: string, test: () => Promise<void>) => {
      if (kind === 'SQLite') it(name, test)
    }
    let receiver: Receiver
    let port: number
    const database = async (): Promise<Record<string, string>> =>
      kind === 'Postgres' ? { DATABASE_URL: await newDatabase() } : {}
    /** Starts a separate receiver for the running test. */
    const startAnother = async (settings: Record<string, string>) => {
      const started = await startReceiver({ ...(await database()), ...settings })
      onTestFinished(() => started.stop())
      return started
    }

    beforeAll(async () => {
      receiver = await startReceiver({
        ...(await database()),
        TRUSTED_ORIGINS: 'https://trusted.example',
      })
      port = receiver.port
    })
    afterAll(() => receiver?.stop())
    const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
      post(port, { path: target, body, headers })

    it('a valid form is stored as sent, and leads to its receipt', async () => {
      const answer = await send(
        'name=%20Ada%20&email=+ada%40example.com&message=One%0D%0ATwo&more=x',
      )
      expect(answer.status).toBe(303)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(placeOf(answer)).toMatch(/^\/forms\/received\/[0-9a-z-]{34}$/)
      const receipt = placeOf(answer).split('/').at(-1) ?? ''
      const last = (await receiver.stored()).at(-1)
      expect(last).toMatchObject({
        receipt,
        path,
        fields: [
          ['name', ' Ada '],
          ['email', ' ada@example.com'],
          ['message', 'One\r\nTwo'],
          ['more', 'x'],
        ],
        status: 'received',
      })
      expect(last?.dataset).toMatch(/^[0-9a-f]{64}$/)
      const page = await get(port, placeOf(answer))
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.body).toMatch(/<h1 [^>]*>Thank you<\/h1>/)
      expect(page.body).toContain(`<time dateTime="${last?.receivedAt}">`)
      expect(page.body).toContain(receipt)
      expect(page.body).toContain('<meta name="robots" content="noindex"/>')
      expect(page.body).not.toContain('Ada')
    })

    it('a repeat is counted but not stored again, and its sender cannot tell', async () => {
      const body = another()
      const first = await send(body)
      const before = await receiver.stored()
      const again = [await send(body), ...(await Promise.all([send(body), send(body)]))]
      const places = [first, ...again].map(placeOf)
      expect(new Set(places).size).toBe(4)
      for (const [index, place] of places.entries()) {
        const { status, body } = await get(port, place)
        expect(status).toBe(200)
        expect(body).toContain(place.split('/').at(-1))
        const [, receivedAt = ''] = /dateTime="(.*?)"/i.exec(body) ?? []
        expect(receivedAt).toMatch(/^20.*Z$/)
        if (index > 0) expect(receivedAt >= (before.at(-1)?.receivedAt ?? '')).toBe(true)
      }
      const after = await receiver.stored()
      expect(after).toHaveLength(before.length)
      expect(after.at(-1)?.repeats).toBe(3)
    })

    it('a form with the honeypot filled in is stored as suspect', async () => {
      const answer = await send(`${another()}&homepage_url=https%3A%2F%2Fexample.com`)
      expect(answer.status).toBe(303)
      const last = (await receiver.stored()).at(-1)
      expect(last).toMatchObject({ status: 'suspect', receipt: placeOf(answer).split('/').at(-1) })
      expect(last?.fields.map(([name]) => name)).toEqual(['name', 'email', 'message'])
    })

    it('an invalid form comes back as it was sent, with its errors', async () => {
      const before = await receiver.stored()
      for (const [body, ...words] of [
        ['', 'Fill in “Your Name”', 'Fill in “Email Address”'],
        ['name=&email=ada%40example.com&message=kept', 'Fill in “Your Name”', '>kept</textarea>'],
        ['name=Kept&email=ada', 'such as you@example.com', 'value="Kept"', 'value="ada"'],
        [`${valid}&name=Eve`, '“Your Name” was sent twice', 'value="Ada"'],
        [`${valid}&x=1&x=2`, '<li>A field was sent twice</li>'],
      ] as const) {
        expectProblem(await send(body), 422, '<title>Error: ', 'There is a problem', ...words)
      }
      expect(await receiver.stored()).toEqual(before)
    })

    once('a page that is unknown, or has no form, is not found', async () => {
      const notFound = await get(port, unclaimed)
      const before = await receiver.stored()
      for (const path of [
        plain.path,
        unclaimed,
        '/__proto__',
        '/constructor/001',
        `${withThreeFields.path}/`,
        `${withThreeFields.path}.html`,
        withThreeFields.path.toUpperCase(),
        withThreeFields.path.replace('/', '//'),
        withThreeFields.path.replace(/(?<=.)\//, '%2F'),
        `/..${withThreeFields.path}`,
        '/',
      ]) {
        const empty = await post(port, { path: `/api/forms${path}`, body: '' })
        expect([empty.status, empty.body], path).toEqual([404, notFound.body])
        const answer = await post(port, { path: `/api/forms${path}`, body: valid })
        expectProblem(answer, 404, 'Nothing was stored', '>Hello</pre>')
      }
      expect(await receiver.stored()).toEqual(before)
      const encoded = target.replace('a', '%61')
      expect((await post(port, { path: encoded, body: valid })).status).toBe(405)
    })

    it('an unknown receipt is not found', async () => {
      for (const receipt of ['0000-0000', '__proto__', '%00', "'", '..', 'x'.repeat(5000)]) {
        const answer = await get(port, `/forms/received/${receipt}`)
        expect(answer.status, receipt).toBe(404)
        expect(answer.body).toContain('Not found')
      }
    })

    once(
      'any other method is refused, with the allowed one, and not logged as an error',
      async () => {
        const others = METHODS.filter((each) => !['POST', 'CONNECT'].includes(each))
        for (const method of others) {
          const body = method === 'GET' ? '' : valid
          const answer = await post(port, { path: target, method, body })
          expect(answer.status, method).toBe(405)
          expect(answer.headers.get('allow')).toBe('POST')
          if (method === 'GET') expect(answer.body).toContain(`href="${path}"`)
        }
        for (const method of METHODS.filter((each) => !['GET', 'HEAD', 'CONNECT'].includes(each))) {
          for (const [path, type] of [
            ['/', 'text/plain'],
            ['/healthz', ''],
            ['/forms/received/x', 'text/plain'],
          ] as const) {
            const headers = { 'Content-Type': type }
            const answer = await post(port, { path, method, body: valid, headers })
            expect(answer.status, `${method} ${path}`).toBe(405)
            expect(answer.headers.get('allow')).toBe('GET, HEAD')
          }
        }
        expect(receiver.log()).not.toContain('"level":50')
      },
    )

    once('another site may not send forms, but a trusted one may', async () => {
      const before = await receiver.stored()
      for (const headers of [
        { 'Sec-Fetch-Site': 'same-site', Origin: `http://localhost:${port}` },
        { Origin: 'http://localhost:1' },
      ]) {
        expectProblem(
          await send(another(), headers),
          403,
          'from another site',
          'Nothing was stored',
          `value="Ada ${count}"`,
        )
      }
      expect(await receiver.stored()).toEqual(before)
      for (const headers of [
        { Origin: `http://localhost:${port}` },
        { Origin: 'https://trusted.example', 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        expect((await send(another(), headers)).status, JSON.stringify(headers)).toBe(303)
      }
    })

    once('only a trusted proxy may say which host a form was requested from', async () => {
      const proxied = await startAnother({ TRUSTED_PROXIES: '127.0.0.1' })
      for (const [to, from, status] of [
        [proxied, 'https://site.example', 303],
        [proxied, 'https://forged.example', 403],
        [receiver, 'https://site.example', 403],
      ] as const) {
        const headers = { Origin: from, 'X-Forwarded-Host': 'forged.example, site.example' }
        const answer = await post(to.port, { path: target, body: another(), headers })
        expect(answer.status, from).toBe(status)
      }
    })

    once('a body that is not a form, or is malformed, is refused with the reason', async () => {
      const before = await receiver.stored()
      for (const type of ['', 'text/plain', ';']) {
        expectProblem(await send(another(), { 'Content-Type': type }), 415, 'UTF-8', 'href="/"')
      }
      const multipart = 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxk'
      expectProblem(
        ...([await send(another(), { 'Content-Type': multipart }), 415] as const),
        ...['sent as multipart/form-data, but', 'enctype=&quot;application/x-www-form-urlencoded'],
      )
      expectProblem(await send('name=%'), 400, 'in UTF-8')
      expect(await receiver.stored()).toEqual(before)
    })

    it('64 KiB are stored and one byte more is refused, chunked or not', async () => {
      expect((await send(bodyOf(LIMIT))).status).toBe(303)
      const tooLarge = await send(bodyOf(LIMIT + 1))
      expectProblem(tooLarge, 413, 'too long', 'value="Ada"', 'xxx</textarea>')

      const head = `POST ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`
      for (const [size, status] of [
        [LIMIT, 303],
        [LIMIT + 1, 413],
        [4 * LIMIT, 413],
        [8_000_000, 413],
      ] as const) {
        const text = bodyOf(size)
        const chunks = (text.match(/[\s\S]{1,60000}/g) ?? []).map(
          (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
        )
        const answer = await exchange(port, [head, ...chunks, '0\r\n\r\n'])
        expect(answer.status, `${size} bytes`).toBe(status)
      }
      const whole = await send(bodyOf(8_000_000))
      expectProblem(whole, 413, 'too long')
    })

    once('the rate limit applies to one address and to no other', async () => {
      const limited = await startAnother({ RATE_LIMIT: '2', TRUSTED_PROXIES: '127.0.0.0/8,::1' })
      onTestFinished(() => void vi.useRealTimers())
      const statusFrom = async (address: string) => {
        const headers: Record<string, string> = address ? { 'X-Forwarded-For': address } : {}
        return post(limited.port, { path: target, body: another(), headers })
      }
      for (const [first, second, other] of [
        ['192.0.2.1', '192.0.2.1', '192.0.2.2'],
        ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:2::1'],
        ['198.51.100.1', 'spoofed, 198.51.100.1', '198.51.100.2'],
        ['', '', '203.0.113.1'],
      ] as const) {
        expect((await statusFrom(first)).status).toBe(303)
        expect((await statusFrom(second)).status).toBe(303)
        const body = 'name=Kept&email=ada'
        const headers: Record<string, string> = second ? { 'X-Forwarded-For': second } : {}
        // A clock that is set back keeps nobody waiting.
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * 60 * 60_000 })
        const refused = await post(limited.port, { path: target, body, headers })
        expectProblem(refused, 429, 'too many', 'value="Kept"')
        expect(refused.body).toMatch(/Wait \d+ seconds/)
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
        expect((await statusFrom(other)).status).toBe(303)
      }
      expect(await limited.stored()).toHaveLength(12)
    })

    it('more than fifty fields beyond those of the form are refused, with the text kept', async () => {
      const others = (count: number) =>
        Array.from({ length: count }, (_, index) => `&x${index}=`).join('')
      expect((await send(`${another()}${others(50)}`)).status).toBe(303)
      const before = await receiver.stored()
      const body = `${another()}kept${others(51)}`
      expectProblem(await send(body), 413, 'too many fields', '53 fields', '>kept</textarea>')
      expectProblem(await send('a&'.repeat(LIMIT / 2)), 413, 'too many fields')
      const large = `${another()}kept&${'a&'.repeat(LIMIT)}`
      expectProblem(await send(large), 413, 'too long', '>kept</textarea>')
      expect(await receiver.stored()).toEqual(before)
    })

    once('if a form cannot be shown again, what was sent comes back as plain text', async () => {
      const dist = writeSite(mkdtempSync(join(tmpdir(), 'manyurls-dist-')))
      onTestFinished(() => rmSync(dist, { recursive: true }))
      const file = join(dist, 'site.json')
      const built = readFileSync(file, 'utf8')
      // As if a component of the form failed, or the check of a field.
      for (const [type, status] of [
        ['select","options":null,"x":"', 422],
        ['none', 503],
      ] as const) {
        writeFileSync(file, built.replaceAll('"textarea"', `"${type}"`))
        const other = await startReceiver({}, dist)
        onTestFinished(() => other.stop())
        const body = 'name=Ada&email=kept&message='
        const answer = await post(other.port, { path: target, body })
        expect(answer.status).toBe(status)
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
        expect(answer.body).toMatch(/^There is a problem.*\n\nNothing was stored\..*\n {2}kept\n/s)
      }
    })

    once('a text of more than 256 KiB does not come back, and the page says so', async () => {
      const most = await send(bodyOf(4 * LIMIT))
      expectProblem(most, 413, 'xxx</textarea>')
      const more = await send(bodyOf(4 * LIMIT + 1))
      expectProblem(more, 413, 'too long', 'no more than 256 KiB', `href="${path}"`)
      expect(more.body).not.toContain('xxx')
    })

    once('X-Forwarded-For is ignored when no proxy is trusted', async () => {
      const limited = await startAnother({ RATE_LIMIT: '1' })
      const statuses = []
      for (const address of ['192.0.2.1', '192.0.2.2']) {
        const headers = { 'X-Forwarded-For': address }
        statuses.push((await post(limited.port, { path: target, body: another(), headers })).status)
      }
      expect(statuses).toEqual([303, 429])
    })

    if (kind === 'Postgres')
      it('a form that cannot be stored is not confirmed', async () => {
        const url = new URL((await database()).DATABASE_URL as string)
        const proxy = await startProxy(Number(url.port))
        onTestFinished(() => proxy.stop())
        url.port = String(proxy.port)
        const broken = await startAnother({ DATABASE_URL: url.href })
        const send = () => post(broken.port, { path: target, body: `${another()}kept` })
        const first = await send()
        expect(first.status).toBe(303)
        expect((await get(broken.port, '/readyz')).status).toBe(200)

        proxy.shut()
        for (let round = 0; round < 3; round++) {
          const answer = await send()
          expectProblem(
            answer,
            503,
            'nothing was stored',
            `value="Ada ${count}"`,
            '>kept</textarea>',
          )
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect((await get(broken.port, '/healthz')).status).toBe(200)
        expect((await get(broken.port, path)).status).toBe(200)
        await expect.poll(async () => (await get(broken.port, '/readyz')).status).toBe(503)
        expect((await get(broken.port, placeOf(first))).status).toBe(503)

        proxy.open()
        await expect.poll(async () => (await get(broken.port, '/readyz')).status).toBe(200)
        expect((await send()).status).toBe(303)
        expect((await get(broken.port, placeOf(first))).status).toBe(200)
      })

    once('every response has the headers of the policy, even if Node sends it', async () => {
      const long = 'x'.repeat(20_000)
      for (const [what, status, answer] of [
        ['a receipt', 404, get(port, '/forms/received/x')],
        ['a redirection', 303, send(another())],
        ['a fault', 422, send('')],
        ['too much', 413, send(bodyOf(LIMIT + 1))],
        ['a file', 200, get(port, '/')],
        ['no file', 404, get(port, '/%ff')],
        ['a file that is sent to', 405, post(port, { path: '/', body: valid })],
        ['health', 200, get(port, '/healthz')],
        ['readiness', 200, get(port, '/readyz')],
        ['no HTTP', 400, exchange(port, ['HELO example.com\r\n\r\n'])],
        ['no host', 400, exchange(port, ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])],
        ['an odd expectation', 417, get(port, '/', { Expect: 'x' })],
        ['headers too large', 431, get(port, '/', { X: long })],
        [
          'health that is deleted',
          405,
          post(port, { path: '/healthz', method: 'DELETE', body: '' }),
        ],
        ['two lengths', 400, send(valid, { 'Transfer-Encoding': 'chunked' })],
      ] as const) {
        const { headers, ...rest } = await answer
        expect(rest.status, what).toBe(status)
        for (const [name, value] of Object.entries(policy))
          expect(headers.get(name), what).toBe(value)
      }
    })

    it('no log line contains anything that was sent, or an IP address', async () => {
      const secret = 'secret-of-a-visitor'
      const body = `name=${secret}&email=${secret}%40example.com&message=${secret}`
      for (const answer of [
        await send(body),
        await send(`${body}&name=${secret}`),
        await send(`${body}%`),
        await send(body, { Origin: `https://${secret}.example` }),
        await post(port, { path: `${target}?${secret}`, body }),
        await post(port, { path: `/api/forms/${secret}`, body }),
        await get(port, `/forms/received/${secret}`),
      ]) {
        expect(placeOf(answer)).not.toContain(secret)
      }
      expect(receiver.events().length).toBeGreaterThan(3)
      expect(receiver.log()).not.toContain(secret)
      expect(receiver.log()).not.toMatch(/127\.0\.0\.1|::1/)
      const paths = new Set(pages.map(({ path }) => path))
      for (const { path } of receiver.events()) if (path) expect(paths.has(path)).toBe(true)
    })
  })
}

describe('a connection', () => {
  const head = (length: number, connection: string) =>
    `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\nConnection: ${connection}\r\n\r\n`
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())

  it('can carry another form after one that is too large', async () => {
    const body = another()
    const large = `name=${'x'.repeat(1_000_000)}`
    const first = head(large.length, 'keep-alive') + large
    const answer = await exchange(receiver.port, [first, head(body.length, 'close') + body])
    expect(answer.status).toBe(413)
    expect(answer.body).toContain('HTTP/1.1 303')
    expect(await receiver.stored()).toHaveLength(1)
  })

  it('with garbage after a form gets the response to the form, then closes', async () => {
    const body = another()
    for (const garbage of ['garbage', '\0', 'GET / HTTP/9\r\n\r\n']) {
      const bytes = head(body.length, 'keep-alive') + body + garbage
      expect((await exchange(receiver.port, [bytes])).status, garbage).toBe(303)
    }
  })

  it('that closes before its form is complete is not an error', async () => {
    const socket = connect(receiver.port, '127.0.0.1')
    socket.write(`${head(9, 'close')}name`)
    await get(receiver.port, '/healthz')
    socket.destroy()
    await once(socket, 'close')
    expect((await get(receiver.port, '/healthz')).status).toBe(200)
    await receiver.close(1_000)
    expect(receiver.log()).toBe('')
  })

  it('of a visitor who has gone quiet does not keep the receiver from closing', async () => {
    const socket = connect(receiver.port, '127.0.0.1').on('error', () => {})
    socket.write(`${head(9, 'close')}name`)
    await get(receiver.port, '/healthz')
    // Sooner than a slow form would be cut off.
    const late = wait(5_000, 'late', { ref: false })
    expect(await Promise.race([receiver.close(50), late])).toBeUndefined()
  })

  it('with a form in flight when the receiver closes gets its response, then closes', async () => {
    const body = another()
    const socket = connect(receiver.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    socket.write(head(body.length, 'keep-alive') + body.slice(0, 5))
    expect((await get(receiver.port, '/healthz')).status).toBe(200)
    const closed = Promise.all([receiver.close(60_000), once(socket, 'close')])
    await expect(get(receiver.port, '/')).rejects.toThrow('ECONNREFUSED')
    socket.write(body.slice(5))
    await closed
    expect(answer).toMatch(/^HTTP\/1.1 303 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(await receiver.stored()).toHaveLength(1)
  })
})
