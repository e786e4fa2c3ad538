import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sampleBatches } from '../../scripts/samples/batches.ts'
import { createCollections } from '../helpers/collections.ts'
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
const ENGINES = readFileSync(join(BUILD, 'engines.md'), 'utf8')
const [LOAD = ''] = /create table records as from read_json\(.*?\)(?=`)/.exec(ENGINES) ?? []

/** Such as "schema('rank int, batch string')" and "rank:INT64,batch:STRING`". */
const [, COLUMNS_OF_SPARK = ''] = /schema\('(.*?)'\)/.exec(ENGINES) ?? []
const [COLUMNS_OF_BIGQUERY = ''] = /rank:[\w:,]+(?=`)/.exec(ENGINES) ?? []

test('each block of the engines is a statement that is run here, but for two', () => {
  const languages = [...ENGINES.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, name]) => name)
  // The first is for psql, which the tests don't need: they load the lines themselves. The last one
  // needs Dask; it was tried by hand.
  expect(languages).toEqual(['', 'sql', 'sql', 'python'])
})

test('each row of the table of engines is run here, or says that it was not', () => {
  const rows = ENGINES.match(/^\| (?!engine|---).*$/gm) ?? []
  const unclear = rows.filter((row) => !/\[tested\]|tried by hand|not tried/.test(row))
  expect([rows.length, unclear]).toEqual([5, []])
})

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

/** Creates the records of a collection in two shards, and its dataset. */
async function deliverCollection() {
  const numbers = [1, 2, 3, 10]
  const files = numbers.map((n) => [`d/${n}.json`, [{ id: `a${n}` }, { id: 'same', n }]])
  const { folder, run, at, read } = createCollections(Object.fromEntries(files), {
    things: { files: 'd', id: 'id', duplicates: 'drop' },
  })
  expect((await run('build')).status).toBe(0)

  for (const shard of ['1/2', '2/2']) {
    const args = ['--records', at(`parts/${shard[0]}`), '--shard', shard]
    expect((await run('build', 'things', ...args)).status).toBe(0)
  }
  const shards = [1, 2].map((shard) => join(folder, `parts/${shard}`))
  return { folder, shards, dataset: read('generated/things.json') }
}

/** Connects to a DuckDB in memory. */
async function connectToDuck() {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  onTestFinished(() => connection.closeSync())
  return connection
}

/** Columns as Spark and BigQuery declare them, for `read_json`: `{rank: 'int', batch: 'string'}`. */
function columnsOf(declaration: string): string {
  const columns = declaration.split(/, ?/).map((column) => column.split(/[ :]/))
  return `{${columns.map(([name, type]) => `${name}: '${type}'`).join(', ')}}`
}

/** What makes the records of an engine from the lines of all shards. */
const READINGS = {
  DuckDB: [LOAD],
  Spark: [LOAD.replace(/\{.*\}/, columnsOf(COLUMNS_OF_SPARK))],
  BigQuery: [LOAD.replace(/\{.*\}/, columnsOf(COLUMNS_OF_BIGQUERY))],
  'a shard of Postgres': [
    `create table lines as select json as line from read_json_objects('parts/[0-9]*/*.jsonl')`,
    OF_SHARD,
  ],
}

describe.each([
  ['a site', deliver],
  ['a collection', deliverCollection],
])('of the records of %s', (_, deliverRecords) => {
  test.each(Object.entries(READINGS))(
    'the statements for %s find the dataset',
    async (_, statements) => {
      const { folder, dataset } = await deliverRecords()
      const connection = await connectToDuck()
      const parts = join(folder, 'parts/').replaceAll("'", "''")
      for (const sql of statements) await connection.run(sql.replace('parts/', parts))

      const rows = (await connection.runAndReadAll(QUERY)).getRowObjects()
      const winners = rows.map(({ record }) => JSON.parse(String(record)))
      expect(winners).toEqual(JSON.parse(dataset))
    },
  )
})

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
  const connection = await connectToDuck()
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
