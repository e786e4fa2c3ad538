/** `npm run make-batches` as a function. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { explainArguments, refuseTaken } from '../../src/machine/arguments.ts'
import { replaceFile } from '../../src/machine/files.ts'
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

/** For example "100" and "0.32". */
const NUMBER = /^\d+(\.\d+)?$/

/** The number of paths that schema/batch.schema.json allows. */
const MOST_PAGES = 1_600

const OPTIONS = {
  pages: { type: 'string', default: '100' },
  batches: { type: 'string', default: '5' },
  duplicates: { type: 'string', default: '0.32' },
  forms: { type: 'string', default: '0.3' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string', default: 'raw-batches' },
  help: { type: 'boolean', default: false },
} as const

/**
 * Runs the command.
 *
 * @param args the arguments after its name
 * @returns the text to print
 * @throws an error whose message is one line that says what is wrong with the options or the disk
 */
export async function makeBatches(args: string[]): Promise<string> {
  const { help, out, ...texts } = parseOptions(args).values
  if (help) return HELP

  const numbers = Object.entries(texts).map(([name, text]) => {
    if (NUMBER.test(text)) return [name, Number(text)] as const
    throw new Error(`--${name} must be a number, but is ${JSON.stringify(text)}`)
  })
  const options = Object.fromEntries(numbers) as Record<keyof typeof texts, number>
  if (options.pages > MOST_PAGES) {
    const most = `at most ${formatNumber(MOST_PAGES)}, the paths that the schema allows`
    throw new Error(`--pages must be ${most}, but is ${formatNumber(options.pages)}`)
  }
  if (out === '') throw new Error('--out must be the name of a folder, but is empty')

  const batches = [...sampleBatches(options)]

  const width = Math.max(2, String(options.batches).length)
  const names = batches.map((_, at) => `batch-${String(at + 1).padStart(width, '0')}.json`)
  mkdirSync(out, { recursive: true })
  refuseOthers(out, new Set(names))

  for (const [at, name] of names.entries()) {
    const text = `${JSON.stringify(batches[at], null, 2)}\n`
    await replaceFile(join(out, name), (work) => writeFileSync(work, text))
  }

  const records = batches.flat().length
  return (
    `Wrote ${names.length} batches to ${out}: ${records} records, ` +
    `${options.pages} pages, ${records - options.pages} duplicates.`
  )
}

function parseOptions(args: string[]) {
  try {
    refuseTaken(
      ['pages', 'batches', 'duplicates', 'seed', 'out'],
      process.env,
      'npm run make-batches --',
    )
    return parseArgs({ args, options: OPTIONS })
  } catch (error) {
    throw new Error(explainArguments(error, Object.keys(OPTIONS)), { cause: error })
  }
}

// A batch of another run would be read with the new ones and could win their paths.
function refuseOthers(folder: string, names: ReadonlySet<string>): void {
  const others = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => /\.json$/i.test(entry.name) && !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !names.has(name))
    .sort()
  if (others.length === 0) return

  throw new Error(
    `${folder} has other batches (${others.join(', ')}); ` +
      'remove them or choose another folder with --out',
  )
}
