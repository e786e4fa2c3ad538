import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../src/forms/open-store.ts'
import type { Store } from '../src/forms/store.ts'
import { newDatabase } from './postgres.ts'

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

it('what waits is committed together in SQLite, in transactions that do not grow without end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-group-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'submissions.db')
  const store = await openStore({ file })
  onTestFinished(() => store.close())
  // The file change counter of the header, which every transaction raises by one.
  const transactions = () => readFileSync(file).readUInt32BE(24)
  const before = transactions()
  await addMany(store, 500)
  expect(transactions() - before).toBe(3)
})

it('what waits is committed together in Postgres', async () => {
  const databaseUrl = await newDatabase(inject('postgres'))
  const store = await openStore({ databaseUrl })
  onTestFinished(() => store.close())
  await addMany(store, 500)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query('SELECT count(DISTINCT xmin::text) AS n FROM submissions')
  expect(rows).toEqual([{ n: '3' }])
})

it('a group that fails does not fail the next', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-group-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'submissions.db')
  const store = await openStore({ file })
  onTestFinished(() => store.close())
  await addMany(store, 1)
  rmSync(file)
  const lost = addMany(store, 100)
  await expect(lost).rejects.toThrow(/was moved or deleted/)
  expect(await addMany(store, 100)).toHaveLength(100)
  expect(await store.count()).toMatchObject({ received: 100 })
})
