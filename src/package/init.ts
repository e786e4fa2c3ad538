/** `manyurls init`: looks at the files of a repository, and writes `manyurls.config.ts`. */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import glob from 'fast-glob'
import { Cache } from '../build/disk/cache.ts'
import { readSchema } from '../build/read-schema.ts'
import { decode } from '../formats/decode.ts'
import { formatOf } from '../formats/formats.ts'
import { explainArguments } from '../machine/arguments.ts'
import { BuildError, describeSystemError } from '../machine/errors.ts'
import { asObject } from '../text/as-object.ts'
import { printable } from '../text/printable.ts'
import { formatNumber, plural, show } from '../text/wording.ts'
import { CONFIGS } from './config-file.ts'
import {
  type Delivery,
  findDeliveries,
  isSchema,
  keysOf,
  type RecordKeys,
  type SurveyedFile,
  type Way,
} from './survey.ts'
import { writeConfig } from './write-config.ts'

const HELP = `Looks at the JSON files here, says what it sees, and writes manyurls.config.ts. It overwrites nothing.

npx --no manyurls init
`

const [CONFIG] = CONFIGS

interface Streams {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
}

/**
 * @param args the arguments after `init`
 * @param folder of the repository
 * @returns the exit status: 0 a file was written, 1 there is nothing to check, 2 the command line or
 *   the machine
 */
export async function runInit(
  args: string[],
  { stdout, stderr }: Streams,
  folder: string,
): Promise<number> {
  const say = (line: string) => stdout.write(`${printable(line)}\n`)
  try {
    const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
    if (values.help) {
      stdout.write(HELP)
      return 0
    }
    refuseConfig(folder)
    return await init(folder, say)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    stderr.write(`manyurls init: ${printable(reason)}\n`)
    return 2
  }
}

/** Says in one line what people can change; undefined for a fault of the program. */
function reasonOf(error: unknown): string | undefined {
  const { code = '', errno } = Object(error)
  if (error instanceof BuildError) return error.message
  if (errno !== undefined) return describeSystemError(error)
  if (String(code).startsWith('ERR_PARSE_ARGS')) return explainArguments(error as Error, ['help'])
  return undefined
}

function refuseConfig(folder: string): void {
  const there = CONFIGS.find((name) => fs.existsSync(path.join(folder, name)))
  if (there) throw new BuildError(`${there} is there already, and init overwrites nothing`)
}

async function init(folder: string, say: (line: string) => void): Promise<number> {
  const { files, unreadable } = await readFiles(folder, say)
  const schemas = files.filter(isSchema)
  const [delivery, ...rest] = findDeliveries(files.filter((file) => !isSchema(file)))
  for (const name of unreadable.slice(0, FEW)) say(`${name} is not JSON; "check" says where.`)

  if (!delivery) {
    say('There are no records here: no list of objects, and no folder of JSON files.')
    return 1
  }
  const keys = keysOf(delivery)
  for (const line of describeDelivery(delivery, keys)) say(line)
  for (const other of rest.slice(0, FEW))
    say(`Not taken: ${other.batches}, ${describeShape(other)}.`)

  const { schema, isThere } = await chooseSchema(folder, schemas, delivery, say)
  const all = [...files.map(({ name }) => name), ...unreadable]
  const batches = placesOf(delivery, all, say)
  const text = writeConfig({ delivery, keys, batches, schema })
  fs.writeFileSync(path.join(folder, CONFIG), text, { flag: 'wx' })

  say('')
  say(`${CONFIG} is written. Read it, and correct what it says of a page.`)
  if (!isThere) for (const line of adviseSchema(delivery, schemas.length > 0)) say(line)
  say('Then run: npx --no manyurls check')
  return 0
}

/** How many of each kind are named. */
const FEW = 5

/** How many files are read, and how large one may be, in bytes. */
const MOST_FILES = 5_000
const LARGEST = 200e6

/** Settings of tools, which nobody delivers. */
const SETTINGS = [
  '**/node_modules/**',
  '**/{package,package-lock,composer,lerna,turbo,nx,bower,vercel,netlify,renovate,biome,deno}.json',
  '**/{tsconfig,jsconfig}*.json',
  '**/*.config.json',
  '**/*.webmanifest',
  '**/{dist,build,vendor,coverage}/**',
]

/** Reads the JSON files of a folder. */
async function readFiles(folder: string, say: (line: string) => void) {
  const patterns = [
    '**/*.{json,jsonl,ndjson}',
    '**/.*schema*.json',
    '.{vscode,github}/*schema*.json',
  ]
  const names = await glob(patterns, {
    cwd: folder,
    ignore: SETTINGS,
    followSymbolicLinks: false,
  })
  if (names.length > MOST_FILES)
    say(
      `Only the first ${formatNumber(MOST_FILES)} of ${formatNumber(names.length)} files are read.`,
    )

  const files: SurveyedFile[] = []
  const unreadable: string[] = []
  for (const name of names.sort().slice(0, MOST_FILES)) {
    const file = path.join(folder, name)
    if (fs.statSync(file).size > LARGEST) continue
    const { text } = decode(fs.readFileSync(file))
    const value = formatOf(name)?.parse(text).value
    if (value === undefined) unreadable.push(name)
    else files.push({ name, value })
  }
  return { files, unreadable }
}

function describeShape({ shape, files, records }: Delivery): string {
  const among = files.length === 1 ? '' : ` in ${plural(files.length, 'file')}`
  switch (shape.kind) {
    case 'list':
      return `a list of ${plural(records.length, 'record')}${among}`
    case 'list under a key':
      return `a list of ${plural(records.length, 'record')} under the key ${show(shape.key)}${among}`
    case 'objects by name':
      return `${plural(records.length, 'record')} by name${among}`
    case 'one record':
      return `${plural(files.length, 'file')} of one record each`
  }
}

/** Says what is there, and what names each record. */
function describeDelivery(delivery: Delivery, keys: RecordKeys): string[] {
  const lines = [
    `${delivery.batches}: ${describeShape(delivery)}.`,
    describeIdentity(delivery, keys),
  ]
  if (keys.title) lines.push(`The title of a page is ${showWay(keys.title)}.`)
  if (keys.body) lines.push(`The body of a page is ${showWay(keys.body)}.`)
  return lines
}

function describeIdentity({ shape }: Delivery, keys: RecordKeys): string {
  const [best, ...others] = keys.identities
  const [copied] = keys.repeated
  if (best && copied !== undefined)
    return `${showWay(best)} differs in all but ${plural(keys.repeated.length, 'record')}: ${show(copied)} is there more than once. "check" shows where.`
  if (best) {
    const more = others.slice(0, 2).map(showWay).join(' and ')
    const so = others.length > 1 ? 'so do' : 'so does'
    return `${showWay(best)} differs in each${more === '' ? '' : `; ${so} ${more}`}.`
  }

  const outside = shape.kind === 'one record' ? 'The name of the file' : 'The name'
  if (keys.isNamedOutside) return `${outside} differs in each.`
  if (keys.withinFile) return `${showWay(keys.withinFile)} differs in each record of a file.`
  return 'No key differs in each record, so two pages may have the same path. In the configuration, make the path of several keys.'
}

function showWay(way: Way): string {
  return show(way.join('.'))
}

/** Returns what `delivery.batches` says: a few other JSON files in the folder are left out by name. */
function placesOf(
  { batches, files }: Delivery,
  all: readonly string[],
  say: (line: string) => void,
): string | string[] {
  if (batches.includes('*')) return batches

  const wanted = new Set(files.map(({ name }) => name))
  const others = all.filter((name) => name.startsWith(`${batches}/`) && !wanted.has(name))
  if (others.length === 0) return batches
  if (others.length <= FEW) return [batches, ...others.map((name) => `!${name}`)]

  const more = `${plural(others.length, 'file')} in ${batches} with another shape`
  say(
    `There are ${more}, such as ${others[0]}. To leave some out, add '!${others[0]}' to "batches".`,
  )
  return batches
}

/** A schema, and which parts of the files and of the records it accepts, from 0 to 1. */
interface Tried extends SurveyedFile {
  /** Whether a file names it as its schema. */
  isNamed: boolean
  ofFiles: number
  ofRecords: number
  /** Why it can't be used. */
  reason?: string
}

/** Returns the schema of the delivered files, and says what it sees. */
async function chooseSchema(
  folder: string,
  schemas: readonly SurveyedFile[],
  delivery: Delivery,
  say: (line: string) => void,
): Promise<{ schema: string; isThere: boolean }> {
  const checked: Tried[] = []
  for (const { name, value } of schemas) {
    const isNamed = delivery.files.some((file) => refersTo(file.value, name))
    checked.push({ name, value, isNamed, ...(await tryOut(path.join(folder, name), delivery)) })
  }
  for (const { reason } of checked.slice(0, FEW)) if (reason !== undefined) say(reason)

  // One of the same name is meant for the file: `schema/apps.json` for `apps.json`.
  const names = new Set(delivery.files.map(({ name }) => path.basename(name)))
  const rankOf = ({ name, isNamed, ofFiles }: Tried) =>
    ofFiles + Number(isNamed) + (names.has(path.basename(name)) ? 0.1 : 0)
  const [best] = checked.sort((a, b) => rankOf(b) - rankOf(a))
  if (best && rankOf(best) > 0.5) {
    const draft = /draft[-/][\d-]+/
      .exec(String(asObject(best.value).$schema))?.[0]
      .replace('/', '-')
    const kind = draft === undefined ? 'a JSON Schema' : `a ${draft} schema`
    const named = best.isNamed ? ', which the files name' : ''
    const percent = Math.floor(100 * best.ofFiles)
    const accepts = best.reason === undefined ? ` It accepts ${percent} % of the data.` : ''
    say(`${best.name}: ${kind}${named}.${accepts}`)
    return { schema: best.name, isThere: true }
  }

  const ofRecord = checked.find(({ ofRecords }) => ofRecords > 0.5)
  if (ofRecord) say(`${ofRecord.name}: the schema of a record, not of a file.`)
  return { schema: NEW_SCHEMA, isThere: false }
}

/** Whether a file names its schema, as in `"$schema": "../chain.schema.json"`. */
function refersTo(value: unknown, schema: string): boolean {
  const { $schema } = asObject(value)
  return typeof $schema === 'string' && path.basename($schema) === path.basename(schema)
}

/** What no schema of a delivery accepts all of. */
const ANYTHING = [null, 0, '', [], {}]

/** How many files and records are tried. */
const MOST_TRIED = 200

/** Tries a schema on the files and on the records. */
async function tryOut(
  schema: string,
  { files, records, shape }: Delivery,
): Promise<Pick<Tried, 'ofFiles' | 'ofRecords' | 'reason'>> {
  try {
    const load = () => import('../explain/explain.ts')
    const { check } = await readSchema(schema, new Cache('.manyurls'), load)
    const accepts = ({ value }: { value: unknown }) => check(value).faults.length === 0

    // It has definitions for others, and no demand of its own.
    if (ANYTHING.every((value) => accepts({ value }))) return { ofFiles: 0, ofRecords: 0 }

    const partOfFile = ({ name, value }: SurveyedFile) => {
      const { faults } = check(value)
      if (faults.length === 0) return 1
      // Of the whole file, or of the list in it: it's the schema of something else.
      const isOther = faults.some(({ pointer }) => pointer.length === 0)
      if (isOther || shape.kind === 'one record') return 0
      const depth = shape.kind === 'list under a key' ? 2 : 1
      const faulty = new Set(faults.map(({ pointer }) => pointer.slice(0, depth).join('/')))
      const all = records.filter(({ file }) => file === name).length
      return Math.max(0, 1 - faulty.size / all)
    }
    return {
      ofFiles: average(files.slice(0, MOST_TRIED).map(partOfFile)),
      ofRecords: average(records.slice(0, MOST_TRIED).map((record) => Number(accepts(record)))),
    }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return { ofFiles: 0, ofRecords: 0, reason: `${capitalized(error.message)}.` }
  }
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
}

const NEW_SCHEMA = 'schema.json'

/** Says how to get a first schema. */
function adviseSchema({ files }: Delivery, hasOthers: boolean): string[] {
  const folder = path.posix.dirname(files[0]?.name ?? '')
  const source = files.length === 1 ? files[0]?.name : `${folder}/*.json`
  const lack = hasOthers
    ? 'No schema here is one of a whole file.'
    : 'There is no JSON Schema here.'
  return [
    `${lack} Let quicktype make a first one from the data, and correct it:`,
    `  npx quicktype ${source} --src-lang json --lang schema --out ${NEW_SCHEMA}`,
  ]
}
