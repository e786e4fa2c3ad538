/** Runs programs, and formats what they cost as a table. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Cost {
  /** From start to exit, including Node's own start, in seconds. */
  seconds: number
  /** The processor time of all threads, in seconds. */
  cpu: number
  /** The peak of resident memory, in bytes. */
  memory: number
}

/**
 * Runs a Node program to its end.
 *
 * @param args may begin with options of Node
 * @param temp a folder for temporary files
 * @throws Error with its output, if it fails
 */
export async function measure(
  args: string[],
  temp: string,
  env: Record<string, string> = {},
): Promise<Cost> {
  const cost = join(temp, 'cost.json')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--require', join(import.meta.dirname, 'probe.cjs'), ...args],
    {
      env: { ...process.env, NODE_ENV: 'production', ...env, BENCH_COST: cost },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const status = await new Promise((resolve) => child.on('close', resolve))
  const seconds = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(`${args.join(' ')}: status ${status}\n${output.slice(-2000)}`)
  return { seconds, ...JSON.parse(readFileSync(cost, 'utf8')) }
}

/** One line of a table: a name, and one number of each round for each column. */
export interface Row {
  name: string
  values: number[][]
}

export function rowOf(name: string, costs: readonly Cost[]): Row {
  const values = [
    costs.map(({ seconds }) => seconds),
    costs.map(({ cpu }) => cpu),
    costs.map(({ memory }) => memory / 1e6),
  ]
  return { name, values }
}

export const COSTS = ['seconds', 'processor seconds', 'peak MB']

/** A Markdown table of medians, with the least and the most of each. */
export function table(title: string, columns: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line([title, ...columns]),
    line(['---', ...columns.map(() => '--:')]),
    ...rows.map(({ name, values }) => line([name, ...values.map(formatRounds)])),
  ].join('\n')
}

function formatRounds(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [least = Number.NaN, most = Number.NaN] = [sorted[0], sorted.at(-1)]
  const spread = least === most ? '' : ` (${round(least)}–${round(most)})`
  return round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) + spread
}

function round(value: number): string {
  const digits = value < 100 ? 2 : 0
  const settings = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return value.toLocaleString('en', settings)
}
