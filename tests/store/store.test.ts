import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { PostgresDatabase } from '../../src/store/postgres-store.ts'
import { SqlStore } from '../../src/store/sql-store.ts'
import { SqliteDatabase } from '../../src/store/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import {
  type Counts,
  contentHash,
  type SentField,
  STATUSES,
  type StoredSubmission,
  type Submission,
  type SubmissionFilter,
} from '../../src/store/submission.ts'
import { times } from '../helpers/long.ts'
import { idsOf, owner } from '../helpers/owner.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { anyText, property } from '../helpers/property.ts'
import { addAll } from '../helpers/receiver.ts'
import { openStore, TEST_PATIENCE } from '../helpers/store.ts'

const HOUR = 60 * 60 * 1000
const START = Date.parse('2026-03-28T12:00:00.123Z')

function submission(change: Partial<Submission> = {}): Submission {
  return {
    path: '/blog/029',
    fields: [
      ['name', 'Ada'],
      ['email', 'ada@example.com'],
    ],
    dataset: 'd'.repeat(64),
    isSuspect: false,
    ...change,
  }
}

const submissionOf = (name: string) => submission({ fields: [['name', name]] })

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = []
  for await (const item of items) array.push(item)
  return array
}

/** A database that can be opened repeatedly, and a clock that the tests set. */
interface TestDatabase {
  clock: { now: number }
  open(): Promise<Store>
}

type AtEnd = (cleanUp: () => void | Promise<void>) => void

function onClock(target: { file: string } | { databaseUrl: string }, atEnd: AtEnd): TestDatabase {
  const clock = { now: START }
  return {
    clock,
    async open() {
      const store = await openStore({ ...target, now: () => new Date(clock.now) })
      atEnd(() => store.close())
      return store
    },
  }
}

const databases: Record<string, (atEnd?: AtEnd) => Promise<TestDatabase>> = {
  SQLite: async (atEnd = onTestFinished) => {
    const file = join(newFolder(atEnd), 'data', 'submissions.db')
    return onClock({ file }, atEnd)
  },
  Postgres: async (atEnd = onTestFinished) => {
    return onClock({ databaseUrl: await newDatabase() }, atEnd)
  },
}

function newFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-store-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a store must have kept, as plain lists. */
interface Model {
  kept: StoredSubmission[]
  repeats: { receipt: string; receivedAt: string; of: StoredSubmission }[]
  now: number
}

interface Real {
  database: TestDatabase
  store: Store
}

type Command = fc.AsyncCommand<Model, Real>

function command(label: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => label,
    async run(model, real) {
      real.database.clock.now = model.now
      await run(model, real)
    },
  }
}

function countsOf(kept: readonly StoredSubmission[]): Counts {
  const counts = { received: 0, suspect: 0, spam: 0, repeats: 0 }
  for (const { status, repeats } of kept) {
    counts[status] += 1
    counts.repeats += repeats
  }
  return counts
}

const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.nat(3), fc.nat(1), fc.boolean()).map(([name, page, isSuspect]) =>
    command(`submit ${name} to ${page}, ${isSuspect}`, async (model, { store }) => {
      // The dataset tells apart what the owner's verdict hides.
      const dataset = isSuspect ? 'suspect' : ''
      const fields = [['name', `${name}`]] as const
      const sent = submission({ path: `/blog/00${page}`, fields, dataset, isSuspect })
      const hash = contentHash(sent)
      const first = model.kept.find(
        ({ contentHash, receivedAt, dataset }) =>
          contentHash === hash &&
          dataset === sent.dataset &&
          Date.parse(receivedAt) > model.now - 24 * HOUR,
      )
      const answer = await store.add(sent)
      const { receipt } = answer
      const receivedAt = new Date(model.now).toISOString()
      expect(answer).toEqual({ receipt, receivedAt, isRepeat: first !== undefined })
      for (const known of [...model.kept, ...model.repeats]) expect(known.receipt).not.toBe(receipt)
      if (first) {
        first.repeats += 1
        model.repeats.push({ receipt, receivedAt, of: first })
        return
      }
      model.kept.push({
        id: expect.any(Number),
        receipt: answer.receipt,
        path: sent.path,
        fields: sent.fields,
        dataset: sent.dataset,
        receivedAt,
        contentHash: hash,
        status: isSuspect ? 'suspect' : 'received',
        repeats: 0,
      })
    }),
  ),
  fc.nat(26).map((hours) =>
    command(`${hours} hours pass`, async (model) => {
      model.now += hours * HOUR
    }),
  ),
  fc.constant(
    command('restart', async (_, real) => {
      await real.store.close()
      real.store = await real.database.open()
    }),
  ),
  fc.constant(
    command('crash', async (_, real) => {
      real.store = await real.database.open()
    }),
  ),
  fc.constant(
    command('export', async ({ kept, repeats: again }, { store }) => {
      expect(await toArray(store.all())).toEqual(kept)
      for (const { receipt, receivedAt, of } of again) {
        const found = kept.includes(of) ? { ...of, receipt, receivedAt } : undefined
        expect(await store.find(receipt)).toEqual(found)
      }
      expect(await store.list({}, 2)).toEqual({
        newest: kept.slice(-2).reverse(),
        counts: countsOf(kept),
      })
    }),
  ),
  fc.nat(9).map((index) =>
    command(`delete ${index}`, async ({ kept }, { store }) => {
      const [one] = kept.splice(index, 1)
      expect(await store.delete(await idsOf(store, one?.receipt))).toMatchObject({
        deleted: one ? 1 : 0,
      })
    }),
  ),
  fc.nat(9).map((index) =>
    command(`delete what repeat ${index} repeats`, async ({ kept, repeats }, { store }) => {
      const at = kept.indexOf(repeats[index]?.of as StoredSubmission)
      const ids = await idsOf(store, repeats[index]?.receipt)
      expect(await store.delete(ids)).toMatchObject({ deleted: at >= 0 ? 1 : 0 })
      if (at >= 0) kept.splice(at, 1)
    }),
  ),
  fc.tuple(fc.nat(9), fc.constantFrom('spam', 'ham')).map(([index, verdict]) =>
    command(`judge ${index} to be ${verdict}`, async ({ kept }, { store }) => {
      const one = kept[index]
      const judged = await store.judge(await idsOf(store, one?.receipt), verdict)
      expect(judged).toBe(one ? 1 : 0)
      if (one) one.status = verdict === 'spam' ? 'spam' : 'received'
    }),
  ),
  fc.nat(60).map((hours) =>
    command(`delete older than ${hours} hours`, async (model, { store }) => {
      const moment = new Date(model.now - hours * HOUR)
      const until = moment.toISOString()
      const kept = model.kept.filter(({ receivedAt }) => receivedAt > until)
      expect(await store.delete(await store.idsOf({ until }))).toMatchObject({
        deleted: model.kept.length - kept.length,
      })
      model.kept = kept
    }),
  ),
]

/** Parts of values that differ in case, or mean something to a database. */
const PARTS = ['a', 'A', 'é', 'É', 'σ', 'ς', 'Σ', ' ', '"', '\\', '%', '_', "'", '\0', '$1']
const someText = fc.string({ unit: fc.constantFrom(...PARTS), maxLength: 6 })
const someAddress = fc.constantFrom('a@b.c', 'A@b.C', ' a@b.c\r\n', 'a@b.cc', 'é@b.c', 'É@B.C')
const somePage = fc.constantFrom('/blog/001', '/blog/002', "/it's/%")

/** Submissions in the order in which they arrive, the hours between them, and verdicts of some. */
const someSubmissions = fc.array(
  fc.record({
    page: somePage,
    values: fc.array(fc.oneof(someText, someAddress), { maxLength: 3 }),
    hours: fc.nat(20),
    isSuspect: fc.boolean(),
    verdict: fc.constantFrom(undefined, undefined, 'spam' as const, 'ham' as const),
  }),
  { maxLength: 30 },
)

const someMoment = fc.nat(300).map((hours) => new Date(START + hours * HOUR).toISOString())
const someFilter = fc.record(
  {
    page: somePage,
    since: someMoment,
    until: someMoment,
    statuses: fc.subarray([...STATUSES]),
    email: someAddress,
    text: someText.filter((text) => text.trim() !== ''),
  },
  { requiredKeys: [] },
)

/** What a filter means, in other words. */
function means(filter: SubmissionFilter, { path, receivedAt, status, fields }: StoredSubmission) {
  const isLike = (value: string, part: string, isWhole = false) => {
    const literal = part.replace(/[\\$.|?*+(){}^[\]]/g, '\\$&')
    return new RegExp(isWhole ? `^\\s*${literal}\\s*$` : literal, 'iu').test(value)
  }
  const values = fields.map(([, value]) => value)
  const { page = path, since = receivedAt, until = receivedAt, email, text = '' } = filter
  return (
    path === page &&
    Date.parse(receivedAt) >= Date.parse(since) &&
    Date.parse(receivedAt) <= Date.parse(until) &&
    (filter.statuses ?? [status]).includes(status) &&
    (email === undefined || values.some((value) => isLike(value, email.trim(), true))) &&
    (text.match(/\S+/g) ?? []).every((word) => values.some((value) => isLike(value, word)))
  )
}

describe.each(Object.entries(databases))('a store in %s', (_, newDatabase) => {
  // Shared by tests that only add, because creating a database takes longer than they do.
  let common: Store
  const cleanUps: (() => void | Promise<void>)[] = []
  beforeAll(async () => {
    common = await (await newDatabase((cleanUp) => cleanUps.unshift(cleanUp))).open()
  })
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })

  it('keeps a submission as sent, and finds it by its receipt', async () => {
    const { open } = await newDatabase()
    const store = await open()
    const sent = submission({ isSuspect: true })
    const { receipt, ...rest } = await store.add(sent)
    expect(rest).toEqual({ receivedAt: '2026-03-28T12:00:00.123Z', isRepeat: false })
    expect(await store.find(receipt)).toEqual({
      receipt,
      receivedAt: '2026-03-28T12:00:00.123Z',
      id: expect.any(Number),
      path: sent.path,
      fields: sent.fields,
      dataset: sent.dataset,
      contentHash: createHash('sha256')
        .update('["/blog/029",[["name","Ada"],["email","ada@example.com"]]]')
        .digest('hex'),
      status: 'suspect',
      repeats: 0,
    })
    expect(await store.find('none')).toBeUndefined()
  })

  it('counts a repeat of the same content for the same path, and gives it its own receipt', async () => {
    const { open, clock } = await newDatabase()
    const store = await open()
    const first = await store.add(submission())
    clock.now += 24 * HOUR - 1
    const again = await store.add(submission({ dataset: 'e'.repeat(64) }))
    expect(again).toMatchObject({ isRepeat: true, receivedAt: '2026-03-29T12:00:00.122Z' })
    expect(again.receipt).not.toBe(first.receipt)
    const stored = await store.find(first.receipt)
    expect(stored).toMatchObject({ repeats: 1, dataset: 'd'.repeat(64) })
    const { receipt, receivedAt } = again
    expect(await store.find(again.receipt)).toEqual({ ...stored, receipt, receivedAt })
    expect(await store.count()).toEqual({ received: 1, suspect: 0, spam: 0, repeats: 1 })
    clock.now += 1
    expect(await store.add(submission())).toMatchObject({ isRepeat: false })
  })

  it('does not treat another path, order or split of the fields as a repeat', async () => {
    const store = await (await newDatabase()).open()
    const others: Partial<Submission>[] = [
      {},
      { path: '/blog/030' },
      { fields: [...submission().fields].reverse() },
      { fields: [['name', 'Ada","email']] },
      { fields: [['nameAda', '']] },
      { fields: [] },
    ]
    const answers = await Promise.all(others.map((other) => store.add(submission(other))))
    expect(answers.map(({ isRepeat }) => isRepeat)).toEqual(others.map(() => false))
    expect(new Set(answers.map(({ receipt }) => receipt)).size).toBe(others.length)
  })

  it('stores content once when it arrives many times at once, even at two receivers', async () => {
    const { open } = await newDatabase()
    const receivers = [await open(), await open()]
    const sent = Array.from({ length: 200 }, (_, index) => submissionOf(`visitor ${index % 20}`))
    const answers = await Promise.all(
      sent.map((each, index) => (receivers[(index % 3) % 2] as Store).add(each)),
    )
    expect(new Set(answers.map(({ receipt }) => receipt)).size).toBe(200)
    expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(20)
    expect(await receivers[0]?.count()).toEqual({ received: 20, suspect: 0, spam: 0, repeats: 180 })
  })

  it('can be opened several times at once while it has no tables yet', async () => {
    const { open } = await newDatabase()
    const stores = await Promise.all(Array.from({ length: 5 }, open))
    await Promise.all(stores.map((store, index) => store.add(submissionOf(`visitor ${index}`))))
    expect(await stores[0]?.count()).toEqual({ received: 5, suspect: 0, spam: 0, repeats: 0 })
  })

  it('finishes queued submissions before it closes, and rejects later ones', async () => {
    const { open } = await newDatabase()
    const store = await open()
    const sent = Array.from({ length: 250 }, (_, index) => store.add(submissionOf(`${index}`)))
    const outcomes = Promise.allSettled(sent)
    const closing = store.close()
    await expect(store.add(submissionOf('late'))).rejects.toThrow(
      /the store is closed|after calling end/,
    )
    await closing
    const stored = (await outcomes).filter(({ status }) => status === 'fulfilled')
    expect(stored).toHaveLength(250)
    expect(await (await open()).count()).toMatchObject({ received: 250 })
  })

  property([fc.array(fc.tuple(anyText, anyText))])(
    'returns any fields as they were sent, in their order',
    async (fields) => {
      const { receipt } = await common.add(submission({ fields }))
      expect((await common.find(receipt))?.fields).toEqual(fields)
    },
  )

  it('matches a model through any sequence of posts, repeats, deletions, restarts and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }),
        async (commands) => {
          const database = await newDatabase()
          const store = await database.open()
          await fc.asyncModelRun(
            () => ({ model: { kept: [], repeats: [], now: START }, real: { database, store } }),
            commands,
          )
        },
      ),
      { numRuns: times(10) },
    )
  })

  it('finds, counts and deletes what the filters mean', async () => {
    const some = fc.tuple(someSubmissions, fc.array(someFilter, { minLength: 15, maxLength: 15 }))
    await fc.assert(
      fc.asyncProperty(some, async ([sent, filters]) => {
        const { open, clock } = await newDatabase()
        const store = await open()
        for (const { page, values, hours, isSuspect, verdict } of sent) {
          clock.now += hours * HOUR
          const fields = values.map((value, index): SentField => [`${index}`, value])
          const { receipt } = await store.add(submission({ path: page, fields, isSuspect }))
          if (verdict) await store.judge(await idsOf(store, receipt), verdict)
        }
        let kept = await toArray(store.all())
        for (const filter of filters) {
          const meant = kept.filter((each) => means(filter, each))
          expect(await toArray(store.all(filter))).toEqual(meant)
          const { newest, counts } = await store.list(filter, 3, ['received', 'spam'])
          const shown = meant.filter(({ status }) => status !== 'suspect')
          expect({ newest, counts }).toEqual({
            newest: shown.slice(-3).reverse(),
            counts: countsOf(meant),
          })
          // Otherwise most filters would have nothing left to find.
          if (meant.length > 3) continue
          expect(await store.delete(await store.idsOf(filter))).toMatchObject({
            deleted: meant.length,
          })
          kept = kept.filter((each) => !meant.includes(each))
          expect(await toArray(store.all())).toEqual(kept)
        }
        expect(await store.delete(await store.idsOf({}))).toMatchObject({ deleted: kept.length })
        expect(await store.count()).toEqual(countsOf([]))
      }),
      { numRuns: times(10) },
    )
  })

  it('searches more submissions than it reads at once, and finds receipts by their start', async () => {
    const store = await (await newDatabase()).open()
    const sent = Array.from({ length: 501 }, (_, index) => submissionOf(`visitor (${index})`))
    const receipts = await addAll(store, sent)
    expect(await store.count({ text: 'VISITOR' })).toMatchObject({ received: 501 })
    for (const index of [0, 499, 500]) {
      const { newest } = await store.list({ text: `(${index})` }, 20)
      expect(newest.map(({ receipt }) => receipt)).toEqual([receipts[index]])
    }
    const again = await store.add(submissionOf('visitor (7)'))
    const [first = ''] = receipts
    const likeFirst = [...receipts, again.receipt].filter((each) => each.startsWith(first[0] ?? ''))
    const found = await store.startingWith(first[0] ?? '', 2_000)
    expect(found.map(({ receipt }) => receipt).sort()).toEqual(likeFirst.sort())
    expect(await store.startingWith(again.receipt.slice(0, 20), 2)).toEqual([
      await store.find(again.receipt),
    ])
    for (const none of ['', '%', '____', "'"]) expect(await store.startingWith(none, 2)).toEqual([])
    expect(await store.delete(await store.idsOf({ text: '7' }))).toMatchObject({ deleted: 95 })
    expect(await store.count()).toMatchObject({ received: 406 })
  })

  it('folds case as people do', async () => {
    const store = await (await newDatabase()).open()
    await store.add(submissionOf('Ζωή Παπαδόπουλος, Straße 7, Zoe\u0308, ada@Example.COM'))
    for (const text of ['ΖΩΉ', 'παπαδόπουλοσ', 'STRASSE', 'zoë', 'ZOË 7 straße', '@EXAMPLE.']) {
      expect(await store.count({ text }), text).toMatchObject({ received: 1 })
    }
    for (const text of ['Zoe 8', 'ada @example.org']) {
      expect(await store.count({ text }), text).toMatchObject({ received: 0 })
    }
  })
})

it('what is stored in Postgres between two statements of a reader appears in neither', async () => {
  const options = { access: 'create' as const, now: () => new Date(), patience: TEST_PATIENCE }
  const database = await PostgresDatabase.open(await newDatabase(), options)
  onTestFinished(() => database.close())
  const sent = { path: '/blog/029', fields: [], dataset: '', isSuspect: false }

  const counts = await database.read(async (run) => {
    const before = await run('SELECT count(*) AS count FROM submissions', [])
    await database.add(sent)
    return [before, await run('SELECT count(*) AS count FROM submissions', [])]
  })
  expect(counts).toEqual([[{ count: 0 }], [{ count: 0 }]])
  expect(await new SqlStore(database).count()).toMatchObject({ received: 1 })
})

it('reads what fields say once, to list, to count or to delete', async () => {
  const file = join(newFolder(), 'submissions.db')
  const options = { access: 'create' as const, now: () => new Date(), patience: TEST_PATIENCE }
  const database = await SqliteDatabase.open(file, options)
  onTestFinished(() => database.close())
  let reads = 0
  const counting: Database['read'] = (work) =>
    database.read((run) =>
      work((sql, values) => {
        if (sql.includes('max(id)')) reads += 1
        return run(sql, values)
      }),
    )
  const store = new SqlStore(Object.assign(Object.create(database), { read: counting }))
  await store.list({ email: 'ada@example.com' }, 20)
  expect(reads).toBe(1)
  await store.count({ text: 'Ada' })
  expect(reads).toBe(2)
  const ids = await store.idsOf({ text: 'Ada' })
  await store.list({ ids }, 20)
  await store.delete(ids)
  expect(reads).toBe(3)
})

it('a check of Postgres says whether its pages have checksums', async () => {
  const databaseUrl = await newDatabase()
  const store = await openStore({ databaseUrl })
  onTestFinished(() => store.close())
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query('SHOW data_checksums')

  const { status, stdout } = await owner({ DATABASE_URL: databaseUrl }, ['check'])
  const sentences: Record<string, string> = {
    on: 'Postgres checks its pages itself: data_checksums is on.',
    off: 'Postgres does not check its pages: data_checksums is off. deploy/README.md says under "With Postgres" how to turn it on.',
  }
  const sentence = sentences[rows[0].data_checksums]
  expect(stdout).toBe(`Checked 0 submissions. No damage was found.\n${sentence}\n`)
  expect(status).toBe(0)
})
