/** Tests `npm run serve` and `npm start`: startup and failures, and the process with its signals. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSite } from '../../src/forms/files/open-site.ts'
import { serve } from '../../src/forms/serve.ts'
import { owner } from '../helpers/owner.ts'
import { get, post, storedIn } from '../helpers/receiver.ts'
import { newFolder, start } from '../helpers/serve.ts'
import { pages, plain, withThreeFields, writeSite } from '../helpers/site.ts'
import { openStore } from '../helpers/store.ts'
import { canMount, run } from '../helpers/workspace.ts'

const path = `/api/forms${withThreeFields.path}`
let count = 0
const another = () => `name=Ada+${++count}&email=ada%40example.com`

describe('the command', () => {
  it('says on request where its settings are listed', async () => {
    const { status, stdout } = await serveWith(['--help'])
    expect(status).toBe(0)
    expect(stdout).toContain('which src/forms/README.md lists')
  })

  for (const [what, env, args, line] of [
    ['a bad setting', { PORT: '80a' }, [], 'PORT is "80a", but must be a number from 0 to 65535.'],
    [
      'half of the settings of mail',
      { NOTIFY_TO: 'a@b.c' },
      [],
      /^SMTP_URL, NOTIFY_TO and NOTIFY_FROM must/,
    ],
    ['an impossible file', { SUBMISSIONS_FILE: '/dev/null/a.db' }, [], /\/dev\/null\/a\.db/],
    ['an address of another machine', { HOST: '192.0.2.1' }, [], /^HOST is "192\.0\.2\.1", but /m],
    ['a bad port as an option', {}, ['--port', '80b'], 'PORT is "80b", but must be a number from'],
    ['an unknown option', {}, ['--prot'], "Unknown option '--prot' (did you mean --port?)"],
    [
      'an option that npm took',
      { npm_config_port: '80', npm_lifecycle_event: 'start' },
      ['80'],
      'npm kept --port for itself; to pass it on, write npm run start -- --port',
    ],
  ] as const) {
    it(`fails with one line for ${what}`, async () => {
      const { status, stdout, stderr } = await serveWith([...args], env)
      expect(stderr).toMatch(line)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stdout).toBe('')
      expect(status).toBe(2)
    })
  }
})

it('a start that finds its port taken says so', async () => {
  const other = createServer()
  await new Promise((resolve) => other.listen(0, () => resolve(0)))
  onTestFinished(() => void other.close())
  const file = join(newFolder(), 'a.db')
  const { port } = other.address() as AddressInfo
  const { status, stderr } = await serveWith(['--port', `${port}`], { SUBMISSIONS_FILE: file })
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `PORT is "${port}", but must be another: that port is taken.\n`,
  })
})

describe('a secret is in no output, whatever signs it has and wherever they end the address:', () => {
  const mail = { NOTIFY_TO: 'a@b.c', NOTIFY_FROM: 'd@e.f' }
  const signs = [...'/?#@:%[ \n&=\u20ac', '\\\\', '%2', '%zz']
  const odd = signs.flatMap((sign) => [`s3cr${sign}3t`, `12${sign}3s3cr3t`, `${sign}s3cr3t`])
  const urls = (protocol: string, port: string) => [
    ...odd.map((secret) => `${protocol}://user:${secret}@127.0.0.1${port}/x`),
    `${protocol}://user:s3cr3t@127.0.0.1:99999`,
    `${protocol}://user:s3cr3t@127.0.0.1:x`,
    `${protocol}:s3cr3t`,
    `other://user:s3cr3t@127.0.0.1`,
    's3cr3t',
  ]
  const isTold = (text: string) => /3t|s3cr/.test(text)

  it.each(urls('smtps', ''))('SMTP_URL=%j', async (SMTP_URL) => {
    const { stdout, stderr } = await serveWith([], { SMTP_URL, ...mail })
    expect(isTold(stdout + stderr), stderr).toBe(false)
    expect(stderr).toMatch(/^(|SMTP_URL must be an address such as .*\n)$/)
  })

  it.each(urls('postgres', ':1'))('DATABASE_URL=%j', async (DATABASE_URL) => {
    const started = await serveWith([], { DATABASE_URL })
    const asked = await owner({ DATABASE_URL }, [])
    for (const { status, stdout, stderr } of [started, asked]) {
      expect(isTold(stdout + stderr), stderr).toBe(false)
      expect(stderr).toMatch(
        /^(submissions: )?(DATABASE_URL must be an|Postgres at 127\.0\.0\.1:1\/x: ).*\n$/,
      )
      expect(status).toBe(2)
    }
  })
})

it('a site without forms is served without a store', async () => {
  const file = join(newFolder(), 'a.db')
  const formless = pages.map(({ form, ...page }) => page)
  const { status, stdout } = await serveWith([], { SUBMISSIONS_FILE: file }, formless)
  expect(status).toBeUndefined()
  expect(existsSync(file)).toBe(false)
  const port = Number(/:(\d+)\//.exec(stdout)?.[1])
  expect((await get(port, '/readyz')).status).toBe(200)
  expect((await post(port, { path, body: 'name=Ada' })).status).toBe(404)
})

it('a site whose last form was removed keeps what was sent, as long as KEEP_DAYS says', async () => {
  const file = join(newFolder(), 'a.db')
  const [old, recent] = await Promise.all(
    [3, 0].map(async (days) => {
      const now = () => new Date(Date.now() - days * 24 * 60 * 60_000)
      const store = await openStore({ file, now })
      onTestFinished(() => store.close())
      await store.setUpkeep(new Date())
      const fields = [['name', `Ada ${days}`]] as const
      return (await store.add({ path: plain.path, fields, dataset: '', isSuspect: false })).receipt
    }),
  )
  const formless = pages.map((page) => ({ ...page, form: null }))
  const { stdout } = await serveWith([], { SUBMISSIONS_FILE: file, KEEP_DAYS: '1' }, formless)
  const port = Number(/:(\d+)\//.exec(stdout)?.[1])
  const statusOf = async (receipt = '') => (await get(port, `/forms/received/${receipt}`)).status
  expect(await statusOf(recent)).toBe(200)
  await expect.poll(() => statusOf(old)).toBe(404)
})

/** Whether Linux keeps the first ports for root, as it usually does. */
const areKept =
  canMount && Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > 80

it.runIf(areKept)('a port that its user may not use is refused in one line', async () => {
  const program = `require('./src/forms/http.ts')
    .listen(require('node:net').createServer(), 80).catch(({ message }) => console.log(message))`
  const { stdout } = await run(['--require', 'tsx/cjs', '-e', program], { mayMount: true })
  expect(stdout).toMatch(/^PORT is "80", but must be one that this user may use\b.*\n$/)
})

it.runIf(canMount)('a form that a full disk cannot hold is not reported as stored', async () => {
  const receiver = await start({
    prelude: 'mount -t tmpfs -o size=400k none "$FOLDER"',
  })
  const send = () =>
    post(receiver.port, { path, body: `${another()}&message=${'x'.repeat(50_000)}` })
  const places: string[] = []
  // A check that writes to disk only what has changed since would still find room later.
  expect((await get(receiver.port, '/readyz')).status).toBe(200)
  let answer = await send()
  for (; answer.status === 303; answer = await send()) {
    places.push(answer.headers.get('location') ?? '')
  }
  expect(places.length).toBeGreaterThan(0)
  expect(places.length).toBeLessThan(10)
  expect((await get(receiver.port, '/healthz')).status).toBe(200)
  // A check counts for a second.
  await expect.poll(async () => (await get(receiver.port, '/readyz')).status).toBe(503)
  for (let round = 0; round < 3; round++) {
    expect(answer.status).toBe(503)
    for (const part of ['nothing was stored', `value="Ada ${count}"`, 'xxx</textarea>'])
      expect(answer.body).toContain(part)
    answer = await send()
  }
  expect(receiver.log()).toContain('nothing was stored or deleted: the disk is full (SQLITE_FULL)')
  for (const place of places) expect((await get(receiver.port, place)).status).toBe(200)
})

it('a start that finds its store damaged says in one line what to do', async () => {
  const file = join(newFolder(), 'a.db')
  await (await openStore({ file })).close()
  writeFileSync(file, readFileSync(file).fill(0, 0, 16))
  const { status, stderr } = await serveWith([], { SUBMISSIONS_FILE: file })
  expect(stderr).toMatch(
    /^.*a\.db: .* is damaged\. .* restore the last backup, as deploy\/README\.md .*\n$/,
  )
  expect(status).toBe(2)
})

it.runIf(canMount)(
  'a receiver on a read-only disk says so at the start, and serves the pages',
  async () => {
    const folder = newFolder()
    const file = join(folder, 'a.db')
    await (await openStore({ file })).close()
    const bound = `mount --bind ${folder} ${folder}; mount -o remount,ro,bind ${folder}`
    const receiver = await start({ prelude: bound, env: { SUBMISSIONS_FILE: file } })
    await receiver.logs('submissions cannot be stored')
    expect(receiver.log()).toContain(
      'may not be written; its owner, its folder or its disk forbids it',
    )
    expect((await get(receiver.port, '/')).status).toBe(200)
  },
)

describe('without the binary of SQLite,', () => {
  it('the start says in one sentence what to do', async () => {
    const hidden = join(newFolder(), 'hide.cjs')
    writeFileSync(
      hidden,
      `const Module = require('node:module')
       const resolve = Module._resolveFilename
       Module._resolveFilename = (name, ...rest) =>
         resolve(name.startsWith('@libsql/') ? '@libsql/none' : name, ...rest)`,
    )
    const program = `import('./src/store/open-store.ts')
      .then(({ openStore }) => openStore({ file: ${JSON.stringify(join(newFolder(), 'a.db'))} }))
      .catch(({ constructor, message }) => console.log(constructor.name, message))`
    const { stdout } = await run(['--require', hidden, '--import', 'tsx', '-e', program])
    expect(stdout).toMatch(
      /^StoreError SQLite isn't installed for this platform \(.*\)\. Run "npm ci" .*\n$/,
    )
  })
})

describe.concurrent('SIGTERM', () => {
  it('under load shuts the process down cleanly, and every receipt is stored', async ({
    expect,
    onTestFinished,
  }) => {
    const receiver = await start({ atEnd: onTestFinished })
    const receipts: string[] = []
    let isStopping = false
    const client = async () => {
      for (;;) {
        const answer = await post(receiver.port, { path, body: another() }).catch(() => undefined)
        if (answer?.status === 303) receipts.push(answer.headers.get('location')?.slice(-34) ?? '')
        else if (isStopping) return answer?.status
      }
    }
    const clients = Array.from({ length: 20 }, client)
    while (receipts.length < 100) await wait(5)
    isStopping = true
    // Ctrl-C under npm sends both: they count as one signal.
    receiver.kill('SIGTERM')
    receiver.kill('SIGINT')
    expect(await receiver.ended).toBe(0)
    // Late clients got a response, or no connection.
    for (const status of await Promise.all(clients)) {
      expect([undefined, 503, Number.NaN]).toContain(status)
    }
    const stored = new Set((await storedIn({ file: receiver.file })).map(({ receipt }) => receipt))
    expect(receipts.filter((receipt) => !stored.has(receipt))).toEqual([])
    expect(receiver.events().at(-1)).toMatchObject({ msg: 'stopped' })
  })

  it('ends the process at once when it is sent again', async ({ expect, onTestFinished }) => {
    const receiver = await start({ atEnd: onTestFinished })
    // The beginning of a form.
    const socket = connect(receiver.port, '127.0.0.1').on('error', () => {})
    const type = 'Content-Type: application/x-www-form-urlencoded'
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 9\r\n\r\nname=`)
    await get(receiver.port, '/healthz')
    receiver.kill('SIGTERM')
    await receiver.logs('stopping')
    await wait(500)
    receiver.kill('SIGTERM')
    expect(await receiver.ended).toBe(1)
  })
})

/** Runs the command as a function, on the site of the tests with the given pages. */
async function serveWith(
  args: string[],
  env: Record<string, string> = {},
  shown: typeof pages = pages,
) {
  const written = { stdout: '', stderr: '' }
  const streamTo = (name: keyof typeof written) =>
    new Writable({
      write(text, _encoding, done) {
        written[name] += text
        done()
      },
    })
  const folder = newFolder()
  const usual = { PORT: '0', SUBMISSIONS_FILE: join(folder, 'a.db'), LOG_LEVEL: 'error' }
  const status = await serve(args, {
    env: { ...usual, ...env },
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
    openSite: () => ({ ...openSite(writeSite(join(folder, 'dist'))), pages: shown }),
    onReady: (close) => onTestFinished(() => close(0)),
  })
  return { status, ...written }
}
