/** What is said of the collections of a repository, for people and as JSON. */
import { UNCHECKED } from '../accept/codes.ts'
import type { BuildResult } from '../build/build.ts'
import { countChanges, type ItemChanges } from '../dataset/changes.ts'
import { emitItems, emitManifestOf } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import type { Words } from '../explain/words.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural, show } from '../text/wording.ts'
import { toData, type Verdict } from './json.ts'
import { formatEach } from './problems.ts'
import { describeWarnings, formatChanges, formatRows } from './summary.ts'

/** The result of a collection, with what is shown of it. */
export interface ShownCollection {
  name: string
  words: Words
  /** Whether it has a schema. */
  hasSchema: boolean
  result: BuildResult
  /** Its problems, without those that nobody asked for. */
  problems: readonly Problem[]
  /** Its problems that are shown with another collection, which reads the same file: with which one. */
  elsewhere: ReadonlyMap<Problem, string>
  /** What refuses the records that are left out, again without what nobody asked for. */
  refusals: readonly Problem[]
  /** Its warnings, without those that are shown with another collection. */
  warnings: readonly Problem[]
}

/** How problems are shown. */
interface Context {
  /** The folder that the names of files are relative to. */
  folder: string
  /** How many problems of one file are shown. */
  shown: number
}

/** Whether a collection has a problem, wherever it's shown. */
export function isWrong({ problems, elsewhere }: ShownCollection): boolean {
  return problems.length + elsewhere.size > 0
}

/** Says how a collection is: in a line or, if some of its problems are shown elsewhere, in two. */
export function describeCollection(collection: ShownCollection): string[] {
  if (!isWrong(collection)) return [describeRight(collection)]

  const lines: string[] = []
  if (collection.problems.length > 0) lines.push(describeWrong(collection))
  if (collection.elsewhere.size > 0) lines.push(describeElsewhere(collection))
  return lines
}

/** Says what is right: a line for each collection without a problem. */
export function* formatRight(collections: readonly ShownCollection[]): Generator<string> {
  for (const collection of collections) {
    if (!isWrong(collection)) yield `${describeRight(collection)}\n`
  }
}

/**
 * For example "countries: 195 records, no mistake", or "countries: 194 of 195 records, 1 left out". If
 * references weren't checked, it says so instead of "no mistake".
 */
function describeRight({ name, result, hasSchema }: ShownCollection): string {
  const batches = result.ok ? result.manifest.batches : result.batches
  const sum = (key: 'records' | 'kept' | 'dropped' | 'refused') => {
    return batches.reduce((total, batch) => total + batch[key], 0)
  }

  const records = plural(sum('records'), 'record')
  const isWhole = sum('kept') === sum('records')
  const parts = [isWhole ? records : `${formatNumber(sum('kept'))} of ${records}`]

  // Only --skip-refused leaves records out: otherwise, there would be a problem.
  const leftOut = sum('refused')
  const unchecked = result.warnings.filter(({ code }) => code === UNCHECKED)
  if (leftOut > 0) parts.push(`${formatNumber(leftOut)} left out`)
  else if (unchecked.length === 0) parts.push('no mistake')

  if (sum('dropped') > 0) parts.push(`${plural(sum('dropped'), 'duplicate')} dropped`)
  if (!hasSchema) parts.push('no schema')

  const sentences = unchecked.map(({ message }) => `. ${message}`)
  return printable(`${name}: ${parts.join(', ')}${sentences.join('')}`)
}

/** Says what is wrong: how many problems there are, then each. */
export function* formatWrong(
  collections: readonly ShownCollection[],
  context: Context,
): Generator<string> {
  const wrong = collections.filter(isWrong)

  for (const line of wrong.flatMap(describeCollection)) yield `${line}\n`
  for (const { problems, words } of wrong) yield* formatEach(problems, { ...context, words })
}

/** Names the records that were left out, each with what refuses it. */
export function* formatLeftOut(
  collections: readonly ShownCollection[],
  context: Context,
): Generator<string> {
  for (const { name, words, refusals } of collections) {
    if (refusals.length === 0) continue

    const records = plural(countRecords(refusals), 'record')
    const reasons = plural(refusals.length, 'problem')
    yield `${printable(name)}: ${records} left out, because of ${reasons}\n`
    yield* formatEach(refusals, { ...context, words })
    yield '\n'
  }
}

/** Counts the records of a collection that problems refuse: several may refuse one. */
function countRecords(refusals: readonly Problem[]): number {
  return new Set(refusals.map(({ batch, record }) => JSON.stringify([batch, record]))).size
}

/** For example "2 named files, no mistake". */
export function formatNamed(
  files: ReadonlySet<string>,
  collections: readonly ShownCollection[],
): string {
  const leftOut = collections.reduce((sum, { refusals }) => {
    return sum + countRecords(refusals.filter(({ batch }) => files.has(batch)))
  }, 0)

  const state = leftOut === 0 ? 'no mistake' : `${plural(leftOut, 'record')} left out`
  return `${plural(files.size, 'named file')}, ${state}\n`
}

/** For example "countries.json: 1 problem", or "countries: 3 problems in 2 files". */
function describeWrong({ name, problems }: ShownCollection): string {
  const files = new Set(problems.map(({ batch }) => batch))
  const count = plural(problems.length, 'problem')

  const [only] = files
  if (files.size === 1) return printable(`${only}: ${count}`)

  return printable(`${name}: ${count} in ${plural(files.size, 'file')}`)
}

/** For example `bikes: 1 problem in garage.yml, shown with "staff"`. */
function describeElsewhere({ name, elsewhere }: ShownCollection): string {
  const files = new Set(Array.from(elsewhere.keys(), ({ batch }) => batch))
  const owners = new Set(elsewhere.values())
  const count = plural(elsewhere.size, 'problem')

  const [only] = files
  const where = files.size === 1 ? only : plural(files.size, 'file')
  return printable(`${name}: ${count} in ${where}, shown with ${[...owners].map(show).join(', ')}`)
}

/** Formats warnings, such as keys that may be misspelled; '' if there are none. */
export function formatWarnings(
  collections: readonly ShownCollection[],
  { folder }: Pick<Context, 'folder'>,
): string {
  const rows = collections.flatMap((collection) => {
    // The line of a collection without a problem says already what wasn't checked.
    const isSaid = (code: string) => code === UNCHECKED && !isWrong(collection)
    const unsaid = collection.warnings.filter(({ code }) => !isSaid(code))
    return describeWarnings(unsaid, folder)
  })
  return rows.length === 0 ? '' : formatRows(rows)
}

/** For example "generated/countries.json (34 kB): 3 new, 1 changed (name), 0 gone". */
export function formatPublished(
  { result }: ShownCollection,
  placeOf: (file: string) => string,
): string {
  if (!result.ok) return ''

  const { dataset } = result.manifest
  const file = `${placeOf(dataset.file)} (${formatBytes(dataset.bytes)})`
  return printable(`${file}: ${nameChanges(result.changes)}`)
}

function nameChanges(changes: ItemChanges | boolean): string {
  if (changes === false) return 'unchanged'
  // A large dataset isn't compared record by record.
  if (changes === true) return 'changed'
  return formatChanges(changes)
}

/** Formats all collections as JSON. */
export function* formatCollectionsJson(
  collections: readonly ShownCollection[],
  { isOk, outdated }: Verdict,
): Generator<string> {
  yield `{\n"ok": ${isOk},\n"outdated": ${JSON.stringify(outdated)},\n"collections": {`

  let separator = '\n'

  for (const { name, result, problems, elsewhere, warnings } of collections) {
    yield `${separator}${JSON.stringify(name)}: {\n`
    separator = ',\n'

    yield '"problems": '
    const shownElsewhere = Array.from(elsewhere, ([problem, shownIn]) => {
      return { ...toCollectionData(problem), shownIn }
    })
    yield* emitItems([...problems.map(toCollectionData), ...shownElsewhere])
    yield ',\n"warnings": '
    yield* emitItems(warnings.map(toCollectionData))
    if (result.ok) yield* emitResult(result)
    yield '\n}'
  }

  yield '\n}\n}\n'
}

function* emitResult({ manifest, changes }: Extract<BuildResult, { ok: true }>): Generator<string> {
  const counts = typeof changes === 'object' ? countChanges(changes) : changes

  yield `,\n"changes": ${JSON.stringify(counts)},\n"manifest": `
  yield* emitManifestOf(manifest)
}

/** Here, a batch is simply a file. */
function toCollectionData(problem: Problem): object {
  const { batch, other, ...rest } = toData(problem, 'id')
  if (other === undefined) return { file: batch, ...rest }

  const { batch: otherFile, ...place } = other
  return { file: batch, ...rest, other: { file: otherFile, ...place } }
}
