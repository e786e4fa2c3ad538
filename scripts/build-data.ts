/** `npm run build-data`: compiles the delivered batches into the dataset. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseArgs, styleText } from 'node:util'
import type { Format, SingleBar } from 'cli-progress'
import { FILES } from '../src/dataset/emit.ts'
import { SHOWN_PER_BATCH } from '../src/dataset/problem.ts'
import {
  formatBytes,
  formatDropped,
  formatJson,
  formatNumber,
  formatSummary,
  plain,
} from '../src/dataset/summary.ts'
import { build, type Progress } from '../src/pipeline/build.ts'
import { BuildError, onDisk } from '../src/pipeline/errors.ts'
import { folderSource } from '../src/pipeline/source.ts'

const HELP = `Compiles the delivered batches into one deduplicated, typed dataset.

npm run build-data -- [options]

  --check            validate, and say whether the dataset is up to date; change nothing
  --strict           a path claimed again with other content is a problem
  --verbose          name every dropped record
  --all              show every problem, not only the first ${SHOWN_PER_BATCH} of a batch
  --json             the report as JSON on standard output, messages on standard error
  --batches FOLDER   where the batches are (raw-batches)
  --schema FILE      the JSON Schema of a batch (schema/batch.schema.json)
  --out FOLDER       where the dataset goes (src/generated)
  -h, --help         this text

Exit status: 0 done, 1 problems in the data, 2 the command line or the machine.
`

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        batches: { type: 'string', default: 'raw-batches' },
        schema: { type: 'string', default: 'schema/batch.schema.json' },
        out: { type: 'string', default: 'src/generated' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
    return values
  } catch (error) {
    throw new BuildError(`${(error as Error).message.split(/\.\s/)[0]}; --help lists the options`)
  }
}

function paintFor(stream: NodeJS.WriteStream) {
  if (!stream.isTTY || !stream.hasColors()) return plain
  return {
    strong: (text: string) => styleText('bold', text),
    mark: (text: string) => styleText('red', text),
  }
}

/** Ctrl-C, or what else asks the process to end. It has no default any more once it is listened to. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    // Asked again, it goes on clearing up: by default the second Ctrl-C would end it amid that.
    process.on(name, () => controller.abort(new Interrupted(name, 128 + number)))
  }
  return controller.signal
}

class Interrupted extends Error {
  readonly status: number

  constructor(signal: string, status: number) {
    super(`stopped by ${signal}; the dataset is as it was before`)
    this.status = status
  }
}

/** Appears when a build takes long. */
class ProgressBar {
  #bar: SingleBar | 'loading' | undefined
  #format: typeof Format.TimeFormat | undefined
  #isOver = false
  /** When the first batch was done, in seconds. */
  #first = 0

  show(progress: Progress): void {
    const { batches, of } = progress
    if (batches === 1) this.#first = performance.now() / 1000
    const isAnEnd = batches === 1 || batches === of
    if (this.#isOver || isAnEnd || performance.now() / 1000 < 1 + START_SECONDS) return
    if (this.#bar === undefined) {
      this.#bar = 'loading'
      void this.#load(progress)
    } else if (this.#bar !== 'loading') {
      this.#bar.update(batches, this.#describe(progress))
    }
  }

  async #load(progress: Progress): Promise<void> {
    const { SingleBar, Format } = (await import('cli-progress')).default
    if (this.#isOver) return
    this.#format = Format.TimeFormat
    const format = '{bar} {value} of {total} batches, {records} records, {speed}, {left} left'
    this.#bar = new SingleBar({
      format,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 20,
      barCompleteChar: '█',
      barIncompleteChar: '░',
    })
    this.#bar.start(progress.of, progress.batches, this.#describe(progress))
  }

  /**
   * The time left is by all batches since the first: by the last few, as the library has it, it jumps,
   * and before the first the schema may have been compiled.
   */
  #describe({ batches, of, records, bytes }: Progress) {
    const seconds = performance.now() / 1000
    const left = Math.ceil(((seconds - this.#first) / (batches - 1)) * (of - batches))
    return {
      records: formatNumber(records),
      speed: `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
      left: this.#format?.(left, { autopaddingChar: '' }, 1),
    }
  }

  stop(): void {
    this.#isOver = true
    if (typeof this.#bar === 'object') this.#bar.stop()
  }
}

/** What Node and the schema take before the first batch is read. */
const START_SECONDS = 0.2

async function main(): Promise<number> {
  const options = readOptions()
  if (options.help) {
    await print(process.stdout, [HELP])
    return 0
  }

  const { schema, out, all } = options
  for (const name of ['batches', 'schema', 'out'] as const) {
    if (options[name] === '') throw new BuildError(`--${name} is empty; name a place, such as .`)
  }
  // As places are told: "./", "a//" and "a/." lead to paths that nobody else would write.
  const folder = path.normalize(options.batches).replace(/(?<=.)[/\\]+$/, '')
  if (isWithin(out, folder)) {
    throw new BuildError(`--out ${out} is in ${folder}, where it would be read as batches`)
  }
  const there = onDisk(`read ${out}`, () => fs.statSync(out, { throwIfNoEntry: false }))
  if (there && !there.isDirectory()) {
    throw new BuildError(`${out} is a file; --out names a folder`)
  }
  const shown = all ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH
  const isWatched = process.stderr.isTTY && !options.json && !process.env.CI
  const bar = isWatched ? new ProgressBar() : undefined
  const result = await build({
    source: folderSource(folder),
    schema,
    out,
    isStrict: options.strict,
    isCheck: options.check,
    frames: shown,
    signal: interruption(),
    onProgress: (progress) => bar?.show(progress),
  }).finally(() => bar?.stop())
  if (options.json) await print(process.stdout, formatJson(result))

  if (!result.ok) {
    const { problems, batches } = result
    // Loaded when needed, for a good build must start fast; without import(), for that would ask Node
    // itself for a file of TypeScript.
    const { formatAnnotation, formatProblems } = createRequire(import.meta.url)(
      '../src/dataset/problem-report.ts',
    ) as typeof import('../src/dataset/problem-report.ts')
    const paint = paintFor(process.stderr)
    await print(process.stderr, formatProblems(problems, { folder, batches, shown, paint }))
    if (process.env.GITHUB_ACTIONS === 'true') {
      const root = path.relative(process.env.GITHUB_WORKSPACE ?? '.', folder)
      for (const problem of problems)
        await print(process.stderr, [`${formatAnnotation(problem, root)}\n`])
    }
    return 1
  }

  const { manifest, wasCurrent } = result
  const file = path.join(out, FILES.dataset)
  const size = formatBytes(manifest.dataset.bytes)
  const outcome = wasCurrent
    ? `${file} (${size}, unchanged)`
    : options.check
      ? `${file} is out of date; without --check it is written`
      : `${file} (${size})`
  // With --json standard output is the report's alone.
  const messages = options.json ? process.stderr : process.stdout
  if (options.verbose) await print(messages, formatDropped(manifest.duplicates))
  await print(messages, [formatSummary(manifest, outcome, performance.now(), paintFor(messages))])
  return 0
}

function isWithin(inner: string, outer: string): boolean {
  return `${path.resolve(inner)}${path.sep}`.startsWith(`${path.resolve(outer)}${path.sep}`)
}

/**
 * Waits where the reader is slower, for a report of millions of lines is no reason to hold them all,
 * and ends where there is none any more: why is told below.
 */
async function print(stream: NodeJS.WriteStream, pieces: Iterable<string>): Promise<void> {
  let text = ''
  const write = () =>
    new Promise<boolean>((resolve) => {
      stream.write(text, (error) => resolve(!error))
      text = ''
    })
  for (const piece of pieces) {
    text += piece
    if (text.length >= PRINTED_AT_ONCE && !(await write())) return
  }
  if (text !== '') await write()
}

const PRINTED_AT_ONCE = 2 ** 16

// A reader that has seen enough (`| head`) is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  print(process.stderr, [`build-data: cannot write to standard output: ${error.message}\n`])
  process.exit(2)
})

// Nothing can be told where this cannot be written.
process.stderr.on('error', () => {})

async function tell(error: unknown): Promise<number> {
  const { message } = error as Error
  const isExpected = error instanceof BuildError || error instanceof Interrupted
  const line = isExpected ? message : `a fault of its own: ${(error as Error).stack}`
  if (process.argv.includes('--json')) {
    await print(process.stdout, [`${JSON.stringify({ ok: false, error: message })}\n`])
  }
  await print(process.stderr, [`build-data: ${line}\n`])
  return error instanceof Interrupted ? error.status : 2
}

// Node ends when it waits for nothing any more, and would say that all is well.
process.once('beforeExit', async () => {
  if (process.exitCode !== undefined) return
  process.exitCode = await tell(new Error('it waits for what never comes'))
})

main()
  .catch(tell)
  .then((status) => {
    process.exitCode = status
  })
