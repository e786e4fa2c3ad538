/** The way of a notification, from the store to a real mail server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Alarm } from '../../src/notify/alarm.ts'
import { byMail, createMailer } from '../../src/notify/mailer.ts'
import { type SenderParts, sendNext, startSender } from '../../src/notify/sender.ts'
import type { Lease, Store } from '../../src/store/store.ts'
import type { Announcement, Channel } from '../../src/store/submission.ts'
import { isLong } from '../helpers/long.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { addAll } from '../helpers/receiver.ts'
import { pages, withThreeFields } from '../helpers/site.ts'
import { startMailServer } from '../helpers/smtp.ts'
import { openStore } from '../helpers/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long the tests of a busy machine wait for a mail, in milliseconds. */
const TIMEOUT = 3 * MINUTE

const places = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manyurls-sender-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { file: join(folder, 'submissions.db') }
  },
  ...(isLong && { Postgres: async () => ({ databaseUrl: await newDatabase() }) }),
}

/** A form as it arrives at a receiver with notifications. */
const form = (name: string, more: { isSuspect?: boolean; channels?: readonly Channel[] } = {}) => ({
  path: withThreeFields.path,
  fields: [['name', name] as const, ['email', 'ada@example.com'] as const],
  dataset: '',
  isSuspect: false,
  channels: ['mail'] as const,
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

/** Starts a mail server. Resolves to it, and to what sends to it. */
async function mailing({ to = ['owner@example.org'], password = '' } = {}) {
  const mailServer = await startMailServer({ password })
  const mailer = await createMailer({ server: mailServer.url, to, from: 'forms@example.org' })
  const lines: string[] = []
  const alarms: string[] = []
  const alarm: Alarm = async (topic, reason) => void alarms.push(`${topic} ${reason}`)
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  const partsOf = ({ outbox }: Store, pause = 0): SenderParts => {
    return { channel: 'mail', send: byMail(mailer, { pages }), outbox, log, pause, alarm }
  }
  return {
    mailServer,
    partsOf,
    alarms,
    log: () => lines.join(''),
    names: () =>
      mailServer.mails.map(({ text }) => /\n(?:Your Name|name)\n {2}(.*)\n/.exec(text)?.[1]),
  }
}

const queuedIn = async ({ outbox }: Store) => (await outbox.queued(0)).count

describe.each(Object.entries(places))('with a store in %s,', (_, place) => {
  /** Opens the same store again, as another receiver does. */
  async function openTwo() {
    const options = await place()
    const open = async () => {
      const store = await openStore(options)
      onTestFinished(() => store.close())
      return store
    }
    return { store: await open(), other: await open() }
  }

  async function open(): Promise<Store> {
    const store = await openStore(await place())
    onTestFinished(() => store.close())
    return store
  }

  it('a submission is announced once, with an identifier of its own', async () => {
    const store = await open()
    const { mailServer, partsOf } = await mailing()
    const { receipt } = await store.add(form('Ada'))
    await store.add(form('Ada'))
    expect(await queuedIn(store)).toBe(1)
    expect(await sendNext(partsOf(store))).toBe('sent')
    expect(await sendNext(partsOf(store))).toBe('none')
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]?.headers['message-id']).toBe(`<${receipt}@example.org>`)
    expect(mailServer.mails[0]?.envelope).toEqual(['forms@example.org', 'owner@example.org'])
    expect(await queuedIn(store)).toBe(0)
    expect(await store.find(receipt)).toMatchObject({ receipt, repeats: 1 })
  })

  it('nothing is announced that came without notifications, or was held back', async () => {
    const store = await open()
    const { partsOf } = await mailing()
    await store.add(form('Ada', { channels: [] }))
    await store.add(form('Bob', { channels: [], isSuspect: true }))
    // A repeat of what was not held back is not announced, even if notifications are on by now.
    await store.add(form('Ada'))
    await store.add(form('Bob', { isSuspect: true, channels: ['mail'] }))
    expect(await sendNext(partsOf(store))).toBe('none')
  })

  it('what was held back does not keep the same from being announced once a person sends it', async () => {
    const store = await open()
    const { partsOf, names } = await mailing()
    const spam = { isSuspect: true, channels: [] }
    await store.add(form('Ada', spam))
    expect(await sendNext(partsOf(store))).toBe('none')
    await Promise.all([store.add(form('Ada')), store.add(form('Ada', spam))])
    await store.add(form('Ada'))
    expect(await sendNext(partsOf(store))).toBe('sent')
    expect(await sendNext(partsOf(store))).toBe('none')
    expect(names()).toEqual(['Ada'])
    expect(await queuedIn(store)).toBe(0)
    expect(await store.count()).toEqual({ received: 1, suspect: 1, spam: 0, repeats: 2 })
  })

  it('one mail in some minutes announces everything that has come since the last one', async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
    const { store, other } = await openTwo()
    const { mailServer, partsOf, names } = await mailing()
    const pause = 5 * MINUTE
    await store.add(form('Ada'))
    expect(await sendNext(partsOf(store, pause))).toBe('sent')
    expect(names()).toEqual(['Ada'])

    pass(MINUTE)
    const bob = await store.add(form('Bob'))
    pass(MINUTE)
    const cleo = await store.add(form('Cleo\u001b'))
    expect(await sendNext(partsOf(store, pause))).toBe('none')
    pass(3 * MINUTE + 1)
    // A second receiver does not send more.
    const ends = [sendNext(partsOf(store, pause)), sendNext(partsOf(other, pause))]
    expect((await Promise.all(ends)).sort()).toEqual(['none', 'sent'])
    const [, list] = mailServer.mails
    expect(list?.headers.subject).toBe(`2 forms sent (${bob.receipt.slice(0, 9)})`)
    expect(list?.headers['message-id']).toBe(`<${bob.receipt}-list@example.org>`)
    expect(list?.text).toContain('\nYour Name\n  Bob\n')
    expect(list?.text).toContain('\nYour Name\n  Cleo\\u001b\n')
    expect(list?.text).toContain(
      `\nReceipt   ${cleo.receipt}\nReply to  ada@example.com, as typed\n`,
    )
    expect(await queuedIn(store)).toBe(0)
  })

  it('a mail about very many has a line for each of the first', async () => {
    const store = await open()
    const { mailServer, partsOf } = await mailing()
    const flood = Array.from({ length: 600 }, (_, index) => form(`flood ${index}`))
    await addAll(store, flood)
    expect(await sendNext(partsOf(store, MINUTE))).toBe('sent')
    expect(await sendNext(partsOf(store, MINUTE))).toBe('none')
    const [list] = mailServer.mails
    expect(list?.headers.subject).toMatch(/^600 forms sent/)
    expect(list?.text.match(/flood \d+ ·/g)).toHaveLength(500)
    expect(list?.text).toContain('\nand 100 more: npm run submissions\n')
  })

  it('what may have arrived stays the message that it was in; what did not may join another', async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
    const store = await open()
    const { mailServer, partsOf } = await mailing()
    const ada = await store.add(form('Ada'))
    await store.add(form('Bob'))
    mailServer.answer('cut off')
    expect(await sendNext(partsOf(store))).toBe('failed')
    mailServer.answer({ code: 451, words: 'Later' })
    expect(await sendNext(partsOf(store))).toBe('failed')
    mailServer.answer('accept')

    pass(5 * MINUTE)
    await store.add(form('Cleo'))
    const pause = MINUTE
    expect(await sendNext(partsOf(store, pause))).toBe('sent')
    pass(pause + 1)
    expect(await sendNext(partsOf(store, pause))).toBe('sent')
    expect(await sendNext(partsOf(store, pause))).toBe('none')
    const [before, again, list] = mailServer.mails
    expect(before?.headers['message-id']).toContain(ada.receipt)
    expect(again?.headers['message-id']).toBe(before?.headers['message-id'])
    expect(list?.headers.subject).toMatch(/^2 forms sent/)
  })

  it('each way to tell the owner has its own attempts', async () => {
    const store = await open()
    const { partsOf } = await mailing()
    const posted: string[] = []
    const send = async ({ submissions }: Announcement) => {
      posted.push(...submissions.map(({ receipt }) => receipt))
      return {}
    }
    const hook = { ...partsOf(store), channel: 'webhook' as const, send }
    const { receipt } = await store.add(form('Ada', { channels: ['mail', 'webhook'] }))
    expect(await sendNext(hook)).toBe('sent')
    expect(await sendNext(hook)).toBe('none')
    expect(await queuedIn(store)).toBe(1)
    // A way that is no longer set up keeps nothing.
    expect(await store.idsOf({ doneIn: ['webhook'] })).toHaveLength(1)
    expect(await store.idsOf({ doneIn: ['webhook', 'mail'] })).toEqual([])
    expect(await sendNext(partsOf(store))).toBe('sent')
    expect(await queuedIn(store)).toBe(0)
    expect(posted).toEqual([receipt])
    expect(await store.idsOf({ doneIn: ['webhook', 'mail'] })).toHaveLength(1)
  })

  it('two receivers do not send the same, while a slow server has not answered', async () => {
    const { store, other } = await openTwo()
    const { mailServer, partsOf, names } = await mailing()
    const second = await mailing()
    const otherParts = { ...partsOf(other), send: second.partsOf(other).send }
    await store.add(form('Ada'))
    await store.add(form('Bob'))
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    mailServer.answer(answered)
    second.mailServer.answer(answered)
    const both = [sendNext(partsOf(store)), sendNext(otherParts)]
    const arrived = () => [...names(), ...second.names()].sort()
    await vi.waitFor(() => expect(arrived()).toEqual(['Ada', 'Bob']), { timeout: TIMEOUT })
    expect(await sendNext(partsOf(other))).toBe('none')
    // Posts do not wait for the mail server.
    await store.add(form('Cleo'))
    answer()
    expect(await Promise.all(both)).toEqual(['sent', 'sent'])
    expect(await sendNext(partsOf(other))).toBe('sent')
    expect(arrived()).toEqual(['Ada', 'Bob', 'Cleo'])
  })

  it('two receivers that want to send the same again at once send it once', async () => {
    const { store, other } = await openTwo()
    const count = 500
    await addAll(
      store,
      Array.from({ length: count }, (_, index) => form(`${index}`)),
    )
    const lease = ({ outbox }: Store) =>
      outbox.lease('mail', {
        now: new Date(),
        until: new Date(Date.now() + MINUTE),
        pause: 1,
      })
    let current = (await lease(store)) as Lease
    for (let round = 0; round < 5; round++) {
      const dueAt = new Date()
      await store.outbox.end(current, { failure: '', dueAt, mayHaveArrived: true })
      pass(1)
      const leases = await Promise.all([store, other].map(lease))
      const both = leases.filter((each) => each !== undefined)
      expect(both.map(({ ids }) => ids.length)).toEqual([count])
      current = both[0] as Lease
    }
  })

  it('an attempt that was killed is made again, and its late end changes nothing', async () => {
    const store = await open()
    const { mailServer, partsOf } = await mailing()
    await store.add(form('Ada'))
    mailServer.answer({ code: 451, words: 'Later' })
    await sendNext(partsOf(store))
    mailServer.answer('accept')
    pass(MINUTE)
    const now = new Date()
    const until = new Date(now.getTime() + 3 * MINUTE)
    const killed = await store.outbox.lease('mail', { now, until, pause: 0 })
    expect(killed).toMatchObject({ attempts: 2 })
    // Nobody else gets it meanwhile.
    expect(await sendNext(partsOf(store))).toBe('none')
    pass(3 * MINUTE)
    expect(await sendNext(partsOf(store))).toBe('sent')
    const late = { dueAt: new Date(), failure: 'late', mayHaveArrived: false }
    await store.outbox.end(killed as Lease, late)
    expect(await queuedIn(store)).toBe(0)
  })

  it.each(['killed', 'refused'])(
    'a mail about several that was %s announces all of them',
    async (end) => {
      vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
      const store = await open()
      const { mailServer, partsOf } = await mailing()
      for (let index = 0; index < 3; index++) await store.add(form(`${index}`))
      const pause = MINUTE
      if (end === 'killed') {
        const now = new Date()
        const until = new Date(now.getTime() + MINUTE)
        expect((await store.outbox.lease('mail', { now, until, pause }))?.count).toBe(3)
      } else {
        mailServer.answer({ code: 554, words: 'Never' })
        expect(await sendNext(partsOf(store, pause))).toBe('refused')
        mailServer.answer('accept')
      }
      expect(await sendNext(partsOf(store, pause))).toBe('none')
      pass(MINUTE)
      expect(await sendNext(partsOf(store, pause))).toBe('sent')
      expect(mailServer.mails.at(-1)?.headers.subject).toMatch(/^3 forms sent/)
      expect(await queuedIn(store)).toBe(0)
    },
  )

  it('what was planned while the clock was days ahead is sent once it is right again', async () => {
    const store = await open()
    const { mailServer, partsOf, names } = await mailing()
    pass(10 * 24 * HOUR)
    await store.add(form('Ada'))
    mailServer.answer({ code: 451, words: 'Later' })
    expect(await sendNext(partsOf(store))).toBe('failed')
    mailServer.answer('accept')
    await store.add(form('Bob'))
    pass(-10 * 24 * HOUR)
    expect(await sendNext(partsOf(store, MINUTE))).toBe('sent')
    expect(mailServer.mails.at(-1)?.headers.subject).toMatch(/^2 forms sent/)
    expect(names()).toHaveLength(1)
  })
})

// What does not depend on the store.

async function open(): Promise<Store> {
  const store = await openStore(await places.SQLite())
  onTestFinished(() => store.close())
  return store
}

it('what fails or is refused is tried until it succeeds; every three days, the owner gets a mail', async () => {
  const store = await open()
  const { mailServer, partsOf, names, alarms, log } = await mailing()
  const { receipt } = await store.add(form('Ada'))
  const from = Date.now()

  /** Tries until the owner has got another mail, and returns after how many days. */
  async function tryUntilAlarm(end: 'failed' | 'refused', answer: { code: number; words: string }) {
    mailServer.answer(answer)
    const before = alarms.length
    while (alarms.length === before) {
      expect(await sendNext(partsOf(store))).toBe(end)
      expect(Date.now() - from).toBeLessThan(8 * 24 * HOUR)
      const [next] = (await store.outbox.queued(1)).next
      vi.setSystemTime(next?.dueAt as string)
    }
    return (Date.now() - from) / (24 * HOUR)
  }

  const first = await tryUntilAlarm('failed', { code: 451, words: 'Try again\u0000 later, "Ada"' })
  expect(first).toBeGreaterThan(2)
  expect(first).toBeLessThan(4)

  const second = await tryUntilAlarm('refused', { code: 554, words: 'We do not want this, "Ada"' })
  expect(second - first).toBeGreaterThan(2)
  expect(second - first).toBeLessThan(4)

  expect(alarms).toEqual([
    expect.stringMatching(new RegExp(`^notAnnounced ${receipt}: .*451 `)),
    expect.stringMatching(new RegExp(`^notAnnounced ${receipt}: .*554 `)),
  ])
  expect(await store.idsOf({ doneIn: ['mail'] })).toEqual([])
  // What a server says may quote the visitor.
  expect(log()).toContain('EMESSAGE 451')
  expect(log()).toContain('EMESSAGE 554')
  expect(log()).not.toContain('Ada')

  mailServer.answer('accept')
  expect(await sendNext(partsOf(store))).toBe('sent')
  expect(names()).toEqual(['Ada'])
  expect(await queuedIn(store)).toBe(0)
})

it('an address that the mail server refuses is named in the log and in a mail', async () => {
  const store = await open()
  const to = ['owner@example.org', 'gone@example.org']
  const { mailServer, partsOf, alarms, log } = await mailing({ to })
  mailServer.refuse('gone@example.org')
  await store.add(form('Ada'))
  expect(await sendNext(partsOf(store))).toBe('sent')
  expect(mailServer.mails[0]?.envelope).toEqual(['forms@example.org', 'owner@example.org'])
  expect(log()).toContain('"refused":["gone@example.org"]')
  expect(alarms).toEqual([
    expect.stringMatching(/^notDelivered gone@example\.org: .*550 No such user/),
  ])
})

const GREYLISTED = [451, '4.7.1 Greylisted'] as const

it('a mail that one of two recipients gets later is sent again to both, as the same mail', async () => {
  const store = await open()
  const to = ['owner@example.org', 'grey@example.org']
  const { mailServer, partsOf, alarms, log } = await mailing({ to })
  const { receipt } = await store.add(form('Ada'))
  mailServer.refuse('grey@example.org', ...GREYLISTED)

  expect(await sendNext(partsOf(store))).toBe('deferred')
  expect(await queuedIn(store)).toBe(1)
  expect(log()).toContain('"cause":"RCPT 451"')
  expect(log()).not.toContain('notification sent')
  const [next] = (await store.outbox.queued(1)).next
  expect(next?.failure).toMatch(/^grey@example\.org: .*451 4\.7\.1 Greylisted/)

  // An attempt between that fails, and another form, don't change which mail it is.
  mailServer.answer({ code: 451, words: 'Later' })
  pass(19 * MINUTE)
  expect(await sendNext(partsOf(store, MINUTE))).toBe('none')
  pass(MINUTE)
  expect(await sendNext(partsOf(store, MINUTE))).toBe('failed')
  mailServer.answer('accept')
  await store.add(form('Bob'))
  mailServer.refuseNobody()
  pass(2 * MINUTE)
  expect(await sendNext(partsOf(store, MINUTE))).toBe('sent')

  expect(mailServer.mails.map(({ envelope }) => envelope.slice(1))).toEqual([to.slice(0, 1), to])
  const names = mailServer.mails.map(({ headers }) => headers['message-id'])
  expect(names).toEqual([`<${receipt}@example.org>`, `<${receipt}@example.org>`])
  expect(alarms).toEqual([])
})

it('after a mail that one of two recipients gets later, the next one waits as after any other', async () => {
  const store = await open()
  const { mailServer, partsOf } = await mailing({ to: ['owner@example.org', 'grey@example.org'] })
  mailServer.refuse('grey@example.org', ...GREYLISTED)
  await store.add(form('Ada'))

  const pause = 500
  const parts = partsOf(store, pause)
  const moments: number[] = []
  const send: SenderParts['send'] = async (announcement) => {
    moments.push(performance.now())
    await store.add(form(`after ${moments.length}`))
    return parts.send(announcement)
  }

  const pauses = { sent: 0, refused: 0, failed: 0, none: 0 }
  const stop = startSender({ ...parts, send }, pauses)
  await vi.waitFor(() => expect(moments.length).toBeGreaterThan(1), { timeout: TIMEOUT })
  await stop(TIMEOUT)
  const [first = 0, second = 0] = moments
  expect(second - first).toBeGreaterThanOrEqual(pause - 1)
})

it('a recipient that is refused for now twice is refused, and the others get the mail twice', async () => {
  const store = await open()
  const to = ['owner@example.org', 'full@example.org', 'gone@example.org']
  const { mailServer, partsOf, alarms } = await mailing({ to })
  mailServer.refuse('full@example.org', 452, '4.2.2 Mailbox full')
  mailServer.refuse('gone@example.org')
  await store.add(form('Ada'))

  expect(await sendNext(partsOf(store))).toBe('deferred')
  expect(alarms).toEqual([])
  pass(20 * MINUTE)
  expect(await sendNext(partsOf(store))).toBe('sent')
  expect(alarms).toEqual([
    expect.stringMatching(/^notDelivered full@.*452 4\.2\.2 Mailbox full\ngone@.*550 No such user/),
  ])
  expect(mailServer.mails).toHaveLength(2)
  expect(await sendNext(partsOf(store))).toBe('none')
})

it.each([1, 2])(
  'a mail about %i that is refused for what visitors wrote comes without it',
  async (count) => {
    const store = await open()
    const { mailServer, partsOf } = await mailing()
    mailServer.answer((raw) => (raw.includes('pills') ? { code: 554, words: 'Spam' } : 'accept'))
    for (const name of ['pills', 'Ada'].slice(0, count)) await store.add(form(name))
    expect(await sendNext(partsOf(store, MINUTE))).toBe('sent')
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]?.text).not.toMatch(/Ada|pills/)
    expect(mailServer.mails[0]?.text.match(/^20\d\d-/gm)).toHaveLength(count)
    expect(mailServer.mails[0]?.text).toContain('refused a mail with what visitors wrote')
  },
)

it('what the server refuses for itself delays nothing else', async () => {
  const store = await open()
  const { mailServer, partsOf, names } = await mailing()
  vi.useRealTimers()
  mailServer.answer((raw) =>
    raw.includes('Subject: Contact') ? { code: 550, words: 'No' } : 'accept',
  )
  for (let index = 0; index < 3; index++) await store.add(form(`poison ${index}`))
  await store.add({ ...form('Ada'), path: '/elsewhere/001' })
  const pauses = { sent: 0, refused: 0, failed: TIMEOUT, none: 1 }
  const stop = startSender(partsOf(store), pauses)
  await vi.waitFor(() => expect(names()).toContain('Ada'), { timeout: TIMEOUT })
  await stop(TIMEOUT)
})

it('a wrong password delays, and is in no log', async () => {
  const store = await open()
  const { mailServer, partsOf, log } = await mailing({ password: 'p@ss/w:rd%' })
  await store.add(form('Ada'))
  const server = mailServer.url.replace('p%40ss', 'other')
  const mailer = await createMailer({ server, to: ['owner@example.org'], from: 'd@e.f' })
  const wrong = { ...partsOf(store), send: byMail(mailer, { pages }) }
  expect(await sendNext(wrong)).toBe('failed')
  expect((await store.outbox.queued(1)).next[0]?.failure).toContain('Invalid login: 535')
  expect(log()).toContain('EAUTH 535')
  expect(log()).not.toContain('w:rd')
  pass(MINUTE)
  expect(await sendNext(partsOf(store))).toBe('sent')
  expect(await queuedIn(store)).toBe(0)
})

it('a sender sends what comes, goes on after failures, and finishes the last when stopped', async () => {
  const store = await open()
  const { mailServer, partsOf, names } = await mailing()
  vi.useRealTimers()
  let failures = 0
  const { outbox } = store
  const failing: typeof outbox = {
    lease: (...terms) =>
      failures++ < 2 ? Promise.reject(new Error('no store')) : outbox.lease(...terms),
    end: (...outcome) => outbox.end(...outcome),
    queued: (limit) => outbox.queued(limit),
  }
  const pauses = { sent: 0, refused: 0, failed: 1, none: 1 }
  const stop = startSender({ ...partsOf(store), outbox: failing }, pauses)
  await store.add(form('Ada'))
  await store.add(form('Bob'))
  await vi.waitFor(() => expect(names()).toEqual(['Ada', 'Bob']), { timeout: TIMEOUT })
  let answer = () => {}
  mailServer.answer(new Promise((resolve) => (answer = resolve)))
  await store.add(form('Cleo'))
  await vi.waitFor(() => expect(names()).toHaveLength(3), { timeout: TIMEOUT })
  const stopped = stop(TIMEOUT)
  await wait(10)
  answer()
  await stopped
  expect(await queuedIn(store)).toBe(0)
  await store.add(form('Dora'))
  await wait(20)
  expect(await queuedIn(store)).toBe(1)
})
