/** What the main job and many small files cost, beside earlier releases, on the same files and in turns. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatBytes, formatNumber } from '../../src/text/wording.ts'
import type { Settings } from './build.ts'
import { type Sample, writeSample, writeSchema } from './data.ts'
import { writeManyFiles } from './many-files.ts'
import { COSTS, inRounds, measure, type Program, type Row, table } from './measure.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The numbers of pages: the sample's, and a delivery of about 60,000 records. */
const PAGES = [100, 46_000]

/** The position of the processor's seconds among what `measure` returns. */
const PROCESSOR = COSTS.indexOf('processor seconds')

/** ajv-cli checks one file after the other with the same schema. It explains and deduplicates nothing. */
const AJV_CLI = 'ajv-cli@5.0.0'

/** This version takes more processor time than is allowed. */
export class CostError extends Error {}

interface Release {
  /** Such as "0.4.0". */
  version: string
  /** The folder of its checkout, with what it needs installed. */
  folder: string
}

/**
 * Yields a table for each sample: this version, each release, and, unless `most` is to be checked, ajv-cli.
 *
 * @throws CostError if this version takes more than `most` times the processor time of the last release
 */
export async function* benchReleases(settings: Settings): AsyncGenerator<string> {
  const { temp, rounds, releases, most, isSmall } = settings
  const checkouts = releases.map((revision, at) => checkOut(revision, join(temp, `release-${at}`)))
  const here = { version: `${versionOf(ROOT)}, this one`, folder: ROOT }
  const ajvCli = most === undefined ? installAjvCli(join(temp, 'ajv-cli')) : undefined

  const schema = writeSchema(join(temp, 'batch.schema.json'))
  for (const pages of isSmall ? [100] : PAGES) {
    const sample = writeSample(join(temp, `batches-${pages}`), pages)
    const programs = [...checkouts, here].map((release) => buildBy(release, sample, schema, temp))
    if (ajvCli) programs.push(checkByAjvCli(ajvCli, sample, schema, temp))

    const rows = await inRounds(rounds, programs)

    const title = `${formatNumber(sample.records)} records, ${formatBytes(sample.bytes)}`
    yield table(title, COSTS, rows)

    const last = rows[checkouts.length - 1]
    const ours = rows[checkouts.length]
    if (last && ours) yield compare(last, ours, most)
  }

  const lastRelease = checkouts.at(-1)
  if (lastRelease) yield* benchManyFiles([lastRelease, here], settings)
}

/** Yields a table of `check` in a repository of many small files, by the packages of the last release and of this one. */
async function* benchManyFiles(
  releases: readonly Release[],
  { temp, rounds, most, isSmall }: Settings,
): AsyncGenerator<string> {
  const [collections, files] = isSmall ? [2, 10] : [30, 500]
  const repository = join(temp, 'many-files')
  writeManyFiles(repository, collections, files)

  const programs = releases.map((release) => checkByPackage(release, repository))
  const rows = await inRounds(rounds, programs)
  const title = `\`check\` of ${formatNumber(collections * files)} small files, ${collections} collections`
  yield table(title, COSTS, rows)

  const [last, ours] = rows
  if (last && ours) yield compare(last, ours, most)
}

/** Packs a release, whose commands are measured as they are installed. */
function checkByPackage({ version, folder }: Release, repository: string): Program {
  execFileSync('npm', ['run', '--silent', 'pack'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

  const temp = dirname(repository)
  const program = join(folder, 'package/lib/bin.js')
  return [`ManyURLs ${version}`, () => measure([program, 'check'], temp, {}, repository)]
}

/** Checks out a revision of this repository, such as `v0.4.0`, and installs what it needs. */
function checkOut(revision: string, folder: string): Release {
  const git = (...args: string[]) =>
    execFileSync('git', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  git('clone', '--quiet', '--no-checkout', ROOT, folder)
  git('-C', folder, 'checkout', '--quiet', '--detach', revision)

  install(folder)
  return { version: versionOf(folder), folder }
}

/** Installs the packages of a checkout. If they are those of this version, it uses what is installed here. */
function install(folder: string): void {
  const locks = [folder, ROOT].map((root) => readFileSync(join(root, 'package-lock.json'), 'utf8'))
  if (locks[0] === locks[1]) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    return
  }
  execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

function installAjvCli(folder: string): string {
  const args = ['install', '--silent', '--prefix', folder, AJV_CLI, 'ajv-formats@3']
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, 'node_modules/ajv-cli/dist/index.js')
}

interface PackageJson {
  version: string
  scripts: Record<string, string>
}

function readPackageJson(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function versionOf(folder: string): string {
  return readPackageJson(folder).version
}

/** The main job of a release, as its own `npm run build-data` starts it. Nothing is remembered. */
function buildBy(
  { version, folder }: Release,
  { batches }: Sample,
  schema: string,
  temp: string,
): Program {
  const script = readPackageJson(folder).scripts['build-data'] ?? ''
  const [node, ...start] = script.split(' ')
  if (node !== 'node')
    throw new Error(`${version}: "build-data" doesn't begin with node: ${script}`)

  const places = ['--batches', batches, '--schema', schema, '--out', join(temp, 'out')]
  const run = () => {
    rmSync(join(temp, 'out'), { recursive: true, force: true })
    return measure([...start, ...places], temp, {}, folder)
  }
  return [`ManyURLs ${version}`, run]
}

function checkByAjvCli(
  program: string,
  { batches }: Sample,
  schema: string,
  temp: string,
): Program {
  const formats = join(program, '../../../ajv-formats')
  const options = ['--spec=draft2020', '--strict=false', '-c', formats]
  const args = [program, 'validate', ...options, '-s', schema, '-d', join(batches, '*.json')]
  return ['ajv-cli 5.0.0, which only checks', () => measure(args, temp)]
}

/**
 * Compares processor time round by round, so that a machine whose speed changes doesn't decide.
 *
 * @throws CostError if the median of the ratios is more than `most`
 */
function compare(last: Row, ours: Row, most: number | undefined): string {
  const before = last.values[PROCESSOR] ?? []
  const now = ours.values[PROCESSOR] ?? []
  const ratios = now.map((seconds, round) => seconds / (before[round] ?? Number.NaN))
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN

  const sentence = `${ours.name}, takes ${median.toFixed(2)} times the processor time of ${last.name} (median of ${ratios.length} pairs).`
  // NaN, of a cost that wasn't measured, isn't allowed either.
  const isAllowed = most === undefined || median <= most
  if (!isAllowed) throw new CostError(`${sentence} At most ${most} times is allowed.`)
  return sentence
}
