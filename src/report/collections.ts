/** The lines about collections, for a terminal. */
import path from 'node:path'
import type { Published } from '../build/output/collection-dataset.ts'
import type { BuildResult } from '../build/result.ts'
import { countChanges, type ItemChanges } from '../dataset/changes.ts'
import type { BatchEntry } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import type { ReaderWords } from '../explain/words.ts'
import { isRefusal, NOT_CHECKED } from '../fault/codes.ts'
import { placeIn } from '../machine/place-in.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural, show } from '../text/wording.ts'
import { type Context, formatEach } from './problems.ts'
import { type Style, UNSTYLED } from './style.ts'
import { describeWarnings, formatChanges, type Row } from './summary.ts'

/** The result of a collection, and what is shown of it. */
export interface ShownCollection {
  name: string
  words: ReaderWords
  /** Whether it has a schema. */
  hasSchema: boolean
  /** Whether all of it is shown; otherwise, only what concerns the files that are named. */
  isWhole: boolean
  result: BuildResult
  /** Its problems, without those that nobody asked for. */
  problems: readonly Problem[]
  /** Its problems that are shown with another collection, which reads the same file: with which one. */
  elsewhere: ReadonlyMap<Problem, string>
  /** Why records are left out, again without those that nobody asked for. */
  refusals: readonly Problem[]
  /** Its warnings, without those that nobody asked for, or that are shown with another collection. */
  warnings: readonly Problem[]
}

/** Whether a collection has a problem, wherever it's shown. */
export function isWrong({ problems, elsewhere }: ShownCollection): boolean {
  return problems.length + elsewhere.size > 0
}

/** Whether a line says that a collection is right. */
function isSaidRight(collection: ShownCollection): boolean {
  return collection.isWhole && !isWrong(collection)
}

/**
 * Describes a collection in a line or, if some of its problems are shown elsewhere, in two.
 *
 * @param collections all that are shown
 */
export function describeCollection(
  collection: ShownCollection,
  collections: readonly ShownCollection[],
  { folder, style = UNSTYLED }: Pick<Context, 'folder' | 'style'>,
): string[] {
  if (isSaidRight(collection)) return [describeRight(collection)]

  const lines: string[] = []
  if (collection.problems.length > 0) {
    lines.push(describeWrong(collection, collections, { folder, style }))
  }
  if (collection.elsewhere.size > 0) lines.push(describeElsewhere(collection, folder))
  return lines
}

/** Lists the collections without a problem, in a line each. */
export function* formatRight(collections: readonly ShownCollection[]): Generator<string> {
  for (const collection of collections) {
    if (isSaidRight(collection)) yield `${describeRight(collection)}\n`
  }
}

/**
 * For example "countries: 195 records, no mistake", or "countries: 194 of 195 records, 1 left out". If
 * references weren't checked, it says so instead of "no mistake". Of pages, it counts those with a form.
 */
function describeRight({ name, result, hasSchema }: ShownCollection): string {
  const sum = (key: 'records' | 'kept' | 'dropped' | 'refused') => {
    return batchesOf(result).reduce((total, batch) => total + batch[key], 0)
  }

  const isEmpty = sum('records') === 0
  const isComplete = sum('kept') === sum('records')
  const records = isEmpty ? 'no records' : plural(sum('records'), 'record')
  const parts = [isComplete ? records : `${formatNumber(sum('kept'))} of ${records}`]

  const forms = result.ok ? result.manifest.totals.withForms : undefined
  if (forms !== undefined && forms > 0) parts.push(`${formatNumber(forms)} with forms`)

  // Only --skip-refused leaves records out: otherwise, there would be a problem.
  const leftOut = sum('refused')
  const unchecked = result.warnings.filter(isNotChecked)
  if (leftOut > 0) parts.push(`${formatNumber(leftOut)} left out`)
  else if (!isEmpty && unchecked.length === 0) parts.push('no mistake')

  if (sum('dropped') > 0) parts.push(`${plural(sum('dropped'), 'duplicate')} dropped`)
  if (!hasSchema) parts.push('no schema')

  const sentences = unchecked.map(({ message }) => `. ${message}`)
  return printable(`${name}: ${parts.join(', ')}${sentences.join('')}`)
}

/** Returns the files that were read, each with what came of its records. */
export function batchesOf(result: BuildResult): readonly BatchEntry[] {
  return result.ok ? result.manifest.batches : result.batches
}

export function problemsOf(result: BuildResult): readonly Problem[] {
  return result.ok ? [] : result.problems
}

function isNotChecked({ code }: Problem): boolean {
  return NOT_CHECKED.includes(code)
}

/** Lists the problems of a collection: how many there are, then each. */
export function* formatWrong(
  collections: readonly ShownCollection[],
  context: Context,
): Generator<string> {
  const wrong = collections.filter(isWrong)

  for (const collection of wrong) {
    for (const line of describeCollection(collection, wrong, context)) yield `${line}\n`
  }
  for (const { problems, words } of wrong) yield* formatEach(problems, { ...context, words })
}

/** Lists the records that were left out, each with the reason. */
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

/** Says, after a build with --skip-refused, in which collections no record was left out, and why. */
export function* formatNotLeftOut(collections: readonly ShownCollection[]): Generator<string> {
  for (const { name, result, problems } of collections) {
    const isNothingKept = batchesOf(result).every(({ kept }) => kept === 0)
    if (isNothingKept && problems.some(isRefusal))
      yield `${printable(name)}: --skip-refused left out no record, because none would be left\n\n`
  }
}

/** Counts the records of a collection that problems refuse: several may refuse one. */
function countRecords(refusals: readonly Problem[]): number {
  return new Set(refusals.map(({ batch, record }) => JSON.stringify([batch, record]))).size
}

/** For example "2 named files, no mistake". If references weren't checked, it isn't known whether there's one. */
export function formatNamed(
  files: ReadonlySet<string>,
  collections: readonly ShownCollection[],
): string {
  const leftOut = collections.reduce((sum, { refusals }) => {
    return sum + countRecords(refusals.filter(({ batch }) => files.has(batch)))
  }, 0)

  const isChecked = !collections.some(({ warnings }) => warnings.some(isNotChecked))
  const parts = [plural(files.size, 'named file')]
  if (leftOut > 0) parts.push(`${plural(leftOut, 'record')} left out`)
  else if (isChecked) parts.push('no mistake')

  return `${parts.join(', ')}\n`
}

/**
 * For example "countries.json: 1 problem", or "countries: 3 problems in 2 files". If another collection
 * shows problems of the same file, it's "countries: 1 problem in all.json".
 */
function describeWrong(
  { name, problems }: ShownCollection,
  collections: readonly ShownCollection[],
  { folder, style }: { folder: string; style: Style },
): string {
  const files = filesOf(problems)
  const [file] = files
  const place = printable(nameFiles(files, folder))
  const count = style.fault(plural(problems.length, 'problem'))

  const showing = collections.filter((collection) => {
    return collection.problems.some(({ batch }) => batch === file)
  })

  const isOnlyHere = files.size === 1 && showing.length === 1
  return isOnlyHere ? `${place}: ${count}` : `${printable(name)}: ${count} in ${place}`
}

function filesOf(problems: Iterable<Problem>): Set<string> {
  return new Set(Array.from(problems, ({ batch }) => batch))
}

/** Names the only file, or counts them. */
function nameFiles(files: ReadonlySet<string>, folder: string): string {
  const [only, ...others] = files
  return only === undefined || others.length > 0
    ? plural(files.size, 'file')
    : placeIn(folder, only)
}

/** For example `bikes: 1 problem in garage.yml, shown with "staff"`. */
function describeElsewhere({ name, elsewhere }: ShownCollection, folder: string): string {
  const file = nameFiles(filesOf(elsewhere.keys()), folder)
  const owners = Array.from(new Set(elsewhere.values()), show).join(', ')
  const count = plural(elsewhere.size, 'problem')
  return printable(`${name}: ${count} in ${file}, shown with ${owners}`)
}

/** Describes the warnings, except those about unchecked references, which are in the line of the collection. */
export function describeUnsaid(collection: ShownCollection, folder: string): Row[] {
  const { warnings } = collection
  const isSaid = isSaidRight(collection)
  return describeWarnings(
    isSaid ? warnings.filter((warning) => !isNotChecked(warning)) : warnings,
    folder,
  )
}

/** Says where each dataset is, and what changed in it; of one dataset, also its digest. */
export function describePublished(published: readonly Published[], out: string): string[] {
  const lines = published.map(({ manifest: { dataset }, changes }) => {
    const file = `${path.join(out, dataset.file)} (${formatBytes(dataset.bytes)})`
    return `${printable(`${file}: ${formatChanges(changes)}`)}\n`
  })

  const [only, ...others] = published
  const digest = only && others.length === 0 ? [`SHA-256 ${only.manifest.dataset.sha256}\n`] : []
  return [...lines, ...digest]
}

/** Whether no item differs. */
function isSame(changes: ItemChanges | boolean): boolean {
  if (typeof changes === 'boolean') return false

  const { new: added, changed, gone } = countChanges(changes)
  return added + changed + gone === 0
}

/**
 * For example `generated/countries.json (3 new, 0 changed, 0 gone) is out of date; "npx manyurls build"
 * writes it`.
 *
 * @param outdated the files that are out of date, as messages name them
 * @param command that writes them
 */
export function describeOutdated(
  published: readonly Published[],
  outdated: readonly string[],
  { out, command }: { out: string; command: string },
): string {
  const datasets = published.flatMap(({ manifest, changes }) => {
    const file = path.join(out, manifest.dataset.file)
    if (!outdated.includes(file)) return []

    // Only line breaks may differ, or what the manifest says of it.
    return isSame(changes) ? [file] : [`${file} (${formatChanges(changes)})`]
  })

  const names = datasets.length > 0 ? datasets : outdated
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `${printable(`${names.join(', ')} ${are} out of date; "${command}" writes ${them}`)}\n`
}
