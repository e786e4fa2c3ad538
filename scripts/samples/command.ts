/** `npm run make-batches` as a function. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { explainArguments, refuseTaken } from '../../src/machine/arguments.ts'
import { replaceFile } from '../../src/machine/files.ts'
import { sampleBatches } from './batches.ts'

const HELP = `Writes the batches of the sample: the same bytes on any machine.

Usage: npm run make-batches -- [options]

  --out <folder>  where to write batch-01.json and so on (default raw-batches)
  --help          show this and write nothing

Exit status: 0 when all is written, 2 when an option is wrong or the disk fails.`

const OPTIONS = {
  out: { type: 'string', default: 'raw-batches' },
  help: { type: 'boolean', default: false },
} as const

/** What the sample has. */
const SAMPLE = { pages: 100, batches: 5, duplicates: 0.32, forms: 0.3, seed: 1 }

/**
 * Runs the command.
 *
 * @param args the arguments after its name
 * @returns the text to print
 * @throws an error whose message is one line that says what is wrong with the options or the disk
 */
export async function makeBatches(args: string[]): Promise<string> {
  const { help, out } = readOptions(args)
  if (help) return HELP
  if (out === '') throw new Error('--out must be the name of a folder, but is empty')

  const batches = [...sampleBatches(SAMPLE)]
  const names = batches.map((_, at) => `batch-0${at + 1}.json`)
  mkdirSync(out, { recursive: true })
  refuseOthers(out, new Set(names))

  for (const [at, name] of names.entries()) {
    const text = `${JSON.stringify(batches[at], null, 2)}\n`
    await replaceFile(join(out, name), (work) => writeFileSync(work, text))
  }

  const records = batches.flat().length
  const duplicates = records - SAMPLE.pages
  return `Wrote ${names.length} batches to ${out}: ${records} records, ${SAMPLE.pages} pages, ${duplicates} duplicates.`
}

function readOptions(args: string[]) {
  try {
    refuseTaken(['out'], process.env, 'npm run make-batches --')
    return parseArgs({ args, options: OPTIONS }).values
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
