/** What a build costs, beside a plain loop and DuckDB on the same batches. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes, formatNumber } from '../../src/text/wording.ts'
import { type Sample, writeSample, writeSchema } from './data.ts'
import { COSTS, inRounds, measure, type Program, table } from './measure.ts'

const HERE = import.meta.dirname
const BUILD_DATA = join(HERE, '../../scripts/build-data/build-data.ts')
const DATASET = 'dataset.json'

/** With so many pages, one round is enough. */
const MILLION = 1_000_000

export interface Settings {
  /** A folder for temporary files. */
  temp: string
  /** How many pages each build has. */
  pages: readonly number[]
  rounds: number
  /** Earlier versions to compare with, as revisions of git, such as `v0.4.0`; the last release comes last. */
  releases: readonly string[]
  /** How many times the processor time of the last release is allowed; unlimited by default. */
  most: number | undefined
  /** Whether to measure little of everything, only to try the benchmark. */
  isSmall: boolean
}

/** Yields a table for each sample. */
export async function* benchBuild({ temp, pages, rounds }: Settings): AsyncGenerator<string> {
  const schema = writeSchema(join(temp, 'batch.schema.json'))
  for (const count of pages) {
    const sample = writeSample(join(temp, 'batches'), count)
    yield await tableOf(sample, schema, temp, count < MILLION ? rounds : 1)
    rmSync(sample.batches, { recursive: true })
  }
}

async function tableOf(sample: Sample, schema: string, temp: string, rounds: number) {
  const out = join(temp, 'out')
  const { batches, records, bytes } = sample
  const env = { BENCH_BATCHES: batches, BENCH_OUT: out, BENCH_SCHEMA: schema }
  const program = (...args: string[]) => measure(args, temp, env)
  const folders = ['--schema', schema, '--batches', batches, '--out', out]
  const own = (...options: string[]) =>
    program('--require', './scripts/tsx.cjs', BUILD_DATA, ...folders, ...options)
  // The compiled schema stays, as in every build but the first.
  const forget = () => {
    for (const made of [DATASET, 'manifest.json']) rmSync(join(out, made), { force: true })
  }
  const report = ['--report', join(temp, 'report.html')]
  const loop = ['--import', 'tsx', join(HERE, 'programs/plain-loop.ts')]
  const programs: [
    name: string,
    run: () => Promise<number[]>,
    result?: string,
    prepare?: () => unknown,
  ][] = [
    ['ManyURLs', own, DATASET, forget],
    ['ManyURLs, with a report', () => own(...report), DATASET, forget],
    ['a plain loop', () => program(...loop), 'pages.json'],
    ['DuckDB, without validation', () => program(join(HERE, 'programs/duckdb.js')), 'pages.json'],
    ['an empty program by tsx', () => program('--import', 'tsx', '-e', '0')],
  ]
  const checked = programs.map(([name, run, result, prepare]): Program => {
    const runChecked = async () => {
      await prepare?.()
      const costs = await run()
      if (!result || (await sample.isIn(join(out, result)))) return costs
      throw new Error(`${name} has kept other pages than it must`)
    }
    return [name, runChecked]
  })
  await own()
  const title = `${formatNumber(records)} records, ${formatBytes(bytes)}`
  return table(title, COSTS, await inRounds(rounds, checked))
}
