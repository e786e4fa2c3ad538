/** Runs programs, and formats what they cost as a table. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatNumber } from '../../src/text/wording.ts'

/**
 * Runs a Node program to its end.
 *
 * @param args may begin with options of Node
 * @param temp a folder for temporary files
 * @param cwd the folder in which the program runs
 * @returns what {@link COSTS} names: the seconds from start to exit, including Node's own start, those
 *   of the processor for all threads, and the peak of resident memory
 * @throws Error with its output, if it fails
 */
export async function measure(
  args: string[],
  temp: string,
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<number[]> {
  const cost = join(temp, 'cost.json')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--require', join(import.meta.dirname, 'probe.cjs'), ...args],
    {
      cwd,
      env: { ...process.env, NODE_ENV: 'production', ...env, BENCH_COST: cost },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const status = await new Promise((resolve) => child.on('close', resolve))
  const seconds = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(`${args.join(' ')}: status ${status}\n${output.slice(-2000)}`)
  const { cpu, memory } = JSON.parse(readFileSync(cost, 'utf8'))
  return [seconds, cpu, memory / 1e6]
}

export const COSTS = ['seconds', 'processor seconds', 'peak MB']

/** One line of a table: a name, and what was measured for each column. */
export interface Row {
  name: string
  values: number[][]
}

/** What is measured: returns a value for each column, or several. */
export type Program = readonly [name: string, run: () => Promise<(number | number[])[]>]

/** Runs every program once per round, so that other load on the machine affects all alike. */
export async function inRounds(rounds: number, programs: readonly Program[]): Promise<Row[]> {
  const rows = programs.map(([name]): Row => ({ name, values: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [at, [, run]] of programs.entries()) {
      const { values } = rows[at] as Row
      for (const [column, value] of (await run()).entries())
        values[column] = [...(values[column] ?? []), value].flat()
    }
  }
  return rows
}

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

/** Two digits, because no more of them come again; so documents copy a figure as it is. */
function round(value: number): string {
  return value < 10 ? value.toPrecision(2) : formatNumber(Math.round(value))
}
