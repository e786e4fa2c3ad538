/** A temporary folder of batches, and functions that run the commands on it as a user would. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Source } from '../../src/build/source.ts'
import { run as runTask } from '../../src/command/run.ts'
import { TEMPLATE } from '../../src/command/template.ts'
import type { Terminal } from '../../src/command/terminal.ts'
import { MANIFEST, type Manifest } from '../../src/dataset/format.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The schema of the pages that the tests make, so that the tests hold with any other in `schema/`. */
export const SCHEMA = join(import.meta.dirname, 'batch.schema.json')

/** The `content.ts` of the tests; see `content.ts` beside this file. */
export const CONTENT = join(import.meta.dirname, 'content.ts')

const OWN = ['--schema', SCHEMA, '--config', CONTENT]

/** The arguments of Node for `npm run build-data`. */
export const BUILD_DATA = ['--require', './scripts/tsx.cjs', 'scripts/build-data/build-data.ts']

export interface Run {
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

interface RunOptions {
  env?: NodeJS.ProcessEnv
  /** The working directory; the root of the project by default. */
  cwd?: string
  /** Polled; when it returns true, the process gets the signal. */
  endWhen?: () => boolean
  /** As by Ctrl-C, unless another one is named. */
  signal?: NodeJS.Signals
  /** Bash commands to run before the build, such as setting a limit. */
  prelude?: string
  /** Whether the prelude may mount file systems, visible to this process only (see `canMount`). */
  mayMount?: boolean
  /** A command that runs the process, such as strace with its options. */
  tracer?: string
}

/** Whether a process may mount its own file systems here, as on most Linux systems. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

/** Creates a workspace. It is removed after the running test, or when `atEnd` runs its argument. */
export function createWorkspace(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const batches = join(folder, 'batches')
  const out = join(folder, 'out')
  mkdirSync(batches)

  return {
    folder,
    batches,
    out,

    /** Writes a batch into the folder, from records or the exact bytes of a file. Returns its file. */
    batch(name: string, content: unknown[] | string | Uint8Array): string {
      const file = join(batches, name)
      mkdirSync(dirname(file), { recursive: true })
      const isRaw = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(file, isRaw ? content : `${JSON.stringify(content, null, 2)}\n`)
      return file
    },

    /** Runs build-data on the workspace, as a function. */
    build(args: string[] = [], env: NodeJS.ProcessEnv = {}, stream = createText): Promise<Run> {
      return runBuildData(['--batches', batches, '--out', out, ...args], env, stream)
    },

    /** Runs build-data on the workspace, as a process. */
    spawn(args: string[] = [], options: RunOptions = {}): Promise<Run> {
      return spawnBuildData(['--batches', batches, '--out', out, ...args], options)
    },

    /** Reads a file of the dataset folder. */
    read(name: string): string {
      return readFileSync(join(out, name), 'utf8')
    },

    /** The SHA-256 of every file in the dataset folder that is not hidden. */
    digests(): Record<string, string> {
      if (!existsSync(out)) return {}
      const names = readdirSync(out).filter((name) => !name.startsWith('.'))
      const digest = (name: string) =>
        createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')
      return Object.fromEntries(names.sort().map((name) => [name, digest(name)]))
    },
  }
}

/**
 * Whether a dataset matches its manifest. If not, a build was killed while it put files into place,
 * or a file was changed by hand.
 */
export function isWhole(folder: string): boolean {
  const digestOf = (name: string) => {
    const file = join(folder, name)
    if (!existsSync(file)) return undefined
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  }
  const manifest = join(folder, MANIFEST)
  if (!existsSync(manifest)) return false
  const { dataset, types, importTypes } = readManifest(readFileSync(manifest, 'utf8'))
  const entries = [dataset, types, importTypes]
  return entries.every((entry) => entry && digestOf(entry.file) === entry.sha256)
}

/** Returns what a manifest says of the pages. */
export function readManifest(text: string): Manifest {
  const { collections, refused, duplicates } = JSON.parse(text)
  return { ...collections.pages, refused: refused.pages, duplicates: duplicates.pages }
}

/** Returns what `--json` says of the pages. */
export function pagesOf({ stdout }: { stdout: string }) {
  return JSON.parse(stdout).collections.pages
}

/**
 * Runs the function behind `npm run build-data`, on pages of {@link SCHEMA} by default.
 *
 * @param stream creates the streams on which it prints
 */
export async function runBuildData(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  stream = createText,
): Promise<Run> {
  const [stdout, stderr] = [stream(), stream()]
  const terminal = { stdout, stderr, env, ...importing() }
  const status = await runTask([...OWN, ...args], terminal)
  return { status, signal: null, stdout: stdout.text, stderr: stderr.text }
}

/** Loads modules for a command. */
export function importing(): Omit<Terminal, 'stdout' | 'stderr' | 'env' | 'progress'> {
  return {
    command: TEMPLATE,
    load: (file) => import(file),
    loadExplain: () => import('../../src/explain/explain.ts'),
    loadReport: () => import('../../src/report/html/write-report.ts'),
  }
}

/** Batches in memory. */
export function memorySource(names: string[], read: Source['read']): Source {
  return {
    list: async () => ({ all: [...names], missed: [], ignored: [], unmatched: [] }),
    read,
    fileOf: (name) => name,
  }
}

/** A stream that keeps everything written to it. */
export class Text extends Writable {
  text = ''

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk
    done()
  }
}

export function createText(): Text {
  return new Text()
}

/** What Node.js has for a terminal: a stream that knows its columns. */
export function createScreen(columns: number): Text & { isTTY: true; columns: number } {
  return Object.assign(new Text(), { isTTY: true as const, columns })
}

/** Runs the script behind `npm run build-data`, on pages of {@link SCHEMA} by default. */
export function spawnBuildData(args: string[], options: RunOptions = {}): Promise<Run> {
  return run([...BUILD_DATA, ...OWN, ...args], options)
}

/** Runs the script behind `npm run submissions` on a SQLite file. */
export function submissions(file: string, args: string[], options: RunOptions = {}): Promise<Run> {
  const env = { DATABASE_URL: '', SUBMISSIONS_FILE: file, ...options.env }
  return run(['--import', 'tsx', 'scripts/submissions.ts', ...args], { ...options, env })
}

/** Runs node. */
export function run(
  args: string[],
  { env, cwd = ROOT, endWhen, signal: end = 'SIGINT', prelude, mayMount, tracer }: RunOptions = {},
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const [command, ...rest] = [
      ...(mayMount ? ['unshare', '-rm'] : []),
      ...(prelude ? ['bash', '-c', `set -e; ${prelude}; exec "$0" "$@"`] : []),
      ...(tracer?.split(' ') ?? []),
      process.execPath,
      ...args,
    ]
    // The test decides what a build prints, not the environment of the test run.
    const { GITHUB_ACTIONS, GITHUB_WORKSPACE, ...inherited } = process.env
    // Bash warns of a locale that the machine lacks.
    const locale = prelude ? { LC_ALL: 'C' } : {}
    const child = spawn(command as string, rest, { cwd, env: { ...inherited, ...locale, ...env } })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    const watch = setInterval(() => {
      if (!endWhen?.()) return
      clearInterval(watch)
      child.kill(end)
    }, 2)
    child.on('error', reject)
    child.on('close', (status, signal) => {
      clearInterval(watch)
      resolve({ status, signal, stdout, stderr })
    })
  })
}
