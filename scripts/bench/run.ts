/** Measures `build-data` and its peers: `npm run bench`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findDifference, type Sample, SPELLINGS, writeSample, writeSchema } from './data.ts'
import { installPeers, own, type Peer, programs } from './peers.ts'
import { drawPlots } from './plot.ts'
import type { Cost } from './site/child.ts'
import { median } from './site/table.ts'

const HELP = `Compares build-data with its peers, each run a cold process, the peers taking turns.

Usage: npm run bench -- [options]

  --quick            one round, at 100 and 10,000 pages only
  --rounds <n>       rounds (default 5)
  --pages <list>     numbers of pages, 1.3 records each (default 100,10000,100000,1000000)
  --no-peers         this project, the plain loop, JSON.parse and jq only
  --own              this project only
  --node <program>   another Node to run this project with, such as that of another version
  --out <folder>     writes bench.md and bench.svg there, besides printing the tables
  --help             show this and measure nothing

Needs a network for the peers, and says so where there is none. A peer that fails, or takes more
than 90 seconds, is skipped for larger sizes. Takes about 30 minutes and 8 GB of disk.
Exit status: 0 when all is measured and every own result is right, 1 when one is not, 2 when an
option is wrong.`

/** The number of pages from which each spelling is measured. */
const SPELLED = 100_000

/** In seconds: a peer that takes longer gets no larger samples. */
const PATIENCE = 90

const NAMES: Record<string, string> = { own: '', mixed: ' spelled in many ways' }

interface Result {
  peer: Peer
  sample: Sample
  costs: Cost[]
  /** What is wrong with the result; undefined if nothing is. */
  remark: string | undefined
}

const values = options()
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const rounds = Number(whole('rounds', values.rounds ?? (values.quick ? '1' : '5')))
  const sizes = (values.pages ?? (values.quick ? '100,10000' : '100,10000,100000,1000000'))
    .split(',')
    .map((text) => Number(whole('pages', text)))

  if (values.out === '') refuse('--out is empty; name a folder, such as .')

  const temp = mkdtempSync(join(tmpdir(), 'bench-'))
  process.on('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  const schema = writeSchema(join(temp, 'batch.schema.json'))
  const [ours, withProblems, ...byOtherNode] = own(temp, schema, values.node)
  const peers = [
    ours,
    withProblems,
    ...byOtherNode,
    ...(values.peers && !values.own ? await installPeers(temp, schema) : []),
    ...(values.own ? [] : programs(temp, schema)),
  ]
  const results: Result[] = []
  for (const size of sizes) {
    for (const spelling of size >= SPELLED ? SPELLINGS : SPELLINGS.slice(0, 1)) {
      tell(`writing ${size} pages, spelling: ${spelling}`)
      const sample = writeSample(join(temp, `${size}`), size, spelling)
      results.push(...(await measureAll(peers, sample, rounds, temp, results)))
      rmSync(sample.folder, { recursive: true })
    }
  }

  const text = `${machine()}\n\n${samplesOf(results)
    .map((sample) => table(results, sample))
    .join('\n\n')}\n`
  console.log(text)
  if (values.out) {
    mkdirSync(values.out, { recursive: true })
    writeFileSync(join(values.out, 'bench.md'), text)
    const shown = peers.filter((peer) => peer !== withProblems)
    writeFileSync(join(values.out, 'bench.svg'), plot(shown, results))
  }
  const isOurs = (peer: Peer) => peer === ours || peer === withProblems
  const isRight = results.every(({ peer, remark }) => !isOurs(peer) || remark === undefined)
  process.exitCode = isRight ? 0 : 1
}

/** Every peer runs once per round, so that other load on the machine affects all alike. */
async function measureAll(
  peers: Peer[],
  sample: Sample,
  rounds: number,
  temp: string,
  before: Result[],
): Promise<Result[]> {
  const hasGivenUp = (peer: Peer) =>
    before.some(({ peer: each, costs, remark }) => {
      const isSlow = costs.some(({ seconds }) => seconds > PATIENCE)
      return each === peer && (isSlow || (remark !== undefined && costs.length === 0))
    })
  const results = peers
    .filter(
      (peer) => !hasGivenUp(peer) && !(sample.spelling === 'mixed' && peer.isForMixed === false),
    )
    .map((peer): Result => ({ peer, sample, costs: [], remark: undefined }))
  for (let round = 1; round <= rounds; round++) {
    for (const result of results) {
      const { peer, costs } = result
      if (result.remark !== undefined && costs.length === 0) continue
      if (costs.some(({ seconds }) => seconds > PATIENCE)) continue
      tell(`${sample.pages} pages, round ${round} of ${rounds}: ${peer.name}`)
      const out = join(temp, 'out')
      rmSync(out, { recursive: true, force: true })
      mkdirSync(out)
      try {
        costs.push(await peer.build(sample, out))
        // The result of this project, which is the first, is checked in every round.
        if (peer.result && (costs.length === 1 || result === results[0])) {
          result.remark ??= await findDifference(join(out, peer.result), sample)
        }
      } catch (error) {
        const lines = (error as Error).message.split('\n')
        result.remark = 'fails'
        tell(`${peer.name} fails: ${lines.slice(0, 12).join('\n')}`)
      }
    }
  }
  return results
}

function samplesOf(results: Result[]): Sample[] {
  return [...new Set(results.map(({ sample }) => sample))]
}

function table(results: Result[], of: Sample): string {
  const rows = results.filter(({ sample }) => sample === of)
  const [first] = rows
  if (!first) return ''
  const { records, bytes, spelling } = of
  const base = median(first.costs.map(({ seconds }) => seconds))
  const head = `${records.toLocaleString('en')} records${NAMES[spelling] ?? ` as ${spelling} writes them`}, ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
  const lines = rows.map(({ peer, costs, remark }) => {
    const seconds = costs.map((cost) => cost.seconds)
    const result = remark ?? peer.instead?.(first.sample) ?? '✓'
    const checks = peer.validates ? 'yes' : 'no'
    if (costs.length === 0) return `| ${peer.name} | ${checks} | ${result} | | | |`
    const memory = Math.round(median(costs.map((cost) => cost.memory)) / 1e6)
    const spread = `${seconds2(Math.min(...seconds))}–${seconds2(Math.max(...seconds))}`
    const ratio = `${(median(seconds) / base).toFixed(2)}`
    return `| ${peer.name} | ${checks} | ${result} | ${seconds2(median(seconds))} (${spread}) | ${ratio} | ${memory.toLocaleString('en')} |`
  })
  return [
    `| ${head} | validates | right pages, in order | seconds (least–most) | ratio | peak MB |`,
    '| --- | --- | --- | --: | --: | --: |',
    ...lines,
  ].join('\n')
}

function seconds2(value: number): string {
  return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

function plot(peers: Peer[], results: Result[]): string {
  const mixed = results.filter(({ sample }) => sample.spelling === 'mixed')
  const lines = (pick: (cost: Cost) => number) => [
    ...peers.map((peer) => ({
      name: peer.name,
      points: results
        .filter(({ sample, costs, ...result }) => {
          return result.peer === peer && costs.length > 0 && sample.spelling === 'own'
        })
        .map(({ sample, costs }) => ({ x: sample.records, y: median(costs.map(pick)) })),
    })),
    ...peers.slice(0, 2).map((peer) => ({
      name: `${peer.name}, spelled in many ways`,
      points: mixed
        .filter((result) => result.peer === peer && result.costs.length > 0)
        .map(({ sample, costs }) => ({ x: sample.records, y: median(costs.map(pick)) })),
    })),
  ]
  return drawPlots([
    { title: 'Seconds', lines: lines(({ seconds }) => seconds), format: String },
    { title: 'Peak memory, MB', lines: lines(({ memory }) => memory / 1e6), format: String },
  ])
}

function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  return [
    `${cores.length} cores (${cores[0]?.model.trim()}), ${memory} GiB, load ${load} at the end;`,
    `${process.platform}, Node ${process.version}. Medians of cold processes that took turns.`,
  ].join(' ')
}

function options() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        pages: { type: 'string' },
        peers: { type: 'boolean', default: true },
        own: { type: 'boolean', default: false },
        node: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function whole(name: string, text: string): string {
  return /^[1-9]\d*$/.test(text)
    ? text
    : refuse(`--${name} must be whole numbers from 1, but is "${text}"`)
}

function tell(text: string): void {
  console.error(`bench: ${text}`)
}

function refuse(message: string): never {
  console.error(`bench: ${message}`)
  process.exit(2)
}
