import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sampleBatches } from '../../scripts/samples/batches.ts'
import { isLong } from '../helpers/long.ts'
import { newDatabase } from '../helpers/postgres.ts'
import { createWorkspace, runBuildData } from '../helpers/workspace.ts'

const BUILD = join(import.meta.dirname, '../../src/build')
const blocksOf = (file: string) =>
  [...readFileSync(join(BUILD, file), 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(
    ([, sql]) => sql as string,
  )
const [QUERY = ''] = blocksOf('README.md')
const [OF_SHARD = '', OF_COORDINATOR = ''] = blocksOf('engines.md')
const [LOAD = ''] =
  /create table records as from read_json\(.*?\)(?=`)/.exec(
    readFileSync(join(BUILD, 'engines.md'), 'utf8'),
  ) ?? []

/** Creates the records of sample batches in three shards, and the dataset of one machine. */
async function deliver() {
  const workspace = createWorkspace()
  const { folder, batches } = workspace
  const options = { pages: 1_000, batches: 12, duplicates: 1, forms: 0.3, seed: 7 }
  let number = 0
  // Without leading zeros: batch-10 comes after batch-9.
  for (const batch of sampleBatches(options)) workspace.batch(`batch-${++number}.json`, batch)
  expect((await workspace.build()).status).toBe(0)
  const shards = [1, 2, 3].map((shard) => join(folder, `parts/${shard}`))
  for (const [index, shard] of shards.entries()) {
    const args = ['--batches', batches, '--records', shard, '--shard', `${index + 1}/3`]
    expect((await runBuildData(args)).status).toBe(0)
  }
  return { folder, shards, dataset: workspace.read('dataset.json') }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns the dataset that a build creates from the winners of an engine. */
async function build(folder: string, winners: string): Promise<string> {
  mkdirSync(join(folder, 'winners'))
  writeFileSync(join(folder, 'winners/winners.json'), winners)
  const out = join(folder, 'out-of-winners')
  const { status } = await runBuildData(['--batches', join(folder, 'winners'), '--out', out])
  expect(status).toBe(0)
  return readFileSync(join(out, 'dataset.json'), 'utf8')
}

test('DuckDB finds the dataset in all shards at once, and in shards deduped separately in any order', async () => {
  const { folder, shards, dataset } = await deliver()
  expect(JSON.parse(dataset)).toHaveLength(1_000)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  onTestFinished(() => connection.closeSync())
  const query = async () => {
    const rows = (await connection.runAndReadAll(QUERY)).getRowObjects()
    return `[${rows.map(({ record }) => record).join()}]`
  }

  await connection.run(LOAD.replace('parts/', join(folder, 'parts/').replaceAll("'", "''")))
  const winners = await query()
  expect(digest(await build(folder, winners))).toBe(digest(dataset))

  for (const shard of [2, 0, 1]) {
    await connection.run(`create table whole${shard} as from records where rank % 3 = ${shard}`)
    await connection.run(
      `create table shard${shard} as ${QUERY.replace('from records', `from whole${shard}`)}`,
    )
  }
  await connection.run(
    `create or replace table records as ${shards.map((_, shard) => `from shard${2 - shard}`).join(' union all ')}`,
  )
  expect(await query()).toBe(winners)
})

test.runIf(isLong)('three Postgres shards and a coordinator find the dataset', async () => {
  const { folder, shards, dataset } = await deliver()
  const connect = async () => {
    const url = await newDatabase()
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    const { port, pathname } = new URL(url)
    return { client, port, name: pathname.slice(1) }
  }

  const coordinator = (await connect()).client
  for (const [index, shard] of shards.entries()) {
    const { client, port, name } = await connect()
    await client.query('create table lines (line json)')
    for (const file of readdirSync(shard)) {
      const lines = readFileSync(join(shard, file), 'utf8').trimEnd().split('\n')
      await client.query('insert into lines select unnest($1::json[])', [lines])
    }
    await client.query(OF_SHARD)
    await client.query(`create view winners as ${QUERY}`)
    const here = `host '127.0.0.1', port '${port}', dbname '${name}'`
    const sql = OF_COORDINATOR.replaceAll('shard1', `shard${index + 1}`)
    const there = sql
      .replace(/host '\w+', dbname '\w+'/, here)
      .replace(/user '\w+'/, "user 'tester'")
    await coordinator.query(there)
  }
  await coordinator.query(
    `create view records as ${shards.map((_, index) => `select * from shard${index + 1}`).join(' union all ')}`,
  )
  const { rows } = await coordinator.query(QUERY)
  const winners = `[\n${rows.map(({ record }) => JSON.stringify(record)).join(',\n')}\n]\n`
  expect(digest(winners)).toBe(digest(dataset))
  expect(digest(await build(folder, winners))).toBe(digest(dataset))
})
