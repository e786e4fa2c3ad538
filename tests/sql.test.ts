import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareBatches } from '../src/dataset/dedupe.ts'
import { sampleBatches } from '../src/samples/batches.ts'
import { createWorkspace, runBuildData } from './workspace.ts'

const readme = readFileSync(join(import.meta.dirname, '../src/pipeline/README.md'), 'utf8')
const [, QUERY = ''] = /```sql\n([\s\S]*?)```/.exec(readme) ?? []

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => connection.closeSync())

/** Makes the table of records, with what the precedence rule knows of each. */
async function load(folder: string) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const selects = names.sort(compareBatches).map((name, batch) => {
    const file = join(folder, name).replaceAll("'", "''")
    return `select ${batch} as batch, position, content -> position as record from (
      select content, unnest(generate_series(0, json_array_length(content)::int - 1)) as position
      from (select content::json as content from read_text('${file}')))`
  })
  const columns = ['path', 'title', 'contentHtml', 'createdAt', 'updatedAt']
  await connection.run(`create or replace table records as
    select batch, position, record -> 'form' as form,
      ${columns.map((column) => `record ->> '${column}' as "${column}"`).join(', ')}
    from (${selects.join(' union all ')})`)
}

/** The pages that the query of the documentation finds. */
async function query(): Promise<unknown[]> {
  const rows = (await connection.runAndReadAll(QUERY)).getRowObjects()
  return rows.map(({ form, ...row }) => ({ ...row, form: JSON.parse(form as string) }))
}

test('the query of the documentation finds the dataset of the committed batches', async () => {
  const { out, read } = createWorkspace()
  const batches = join(import.meta.dirname, '../raw-batches')
  await runBuildData(['--batches', batches, '--out', out])
  await load(batches)
  expect(await query()).toEqual(JSON.parse(read('dataset.json')))
})

test('shards that were deduped apart, and put together in any order, are the dataset', async () => {
  const workspace = createWorkspace()
  const options = { pages: 1_000, batches: 12, duplicates: 1, forms: 0.3, seed: 7 }
  let number = 0
  // Without zeros before them: batch-10 comes after batch-9.
  for (const batch of sampleBatches(options)) workspace.batch(`batch-${++number}.json`, batch)
  expect((await workspace.build()).status).toBe(0)
  const dataset = JSON.parse(workspace.read('dataset.json'))
  expect(dataset).toHaveLength(1_000)

  await load(workspace.batches)
  expect(await query()).toEqual(dataset)
  await connection.run('create or replace table whole as from records')
  const shards: string[] = []
  for (const shard of [2, 0, 1]) {
    await connection.run(`create or replace table records as from whole where batch % 3 = ${shard}`)
    const winners = QUERY.replace(/select [\s\S]*?\nfrom/, 'select *\nfrom')
    await connection.run(`create or replace table shard${shard} as ${winners}`)
    shards.push(`select * exclude claim from shard${shard}`)
  }
  await connection.run(`create or replace table records as ${shards.join(' union all ')}`)
  expect(await query()).toEqual(dataset)
})
