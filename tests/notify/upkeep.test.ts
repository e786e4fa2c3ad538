import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/forms/config.ts'
import { Upkeep, type UpkeepParts } from '../../src/notify/upkeep.ts'
import type { Lease, Store } from '../../src/store/store.ts'
import { idsOf, owner } from '../helpers/owner.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { openStore, overwritePage } from '../helpers/store.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

const silent = pino({ level: 'silent' })

function startUpkeep(parts: UpkeepParts): void {
  const upkeep = new Upkeep(parts)
  onTestFinished(() => upkeep.stop())
}

/** Runs the upkeep of a start to its end. Resolves to the alarms that it has raised. */
async function upkeepOf(store: Store, settings: Record<string, string>): Promise<string[]> {
  const alarms: string[] = []
  const alarm = async (topic: string, reason: string) => void alarms.push(`${topic} ${reason}`)
  const upkeep = new Upkeep({ store, config: readConfig(settings), log: silent, alarm })
  await upkeep.started
  upkeep.stop()
  return alarms
}

/** Sets the clock to noon of a day. Only dates: whatever waits, waits as long as it takes. */
function setNoon(year: number, month: number, day: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.UTC(year, month - 1, day, 12))
}

const places = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manyurls-retention-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return { file: join(folder, 'submissions.db') }
  },
  Postgres: async () => ({ databaseUrl: await newDatabase() }),
}

describe.each(Object.entries(places))('with a store in %s,', (_, place) => {
  /** Creates a store with a submission, a suspect one and spam of each age in days. */
  async function storeWith(ages: readonly number[]) {
    let now = 0
    const options: { file?: string; databaseUrl?: string } = await place()
    const store = await openStore({ ...options, now: () => new Date(now) })
    onTestFinished(() => store.close())
    for (const age of ages) {
      // A minute more, because the clock goes on.
      now = Date.now() - age * DAY - 60_000
      for (const kind of ['received', 'suspect', 'spam']) {
        const fields = [['name', `${kind} ${age}`] as const]
        const sent = { path: '/blog/029', fields, dataset: '', isSuspect: kind === 'suspect' }
        const { receipt } = await store.add({ ...sent, channels: ['mail'] as const })
        if (kind === 'spam') await store.judge(await idsOf(store, receipt), 'spam')
      }
    }
    await store.setUpkeep(new Date())
    return {
      store,
      env: { SUBMISSIONS_FILE: options.file, DATABASE_URL: options.databaseUrl },
      async kept() {
        const names: string[] = []
        for await (const { fields } of store.all()) names.push(fields[0]?.[1] as string)
        return names
      },
    }
  }

  it('deletes what is too old every night, and at the start what a night has missed', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(new Date(2026, 10, 22, 12))
    const { store, kept } = await storeWith([40, 29.5, 8, 6.5])
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const deletions = () => lines.filter((line) => line.includes('"deleted"'))
    const start = () =>
      startUpkeep({ store, config: readConfig({ KEEP_DAYS: '30', KEEP_SPAM_DAYS: '7' }), log })
    const done = (runs: number) =>
      vi.waitFor(() => expect(deletions()).toHaveLength(runs), { timeout: 20_000 })
    start()
    await done(1)
    const young = ['received 6.5', 'suspect 6.5', 'spam 6.5']
    expect(await kept()).toEqual(['received 29.5', 'received 8', ...young])
    expect(deletions()[0]).toContain('"deleted":7')
    expect((await store.outbox.queued(0)).count).toBe(5)
    // In the afternoon, nothing more; in the next night, the rest; once.
    vi.advanceTimersByTime(12 * HOUR)
    await store.probe()
    expect(deletions()).toHaveLength(1)
    vi.advanceTimersByTime(DAY - 12 * HOUR)
    await done(2)
    expect(await kept()).toEqual(['received 8', 'received 6.5'])
  })

  it('what waits to be announced stays, as long as notifications are on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, kept } = await storeWith([3])
    const now = new Date()
    const lease = (await store.outbox.lease('mail', { now, until: now, pause: 0 })) as Lease
    await store.outbox.end(lease, { doneAt: now })
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const mail = { SMTP_URL: 'smtp://localhost', NOTIFY_TO: 'a@b.c', NOTIFY_FROM: 'd@e.f' }
    startUpkeep({ store, config: readConfig({ KEEP_DAYS: '1', ...mail }), log })
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 3 * 60_000 })
    expect(await kept()).toEqual(['suspect 3', 'spam 3'])
  })

  it('spam alone may be deleted, and nothing is without a setting', async () => {
    const { store, kept } = await storeWith([3, 1])
    const run = (settings: Record<string, string>) => {
      vi.useFakeTimers({ toFake: ['setInterval'] })
      startUpkeep({ store, config: readConfig(settings), log: silent })
      vi.useRealTimers()
    }
    run({})
    await store.probe()
    expect(await kept()).toHaveLength(6)
    run({ KEEP_SPAM_DAYS: '2' })
    await vi.waitFor(async () => expect(await kept()).toHaveLength(4), { timeout: 3 * 60_000 })
    expect(await kept()).toContain('received 3')
  })

  it('deletes in a night in which one hour is missing, as in Helsinki at the end of March', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    vi.stubEnv('TZ', 'Europe/Helsinki')
    onTestFinished(() => void vi.useRealTimers())
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.setSystemTime(new Date(2027, 2, 27, 22))
    const { store, kept } = await storeWith([29.9])
    startUpkeep({ store, config: readConfig({ KEEP_DAYS: '30' }), log: silent })
    await vi.waitFor(async () => expect(await kept()).toHaveLength(3), { timeout: 20_000 })
    // The clock goes from 2:59 to 4:00.
    vi.advanceTimersByTime(7 * HOUR)
    expect(new Date().getDate()).toBe(28)
    await vi.waitFor(async () => expect(await kept()).toEqual([]), { timeout: 20_000 })
  })

  it.each([
    { KEEP_DAYS: '30' },
    { KEEP_SPAM_DAYS: '30' },
    { KEEP_DAYS: '900', KEEP_SPAM_DAYS: '30' },
    { KEEP_DAYS: '30', KEEP_SPAM_DAYS: '900' },
  ])('a clock that is 400 days ahead deletes nothing with %j', async (settings) => {
    setNoon(2026, 11, 22)
    const { store, kept } = await storeWith([1])
    vi.setSystemTime(Date.now() + 400 * DAY)
    const alarm =
      'dateDoubted The clock says 2027-12-27 12:00 UTC. The last nightly run was at 2026-11-22 12:00 UTC, 400 days before.'
    expect(await upkeepOf(store, settings)).toEqual([alarm])
    expect(await upkeepOf(store, settings)).toEqual([alarm])
    expect(await kept()).toHaveLength(3)
    vi.setSystemTime(Date.now() - 400 * DAY)
    expect(await upkeepOf(store, settings)).toEqual([])
    expect(await kept()).toHaveLength(3)
  })

  it('after a long gap, the owner confirms the date, and what is too old is deleted', async () => {
    setNoon(2026, 11, 22)
    const { store, env, kept } = await storeWith([1])
    vi.setSystemTime(Date.now() + 31 * DAY)
    const settings = { KEEP_DAYS: '30' }
    expect(await upkeepOf(store, settings)).toHaveLength(1)
    const { status, stdout } = await owner(env, ['confirm-date'])
    expect(status).toBe(0)
    expect(stdout).toContain('Confirmed: it is 2026-12-23 ')
    expect(await kept()).toHaveLength(3)
    expect(await upkeepOf(store, settings)).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('a gap shorter than submissions are kept is not asked about', async () => {
    setNoon(2026, 11, 22)
    const { store, kept } = await storeWith([2])
    vi.setSystemTime(Date.now() + 30 * DAY - HOUR)
    expect(await upkeepOf(store, { KEEP_DAYS: '30' })).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('with KEEP_DAYS=1, two nights are some hours more than a day apart', async () => {
    setNoon(2026, 11, 22)
    const { store, kept } = await storeWith([2])
    vi.setSystemTime(Date.now() + 27 * HOUR)
    expect(await upkeepOf(store, { KEEP_DAYS: '1' })).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('a clock that goes back deletes nothing, and has to be confirmed once it is right', async () => {
    setNoon(2026, 11, 22)
    const { store, kept } = await storeWith([1])
    const settings = { KEEP_DAYS: '30' }
    vi.setSystemTime(Date.UTC(1970, 0, 1))
    expect(await upkeepOf(store, settings)).toEqual([])
    vi.setSystemTime(Date.UTC(2026, 10, 22, 13))
    expect(await upkeepOf(store, settings)).toEqual([expect.stringMatching(/^dateDoubted /)])
    expect(await kept()).toHaveLength(3)
  })

  it('the first run of a store only stores its moment, with which the second compares', async () => {
    setNoon(2026, 11, 22)
    const options: { file?: string; databaseUrl?: string } = await place()
    const store = await openStore({ ...options, now: () => new Date(2026, 0, 1) })
    onTestFinished(() => store.close())
    await store.add({ path: '/blog/029', fields: [], dataset: '', isSuspect: false })
    expect(await store.lastUpkeep()).toBeUndefined()
    const settings = { KEEP_DAYS: '30' }
    expect(await upkeepOf(store, settings)).toEqual([])
    expect(await store.lastUpkeep()).toMatch(/^2026-11-22T12:00:00/)
    expect(await store.idsOf({})).toHaveLength(1)
    expect(await upkeepOf(store, settings)).toEqual([])
    expect(await store.idsOf({})).toEqual([])
  })

  it('a deletion that fails is a mail, and tried again in the next night', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, kept } = await storeWith([4])
    const alarms: string[] = []
    const alarm = async (topic: string, reason: string) => void alarms.push(`${topic} ${reason}`)
    store.delete = () => Promise.reject(new Error('the disk failed'))
    startUpkeep({ store, config: readConfig({ KEEP_DAYS: '2' }), log: silent, alarm })
    await vi.waitFor(() => expect(alarms).toEqual(['notDeleted the disk failed']), 20_000)
    Reflect.deleteProperty(store, 'delete')
    vi.advanceTimersByTime(DAY)
    await vi.waitFor(async () => expect(await kept()).toEqual([]), { timeout: 20_000 })
  })
})

it('a damaged page is a mail after the start, though no visitor asks for it', async () => {
  const { file } = await places.SQLite()
  const healthy = await openStore({ file })
  const names = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(300))
  const sent = { path: '/blog/029', dataset: '', isSuspect: false }
  await Promise.all(names.map((name) => healthy.add({ ...sent, fields: [['name', name]] })))
  await healthy.close()
  overwritePage(file, 15)
  const store = await openStore({ file })
  onTestFinished(() => store.close())
  const alarms: string[] = []
  const alarm = async (topic: string, reason: string) => void alarms.push(`${topic} ${reason}`)
  startUpkeep({ store, config: readConfig({}), log: silent, alarm })
  const expected = [
    expect.stringMatching(/^damaged .*\n {2}its check fails: .* \(SQLITE_CORRUPT\)/),
  ]
  await vi.waitFor(() => expect(alarms).toEqual(expected), { timeout: 20_000 })
})

it('nothing is deleted at night from a file whose structure is damaged', async () => {
  const { file } = await places.SQLite()
  const sound = await openStore({ file, now: () => new Date(0) })
  const sent = { path: '/blog/029', dataset: '', isSuspect: false }
  const { receipt } = await sound.add({ ...sent, fields: [['name', 'Ada']] })
  await sound.add({ ...sent, fields: [['name', 'Bob']] })
  await sound.setUpkeep(new Date())
  await sound.close()
  // Only in the table: the index keeps its copy.
  const bytes = readFileSync(file)
  bytes.write('0'.repeat(9), bytes.indexOf(`${receipt}/blog`))
  writeFileSync(file, bytes)

  const store = await openStore({ file })
  onTestFinished(() => store.close())
  const alarms: string[] = []
  const alarm = async (topic: string) => void alarms.push(topic)
  startUpkeep({ store, config: readConfig({ KEEP_DAYS: '1' }), log: silent, alarm })
  await vi.waitFor(() => expect(alarms).toEqual(['damaged']), { timeout: 20_000 })
  await setTimeout(200)
  expect(await store.count()).toMatchObject({ received: 2 })
})
