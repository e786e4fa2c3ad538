/** Measures the build, the site and the receiver: `npm run bench`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { explainArguments } from '../../src/machine/arguments.ts'
import { benchBuild } from './build.ts'
import { benchForms } from './forms.ts'
import { benchReleases, CostError } from './releases.ts'
import { benchSite } from './site.ts'
import { benchStore } from './store.ts'

const ROOT = join(import.meta.dirname, '../..')

const HELP = `Measures what this project costs, beside what else one could use. Programs take turns, each a
cold process; tables have medians, with least and most.

Usage: npm run bench -- [all] [build] [releases] [site] [forms] [store] [options]

  all              every figure of the documents, as in tests/bench/figures.md (default)
  build            build-data, beside a plain loop and DuckDB
  releases         build-data, beside the releases of --releases and ajv-cli, which npm installs
  site             the site of 100 to 50,000 pages, and its filter in a Chromium, which is found
                   or installed
  forms            stored posts, beside a handler that stores nothing; needs "npm run build"
  store            backup and deletion in a store of 100,000 submissions
  --pages <list>   numbers of pages of a build, 1.3 records each (default 100,100000,1000000)
  --rounds <n>     rounds (default 5); with a million pages, one
  --releases <list>  revisions of git; the last release comes last (default: the newest tag)
  --most <ratio>   fail if build-data, or check of many files, takes more than so many times the
                   processor time of the last release, such as 1.05; ajv-cli isn't measured then
  --small          little of everything, once, to try the benchmark itself
  --help           show this and measure nothing

Exit status: 0 done, 1 a result is wrong or a program fails, 2 an option is wrong, or there's no
release to compare with.
`

const KINDS = {
  build: benchBuild,
  releases: benchReleases,
  site: benchSite,
  forms: benchForms,
  store: benchStore,
}

const OPTIONS = {
  pages: { type: 'string' },
  rounds: { type: 'string' },
  releases: { type: 'string' },
  most: { type: 'string' },
  small: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** For example "1.05". */
const RATIO = /^\d+(\.\d+)?$/

/** For example "100". */
const WHOLE_NUMBER = /^[1-9]\d*$/

process.exitCode = await main()

async function main(): Promise<number> {
  const settings = readSettings()
  if (settings === 'help') {
    process.stdout.write(HELP)
    return 0
  }

  try {
    await bench(settings)
    return 0
  } catch (error) {
    if (!(error instanceof CostError)) throw error
    console.error(`bench: ${error.message}`)
    return 1
  }
}

async function bench({ kinds, ...settings }: Exclude<ReturnType<typeof readSettings>, 'help'>) {
  const temp = mkdtempSync(join(tmpdir(), 'bench-'))
  process.on('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

  for (const kind of kinds) {
    for await (const table of KINDS[kind]({ ...settings, temp })) console.log(`${table}\n`)
  }

  const [cores, memory] = [cpus(), Math.round(totalmem() / 2 ** 30)]
  console.log(
    `${cores.length} cores (${cores[0]?.model.trim()}), ${memory} GiB, load ${loadavg()[0]?.toFixed(1)} at the end; ${process.platform}, Node ${process.version}.`,
  )
}

function readSettings() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
    const all = Object.keys(KINDS) as (keyof typeof KINDS)[]
    const unknown = positionals.find((kind) => ![...all, 'all'].includes(kind))
    if (unknown) throw new Error(`there is no benchmark "${unknown}"; --help lists them`)
    if (values.help) return 'help'

    const { small: isSmall } = values
    const isAll = positionals.length === 0 || positionals.includes('all')
    const kinds = isAll ? all : all.filter((kind) => positionals.includes(kind))
    const pages = values.pages ?? (isSmall ? '100' : '100,100000,1000000')
    const rounds = wholeNumber('rounds', values.rounds ?? (isSmall ? '1' : '5'))
    const numbers = pages.split(',').map((text) => wholeNumber('pages', text))
    const releases = kinds.includes('releases') ? revisions(values.releases) : []
    const most = values.most === undefined ? undefined : ratio(values.most)
    if (most !== undefined && releases.length === 0)
      throw new Error('--most is only for the benchmark "releases"')

    return { kinds, pages: numbers, rounds, releases, most, isSmall }
  } catch (error) {
    console.error(`bench: ${explainArguments(error as Error, Object.keys(OPTIONS))}`)
    process.exit(2)
  }
}

/** Returns the revisions that `--releases` lists, or the tag of the last release, such as `v0.4.0`. */
function revisions(list: string | undefined): string[] {
  if (list !== undefined) return list.split(',')

  const args = ['tag', '--list', 'v*', '--sort=-version:refname']
  const [newest = ''] = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  if (newest === '')
    throw new Error(
      `there's no tag of a release to compare with; "git fetch --tags" gets those of the remote, and --releases names another revision`,
    )
  return [newest]
}

function ratio(text: string): number {
  if (RATIO.test(text)) return Number(text)
  throw new Error(`--most must be a number such as 1.05, not "${text}"`)
}

function wholeNumber(name: string, text: string): number {
  if (WHOLE_NUMBER.test(text)) return Number(text)
  throw new Error(`--${name} must be whole numbers from 1, not "${text}"`)
}
