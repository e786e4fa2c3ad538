/** Measures the built site against its budgets, and two peers: `npm run bench:site`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.ts'
import { type Sample, writeSample } from './data.ts'
import { installPeers, ownGenerator } from './generators.ts'
import { answerRows, type Built, buildRows, loadRows, qualityRows } from './rows.ts'
import { isMet, table } from './table.ts'

const HELP = `Measures the built site against its budgets, and compares it with Astro and Eleventy.

Usage: npm run bench:site -- [options]

  --quick          one round, at 100 and 1,000 pages only
  --rounds <n>     builds of each size, and visits for each time (default 3)
  --lighthouse <n> runs of Lighthouse for the index and for a page, 0 for none (default 5)
  --no-peers       this site only
  --out <file>     writes the Markdown that is printed there, too
  --help           show this and measure nothing

Needs a network for the peers and Lighthouse, and says so where there is none. Takes about
15 minutes. Exit status: 0 when every budget that was measured is met, 1 when one is missed,
2 when an option is wrong.`

const values = options()
if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const rounds = count('rounds', values.quick ? 1 : 3)
  const audits = count('lighthouse', values.quick ? 1 : 5)
  const sizes = values.quick ? [100, 1_000] : [100, 1_000, 10_000]

  const temp = mkdtempSync(join(tmpdir(), 'bench-site-'))
  process.on('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  const samples = sizes.map((size) => writeSample(join(temp, `${size}`), size))
  const site = ownGenerator(temp)
  const generators = [site, ...(values.peers ? await installPeers(temp) : [])]
  const built: Built = (generator, { size }) =>
    join(temp, `${size}`, `${generators.indexOf(generator)}`)

  const builds = await buildRows(generators, samples, built, rounds)
  const browser = await openBrowser()
  const [smallest, largest] = [samples[0] as Sample, samples.at(-1) as Sample]
  const rows = [
    ...(await loadRows(generators, samples, built, browser)),
    ...(await answerRows(largest, built(site, largest), browser, rounds)),
    ...builds,
    ...(await qualityRows(temp, smallest, built(site, smallest), audits)),
  ]

  const [own = '', ...peers] = generators.map(({ name }) => name)
  const text = `${machine(browser.version)}\n\n${table(rows, own, peers)}\n`
  console.log(text)
  if (values.out) writeFileSync(values.out, text)
  await browser.close()
  process.exitCode = rows.some((row) => isMet(row) === false) ? 1 : 0
}

function options() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        lighthouse: { type: 'string' },
        peers: { type: 'boolean', default: true },
        out: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function machine(browser: string): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  return [
    `${cores.length} cores (${cores[0]?.model.trim()}), ${memory} GiB, load ${load} at the end;`,
    `${process.platform}, Node ${process.version}, Chromium ${browser}.`,
    'Medians, with least and most over the rounds; 1 kB is 1,000 bytes.',
  ].join(' ')
}

function count(name: 'rounds' | 'lighthouse', usual: number): number {
  const text = values[name]
  if (text === undefined) return usual
  if (/^\d+$/.test(text)) return Number(text)
  return refuse(`--${name} must be a whole number, but is "${text}"`)
}

function refuse(message: string): never {
  console.error(`bench:site: ${message}`)
  process.exit(2)
}
