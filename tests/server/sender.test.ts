/** The way of a notification, from the store to a real mail server, with both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Alarm } from '../../src/server/jobs/alarm.ts'
import { byMail, createMailer } from '../../src/server/jobs/mailer.ts'
import { sendNext, startSender } from '../../src/server/jobs/sender.ts'
import { openStore, type Store } from '../../src/server/store/open-store.ts'
import type { Announcement, Channel, Taken } from '../../src/server/store/submission.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { addAll } from '../helpers/receiver.ts'
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
  Postgres: async () => ({ databaseUrl: await newDatabase() }),
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

describe.each(Object.entries(places))('with a store in %s,', (kind, place) => {
  /** A test of what does not depend on the store. */
  const once = (name: string, test: () => Promise<void>) => {
    if (kind === 'SQLite') it(name, test)
  }

  async function setUp({ password = '' } = {}) {
    const where = await place()
    const open = async () => {
      const store = await openStore(where)
      onTestFinished(() => store.close())
      return store
    }
    const mailServer = await startMailServer({ password })
    const settings = { to: ['owner@example.org'], from: 'forms@example.org', withSpam: false }
    const newSend = async () =>
      byMail(await createMailer({ server: mailServer.url, ...settings }), pages)
    const send = await newSend()
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const told: string[] = []
    const alarm: Alarm = async (_topic, reason) => void told.push(reason)
    const partsOf = ({ outbox }: Store, most = Infinity) => {
      return { channel: 'mail' as const, send, outbox, log, most, alarm }
    }
    const store = await open()
    return {
      ...{ store, open, mailServer, newSend, partsOf, lines, told },
      /** Sends one notification. */
      send: (most?: number) => {
        // No two mails leave at the same moment.
        if (most !== undefined) pass(1)
        return sendNext(partsOf(store, most))
      },
      names: () => mailServer.mails.map(({ text }) => /\nname\n {2}(.*)\n/.exec(text)?.[1]),
      unsent: async () => {
        return (await store.outbox.unsent(0)).waiting
      },
    }
  }

  it('a submission is announced once, with an identifier of its own', async () => {
    const { store, send, mailServer, unsent } = await setUp()
    const { receipt } = await store.add(form('Ada'))
    await store.add(form('Ada'))
    expect(await unsent()).toBe(1)
    expect([await send(), await send()]).toEqual(['sent', 'none'])
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]?.headers['message-id']).toBe(`<${receipt}@example.org>`)
    expect(mailServer.mails[0]?.envelope).toEqual(['forms@example.org', 'owner@example.org'])
    expect(await unsent()).toBe(0)
    expect(await store.find(receipt)).toMatchObject({ receipt, repeats: 1 })
  })

  once('an address that the mail server refuses is named in the log and in a mail', async () => {
    const { store, mailServer, lines, told } = await setUp()
    const to = ['owner@example.org', 'gone@example.org']
    const settings = { server: mailServer.url, to, from: 'forms@example.org' }
    const send = byMail(await createMailer(settings), pages)
    mailServer.refuse('gone@example.org')
    await store.add(form('Ada'))
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const alarm: Alarm = async (topic, reason) => void told.push(`${topic} ${reason}`)
    const { outbox } = store
    const parts = { channel: 'mail' as const, outbox, send, log, most: Infinity, alarm }
    expect(await sendNext(parts)).toBe('sent')
    expect(mailServer.mails[0]?.envelope).toEqual(['forms@example.org', 'owner@example.org'])
    expect(lines.join('')).toContain('"refused":["gone@example.org"]')
    expect(told).toEqual([
      expect.stringMatching(/^notDelivered gone@example\.org: .*550 No such user/),
    ])
  })

  it('nothing is announced that came without notifications, or was held back', async () => {
    const { store, send } = await setUp()
    await store.add(form('Ada', { channels: [] }))
    await store.add(form('Bob', { channels: [], isSuspect: true }))
    // A repeat of what was not held back is not announced, even if notifications are on by now.
    await store.add(form('Ada'))
    await store.add(form('Bob', { isSuspect: true, channels: ['mail'] as const }))
    expect(await send()).toBe('none')
  })

  it('what was held back does not keep the same from being announced once a person sends it', async () => {
    const { store, send, names, unsent } = await setUp()
    const spam = { isSuspect: true, channels: [] }
    await store.add(form('Ada', spam))
    expect(await send()).toBe('none')
    await Promise.all([store.add(form('Ada')), store.add(form('Ada', spam))])
    await store.add(form('Ada'))
    expect([await send(), await send()]).toEqual(['sent', 'none'])
    expect([names(), await unsent()]).toEqual([['Ada'], 0])
    expect(await store.count()).toEqual({ received: 1, suspect: 1, spam: 0, repeats: 2 })
  })

  for (const [end, reply] of [
    ['failed', { code: 451, words: 'Try again\u0000 later, "Ada"' }],
    ['refused', { code: 554, words: 'We do not want this, "Ada"' }],
  ] as const) {
    once(
      `what has ${end} is tried for ever, and stays; every three days, the owner gets a mail`,
      async () => {
        const { store, send, mailServer, unsent, names, lines, told } = await setUp()
        mailServer.answer(reply)
        const { receipt } = await store.add(form('Ada'))
        const from = Date.now()
        for (let attempt = 1; attempt <= 160; attempt++) {
          expect(await send()).toBe(end)
          const days = (Date.now() - from) / (24 * HOUR)
          if (told.length === 0) expect(days).toBeLessThan(4)
          else expect(days).toBeGreaterThan(2)
          const [next] = (await store.outbox.unsent(1)).next
          vi.setSystemTime(next?.dueAt as string)
        }
        const words = expect.stringMatching(new RegExp(`^${receipt}: .*${reply.code} `))
        expect(told).toEqual([words, words])
        expect(await store.idsOf({ settledIn: ['mail'] })).toEqual([])
        // What a server says may quote the visitor.
        expect(lines.join('')).toContain(`EMESSAGE ${reply.code}`)
        expect(lines.join('')).not.toContain('Ada')
        mailServer.answer('accept')
        expect(await send()).toBe('sent')
        expect([names(), await unsent()]).toEqual([['Ada'], 0])
      },
    )
  }

  it('after so many mails in an hour, a list comes every ten minutes, with the first words', async () => {
    const { store, open, partsOf, send, mailServer, unsent, names } = await setUp()
    vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
    const receipts: string[] = []
    for (const name of ['Ada', 'Bob', 'Cleo', 'Dora', 'Eve\u001b']) {
      pass(MINUTE)
      receipts.push((await store.add(form(name))).receipt)
    }
    const most = 3
    expect([await send(most), await send(most), await send(most)]).toEqual(['sent', 'sent', 'sent'])
    // A restart changes nothing, and a second receiver does not send more.
    const other = partsOf(await open(), most)
    expect((await Promise.all([send(most), sendNext(other)])).sort()).toEqual(['none', 'sent'])
    expect(names()).toEqual(['Ada', 'Bob', 'Cleo', undefined])
    const [list] = mailServer.mails.slice(-1)
    expect(list?.headers.subject).toBe(`2 submissions in one list (${receipts[3]?.slice(0, 9)})`)
    expect(list?.text).toContain(`
2026-11-22T10:04Z  ${receipts[3]}  ${withThreeFields.path}
  Dora · ada@example.com
2026-11-22T10:05Z  ${receipts[4]}  ${withThreeFields.path}
  Eve\\u001b · ada@example.com
`)
    expect(await unsent()).toBe(0)

    for (const name of ['Finn', 'Gus']) await store.add(form(name))
    pass(9 * MINUTE)
    expect(await send(most)).toBe('none')
    pass(MINUTE)
    expect([await send(most), await send(most)]).toEqual(['sent', 'none'])
    expect(mailServer.mails.at(-1)?.headers.subject).toMatch(/^2 submissions in one list/)
    // The lists do not count. A single one is announced whole.
    pass(HOUR)
    for (const name of ['Hal', 'Ida', 'Jo', 'Kit']) await store.add(form(name))
    for (let index = 0; index < 4; index++) expect(await send(most)).toBe('sent')
    expect(names().slice(-4)).toEqual(['Hal', 'Ida', 'Jo', 'Kit'])
  })

  it('what one visitor sends too much of waits for a list, and delays nobody else', async () => {
    const { store, send, mailServer, names } = await setUp()
    const flood = Array.from({ length: 600 }, (_, index) => form(`flood ${index}`))
    await addAll(
      store,
      flood.map((each) => ({ ...each, isListed: true })),
    )
    expect((await store.outbox.unsent(1)).next[0]?.isListed).toBeTruthy()
    await store.add(form('Ada'))
    expect([await send(14), await send(14), await send(14)]).toEqual(['sent', 'sent', 'none'])
    expect(names()[0]).toBe('Ada')
    const [, list] = mailServer.mails
    expect(list?.headers.subject).toMatch(/^600 submissions in one list/)
    expect(list?.text.match(/flood \d+ ·/g)).toHaveLength(500)
    expect(list?.text).toContain('\nand 100 more: npm run submissions\n')
  })

  once('a list that is refused for what visitors wrote comes without it', async () => {
    const { store, send, mailServer } = await setUp()
    mailServer.answer((raw) => (raw.includes('pills') ? { code: 554, words: 'Spam' } : 'accept'))
    for (const name of ['pills', 'Ada']) await store.add({ ...form(name), isListed: true })
    expect(await send(14)).toBe('sent')
    expect(mailServer.mails.map(({ text }) => /Ada|pills/.test(text))).toEqual([false])
    expect(mailServer.mails[0]?.text.match(/2026|20\d\d-/g)?.length).toBeGreaterThan(1)
  })

  it('what may have arrived stays the message that it was in; what did not may join a list', async () => {
    const { store, send, mailServer } = await setUp()
    vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
    const [ada] = [await store.add(form('Ada')), await store.add(form('Bob'))]
    mailServer.answer('cut off')
    expect(await send(14)).toBe('failed')
    mailServer.answer({ code: 451, words: 'Later' })
    expect(await send(14)).toBe('failed')
    mailServer.answer('accept')
    pass(5 * MINUTE)
    await store.add(form('Cleo'))
    // The first is due again; the two others come in a list, as if the hour had its mails.
    expect([await send(0), await send(0), await send(0)]).toEqual(['sent', 'sent', 'none'])
    const [before, again, list] = mailServer.mails
    expect(before?.headers['message-id']).toContain(ada?.receipt)
    expect(again?.headers['message-id']).toBe(before?.headers['message-id'])
    expect(list?.headers.subject).toMatch(/^2 submissions in one list/)
  })

  it('each way to tell the owner has its own attempts', async () => {
    const { store, send, partsOf, unsent } = await setUp()
    const posted: string[] = []
    const post = async ({ submissions }: Announcement) => {
      posted.push(...submissions.map(({ receipt }) => receipt))
      return {}
    }
    const hook = { ...partsOf(store), channel: 'webhook' as const, send: post }
    const { receipt } = await store.add(form('Ada', { channels: ['mail', 'webhook'] }))
    expect([await sendNext(hook), await sendNext(hook), await unsent()]).toEqual([
      'sent',
      'none',
      1,
    ])
    // A way that is no longer set up keeps nothing.
    expect(await store.idsOf({ settledIn: ['webhook'] })).toHaveLength(1)
    expect(await store.idsOf({ settledIn: ['webhook', 'mail'] })).toEqual([])
    expect([await send(), await unsent()]).toEqual(['sent', 0])
    expect(posted).toEqual([receipt])
    expect(await store.idsOf({ settledIn: ['webhook', 'mail'] })).toHaveLength(1)
  })

  it.each(['killed', 'refused'])('a list that was %s is a list again', async (end) => {
    const { store, send, mailServer, unsent } = await setUp()
    vi.setSystemTime(Date.UTC(2026, 10, 22, 10))
    for (let index = 0; index < 3; index++) await store.add({ ...form(`${index}`), isListed: true })
    if (end === 'killed') {
      const now = new Date()
      const taken = await store.outbox.take('mail', now, new Date(now.getTime() + MINUTE), 2)
      expect(taken?.count).toBe(3)
    } else {
      mailServer.answer({ code: 554, words: 'Never' })
      expect(await send(2)).toBe('refused')
      mailServer.answer('accept')
    }
    expect(await send(2)).toBe('none')
    pass(MINUTE)
    expect(await send(2)).toBe('sent')
    expect(mailServer.mails.at(-1)?.headers.subject).toMatch(/^3 submissions in one list/)
    expect(await unsent()).toBe(0)
  })

  once('what the server refuses for itself delays nothing else', async () => {
    const { store, partsOf, mailServer, names } = await setUp()
    vi.useRealTimers()
    mailServer.answer((raw) => (raw.includes('poison') ? { code: 550, words: 'No' } : 'accept'))
    for (let index = 0; index < 3; index++) await store.add(form(`poison ${index}`))
    await store.add(form('Ada'))
    const pauses = { sent: 0, refused: 0, failed: 3 * MINUTE, none: 1 }
    const stop = startSender(partsOf(store), pauses)
    await vi.waitFor(() => expect(names()).toEqual(['Ada']), { timeout: 3 * MINUTE })
    await stop(3 * MINUTE)
  })

  it('two receivers do not send the same, while a slow server has not answered', async () => {
    const { store, open, partsOf, mailServer, newSend, names } = await setUp()
    const other = await open()
    const otherParts = { ...partsOf(other), send: await newSend() }
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

  it('two receivers that want the same list again at once send it once', async () => {
    const { store, open } = await setUp()
    const stores = [store, await open()]
    const sent = Array.from({ length: 500 }, (_, index) => ({
      ...form(`${index}`),
      isListed: true,
    }))
    await addAll(store, sent)
    pass(HOUR)
    const take = ({ outbox }: Store) =>
      outbox.take('mail', new Date(), new Date(Date.now() + MINUTE), 1)
    let taken = (await take(store)) as Taken
    for (let round = 0; round < 5; round++) {
      const failed = { failure: '', dueAt: new Date(), mayHaveArrived: true }
      await store.outbox.settle(taken, failed)
      pass(1)
      const both = (await Promise.all(stores.map(take))).filter((each) => each !== undefined)
      expect(both.map(({ count }) => count)).toEqual([500])
      taken = both[0] as Taken
    }
  })

  it('an attempt that was killed is made again, and its late end changes nothing', async () => {
    const { store, send, unsent, mailServer } = await setUp()
    await store.add(form('Ada'))
    mailServer.answer({ code: 451, words: 'Later' })
    await send()
    mailServer.answer('accept')
    pass(MINUTE)
    const now = new Date()
    const killed = await store.outbox.take('mail', now, new Date(now.getTime() + 3 * MINUTE), 9)
    expect(killed).toMatchObject({ attempts: 2 })
    // Nobody else takes it meanwhile.
    expect(await send()).toBe('none')
    pass(3 * MINUTE)
    expect(await send()).toBe('sent')
    const late = { dueAt: new Date(), failure: 'late', mayHaveArrived: false }
    await store.outbox.settle(killed as Taken, late)
    expect(await unsent()).toBe(0)
  })

  once('a wrong password delays, and is in no log', async () => {
    const { store, send, unsent, lines, mailServer, partsOf } = await setUp({
      password: 'p@ss/w:rd%',
    })
    await store.add(form('Ada'))
    const server = mailServer.url.replace('p%40ss', 'other')
    const settings = { to: ['owner@example.org'], from: 'forms@example.org', withSpam: false }
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const wrong = byMail(await createMailer({ server, ...settings }), pages)
    expect(await sendNext({ ...partsOf(store), send: wrong, log })).toBe('failed')
    expect((await store.outbox.unsent(1)).next[0]?.failure).toContain('Invalid login: 535')
    expect(lines.join('')).toContain('EAUTH 535')
    expect(lines.join('')).not.toContain('w:rd')
    pass(MINUTE)
    expect(await send()).toBe('sent')
    expect(await unsent()).toBe(0)
  })

  once(
    'a sender sends what comes, goes on after failures, and finishes the last when stopped',
    async () => {
      const { store, partsOf, mailServer, names, unsent } = await setUp()
      vi.useRealTimers()
      const parts = partsOf(store)
      let failures = 0
      const take: typeof parts.outbox.take = (...moments) =>
        failures++ < 2 ? Promise.reject(new Error('no store')) : store.outbox.take(...moments)
      const outbox = { ...parts.outbox, take }
      const stop = startSender({ ...parts, outbox }, { sent: 0, refused: 0, failed: 1, none: 1 })
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
      expect(await unsent()).toBe(0)
      await store.add(form('Dora'))
      await wait(20)
      expect(await unsent()).toBe(1)
    },
  )
})
