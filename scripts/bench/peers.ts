/** Builds a dataset from a folder of batches, with this project and with its peers. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Sample } from './data.ts'
import { type Cost, measure, run, type Where } from './site/child.ts'

const HERE = import.meta.dirname
const BUILD_DATA = join(HERE, '../build-data/build-data.ts')
const TSX = createRequire(import.meta.url).resolve('tsx/cjs')

export interface Peer {
  name: string
  /** Whether it validates against the schema. */
  validates: boolean
  /** Whether its rules accept instants as the mixed batches spell them; true by default. */
  isForMixed?: boolean
  /** The result file, relative to the output folder; undefined if it writes none. */
  result?: string
  /** Says what it does if it writes none. */
  instead?(sample: Sample): string
  /** Builds a dataset into a folder. */
  build(sample: Sample, out: string): Promise<Cost>
}

/**
 * The real command, on the batches and on those with problems, which it must report. It builds
 * an empty batch first, so that the schema is already compiled, as for a rebuild.
 *
 * @param node another Node to run it with, besides this one
 */
export function own(temp: string, schema: string, node?: string): [Peer, Peer, ...Peer[]] {
  const before = join(temp, 'before')
  mkdirSync(before)
  writeFileSync(join(before, 'batch.json'), '[]\n')
  const command = ['--require', TSX, BUILD_DATA, '--schema', schema]
  const rebuild = async (batches: string, out: string, where?: Where) => {
    await run(process.execPath, [...command, '--batches', before, '--out', out])
    return measure(temp, [...command, '--batches', batches, '--out', out], where)
  }
  const countOf = ({ problems }: Sample) => `${problems.toLocaleString('en')} problems`
  return [
    {
      name: 'ManyURLs',
      validates: true,
      result: 'dataset.json',
      build: ({ batches }, out) => rebuild(batches, out),
    },
    {
      name: 'ManyURLs, with problems',
      validates: true,
      instead: (sample) => `reports ${countOf(sample)}`,
      build(sample, out) {
        return rebuild(sample.faulty, out, { expected: { status: 1, text: countOf(sample) } })
      },
    },
    ...(node
      ? [
          {
            name: `ManyURLs by Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`,
            validates: true,
            result: 'dataset.json',
            build: ({ batches }: Sample, out: string) => rebuild(batches, out, { node }),
          },
        ]
      : []),
  ]
}

/** The peers that need no installation. */
export function programs(temp: string, schema: string): Peer[] {
  const program = (file: string, options: string[] = []) => ({
    build({ batches }: Sample, out: string) {
      const env = { BENCH_BATCHES: batches, BENCH_OUT: out, BENCH_SCHEMA: schema }
      return measure(temp, [...options, join(HERE, 'programs', file)], { env })
    },
  })
  const jq = spawnSync('jq', ['--version'], { encoding: 'utf8' })
  const result = 'pages.json'
  return [
    {
      name: 'Plain loop',
      validates: true,
      result,
      ...program('plain-loop.ts', ['--import', 'tsx']),
    },
    {
      name: 'JSON.parse alone',
      validates: false,
      instead: () => 'makes no dataset',
      ...program('parse-alone.js'),
    },
    ...(jq.status === 0
      ? [{ name: jq.stdout.trim(), validates: false, result, ...program('jq.js') }]
      : []),
  ]
}

const INSTALLED = [
  { name: 'DuckDB', folder: 'duckdb', module: '@duckdb/node-api', script: 'build.js' },
  {
    name: 'DuckDB, validating',
    folder: 'duckdb',
    module: '@duckdb/node-api',
    script: 'build.js',
    env: { BENCH_VALIDATE: '1' },
  },
  {
    name: 'content-collections',
    folder: 'content-collections',
    module: '@content-collections/core',
    script: 'build.js',
  },
  {
    name: 'Velite',
    folder: 'velite',
    module: 'velite',
    script: 'node_modules/velite/bin/velite.js',
  },
  {
    name: 'Velite, deduped in prepare',
    folder: 'velite',
    module: 'velite',
    script: 'node_modules/velite/bin/velite.js',
    env: { BENCH_PREPARE: '1' },
  },
]

const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']

/**
 * Installs peers into the folder for temporary files. Leaves out those that cannot be installed,
 * with a message on standard error.
 */
export async function installPeers(temp: string, schema: string): Promise<Peer[]> {
  const peers: Peer[] = []
  const missing = new Set<string>()
  for (const { name, folder, module, script, env: own } of INSTALLED) {
    const root = join(temp, folder)
    if (!existsSync(root)) {
      cpSync(join(HERE, 'peers', folder), root, { recursive: true })
      cpSync(join(HERE, 'peers/page.js'), join(root, 'page.js'))
      try {
        await run('npm', INSTALL, { cwd: root })
      } catch (error) {
        missing.add(folder)
        console.error(`bench: cannot install ${module}: ${(error as Error).message}`)
      }
    }
    if (missing.has(folder)) {
      console.error(`bench: ${name} is left out`)
      continue
    }
    const installed = join(root, 'node_modules', module, 'package.json')
    const { version } = JSON.parse(readFileSync(installed, 'utf8'))
    peers.push({
      name: name.replace(/^[\w-]+/, (first) => `${first} ${version}`),
      validates: folder !== 'duckdb' || own !== undefined,
      result: 'pages.json',
      ...(own && folder === 'duckdb' && { isForMixed: false }),
      build({ batches }, out) {
        rmSync(join(root, '.content-collections'), { recursive: true, force: true })
        const env = { BENCH_BATCHES: batches, BENCH_OUT: out, BENCH_SCHEMA: schema, ...own }
        return measure(temp, [join(root, script)], { cwd: root, env })
      },
    })
  }
  return peers
}
