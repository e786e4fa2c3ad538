/** What a build costs, beside a plain loop and DuckDB on the same batches. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sample, SPELLINGS, writeSample, writeSchema } from './data.ts'
import { COSTS, type Cost, measure, type Row, rowOf, table } from './measure.ts'

const HERE = import.meta.dirname
const BUILD_DATA = join(HERE, '../build-data/build-data.ts')

/** From so many pages on, each spelling is measured. */
const SPELLED = 100_000

type Program = [
  name: string,
  result: string | undefined,
  run: () => Promise<Cost>,
  prepare?: () => unknown,
]

export interface Settings {
  /** A folder for temporary files. */
  temp: string
  pages: readonly number[]
  rounds: number
}

/** Yields a table for each sample. */
export async function* benchBuild({ temp, pages, rounds }: Settings): AsyncGenerator<string> {
  const schema = writeSchema(join(temp, 'batch.schema.json'))
  for (const count of pages) {
    for (const spelling of count >= SPELLED ? SPELLINGS : SPELLINGS.slice(0, 1)) {
      const sample = writeSample(join(temp, 'batches'), count, spelling)
      yield await tableOf(sample, schema, temp, rounds)
      rmSync(sample.batches, { recursive: true })
    }
  }
}

/** Every program runs once per round, so that other load on the machine affects all alike. */
async function tableOf(sample: Sample, schema: string, temp: string, rounds: number) {
  const out = join(temp, 'out')
  const { batches } = sample
  const env = { BENCH_BATCHES: batches, BENCH_OUT: out, BENCH_SCHEMA: schema }
  const program = (...args: string[]) => measure(args, temp, env)
  const folders = ['--schema', schema, '--batches', batches, '--out', out]
  const own = (...options: string[]) =>
    program('--require', 'tsx/cjs', BUILD_DATA, ...folders, ...options)
  const last = join(batches, readdirSync(batches).sort().at(-1) ?? '')
  const withoutLast = async () => {
    renameSync(last, join(temp, 'last.json'))
    await own()
    renameSync(join(temp, 'last.json'), last)
  }
  // The compiled schema stays, as in every build but the first.
  const forget = () => {
    for (const made of ['dataset.json', 'manifest.json']) rmSync(join(out, made), { force: true })
    for (const name of readdirSync(join(out, '.cache')))
      if (/^batch-|^build-/.test(name)) rmSync(join(out, '.cache', name))
  }
  const report = join(temp, 'report.html')
  const programs: Program[] = [
    ['ManyURLs', 'dataset.json', () => own(), forget],
    ['ManyURLs, nothing changed', 'dataset.json', () => own()],
    ['ManyURLs, one batch added at the end', 'dataset.json', () => own(), withoutLast],
    ['ManyURLs, with a report', 'dataset.json', () => own('--report', report), forget],
    [
      'a plain loop',
      'pages.json',
      () => program('--import', 'tsx', join(HERE, 'programs/plain-loop.ts')),
    ],
    ['DuckDB, without validation', 'pages.json', () => program(join(HERE, 'programs/duckdb.js'))],
    ['an empty program by tsx', undefined, () => program('--import', 'tsx', '-e', '0')],
  ]
  const costs = programs.map((): Cost[] => [])
  const empty = join(temp, 'empty')
  for (const folder of [out, empty]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(empty, 'batch.json'), '[]')
  await own('--batches', empty)
  for (let round = 0; round < rounds; round++) {
    for (const [at, [name, result, run, prepare]] of programs.entries()) {
      await prepare?.()
      costs[at]?.push(await run())
      if (result && !(await sample.isIn(join(out, result)))) {
        throw new Error(`${name} has kept other pages than it must`)
      }
    }
  }
  const rows = programs.map(([name], at): Row => rowOf(name, costs[at] ?? []))
  const { records, bytes, spelling } = sample
  const title = `${records.toLocaleString('en')} records, ${(bytes / 1e6).toFixed(1)} MB, ${spelling}`
  return table(title, COSTS, rows)
}
