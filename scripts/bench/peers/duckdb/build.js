// One statement: read, number, rank, write. BENCH_VALIDATE adds the rules that SQL can express.
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'

const { BENCH_BATCHES, BENCH_OUT, BENCH_SCHEMA, BENCH_VALIDATE } = process.env
const { path, title } = JSON.parse(readFileSync(BENCH_SCHEMA, 'utf8')).$defs.page.properties
const RULES = `
  regexp_full_match(path, '${path.pattern}')
  AND regexp_full_match(title, '${title.pattern}')
  AND regexp_full_match(contentHtml,
    '(<p>([^<>&\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}]|&(amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)+</p>){1,5}')
  AND regexp_full_match(createdAt, '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z')
  AND regexp_full_match(updatedAt, '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z')
  AND updatedAt >= createdAt AND updatedAt[:10] = createdAt[:10]`
const database = await DuckDBInstance.create(':memory:')
const connection = await database.connect()
await connection.run(`COPY (
  SELECT path, title, contentHtml, form, createdAt, updatedAt
  FROM (
    SELECT *, row_number() OVER () AS position
    FROM read_json('${BENCH_BATCHES}/*.json', format = 'array', filename = 'batch', columns = {
      path: 'VARCHAR', title: 'VARCHAR', contentHtml: 'VARCHAR', form: 'JSON',
      createdAt: 'VARCHAR', updatedAt: 'VARCHAR'})
    ${BENCH_VALIDATE ? `WHERE CASE WHEN ${RULES} THEN true ELSE error('invalid: ' || path) END` : ''}
  )
  QUALIFY row_number() OVER (PARTITION BY path ORDER BY batch, position) = 1
  ORDER BY batch, position
) TO '${BENCH_OUT}/pages.json' (FORMAT json, ARRAY true)`)
