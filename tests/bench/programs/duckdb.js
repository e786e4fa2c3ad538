// DuckDB, which validates nothing, as one statement: read, number, rank, write.
import { DuckDBInstance } from '@duckdb/node-api'

const { BENCH_BATCHES, BENCH_OUT } = process.env
const database = await DuckDBInstance.create(':memory:')
const connection = await database.connect()
await connection.run(`COPY (
  SELECT path, title, contentHtml, form, createdAt, updatedAt
  FROM (
    SELECT *, row_number() OVER () AS position
    FROM read_json('${BENCH_BATCHES}/*.json', format = 'array', filename = 'batch', columns = {
      path: 'VARCHAR', title: 'VARCHAR', contentHtml: 'VARCHAR', form: 'JSON',
      createdAt: 'VARCHAR', updatedAt: 'VARCHAR'})
  )
  QUALIFY row_number() OVER (PARTITION BY path ORDER BY batch, position) = 1
  ORDER BY batch, position
) TO '${BENCH_OUT}/pages.json' (FORMAT json, ARRAY true)`)
