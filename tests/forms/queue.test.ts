import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/forms/store/open-store.ts'
import { createQueue, PATIENCE } from '../../src/forms/store/queue.ts'
import { newDatabase } from '../helpers/postgres.ts'

const submission = { path: '/blog/029', fields: [], dataset: '', isSuspect: false }

it('time in the queue does not extend the deadline', async () => {
  const deadlines: number[] = []
  let release = () => {}
  const queue = createQueue()
  const before = performance.now()
  const first = queue.run(async (deadline) => {
    deadlines.push(deadline)
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
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
  const databaseUrl = await newDatabase(inject('postgres'))
  const store = await openStore({ databaseUrl })
  onTestFinished(() => store.close())
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN; LOCK TABLE submissions, readiness')
  const ended: number[] = []
  const waiting = [store.add(submission), store.check(), store.add(submission)].map((each) =>
    each.finally(() => ended.push(performance.now())),
  )
  const outcomes = await Promise.allSettled(waiting)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  // They joined the queue with the first, so they do not wait that long again.
  const [first = 0, , last = 0] = ended
  expect(last - first).toBeLessThan(PATIENCE)
})
