/** Stores in which bytes have changed: what still works, and the messages about the rest. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql/promise'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/forms/config.ts'
import { sendNext } from '../../src/notify/sender.ts'
import { type Condition, Upkeep } from '../../src/notify/upkeep.ts'
import type { Store } from '../../src/store/store.ts'
import { type Announcement, numberedReceipt } from '../../src/store/submission.ts'
import { isLong } from '../helpers/long.ts'
import { owner } from '../helpers/owner.ts'
import { addAll, get, startReceiver } from '../helpers/receiver.ts'
import { openStore } from '../helpers/store.ts'

const MINUTE = 60_000

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-damage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'submissions.db')
}

async function open(file: string): Promise<Store> {
  const store = await openStore({ file })
  onTestFinished(() => store.close())
  return store
}

const formOf = (name: string) => ({
  path: '/blog/029',
  fields: [['name', name] as const, ['email', `${name}@example.com`] as const],
  dataset: 'd'.repeat(64),
  isSuspect: false,
  channels: ['mail'] as const,
})

/** Stores three submissions and closes the store. Resolves to their receipts. */
async function fill(file: string): Promise<string[]> {
  const store = await openStore({ file })
  const receipts: string[] = []
  for (const name of ['ada', 'bob', 'cleo']) {
    const { receipt } = await store.add(formOf(name))
    receipts.push(receipt)
  }
  await store.close()
  return receipts
}

/** Flips the first bit of the last letter of a text, wherever the file has it. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file)
  let at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  for (; at >= 0; at = bytes.indexOf(text, at + 1)) {
    const last = at + text.length - 1
    bytes.writeUInt8(bytes.readUInt8(last) ^ 0x80, last)
  }
  writeFileSync(file, bytes)
}

/** Sets a column of the second submission to a text with a byte that is not UTF-8. */
async function setUnreadable(file: string, table: string, column: string): Promise<void> {
  const database = new Database(file, {})
  const row = table === 'submissions' ? 'id' : 'submission'
  await database.exec(`PRAGMA ignore_check_constraints = ON;
    UPDATE ${table} SET ${column} = CAST(x'62ff62' AS TEXT) WHERE ${row} = 2`)
  database.close()
}

const namesIn = (json: string) => {
  const submissions: { fields: [string, string][] }[] = JSON.parse(json)
  return submissions.map(({ fields }) => fields[0]?.[1])
}

it('a flipped bit in an address stops neither the receiver nor an export nor an erasure', async () => {
  const file = newFile()
  const receipts = await fill(file)
  flip(file, 'bob@example')
  const store = await open(file)
  expect(await store.find(receipts[1] ?? '')).toMatchObject({ damage: ['fields'] })
  await store.add(formOf('dora'))

  const env = { SUBMISSIONS_FILE: file }
  const exported = await owner(env, ['export', '--format', 'json'])
  expect(namesIn(exported.stdout)).toEqual(['ada', 'bob', 'cleo', 'dora'])
  expect(JSON.parse(exported.stdout)[1]).toMatchObject({ damage: ['fields'] })
  expect(exported.stderr).toBe(
    `submissions: 1 submission is damaged, so what you see of it may be wrong: ${receipts[1]}\n`,
  )
  expect(exported.status).toBe(1)

  const some = await owner(env, ['export', '--format', 'json', '--email', 'ada@example.com'])
  expect(namesIn(some.stdout)).toEqual(['ada'])
  expect(some.stderr).toContain(`left out: ${receipts[1]}`)
  expect(some.status).toBe(1)

  const erased = await owner(env, ['delete', '--email', 'ada@example.com', '--yes'])
  expect(erased.stdout).toContain('Deleted 1 submission. That may not be all of them.')
  expect(erased.stderr).toContain(`left out: ${receipts[1]}`)
  expect(erased.status).toBe(1)

  for (const args of [['list'], ['list', '--text', 'bob']]) {
    const listed = await owner(env, args)
    expect(listed.stdout).toMatch(/received, damaged +bob/)
    expect(listed.stderr).toContain(`may be wrong: ${receipts[1]}`)
    expect(listed.status).toBe(1)
  }

  const deleted = await owner(env, ['delete', receipts[1] ?? ''])
  expect(deleted.stdout).toContain('Deleted 1 submission.')
  expect((await owner(env, ['export', '--format', 'json'])).status).toBe(0)
})

it('the receipt of a damaged submission is not shown as if it were right', async () => {
  const file = newFile()
  const [receipt = ''] = await fill(file)
  const receiver = await startReceiver({ SUBMISSIONS_FILE: file })
  onTestFinished(() => receiver.stop())
  expect((await get(receiver.port, `/forms/received/${receipt}`)).status).toBe(200)

  const database = new Database(file, {})
  await database.exec("UPDATE submissions SET received_at = '2020-01-01T00:00:00.000Z'")
  database.close()
  expect((await get(receiver.port, `/forms/received/${receipt}`)).status).toBe(503)
})

it('what cannot be read is one mail, which names it', async () => {
  const file = newFile()
  const receipts = await fill(file)
  flip(file, 'bob@example')
  flip(file, 'cleo@example')
  const store = await open(file)
  const alarms: string[] = []
  const alarm = async (topic: string, reason: string) => void alarms.push(`${topic} ${reason}`)
  const condition: Condition = { damage: undefined }
  const log = pino({ level: 'silent' })
  const upkeep = new Upkeep({ store, config: readConfig({}), log, alarm, condition })
  onTestFinished(() => upkeep.stop())
  await vi.waitFor(() => expect(alarms).toHaveLength(1), { timeout: 3 * MINUTE })
  expect(alarms[0]).toContain(receipts[1])
  expect(alarms[0]).toContain(receipts[2])
  expect(alarms[0]).not.toContain(receipts[0])
  // Anybody may read this, so it names none.
  expect(condition.damage).toBe('damaged: 2 submissions')
})

for (const column of [
  ...['receipt', 'path', 'received_at', 'dataset', 'content_hash', 'status', 'fields', 'verdict'],
]) {
  it(`everything goes on when ${column} of a submission cannot be read, and it can be deleted`, async () => {
    const file = newFile()
    await fill(file)
    await setUnreadable(file, 'submissions', column)
    const store = await open(file)
    const env = { SUBMISSIONS_FILE: file }
    const exported = await owner(env, ['export', '--format', 'csv'], { pages: [] })
    expect(exported.stdout).toContain('ada@example.com')
    expect(exported.stdout).toContain('cleo@example.com')
    expect(exported.status).toBe(1)
    const [, receipt = ''] = /may be wrong: (\S+)/.exec(exported.stderr) ?? []
    const deleted = await owner(env, ['delete', receipt])
    expect(deleted).toMatchObject({ stderr: '', status: 0 })
    expect(await store.count()).toMatchObject({ received: 2 })
  })
}

it('a row that differs from its index is neither deleted nor copied until it is recovered', async () => {
  const file = newFile()
  const receipts = await fill(file)
  // Only in the table: the index keeps its copy.
  const bytes = readFileSync(file)
  const inTable = bytes.indexOf(`${receipts[1]}/blog`)
  bytes.write('0'.repeat(9), inTable)
  writeFileSync(file, bytes)

  const env = { SUBMISSIONS_FILE: file }
  const structure =
    /^submissions: the structure of the file is damaged:\n {2}row 2 missing from index sqlite_autoindex_submissions_1\n/
  const deleted = await owner(env, ['delete', receipts[0] ?? ''])
  expect(deleted).toMatchObject({ status: 1, stdout: '' })
  expect(deleted.stderr).toMatch(structure)
  expect(deleted.stderr).toContain('\nNothing was deleted. deploy/README.md says under "Damage" ')

  const copied = await owner(env, ['backup', `${file}.copy`])
  expect(copied).toMatchObject({ status: 1, stdout: '' })
  expect(copied.stderr).toMatch(structure)
  expect(existsSync(`${file}.copy`)).toBe(false)

  const exported = await owner(env, ['export', '--format', 'json'])
  expect(namesIn(exported.stdout)).toEqual(['ada', 'bob', 'cleo'])
  expect(exported.stderr).toMatch(structure)
  expect(exported.status).toBe(1)
})

for (const column of ['due_at', 'message', 'failure']) {
  it(`a notification is sent when its ${column} cannot be read`, async () => {
    const file = newFile()
    const receipts = await fill(file)
    await setUnreadable(file, 'outbox', column)
    const store = await open(file)
    const announced: string[] = []
    const send = async ({ submissions }: Announcement) => {
      announced.push(...submissions.map(({ receipt }) => receipt))
      return {}
    }
    const log = pino({ level: 'silent' })
    const parts = { channel: 'mail' as const, outbox: store.outbox, log, pause: 0, send }
    await owner({ SUBMISSIONS_FILE: file }, ['notifications'])
    while ((await sendNext(parts)) !== 'none');
    expect(announced.sort()).toEqual(receipts.sort())
    expect(await store.outbox.queued(9)).toEqual({ count: 0, next: [] })
  })
}

it('a notification whose submission is gone is not sent, and delays nothing', async () => {
  const file = newFile()
  await fill(file)
  const database = new Database(file, {})
  await database.exec(`PRAGMA foreign_keys = OFF;
    UPDATE outbox SET submission = 99 WHERE submission = 2;
    UPDATE outbox SET due_at = '2000-01-01T00:00:00.000Z' WHERE submission = 99`)
  database.close()
  const store = await open(file)
  const announced: number[] = []
  const send = async ({ submissions }: Announcement) => {
    announced.push(submissions.length)
    return {}
  }
  const log = pino({ level: 'silent' })
  const parts = { channel: 'mail' as const, outbox: store.outbox, log, pause: 0, send }
  while ((await sendNext(parts)) !== 'none');
  expect(announced).toEqual([1, 1])
  expect((await store.outbox.queued(0)).count).toBe(0)
})

it('"check" names what was altered', async () => {
  const file = newFile()
  const receipts = await fill(file)
  const env = { SUBMISSIONS_FILE: file }
  expect(await owner(env, ['check'])).toEqual({
    status: 0,
    stdout: 'Checked 3 submissions. No damage was found.\n',
    stderr: '',
  })

  // A letter that is another letter: readable, and only its hash differs.
  const bytes = readFileSync(file)
  bytes.write('bib', bytes.indexOf('bob@example'))
  writeFileSync(file, bytes)
  const altered = await owner(env, ['check'])
  expect(altered.stdout).toBe('Checked 3 submissions.\n')
  expect(altered.stderr).toContain('submissions: damage was found.\n1 submission damaged:\n')
  expect(altered.stderr).toContain(
    `  ${receipts[1]}  the submission: path, fields or contentHash\n`,
  )
  expect(altered.stderr).toContain('What to do:\n  1. Save what can be read')
  expect(altered.status).toBe(1)

  await owner(env, ['delete', receipts[1] ?? ''])
  expect((await owner(env, ['check'])).status).toBe(0)
})

it('a form that is sent again is stored on its own if the stored copy is damaged', async () => {
  const file = newFile()
  const [first] = await fill(file)
  flip(file, 'ada@example')
  const store = await open(file)

  const second = await store.add(formOf('ada'))
  expect(second.isRepeat).toBe(false)
  const third = await store.add(formOf('ada'))
  expect(third.isRepeat).toBe(true)

  expect(await store.find(second.receipt)).toMatchObject({ id: 4, repeats: 1 })
  expect(await store.find(third.receipt)).toMatchObject({ id: 4, repeats: 1 })
  expect(await store.find(first ?? '')).toMatchObject({ damage: ['fields'], repeats: 0 })
})

it('the check of readiness says how much is damaged', async () => {
  const condition = { damage: 'damaged: 2 submissions' }
  const receiver = await startReceiver({}, undefined, undefined, condition)
  onTestFinished(() => receiver.stop())
  const { status, body } = await get(receiver.port, '/readyz')
  expect(body).toBe('ready; damaged: 2 submissions (see the log)\n')
  expect(status).toBe(200)
})

it('posts are stored while the store is inspected', async () => {
  const store = await open(newFile())
  await addAll(
    store,
    Array.from({ length: 501 }, (_, index) => formOf(`${index}`)),
  )
  let stored = 0
  const inspection = await store.inspect(async () => {
    await store.add(formOf(`during ${stored++}`))
  })
  expect(inspection).toMatchObject({ rows: [], structure: [] })
  const { received } = await store.count()
  expect(stored).toBeGreaterThan(0)
  expect(received).toBe(501 + stored)
})

// Damage at random --------------------------------------------------------------------------------

/** Creates a store with submissions, repeats and notifications. Resolves to its bytes. */
async function largerStore(file: string): Promise<Buffer> {
  const store = await openStore({ file })
  for (let number = 0; number < 40; number++) {
    const submission = {
      ...formOf(`visitor ${number}`),
      isSuspect: number % 7 === 0,
      channels: ['mail', 'webhook'] as const,
    }
    // One in nine takes several pages.
    const message = ['message', 'hello '.repeat(number % 9 === 0 ? 900 : 20)] as const
    const sent = { ...submission, fields: [...submission.fields, message] }
    await store.add(sent)
    if (number % 5 === 0) await store.add(sent)
  }
  for (let number = 0; number < 10; number++) {
    const now = new Date()
    const until = new Date(now.getTime() + MINUTE)
    const lease = await store.outbox.lease('webhook', { now, until, pause: 0 })
    const failure = { failure: 'HTTP 500', dueAt: now, mayHaveArrived: number % 3 === 0 }
    if (lease) await store.outbox.end(lease, number % 2 ? { doneAt: now } : failure)
  }
  await store.close()
  return readFileSync(file)
}

it('a damaged value stops nothing, its submission is named, and every other one is exported', async () => {
  const good = await largerStore(newFile())
  const columns = [
    ...['receipt', 'path', 'received_at', 'dataset', 'content_hash', 'status', 'repeats'],
    ...['fields', 'verdict', 'row_hash'],
  ].map((column) => ['submissions', column] as const)
  const others = [
    ...['receipt', 'received_at', 'row_hash'].map((column) => ['repeats', column] as const),
    ...['channel', 'due_at', 'message'].map((column) => ['outbox', column] as const),
  ]
  const damage = fc.record({
    cell: fc.constantFrom(...columns, ...others),
    row: fc.nat(),
    at: fc.nat(),
    bit: fc.integer({ min: 0, max: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ cell: [table, column], row, at, bit }) => {
      const file = newFile()
      writeFileSync(file, good)
      // Another moment in the outbox is noticed by its index alone, which agrees here.
      const flipped = table === 'outbox' ? 7 : bit
      const altered = await alter(file, table, column, { row, at, bit: flipped })

      const store = await openStore({ file })
      try {
        const { rows } = await store.inspect()
        expect(rows.map(({ receipt }) => receipt)).toEqual([altered.receipt])
        await store.add(formOf('new'))
        const exported = new Set<number>()
        for await (const { id } of store.all()) exported.add(id)
        const missing = [...Array(40).keys()]
          .map((index) => index + 1)
          .filter((id) => !exported.has(id))
        expect(missing.filter((id) => id !== altered.id)).toEqual([])
      } finally {
        await store.close()
      }
    }),
    { numRuns: isLong ? 1_000 : 40 },
  )
})

/** Flips a bit of one value, by SQL, so that the indexes agree. Resolves to the submission. */
async function alter(
  file: string,
  table: string,
  column: string,
  { row, at, bit }: Record<'row' | 'at' | 'bit', number>,
): Promise<{ id: number; receipt: string }> {
  const database = new Database(file, {})
  try {
    const owner = table === 'submissions' ? 'id' : 'submission'
    const cells = await (
      await database.prepare(`SELECT rowid AS number, ${owner} AS id, typeof(${column}) AS type,
        hex(CAST(${column} AS BLOB)) AS hex FROM ${table}`)
    ).all()
    const { number, id, type, hex } = cells[row % cells.length]
    const bytes = Buffer.from(hex, 'hex')
    let value = "'x'"
    if (type === 'integer') value = String(Number(bytes) + 2 ** bit)
    else if (type === 'text') {
      const index = at % bytes.length
      bytes.writeUInt8(bytes.readUInt8(index) ^ (2 ** bit), index)
      value = `CAST(x'${bytes.toString('hex')}' AS TEXT)`
    }
    await database.exec(`PRAGMA ignore_check_constraints = ON;
      UPDATE ${table} SET ${column} = ${value} WHERE rowid = ${number}`)
    const [now] = await (
      await database.prepare(
        `SELECT hex(CAST(receipt AS BLOB)) AS hex FROM submissions WHERE id = ${id}`,
      )
    ).all()
    const text = Buffer.from(now.hex, 'hex')
    const isReadable = text.equals(Buffer.from(String(text)))
    return { id, receipt: isReadable ? String(text) : numberedReceipt(id) }
  } finally {
    database.close()
  }
}
