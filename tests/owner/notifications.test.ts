/** What the owner sees of notifications: the commands, and the check of readiness. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql/promise'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { byMail, createMailer } from '../../src/notify/mailer.ts'
import { sendNext } from '../../src/notify/sender.ts'
import { HONEYPOT } from '../../src/page/form-fields.ts'
import type { Store } from '../../src/store/store.ts'
import { isLong } from '../helpers/long.ts'
import { owner } from '../helpers/owner.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { get, post, startReceiver, storedIn } from '../helpers/receiver.ts'
import { start } from '../helpers/serve.ts'
import { withThreeFields } from '../helpers/site.ts'
import { startMailServer } from '../helpers/smtp.ts'
import { openStore, overwritePage } from '../helpers/store.ts'

const MAIL = { to: ['owner@example.org'], from: 'forms@example.org', withSpam: false }
const path = `/api/forms${withThreeFields.path}`
const body = (name: string) => `name=${name}&email=ada%40example.com&message=Hello`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-notifications-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const places: Record<string, () => Promise<Record<string, string>>> = {
  SQLite: async () => ({ SUBMISSIONS_FILE: join(newFolder(), 'submissions.db') }),
  Postgres: async () => ({ DATABASE_URL: await newDatabase() }),
}

const submissions = (env: Record<string, string>, ...args: string[]) => owner(env, args)

async function open(env: Record<string, string>): Promise<Store> {
  const { SUBMISSIONS_FILE: file, DATABASE_URL: databaseUrl } = env
  const store = await openStore({ databaseUrl, ...(file && { file }) })
  onTestFinished(() => store.close())
  return store
}

const add = (store: Store, name: string, isAnnounced = true) =>
  store.add({
    ...{ path: '/blog/029', fields: [['name', name]], dataset: '' },
    ...{ isSuspect: false, channels: isAnnounced ? ['mail'] : [] },
  })

async function partsOf({ outbox }: Store, server: string) {
  const send = byMail(await createMailer({ server, ...MAIL }), { pages: [] })
  const log = pino({ level: 'silent' })
  return { channel: 'mail' as const, outbox, send, log, pause: 0 }
}

describe.each(Object.entries(places))('with a store in %s,', (_, place) => {
  it('the commands and the check of readiness show what waits and what failed', async () => {
    const env = await place()
    const receiver = await startReceiver(env)
    onTestFinished(() => receiver.stop())
    const ready = async (text: string) =>
      vi.waitFor(async () => expect((await get(receiver.port, '/readyz')).body).toBe(text), {
        timeout: 3 * 60_000,
      })
    await ready('ready\n')

    const none = 'No notification is waiting.\n'
    expect(await submissions(env, 'notifications')).toEqual({ status: 0, stdout: none, stderr: '' })
    expect((await submissions(env)).stdout).toBe('0 submissions\n')

    const store = await open(env)
    const mailServer = await startMailServer()
    mailServer.answer({ code: 451, words: 'Later\u001b[2J' })
    const parts = await partsOf(store, mailServer.url)
    const ada = await add(store, 'Ada')
    await sendNext(parts)
    const bob = await add(store, 'Bob')

    const state = '2 notifications waiting'
    await ready(`ready; ${state}\n`)
    const { stdout } = await submissions(env, 'notifications')
    const time = '20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d'
    const failed = `1 attempt failed\\. The next one is at ${time}\\. The last error: Message failed: 451 Later \\[2J`
    expect(stdout.split('\n')).toEqual([
      `${bob.receipt}  mail: not sent yet`,
      expect.stringMatching(new RegExp(`^${ada.receipt}  mail: ${failed}$`)),
      state,
      '',
    ])
    expect(stdout).not.toContain('\u001b')

    expect((await submissions(env, 'notifications', '--limit', '1')).stdout).toMatch(
      new RegExp(`^${bob.receipt}.*\n${state}\n$`),
    )
    expect((await submissions(env)).stdout).toMatch(
      /\n2 submissions\n2 notifications waiting \("notifications" shows them\)\n$/,
    )

    mailServer.answer('accept')
    const later = Date.now() + 60_000
    expect([await sendNext(parts, later), await sendNext(parts, later)]).toEqual(['sent', 'sent'])
    await ready('ready\n')
  })

  it('a test is sent with the settings of the receiver, and stores nothing', async () => {
    const env = await place()
    const store = await open(env)
    const mailServer = await startMailServer()
    const mail = { SMTP_URL: mailServer.url, NOTIFY_TO: 'a@b.c, e@f.g', NOTIFY_FROM: 'd@e.f' }
    const none = await submissions(env, 'test')
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('SMTP_URL') })
    const sent = await submissions({ ...env, ...mail }, 'test')
    const stdout = 'The example was sent by mail, and accepted.\n'
    expect(sent).toEqual({ status: 0, stdout, stderr: '' })
    expect(mailServer.mails[0]?.headers.subject).toMatch(/^Test \(/)
    expect(mailServer.mails[0]?.envelope).toEqual(['d@e.f', 'a@b.c', 'e@f.g'])
    mailServer.answer({ code: 554, words: 'We do not want this' })
    const refused = await submissions({ ...env, ...mail }, 'test')
    expect(refused.stderr).toBe(
      'submissions: the example was not sent by mail: Message failed: 554 We do not want this\n',
    )
    expect(refused.status).toBe(2)
    expect(await store.count()).toMatchObject({ received: 0 })
  })

  it('a test fails if the mail server refuses one of the addresses', async () => {
    const env = await place()
    await open(env)
    const mailServer = await startMailServer()
    mailServer.refuse('e@f.g')
    const mail = { SMTP_URL: mailServer.url, NOTIFY_TO: 'a@b.c, e@f.g', NOTIFY_FROM: 'd@e.f' }
    const { status, stderr } = await submissions({ ...env, ...mail }, 'test')
    expect(stderr).toMatch(/sent by mail, but the server refused e@f\.g: .*550 No such user\n$/)
    expect(status).toBe(2)
    expect(mailServer.mails[0]?.envelope).toEqual(['d@e.f', 'a@b.c'])
  })

  it('a receiver announces what it is set up for', async () => {
    const env = await place()
    const mail = { SMTP_URL: 'smtp://localhost', NOTIFY_TO: 'a@b.c', NOTIFY_FROM: 'd@e.f' }
    const spam = (name: string) => `${body(name)}&${HONEYPOT}=x`
    const announced = async (settings: Record<string, string>, name: string) => {
      const receiver = await startReceiver({ ...env, ...settings })
      for (const each of [body(name), spam(`${name}-spam`)]) {
        expect((await post(receiver.port, { path, body: each })).status).toBe(303)
      }
      const { next } = await receiver.store.outbox.queued(9)
      const found = await Promise.all(next.map(({ receipt }) => receiver.store.find(receipt)))
      await receiver.store.delete(await receiver.store.idsOf({}))
      await receiver.stop()
      return found.map((submission) => submission?.fields[0]?.[1])
    }
    expect(await announced({}, 'ada')).toEqual([])
    expect(await announced(mail, 'bob')).toEqual(['bob'])
    expect(await announced({ ...mail, NOTIFY_SPAM: 'yes' }, 'cleo')).toEqual(['cleo', 'cleo-spam'])
  })
})

it.runIf(isLong)(
  'a list of more than 125,000 submissions is sent, and all of them are listed',
  async () => {
    const env = { SUBMISSIONS_FILE: join(newFolder(), 'submissions.db') }
    const store = await open(env)
    await add(store, 'Ada')
    const database = new Database(env.SUBMISSIONS_FILE, {})
    await database.exec(`WITH RECURSIVE numbers (n) AS (
      SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 130000)
    INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
    SELECT 'r' || n, '/a', received_at, '', 'h' || n, 'received', '[["name","Ada"]]'
    FROM numbers, (SELECT received_at FROM submissions LIMIT 1);
    INSERT INTO outbox (submission, channel, due_at, message)
    SELECT id, 'mail', received_at, NULL FROM submissions WHERE id > 1`)
    database.close()
    const mailServer = await startMailServer()
    const parts = { ...(await partsOf(store, mailServer.url)), pause: 60_000 }
    expect(await sendNext(parts)).toBe('sent')
    expect(await store.outbox.queued(0)).toMatchObject({ count: 0 })
    const { stdout, stderr } = await submissions(env, 'list', '--limit', '200000')
    expect(stderr).toBe('')
    expect(stdout.match(/ · |Ada/g)).toHaveLength(130_000)
  },
)

describe('a backup', () => {
  it('has every submission that was acknowledged before, while more come, and is restored', async () => {
    const env = { SUBMISSIONS_FILE: join(newFolder(), 'submissions.db') }
    const file = env.SUBMISSIONS_FILE
    const copy = join(newFolder(), "it's a copy.db")
    const receiver = await startReceiver(env)
    onTestFinished(() => receiver.stop())
    const receipts: string[] = []
    let isOver = false
    const visitor = async (name: string) => {
      for (let index = 0; !isOver; index++) {
        const { headers } = await post(receiver.port, { path, body: body(`${name}-${index}`) })
        receipts.push(headers.get('location')?.split('/').at(-1) as string)
      }
    }
    const visitors = ['Ada', 'Bob'].map(visitor)
    while (receipts.length < 20) await wait(1)
    const before = receipts.slice()
    const { status, stdout, stderr } = await submissions(env, 'backup', copy)
    expect({ status, stdout, stderr }).toEqual({
      ...{ status: 0, stdout: `The copy is in ${copy}.\n`, stderr: '' },
    })
    isOver = true
    await Promise.all(visitors)
    expect(statSync(copy).mode & 0o777).toBe(0o600)

    // The steps of deploy/README.md.
    await receiver.stop()
    rmSync(`${file}-journal`, { force: true })
    await rename(copy, file)
    const restored = await startReceiver(env)
    onTestFinished(() => restored.stop())
    for (const receipt of before) {
      expect((await get(restored.port, `/forms/received/${receipt}`)).status).toBe(200)
    }
    expect((await get(restored.port, '/readyz')).body).toBe('ready\n')
    expect((await post(restored.port, { path, body: body('Cleo') })).status).toBe(303)
    expect((await storedIn({ file })).length).toBeGreaterThan(before.length)
  })

  it('replaces no file, and leaves none behind that is not whole', async () => {
    const folder = newFolder()
    const env = { SUBMISSIONS_FILE: join(folder, 'submissions.db') }
    await add(await open(env), 'Ada')
    const copy = join(folder, 'copy.db')
    writeFileSync(copy, 'mine')
    const refused = await submissions(env, 'backup', copy)
    expect(refused.stderr).toMatch(
      `submissions: cannot write ${copy}: file already exists (EEXIST)`,
    )
    expect(refused.status).toBe(2)
    expect(statSync(copy).size).toBe(4)
    const missing = join(folder, 'none', 'copy.db')
    const nowhere = await submissions(env, 'backup', missing)
    expect(nowhere.stderr).toMatch(/cannot write .*: no such file or directory \(ENOENT\)\n$/)
    expect(await submissions(env, 'backup')).toMatchObject({
      ...{ status: 2, stderr: 'submissions: FILE is missing\n' },
    })
    expect(readdirSync(folder).sort()).toEqual([
      'copy.db',
      'submissions.db',
      'submissions.db-journal',
    ])
  })

  it('of a damaged file is not made', async () => {
    const folder = newFolder()
    const file = join(folder, 'submissions.db')
    const store = await openStore({ file })
    for (let index = 0; index < 100; index++) await add(store, `${index}`.padEnd(300))
    await store.close()
    overwritePage(file, 15)
    const copy = join(folder, 'copy.db')
    const { status, stderr } = await submissions({ SUBMISSIONS_FILE: file }, 'backup', copy)
    expect(stderr).toMatch(/^submissions: the structure of the file is damaged:\n/)
    expect(stderr).toContain('\nNo copy was made. Keep your older backups. ')
    expect(status).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['submissions.db', 'submissions.db-journal'])
  })

  it('of a damaged store says so', async () => {
    const folder = newFolder()
    const file = join(folder, 'submissions.db')
    const store = await openStore({ file })
    const { receipt } = await add(store, 'Ada')
    const database = new Database(file, {})
    await database.exec(`UPDATE submissions SET fields = '[["name","Eve"]]'`)
    database.close()
    await store.close()
    const copy = join(folder, 'copy.db')
    const { status, stdout, stderr } = await submissions({ SUBMISSIONS_FILE: file }, 'backup', copy)
    expect(stdout).toBe(`The copy is in ${copy}.\n`)
    expect(stderr).toMatch(/^submissions: the store is damaged, and so is this copy\./)
    expect(stderr).toContain(receipt)
    expect(status).toBe(1)
  })

  it('of Postgres is made by pg_dump', async () => {
    const env = { DATABASE_URL: await newDatabase() }
    await open(env)
    const copy = join(newFolder(), 'copy.db')
    expect(await submissions(env, 'backup', copy)).toEqual({
      ...{ status: 2, stdout: '', stderr: 'submissions: with Postgres, pg_dump makes a copy\n' },
    })
    expect(existsSync(copy)).toBe(false)
  })
})

it('the receiver sends notifications, deletes what is old, and logs no password', async () => {
  const mailServer = await startMailServer({ password: 's3cr3t' })
  const env = {
    ...{ SMTP_URL: mailServer.url, NOTIFY_TO: MAIL.to.join(), NOTIFY_FROM: MAIL.from },
    ...{ KEEP_DAYS: '1', LOG_LEVEL: 'trace' },
    SUBMISSIONS_FILE: join(newFolder(), 'submissions.db'),
  }
  const old = await openStore({ file: env.SUBMISSIONS_FILE, now: () => new Date(0) })
  await add(old, 'Old', false)
  await old.setUpkeep(new Date())
  await old.close()
  const server = await start({ env })
  expect((await post(server.port, { path, body: body('Zoe') })).status).toBe(303)
  await server.logs('notification sent')
  await server.logs('old submissions deleted')
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(mailServer.mails[0]?.headers).toMatchObject({
    subject: expect.stringMatching(new RegExp(`^${withThreeFields.title} \\(.{4}-.{4}\\)$`)),
    'reply-to': 'ada@example.com',
  })
  expect(server.log()).not.toMatch(/s3cr3t|Zoe/)
  expect((await storedIn({ file: env.SUBMISSIONS_FILE })).length).toBe(1)
})
