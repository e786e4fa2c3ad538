/** The way of a notification, from the store to a real mail server, with both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createMailer } from '../../src/forms/jobs/mailer.ts'
import { sendNext, startSender } from '../../src/forms/jobs/sender.ts'
import { openStore } from '../../src/forms/store/open-store.ts'
import type { Store } from '../../src/forms/store/store.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { pages, withThreeFields } from '../helpers/site.ts'
import { startMailServer } from '../helpers/smtp.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const places = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manyurls-sender-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { file: join(folder, 'submissions.db') }
  },
  Postgres: async () => ({ databaseUrl: await newDatabase(inject('postgres')) }),
}

/** A form as it arrives at a receiver with notifications. */
const form = (name: string, more: { isSuspect?: boolean; isAnnounced?: boolean } = {}) => ({
  path: withThreeFields.path,
  fields: [['name', name] as const, ['email', 'ada@example.com'] as const],
  dataset: '',
  isSuspect: false,
  isAnnounced: true,
  ...more,
})

beforeEach(() => {
  // Only dates: whatever waits, waits as long as it takes.
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

describe.each(Object.entries(places))('with a store in %s,', (_, place) => {
  async function setUp({ password = '' } = {}) {
    const where = await place()
    const open = async () => {
      const store = await openStore(where)
      onTestFinished(() => store.close())
      return store
    }
    const mailServer = await startMailServer({ password })
    const settings = { to: 'owner@example.org', from: 'forms@example.org', withSpam: false }
    const newMailer = () => createMailer({ server: mailServer.url, ...settings })
    const mailer = await newMailer()
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const partsOf = ({ outbox }: Store) => ({ outbox, mailer, pages, log })
    const store = await open()
    return {
      ...{ store, open, mailServer, newMailer, partsOf, lines },
      /** Sends one notification. */
      send: () => sendNext(partsOf(store)),
      names: () => mailServer.mails.map(({ text }) => /\nname\n {2}(.*)\n/.exec(text)?.[1]),
      unsent: async () => {
        const { waiting, failed } = await store.outbox.unsent(0)
        return { waiting, failed }
      },
    }
  }

  it('a submission is announced once, with an identifier of its own', async () => {
    const { store, send, mailServer, unsent } = await setUp()
    const { receipt } = await store.add(form('Ada'))
    await store.add(form('Ada'))
    expect(await unsent()).toEqual({ waiting: 1, failed: 0 })
    expect([await send(), await send()]).toEqual(['sent', 'none'])
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]?.headers['message-id']).toBe(`<${receipt}@example.org>`)
    expect(mailServer.mails[0]?.envelope).toEqual(['forms@example.org', 'owner@example.org'])
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
    expect(await store.find(receipt)).toMatchObject({ receipt, repeats: 1 })
  })

  it('nothing is announced that came without notifications, or was held back', async () => {
    const { store, send } = await setUp()
    await store.add(form('Ada', { isAnnounced: false }))
    await store.add(form('Bob', { isAnnounced: false, isSuspect: true }))
    // A repeat of what was not held back is not announced, even if notifications are on by now.
    await store.add(form('Ada'))
    await store.add(form('Bob', { isSuspect: true, isAnnounced: true }))
    expect(await send()).toBe('none')
  })

  it('what was held back is announced once when it is received without suspicion', async () => {
    const { store, send, names, unsent } = await setUp()
    const spam = { isSuspect: true, isAnnounced: false }
    await store.add(form('Ada', spam))
    expect(await send()).toBe('none')
    await Promise.all([store.add(form('Ada')), store.add(form('Ada', spam))])
    await store.add(form('Ada'))
    // In one transaction, too.
    await Promise.all([store.add(form('Bob', spam)), store.add(form('Bob'))])
    expect([await send(), await send(), await send()]).toEqual(['sent', 'sent', 'none'])
    expect(names()).toEqual(['Ada', 'Bob'])
    // The owner has seen this one.
    const { receipt } = await store.add(form('Cleo', spam))
    await store.judge({ receipts: [receipt] }, 'ham')
    await store.add(form('Cleo'))
    // This one was announced although it was suspect.
    await store.add(form('Dora', { isSuspect: true }))
    expect(await send()).toBe('sent')
    await store.add(form('Dora'))
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
  })

  it('while the mail server is down, it is tried again after growing pauses', async () => {
    const { store, send, mailServer, unsent, names, lines } = await setUp()
    await mailServer.stop()
    await store.add(form('Ada'))
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(await send()).toBe('failed')
      const [notification] = (await store.outbox.unsent(1)).next
      expect(notification).toMatchObject({ attempts: attempt, notification: 'waiting' })
      expect(notification?.failure).toMatch(/ECONNREFUSED/)
      pauses.push(Number(notification?.notifyAt) - Date.now())
      pass(Number(pauses.at(-1)) - 1)
      expect(await send()).toBe('none')
      pass(1)
    }
    for (const [index, pause] of pauses.entries()) {
      const middle = Math.min(HOUR, (MINUTE / 2) * 2 ** index)
      expect(pause).toBeGreaterThanOrEqual(middle * 0.75)
      expect(pause).toBeLessThanOrEqual(middle * 1.25)
    }
    expect(new Set(pauses.slice(-5)).size).toBe(5)
    await mailServer.start()
    expect(await send()).toBe('sent')
    expect(names()).toEqual(['Ada'])
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
    expect(lines.join('')).not.toContain('Ada')
  })

  it.each([
    ['for a while', { code: 451, words: 'Try again\u0000 later, "Ada"' }],
    ['for good', { code: 554, words: 'We do not want this, "Ada"' }],
  ])('a refusal %s is tried again for three days, then it has failed', async (_, reply) => {
    const { store, send, mailServer, unsent, names, lines } = await setUp()
    mailServer.answer(reply)
    const { receipt } = await store.add(form('Ada'))
    const begin = Date.now()
    while ((await unsent()).waiting === 1) {
      expect(await send()).toBe('failed')
      pass(7 * HOUR)
    }
    expect(Date.now() - begin).toBeGreaterThan(72 * HOUR)
    expect(Date.now() - begin).toBeLessThan(90 * HOUR)
    expect(await unsent()).toEqual({ waiting: 0, failed: 1 })
    const [failed] = (await store.outbox.unsent(9)).next
    expect(failed?.submission).toMatchObject({ receipt })
    expect(failed?.failure).toContain(`${reply.code} `)
    // What a server says may quote the visitor.
    expect(lines.join('')).toContain(`EMESSAGE ${reply.code}`)
    expect(lines.join('')).not.toContain('Ada')
    pass(1000 * HOUR)
    expect(await send()).toBe('none')

    mailServer.answer('accept')
    expect(await store.outbox.retry(new Date())).toBe(1)
    expect(await send()).toBe('sent')
    expect(names()).toEqual(['Ada'])
  })

  it('what is due after days without a receiver is not given up at once', async () => {
    const { store, send, mailServer, unsent } = await setUp()
    await store.add(form('Ada'))
    pass(100 * HOUR)
    mailServer.answer({ code: 451, words: 'Later' })
    for (let attempt = 1; attempt < 10; attempt++) {
      await send()
      pass(2 * HOUR)
    }
    expect(await unsent()).toEqual({ waiting: 1, failed: 0 })
    await send()
    expect(await unsent()).toEqual({ waiting: 0, failed: 1 })
  })

  it('an answer that breaks off is no answer: it is sent again, recognizably the same', async () => {
    const { store, send, mailServer, names } = await setUp()
    await store.add(form('Ada'))
    mailServer.answer('cut off')
    expect(await send()).toBe('failed')
    mailServer.answer('accept')
    pass(MINUTE)
    expect(await send()).toBe('sent')
    expect(names()).toEqual(['Ada', 'Ada'])
    const ids = mailServer.mails.map(({ headers }) => headers['message-id'])
    expect(ids[0]).toBe(ids[1])
  })

  it('two receivers do not send the same, while a slow server has not answered', async () => {
    const { store, open, partsOf, mailServer, newMailer, names } = await setUp()
    const other = await open()
    const otherParts = { ...partsOf(other), mailer: await newMailer() }
    await store.add(form('Ada'))
    await store.add(form('Bob'))
    let answer = () => {}
    mailServer.answer(new Promise((resolve) => (answer = resolve)))
    const both = [sendNext(partsOf(store)), sendNext(otherParts)]
    await vi.waitFor(() => expect(names().sort()).toEqual(['Ada', 'Bob']), { timeout: 3 * MINUTE })
    expect(await sendNext(partsOf(other))).toBe('none')
    // Posts do not wait for the mail server.
    await store.add(form('Cleo'))
    answer()
    expect(await Promise.all(both)).toEqual(['sent', 'sent'])
    expect(await sendNext(partsOf(other))).toBe('sent')
    expect(names()).toHaveLength(3)
  })

  it('many receivers at once send each notification once', async () => {
    const { store, open, partsOf, names } = await setUp()
    const visitors = Array.from({ length: 30 }, (_, index) => `visitor ${index}`)
    await Promise.all(visitors.map((name) => store.add(form(name))))
    const work = async () => {
      const parts = partsOf(await open())
      while ((await sendNext(parts)) === 'sent');
    }
    await Promise.all([work(), work(), work()])
    expect(names().sort()).toEqual(visitors.sort())
  })

  it('an attempt that was killed is made again, and its late end changes nothing', async () => {
    const { store, send, unsent, mailServer } = await setUp()
    await store.add(form('Ada'))
    mailServer.answer({ code: 451, words: 'Later' })
    await send()
    mailServer.answer('accept')
    pass(MINUTE)
    const now = new Date()
    const killed = await store.outbox.take(now, new Date(now.getTime() + 3 * MINUTE))
    expect(killed).toMatchObject({ attempts: 2, failure: null })
    // Nobody else takes it meanwhile, even if the owner is impatient.
    expect(await store.outbox.retry(new Date())).toBe(0)
    expect(await send()).toBe('none')
    pass(3 * MINUTE)
    expect(await send()).toBe('sent')
    await store.outbox.settle({ ...(killed as NonNullable<typeof killed>), failure: 'late' })
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
  })

  it('a wrong password delays, and is in no log', async () => {
    const { store, send, unsent, lines, mailServer } = await setUp({ password: 'p@ss/w:rd%' })
    await store.add(form('Ada'))
    const server = mailServer.url.replace('p%40ss', 'other')
    const settings = { to: 'owner@example.org', from: 'forms@example.org', withSpam: false }
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const mailer = await createMailer({ server, ...settings })
    expect(await sendNext({ outbox: store.outbox, mailer, pages, log })).toBe('failed')
    expect((await store.outbox.unsent(1)).next[0]?.failure).toContain('Invalid login: 535')
    expect(lines.join('')).toContain('EAUTH 535')
    expect(lines.join('')).not.toContain('w:rd')
    pass(MINUTE)
    expect(await send()).toBe('sent')
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
  })

  it('deleted submissions leave the outbox', async () => {
    const { store, send, unsent } = await setUp()
    const { receipt } = await store.add(form('Ada'))
    await store.delete({ receipts: [receipt] })
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
    expect(await send()).toBe('none')
  })

  it('a sender sends what comes, goes on after failures, and finishes the last when stopped', async () => {
    const { store, partsOf, mailServer, names, unsent } = await setUp()
    vi.useRealTimers()
    const parts = partsOf(store)
    let failures = 0
    const take: typeof parts.outbox.take = (...moments) =>
      failures++ < 2 ? Promise.reject(new Error('no store')) : store.outbox.take(...moments)
    const outbox = { ...parts.outbox, take }
    const stop = startSender({ ...parts, outbox }, { sent: 0, failed: 1, none: 1 })
    await store.add(form('Ada'))
    await store.add(form('Bob'))
    await vi.waitFor(() => expect(names()).toEqual(['Ada', 'Bob']), { timeout: 3 * MINUTE })
    let answer = () => {}
    mailServer.answer(new Promise((resolve) => (answer = resolve)))
    await store.add(form('Cleo'))
    await vi.waitFor(() => expect(names()).toHaveLength(3), { timeout: 3 * MINUTE })
    const stopped = stop(3 * MINUTE)
    await wait(10)
    answer()
    await stopped
    expect(await unsent()).toEqual({ waiting: 0, failed: 0 })
    await store.add(form('Dora'))
    await wait(20)
    expect(await unsent()).toEqual({ waiting: 1, failed: 0 })
  })
})
