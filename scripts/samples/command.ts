/** `npm run make-batches` as a function. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { explainArguments } from '../../src/machine/arguments.ts'
import { formatNumber } from '../../src/text/wording.ts'
import { sampleBatches } from './batches.ts'

const HELP = `Writes sample batches: the same options give the same bytes on any machine.

Usage: npm run make-batches -- [options]

  --pages <number>       unique paths over all batches (default 100, at most 1,600)
  --batches <number>     files to write (default 5)
  --duplicates <number>  further records that repeat a path, as a share of the pages (default 0.32)
  --forms <number>       share of the pages that have a form (default 0.3)
  --seed <number>        a different seed makes different pages (default 1)
  --out <folder>         where to write batch-01.json and so on (default raw-batches)
  --help                 show this and write nothing

Exit status: 0 when all is written, 2 when an option is wrong or the disk fails.`

/** The number of paths that schema/batch.schema.json allows. */
const MOST_PAGES = 1_600

/** A mistake in the options; the message is one line that says what to do. */
class Refusal extends Error {}

/**
 * Runs the command.
 *
 * @param args the arguments after its name
 * @returns what to print, and the exit status: 0 written, 2 a wrong option or a disk failure
 */
export function makeBatches(args: string[]): { status: number; stdout: string; stderr: string } {
  try {
    return { status: 0, stdout: `${run(args)}\n`, stderr: '' }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const isExpected =
      error instanceof Refusal || error instanceof RangeError || syscall !== undefined
    if (!isExpected && !code?.startsWith('ERR_PARSE_ARGS')) throw error
    const reason = explainArguments(error as Error, Object.keys(OPTIONS)).replaceAll('\n', ' ')
    // Of an option by its name.
    const message = error instanceof RangeError ? `--${reason}` : reason
    return { status: 2, stdout: '', stderr: `make-batches: ${message}\n` }
  }
}

const OPTIONS = {
  pages: { type: 'string', default: '100' },
  batches: { type: 'string', default: '5' },
  duplicates: { type: 'string', default: '0.32' },
  forms: { type: 'string', default: '0.3' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string', default: 'raw-batches' },
  help: { type: 'boolean', default: false },
} as const

/** @returns the text to print */
function run(args: string[]): string {
  const { values } = parseArgs({ args, options: OPTIONS })
  if (values.help) return HELP
  const number = (name: Exclude<keyof typeof values, 'out' | 'help'>): number => {
    if (/^\d+(\.\d+)?$/.test(values[name])) return Number(values[name])
    throw new Refusal(`--${name} must be a number, but is ${JSON.stringify(values[name])}`)
  }
  const options = {
    pages: number('pages'),
    batches: number('batches'),
    duplicates: number('duplicates'),
    forms: number('forms'),
    seed: number('seed'),
  }
  if (options.pages > MOST_PAGES) {
    const why = 'the schema allows 16 categories with 100 numbers each'
    const found = formatNumber(options.pages)
    throw new Refusal(
      `--pages must be at most ${formatNumber(MOST_PAGES)}, but is ${found}: ${why}`,
    )
  }
  const batches = sampleBatches(options)
  if (values.out === '') throw new Refusal('--out must be the name of a folder, but is empty')

  const width = Math.max(2, String(options.batches).length)
  const names = Array.from(
    { length: options.batches },
    (_, index) => `batch-${String(index + 1).padStart(width, '0')}.json`,
  )
  mkdirSync(values.out, { recursive: true })
  refuseOthers(values.out, new Set(names))

  let records = 0
  for (const name of names) {
    const { value: batch } = batches.next()
    if (batch) {
      writeBatch(join(values.out, name), batch)
      records += batch.length
    }
  }
  return (
    `Wrote ${count(names.length, 'batch', 'batches')} to ${values.out}: ` +
    `${count(records, 'record')}, ${count(options.pages, 'page')}, ` +
    `${count(records - options.pages, 'duplicate')}.`
  )
}

function count(number: number, one: string, more = `${one}s`): string {
  return `${number} ${number === 1 ? one : more}`
}

// A batch of another run would be read with the new ones and could win their paths.
function refuseOthers(folder: string, names: ReadonlySet<string>): void {
  const others = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => /\.json$/i.test(entry.name) && !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !names.has(name))
    .sort()
  if (others.length === 0) return
  const named = others.slice(0, 5).join(', ') + (others.length > 5 ? `, …` : '')
  throw new Refusal(
    `${folder} has ${count(others.length, 'other batch', 'other batches')} (${named}); ` +
      'remove them or choose another folder with --out',
  )
}

/** Writes a few hundred records at a time, so that no string ever holds a whole batch. */
function writeBatch(path: string, batch: readonly unknown[]): void {
  const temporary = `${path}.tmp`
  try {
    const file = openSync(temporary, 'w')
    try {
      for (let at = 0; at < batch.length; at += 256) {
        // The brackets around these records are cut off; the indentation within them stays.
        const records = JSON.stringify(batch.slice(at, at + 256), null, 2).slice(1, -2)
        writeFileSync(file, `${at === 0 ? '[' : ','}${records}`)
      }
      writeFileSync(file, '\n]\n')
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new Refusal(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
  }
}
