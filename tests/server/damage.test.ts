/** Stores in which bytes have changed: what still works, and what is said about the rest. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql/promise'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { sendNext } from '../../src/server/jobs/sender.ts'
import { Upkeep } from '../../src/server/jobs/upkeep.ts'
import type { Store } from '../../src/server/store/store.ts'
import type { Announcement } from '../../src/server/store/submission.ts'
import { owner } from '../helpers/owner.ts'
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
  expect(namesIn(exported.stdout)).toEqual(['ada', 'cleo', 'dora'])
  expect(exported.stderr).toBe(
    `submissions: 1 submission is damaged and was left out: ${receipts[1]}\n`,
  )
  expect(exported.status).toBe(1)

  const counted = await owner(env, ['count', '--email', 'ada@example.com'])
  expect(counted.stdout).toBe('1 submission\n')
  expect(counted.stderr).toContain(`left out: ${receipts[1]}`)

  const erased = await owner(env, ['delete', '--email', 'ada@example.com', '--yes'])
  expect(erased.stdout).toContain('Deleted 1 submission.')
  expect(erased.stderr).toContain(`left out: ${receipts[1]}`)

  const listed = await owner(env, ['list'])
  expect(listed.stdout).toMatch(/received, damaged +bob/)

  const deleted = await owner(env, ['delete', receipts[1] ?? ''])
  expect(deleted.stdout).toContain('Deleted 1 submission.')
  expect((await owner(env, ['export', '--format', 'json'])).status).toBe(0)
})

it('what cannot be read is one mail, which names it', async () => {
  const file = newFile()
  const receipts = await fill(file)
  flip(file, 'bob@example')
  flip(file, 'cleo@example')
  const store = await open(file)
  const alarms: string[] = []
  const alarm = async (topic: string, reason: string) => void alarms.push(`${topic} ${reason}`)
  const upkeep = new Upkeep({
    store,
    config: readConfig({}),
    log: pino({ level: 'silent' }),
    alarm,
  })
  onTestFinished(() => upkeep.stop())
  await vi.waitFor(() => expect(alarms).toHaveLength(1), { timeout: 3 * MINUTE })
  expect(alarms[0]).toContain(receipts[1])
  expect(alarms[0]).toContain(receipts[2])
  expect(alarms[0]).not.toContain(receipts[0])
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
    const [, receipt = ''] = /left out: (\S+)/.exec(exported.stderr) ?? []
    const deleted = await owner(env, ['delete', receipt])
    expect(deleted).toMatchObject({ stderr: '', status: 0 })
    expect(await store.count()).toMatchObject({ received: 2 })
  })
}

it('a row whose index says something else can be deleted', async () => {
  const file = newFile()
  const receipts = await fill(file)
  // Only in the table: the index keeps its copy.
  const bytes = readFileSync(file)
  const inTable = bytes.indexOf(`${receipts[1]}/blog`)
  bytes.write('0'.repeat(9), inTable)
  writeFileSync(file, bytes)
  const store = await open(file)
  const ids = await store.idsOf({ email: 'bob@example.com' })
  expect(await store.delete(ids)).toMatchObject({ deleted: 1 })
  const database = new Database(file, {})
  onTestFinished(() => database.close())
  const check = await (await database.prepare('PRAGMA integrity_check')).all()
  expect(check).toEqual([{ integrity_check: 'ok' }])
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
