import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'libsql/promise'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { PATIENCE, Queue } from '../../src/store/queue.ts'
import type { Store } from '../../src/store/store.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { openStore } from '../helpers/store.ts'

const addMany = (store: Store, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.add({
        path: '/blog/029',
        fields: [['name', `visitor ${index}`]],
        dataset: '',
        isSuspect: false,
      }),
    ),
  )

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-group-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'submissions.db')
  const store = await openStore({ file })
  onTestFinished(() => store.close())
  return { file, store }
}

it('SQLite commits waiting submissions together, in transactions of limited size', async () => {
  const { file, store } = await openFile()
  // The file change counter in the header, which every transaction increments.
  const transactions = () => readFileSync(file).readUInt32BE(24)
  const before = transactions()
  await addMany(store, 500)
  expect(transactions() - before).toBe(3)
})

it('SQLite dates a submission when its turn has come: an export may have passed what is older', async () => {
  const { file, store } = await openFile()
  const other = new Database(file, {})
  await other.exec('BEGIN IMMEDIATE')
  const waiting = addMany(store, 1)
  await setTimeout(50)
  const released = Date.now()
  await other.exec('COMMIT')
  other.close()
  const [receipt] = await waiting
  expect(Date.parse(receipt?.receivedAt ?? '')).toBeGreaterThanOrEqual(released)
})

it('a failed group does not fail the next one', async () => {
  const { file, store } = await openFile()
  await addMany(store, 1)
  renameSync(file, `${file}.moved`)
  const lost = addMany(store, 100)
  await expect(lost).rejects.toThrow(/the file is gone/)
  renameSync(`${file}.moved`, file)
  expect(await addMany(store, 100)).toHaveLength(100)
  expect(await store.count()).toMatchObject({ received: 100 })
})

it('time in the queue does not extend the deadline', async () => {
  const deadlines: number[] = []
  let release = () => {}
  const queue = new Queue<string, string>(async (begin, deadline) => {
    const group = begin()
    deadlines.push(deadline)
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return group
  })
  const before = performance.now()
  const first = queue.add('first')
  const second = queue.run(async (deadline) => deadlines.push(deadline))
  const added = performance.now()
  await setTimeout(200)
  release()
  await Promise.all([first, second])
  expect(deadlines).toHaveLength(2)
  for (const deadline of deadlines) {
    expect(deadline).toBeGreaterThanOrEqual(before + PATIENCE)
    expect(deadline).toBeLessThanOrEqual(added + PATIENCE)
  }
})

it('Postgres gives up waiting for a lock at the deadline', async () => {
  const databaseUrl = await newDatabase()
  const patience = PATIENCE / 2
  const store = await openStore({ databaseUrl, patience })
  onTestFinished(() => store.close())
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN; LOCK TABLE submissions, readiness')
  const ended: number[] = []
  const waiting = [addMany(store, 1), store.probe(), addMany(store, 1)].map((each) =>
    each.finally(() => ended.push(performance.now())),
  )
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  // They joined the queue with the first, so they do not wait that long again.
  const [first = 0, , last = 0] = ended
  expect(last - first).toBeLessThan(patience)
})

it('posts that keep coming do not hold up other work', async () => {
  const events: string[] = []
  const late: Promise<unknown>[] = []
  const queue: Queue<string, string> = new Queue(async (begin) => {
    const group = begin()
    events.push(group.join('+'))
    // During each commit, another post arrives.
    await setTimeout(1)
    if (late.length < 5) late.push(queue.add(`late ${late.length}`))
    await setTimeout(1)
    return group
  })
  const early = ['first', 'second', 'third', 'fourth'].map((item) => queue.add(item))
  await queue.run(async () => events.push('other work'))
  await Promise.all([...early, ...late])
  expect(events.slice(0, 2)).toEqual(['first+second+third+fourth', 'other work'])
})

it('more posts than one group has are all stored', async () => {
  const sizes: number[] = []
  const queue = new Queue<number, number>(async (begin) => {
    const group = begin()
    sizes.push(group.length)
    return group
  })
  const items = Array.from({ length: 450 }, (_, index) => index)
  expect(await Promise.all(items.map((item) => queue.add(item)))).toEqual(items)
  expect(sizes).toEqual([200, 200, 50])
})

it('a post is refused at its deadline, however long the commit takes', async () => {
  let release = () => {}
  const queue = new Queue<string, string>(async (begin) => {
    const group = begin()
    await new Promise<void>((resolve) => (release = resolve))
    return group
  }, 200)
  await expect(queue.add('first')).rejects.toMatchObject({ mayBeStored: true })
  release()
})

it('a post that waits for a lock until its deadline is never stored', async () => {
  const stored: string[] = []
  let release = () => {}
  const queue = new Queue<string, string>(async (begin) => {
    await new Promise<void>((resolve) => (release = resolve))
    const group = begin()
    stored.push(...group)
    return group
  }, 200)
  const first = queue.add('first')
  await expect(first).rejects.toMatchObject({ mayBeStored: false })
  const late = queue.add('late')
  release()
  await setTimeout(0)
  release()
  expect([await late, stored]).toEqual(['late', ['late']])
})

it('what waits too long is refused at once, and never stored', async () => {
  const stored: string[] = []
  const queue = new Queue<string, string>(async (begin) => {
    const group = begin()
    stored.push(...group)
    return group
  }, 200)
  let release = () => {}
  const busy = queue.run(() => new Promise<void>((resolve) => (release = resolve)))
  const early = ['first', 'second'].map((item) => queue.add(item))
  const look = queue.run(async () => stored.push('look'))
  const outcomes = await Promise.allSettled([...early, look])
  expect(outcomes).toMatchObject(Array(3).fill({ reason: { mayBeStored: false } }))
  const late = queue.add('late')
  release()
  await Promise.all([busy, late])
  expect(stored).toEqual(['late'])
})

it('a turn that comes at the deadline still ends', async () => {
  const queue = new Queue<string, string>(async (begin) => begin(), 50)
  let release = () => {}
  const busy = queue.run(() => new Promise<void>((resolve) => (release = resolve)))
  const look = queue.run(async () => 'seen')
  await setTimeout(0)
  // No timer fires meanwhile.
  const end = performance.now() + 100
  while (performance.now() < end);
  release()
  await busy
  expect(await look).toBe('seen')
})
