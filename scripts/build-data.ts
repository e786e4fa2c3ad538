/** `npm run build-data`: compiles the delivered batches into the dataset. */
import path from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { FILES } from '../src/dataset/emit.ts'
import { SHOWN_PER_BATCH } from '../src/dataset/problem.ts'
import {
  formatBytes,
  formatDropped,
  formatJson,
  formatSummary,
  plain,
} from '../src/dataset/summary.ts'
import { build } from '../src/pipeline/build.ts'
import { BuildError } from '../src/pipeline/errors.ts'
import { folderSource } from '../src/pipeline/source.ts'

const HELP = `Compiles the delivered batches into one deduplicated, typed dataset.

npm run build-data -- [options]

  --check            validate and compare; write nothing
  --strict           a path claimed again with other content is a problem
  --verbose          name every dropped record
  --all              show every problem, not only the first ${SHOWN_PER_BATCH} of a batch
  --json             the report as JSON on standard output
  --batches FOLDER   where the batches are (raw-batches)
  --schema FILE      the JSON Schema of a batch (schema/batch.schema.json)
  --out FOLDER       where the dataset goes (src/generated)
  --help             this text

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
        help: { type: 'boolean', default: false },
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

async function main(): Promise<number> {
  const options = readOptions()
  if (options.help) {
    print(process.stdout, [HELP])
    return 0
  }

  const { batches: folder, schema, out, all } = options
  if (isWithin(out, folder)) {
    throw new BuildError(`--out ${out} is in ${folder}, where it would be read as batches`)
  }
  const shown = all ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH
  const result = await build({
    source: folderSource(folder),
    schema,
    out,
    isStrict: options.strict,
    isCheck: options.check,
    frames: shown,
  })
  if (options.json) print(process.stdout, formatJson(result))

  if (!result.ok) {
    const { problems, batches } = result
    // Loaded when needed: a good build must start fast.
    const { formatAnnotation, formatProblems } = await import('../src/dataset/problem-report.ts')
    const paint = paintFor(process.stderr)
    print(process.stderr, formatProblems(problems, { folder, batches, shown, paint }))
    if (process.env.GITHUB_ACTIONS === 'true') {
      const root = path.relative(process.env.GITHUB_WORKSPACE ?? '.', folder)
      for (const problem of problems)
        print(process.stderr, [`${formatAnnotation(problem, root)}\n`])
    }
    return 1
  }

  const { manifest, wasCurrent } = result
  const file = path.join(out, FILES.dataset)
  const size = formatBytes(manifest.dataset.bytes)
  const outcome = wasCurrent
    ? `${file} (${size}, unchanged)`
    : options.check
      ? `${file} is out of date; npm run build-data writes it`
      : `${file} (${size})`
  // With --json standard output is the report's alone.
  const messages = options.json ? process.stderr : process.stdout
  if (options.verbose) print(messages, formatDropped(manifest.duplicates))
  print(messages, [formatSummary(manifest, outcome, performance.now(), paintFor(messages))])
  return 0
}

function isWithin(inner: string, outer: string): boolean {
  return `${path.resolve(inner)}${path.sep}`.startsWith(`${path.resolve(outer)}${path.sep}`)
}

function print(stream: NodeJS.WriteStream, pieces: Iterable<string>): void {
  for (const piece of pieces) stream.write(piece)
}

// A reader that has seen enough (`| head`) is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  print(process.stderr, [`build-data: cannot write to standard output: ${error.message}\n`])
  process.exit(2)
})

try {
  process.exitCode = await main()
} catch (error) {
  const { message, stack } = error as Error
  const line = error instanceof BuildError ? message : `a fault of its own: ${stack}`
  if (process.argv.includes('--json')) {
    print(process.stdout, [`${JSON.stringify({ ok: false, error: message })}\n`])
  }
  print(process.stderr, [`build-data: ${line}\n`])
  process.exitCode = 2
}
