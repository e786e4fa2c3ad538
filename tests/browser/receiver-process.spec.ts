/** The process behind `npm start`: how it starts, how it ends, and what it bears. */
import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { withThreeFields } from './dataset.ts'
import { exchange, get, post, runStart, startReceiver } from './receiver.ts'

const ROOT = join(import.meta.dirname, '../..')

const path = `/api/forms${withThreeFields.path}`
let count = 0
const another = () => `name=Ada+${++count}&email=ada%40example.com`

/** A post whose body is to follow. */
const headOf = (length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`

/** Whether the machine has an address: many have no IPv6, and macOS has only one for itself. */
const canListen = (host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer().on('error', () => resolve(false))
    server.listen({ port: 0, host }, () => server.close(() => resolve(true)))
  })

test.describe('the start', () => {
  test('lists its settings on request', async () => {
    const { status, stdout } = await runStart({}, '--help')
    expect(status).toBe(0)
    for (const name of ['PORT', 'DATABASE_URL', 'TRUSTED_PROXIES']) expect(stdout).toContain(name)
  })

  for (const [what, env, args, line] of [
    ['a bad setting', { PORT: '80a' }, [], 'PORT is "80a", but must be a number from 0 to 65535.'],
    ['a bad database', { DATABASE_URL: 'mysql://me:secret@x/y' }, [], /^DATABASE_URL must be /],
    ['a file that cannot be', { SUBMISSIONS_FILE: '/dev/null/a.db' }, [], /\/dev\/null\/a\.db/],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      [],
      /ECONNREFUSED/,
    ],
    [
      'an address of another machine',
      { HOST: '192.0.2.1' },
      [],
      /^HOST is "192\.0\.2\.1", but must be an address of this machine\.$/m,
    ],
    [
      'a name that nobody has',
      { HOST: 'nope.invalid' },
      [],
      /^HOST is "nope\.invalid", but must be an address of this machine\.$/m,
    ],
    [
      'a folder to keep submissions',
      { SUBMISSIONS_FILE: ROOT },
      [],
      `SUBMISSIONS_FILE is "${ROOT}", but must be a file that may be read and written.`,
    ],
    ['an unknown option', {}, ['--port'], /--port/],
  ] as const) {
    test(`is refused with one line for ${what}`, async () => {
      const usual = { SUBMISSIONS_FILE: test.info().outputPath('submissions.db') }
      const { status, stdout, stderr } = await runStart({ ...usual, ...env }, ...args)
      expect(stderr).toMatch(line)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).not.toContain('secret')
      expect(stdout).toBe('')
      expect(status).toBe(2)
    })
  }

  for (const [host, origin] of [
    ['', 'http://localhost'],
    ['0.0.0.0', 'http://localhost'],
    ['::', 'http://localhost'],
    ['127.0.0.1', 'http://localhost'],
    ['localhost', 'http://localhost'],
    ['127.0.0.2', 'http://127.0.0.2'],
    ['::1', 'http://[::1]'],
  ] as const) {
    test(`prints an address that answers where HOST is "${host}"`, async () => {
      test.skip(!(await canListen(host)), 'this machine has no such address')
      const receiver = await startReceiver({ env: { HOST: host } })
      expect(receiver.origin).toBe(`${origin}:${receiver.port}`)
      expect((await fetch(`${receiver.origin}/healthz`)).status).toBe(200)
      await receiver.stop()
    })
  }

  test('takes the next free port where its own is taken', async () => {
    const first = await startReceiver()
    const second = await startReceiver({ env: { PORT: `${first.port}` } })
    expect(second.port).toBeGreaterThan(first.port)
    expect(second.port).toBeLessThan(first.port + 20)
    expect(second.log()).not.toContain('Warning')
    expect((await get(second.port, '/')).status).toBe(200)
    await Promise.all([first.stop(), second.stop()])
  })

  test('is refused with one line where no port is free', async () => {
    // The last there is: taken by somebody else, it is taken as well.
    const other = createServer().on('error', () => {})
    other.listen(65_535)
    const file = test.info().outputPath('submissions.db')
    const { status, stdout, stderr } = await runStart({ PORT: '65535', SUBMISSIONS_FILE: file })
    other.close()
    expect(stderr).toBe(
      'PORT is "65535", but must be another: no port from 65535 to 65535 is free.\n',
    )
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })
})

test('two processes on one file lose nothing and tell a repeat', async () => {
  const first = await startReceiver()
  const second = await startReceiver({ env: { SUBMISSIONS_FILE: first.file } })
  const bodies = Array.from({ length: 60 }, another)
  const places = await Promise.all(
    bodies.map(async (body) => {
      const answers = await Promise.all(
        [first, second].map(({ port }) => post(port, { path, body })),
      )
      expect(answers.map(({ status }) => status)).toEqual([303, 303])
      const [a, b] = answers.map(({ headers }) => headers.get('location'))
      expect(a).toBe(b)
      return a
    }),
  )
  expect(new Set(places).size).toBe(60)
  const stored = await first.stored()
  expect(stored).toHaveLength(60)
  expect(new Set(stored.map(({ repeats }) => repeats))).toEqual(new Set([1]))
  await Promise.all([first.stop(), second.stop()])
})

test.describe('SIGTERM', () => {
  test('under load ends the process in good order, and no receipt was a lie', async () => {
    const receiver = await startReceiver()
    const receipts: string[] = []
    const client = async () => {
      for (;;) {
        const answer = await post(receiver.port, { path, body: another() }).catch(() => undefined)
        if (answer?.status !== 303) return answer?.status
        receipts.push(answer.headers.get('location')?.split('/').at(-1) ?? '')
      }
    }
    const clients = Array.from({ length: 20 }, client)
    await expect.poll(() => receipts.length).toBeGreaterThan(100)
    const started = performance.now()
    receiver.kill('SIGTERM')
    expect(await receiver.ended).toBe(0)
    expect(performance.now() - started).toBeLessThan(10_000)
    // Whoever came too late was told, or found nobody.
    for (const status of await Promise.all(clients)) expect([undefined, 503, NaN]).toContain(status)
    const stored = new Set((await receiver.stored()).map(({ receipt }) => receipt))
    expect(receipts.filter((receipt) => !stored.has(receipt))).toEqual([])
    expect(receiver.events().at(-1)).toMatchObject({ msg: 'stopped' })
    await receiver.stop()
  })

  test('lets a body that is on its way arrive, and takes no new visitor', async () => {
    const receiver = await startReceiver()
    const body = another()
    const socket = connect(receiver.port, 'localhost')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    socket.write(headOf(body.length) + body.slice(0, 5))
    await expect.poll(async () => (await get(receiver.port, '/healthz')).status).toBe(200)
    receiver.kill('SIGTERM')
    await expect.poll(() => receiver.log()).toContain('stopping')
    await expect(get(receiver.port, '/')).rejects.toThrow('ECONNREFUSED')
    socket.write(body.slice(5))
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1.1 303 /)
    expect(await receiver.ended).toBe(0)
    expect(await receiver.stored()).toHaveLength(1)
    await receiver.stop()
  })

  test('does not wait for a visitor who has gone quiet, nor any longer when sent twice', async () => {
    const [patient, hasty] = [await startReceiver(), await startReceiver()]
    for (const { port } of [patient, hasty]) {
      connect(port, 'localhost')
        .on('error', () => {})
        .write(`${headOf(100)}name=`)
      await get(port, '/healthz')
    }
    const started = performance.now()
    for (const { kill } of [patient, hasty]) kill('SIGTERM')
    await expect.poll(() => hasty.log()).toContain('stopping')
    await wait(500)
    hasty.kill('SIGTERM')
    expect(await hasty.ended).toBe(1)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(await patient.ended).toBe(0)
    expect(performance.now() - started).toBeLessThan(10_000)
    await Promise.all([patient.stop(), hasty.stop()])
  })

  test('that comes at once by two ways, as Ctrl-C does below npm, is one', async () => {
    const receiver = await startReceiver()
    connect(receiver.port, 'localhost')
      .on('error', () => {})
      .write(`${headOf(100)}name=`)
    await get(receiver.port, '/healthz')
    receiver.kill('SIGINT')
    await expect.poll(() => receiver.log()).toContain('stopping')
    receiver.kill('SIGINT')
    expect(await receiver.ended).toBe(0)
    await receiver.stop()
  })

  test('answers what comes on an open connection with 503, and closes it', async () => {
    const receiver = await startReceiver()
    const socket = connect(receiver.port, 'localhost')
    const body = another()
    let answers = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text
    })
    const head = headOf(body.length).replace('Connection: close\r\n', '')
    socket.write(head + body.slice(0, 5))
    await get(receiver.port, '/healthz')
    receiver.kill('SIGTERM')
    await expect.poll(() => receiver.log()).toContain('stopping')
    socket.write(`${body.slice(5)}${headOf(body.length)}${body}`)
    await once(socket, 'close')
    expect(answers.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 303', 'HTTP/1.1 503'])
    expect(answers).toMatch(/retry-after: \d+/)
    expect(await receiver.ended).toBe(0)
    expect(await receiver.stored()).toHaveLength(1)
    await receiver.stop()
  })
})

test.describe('whoever is slow', () => {
  for (const [what, beginning, drip] of [
    ['nothing at all', '', ''],
    ['headers', 'POST / HTTP/1.1\r\nHost: localhost\r\n', 'X: 1\r\n'],
    ['a body', headOf(1000), 'a'],
    [
      'a chunked body',
      headOf(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'),
      '1\r\na\r\n',
    ],
  ] as const) {
    test(`with ${what} is cut off within ten seconds`, async ({ baseURL }) => {
      const started = performance.now()
      const socket = connect(Number(new URL(baseURL ?? '').port), 'localhost')
      let answer = ''
      socket.setEncoding('utf8').on('data', (text) => {
        answer += text
      })
      socket.on('error', () => {})
      socket.write(beginning)
      const dripping = setInterval(() => drip && socket.write(drip), 300)
      await once(socket, 'close')
      clearInterval(dripping)
      expect(performance.now() - started).toBeLessThan(10_000)
      expect(answer).toMatch(/^HTTP\/1.1 408 /)
      expect(answer).toContain('Content-Security-Policy')
    })
  }

  test('does not keep a visitor waiting, 500 of them either', async () => {
    const receiver = await startReceiver()
    const slow: Socket[] = []
    for (let number = 0; number < 500; number++) {
      const socket = connect(receiver.port, 'localhost').on('error', () => {})
      slow.push(socket)
      await once(socket, 'connect')
      socket.write(number % 2 ? headOf(1000) : 'POST / HTTP/1.1\r\nHost: localhost\r\n')
    }
    const dripping = setInterval(() => {
      for (const [number, socket] of slow.entries()) socket.write(number % 2 ? 'a' : 'X: 1\r\n')
    }, 200)
    const times: number[] = []
    for (let round = 0; round < 10; round++) {
      const started = performance.now()
      const { status } = await post(receiver.port, { path, body: another() })
      times.push(performance.now() - started)
      expect(status).toBe(303)
      await wait(100)
    }
    clearInterval(dripping)
    for (const socket of slow) socket.destroy()
    expect(Math.max(...times)).toBeLessThan(500)
    await receiver.stop()
  })
})

test('one connection brings many forms, one after the other', async () => {
  const receiver = await startReceiver()
  const bodies = Array.from({ length: 5 }, another)
  const requests = bodies.map((body, index) => {
    const head = headOf(body.length)
    return (index < 4 ? head.replace('Connection: close\r\n', '') : head) + body
  })
  const { status, body } = await exchange(receiver.port, [requests.join('')])
  expect(status).toBe(303)
  expect(body.match(/HTTP\/1.1 303/g)).toHaveLength(4)
  expect((await receiver.stored()).map(({ fields }) => fields[0]?.[1])).toEqual(
    bodies.map((body) => new URLSearchParams(body).get('name')),
  )
  await receiver.stop()
})

test('what is too large on a connection that stays open does not spoil the next form', async () => {
  const receiver = await startReceiver()
  const body = another()
  const large = `name=${'x'.repeat(1_000_000)}`
  const first = headOf(large.length).replace('Connection: close\r\n', '') + large
  const answer = await exchange(receiver.port, [first, headOf(body.length) + body])
  expect(answer.status).toBe(413)
  expect(answer.body).toContain('HTTP/1.1 303')
  expect(await receiver.stored()).toHaveLength(1)
  await receiver.stop()
})

test('the answer to a visitor who has gone is no error', async () => {
  const receiver = await startReceiver()
  const sent = send({ port: receiver.port, path, method: 'POST', headers: { 'Content-Length': 9 } })
  sent.on('error', () => {}).write('name')
  await wait(200)
  sent.destroy()
  await wait(200)
  expect((await get(receiver.port, '/healthz')).status).toBe(200)
  expect(receiver.log()).toBe('')
  await receiver.stop()
})
