/** The summary of a build, as text: its batches, what was dropped, what changed, what to look at. */

import type { Published } from '../build/output/collection-dataset.ts'
import {
  countChanges,
  type ItemChanges,
  LARGEST_COMPARED,
  type NewBatches,
  type NewWinner,
} from '../dataset/changes.ts'
import type { Manifest } from '../dataset/format.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import type { Problem } from '../explain/problem.ts'
import {
  areaOf,
  CUT_BY_YAML,
  DAMAGED,
  EXCLUDES_NOTHING,
  NEAR_KEY,
  NOT_CHECKED,
  NOT_READ,
  OLD_YAML,
} from '../fault/codes.ts'
import type { AnyCode } from '../fault/facts.ts'
import { groupBy } from '../machine/group-by.ts'
import { placeIn } from '../machine/place-in.ts'
import { printable } from '../text/printable.ts'
import { formatNumber, plural } from '../text/wording.ts'
import { placeOf } from './problems.ts'
import { UNSTYLED } from './style.ts'

/** Lists every dropped record with the record that was kept, one per line. */
export function* formatDropped(duplicates: Iterable<Duplicate>, folder: string): Generator<string> {
  for (const { id, kept, dropped } of duplicates) {
    const keptPlace = describePlace(kept, folder)

    for (const record of dropped) {
      const { kind, fields } = record
      const why = kind === 'identical' ? kind : `${kind}: ${fields.join(', ')}`
      const line = `${id}  kept ${keptPlace}; dropped ${describePlace(record, folder)} (${why})`
      yield `${printable(line)}\n`
    }
  }
}

/** For example "raw-batches/a.json:12", or "raw-batches/a.json record 3" if the line isn't known. */
function describePlace({ batch, index, line }: Provenance, folder: string): string {
  const file = placeIn(folder, batch)
  return line === undefined ? `${file} record ${index + 1}` : `${file}:${line}`
}

/** How many batches have a line of their own. */
const MOST_BATCHES = 20
/** How many of the batches that took paths from another are named. */
const MOST_NAMED = 2

/** Describes what batches contributed that kept less than they have; of many, only those that kept nothing. */
export function describeBatches(
  { batches, duplicates }: Pick<Manifest, 'batches' | 'duplicates'>,
  folder: string,
): Row[] {
  const losing = batches.filter(({ kept, records }) => kept < records)
  const isFew = losing.length <= MOST_BATCHES
  const outstanding = isFew ? losing : losing.filter(({ kept }) => kept === 0)
  if (outstanding.length === 0) return []

  const losses = lossesByBatch(duplicates, folder)
  const rows = outstanding.map(({ file, records, kept, dropped, refused }): Row => {
    const lost = losses.get(file)
    const why = lost ? ` (${describeLosses(lost)})` : ''

    const counts = [`${formatNumber(kept)} kept`, `${formatNumber(dropped)} dropped${why}`]
    if (refused > 0) counts.push(`${formatNumber(refused)} refused`)

    return [placeIn(folder, file), `${plural(records, 'record')}: ${counts.join(', ')}`]
  })
  return firstOf(rows, MOST_BATCHES, ': 0 kept')
}

/** Returns the first rows, and one that counts the others. */
function firstOf(rows: readonly Row[], most: number, remark: string): Row[] {
  const more = rows.length - most
  if (more <= 0) return [...rows]

  return [...rows.slice(0, most), ['', `and ${formatNumber(more)} more${remark}`]]
}

/** The records of a batch that lost their paths. */
export interface Losses {
  identical: number
  conflicting: number
  /** The batches that keep the paths, for example "batch-01.json and its own earlier records". */
  winners: string
}

/** Returns what each batch has lost, by its name. Batches that have lost nothing are not in it. */
export function lossesByBatch(
  duplicates: readonly Duplicate[],
  folder: string,
): Map<string, Losses> {
  const records = duplicates.flatMap(({ kept, dropped }) => {
    return dropped.map(({ batch, kind }) => ({ batch, kind, winner: kept.batch }))
  })

  const losses = new Map<string, Losses>()
  for (const [batch, lost] of groupBy(records, ({ batch }) => batch)) {
    const identical = lost.filter(({ kind }) => kind === 'identical').length
    const winners = new Set(lost.map(({ winner }) => winner))

    losses.set(batch, {
      identical,
      conflicting: lost.length - identical,
      winners: describeWinners(batch, winners, folder),
    })
  }
  return losses
}

function describeWinners(batch: string, winners: ReadonlySet<string>, folder: string): string {
  const others = [...winners].filter((winner) => winner !== batch)
  const isMany = winners.size > MOST_NAMED
  const named = isMany ? [`${others.length} files`] : others.map((other) => placeIn(folder, other))

  if (winners.has(batch)) named.push('its own earlier records')
  return named.join(' and ')
}

/** Describes losses, for example "1 identical to, 7 conflicting with batch-01.json and its own earlier records". */
function describeLosses({ identical, conflicting, winners }: Losses): string {
  if (conflicting === 0) return `identical to ${winners}`
  if (identical === 0) return `conflicting with ${winners}`
  return `${formatNumber(identical)} identical to, ${formatNumber(conflicting)} conflicting with ${winners}`
}

/** A line of the summary. */
export type Row = [name: string, text: string, kind?: 'warning']

/** Formats rows as lines, with the texts in one column. */
export function formatRows(rows: readonly Row[], style = UNSTYLED): string {
  const lengths = rows.map(([name]) => printable(name).length)
  const width = Math.max(...lengths) + 2

  const lines = rows.map(([name, text, kind]) => {
    const cell = printable(name).padEnd(width)
    return `${kind === 'warning' ? style.warning(cell) : cell}${printable(text)}\n`
  })
  return lines.join('')
}

/** Formats changes, for example "3 new, 1 changed (contentHtml), 0 gone". */
export function formatChanges(changes: ItemChanges | boolean): string {
  if (changes === false) return 'unchanged'
  if (changes === true)
    return `changed (records are counted in datasets of up to ${LARGEST_COMPARED / 1e6} MB)`

  const counts = countChanges(changes)
  const fields = counts.changed === 0 ? '' : ` (${counts.fields.join(', ')})`

  return [
    `${formatNumber(counts.new)} new`,
    `${formatNumber(counts.changed)} changed${fields}`,
    `${formatNumber(counts.gone)} gone`,
  ].join(', ')
}

/** Describes the duplicates to look at: those that differ, and those that another file wins now. */
export function describeDuplicates(
  { manifest, newWinners, newBatches }: Published,
  folder: string,
): Row[] {
  return [
    ...describeConflicts(manifest.duplicates, newBatches, folder),
    ...describeNewWinners(newWinners, folder),
  ]
}

/** How many of the conflicting records the summary names. */
const MOST_CONFLICTS = 3

/** A record that was dropped though it differs from the one that was kept. */
interface Conflict {
  id: string
  kept: Provenance
  dropped: Duplicate['dropped'][number]
}

/**
 * Counts the conflicts and names the first ones, beginning with those of batches that are new or have
 * changed: who adds a batch looks for its own.
 */
function describeConflicts(
  duplicates: readonly Duplicate[],
  newBatches: NewBatches,
  folder: string,
): Row[] {
  const conflicts = conflictsIn(duplicates)
  if (conflicts.length === 0) return []

  const isNew = ({ kept, dropped }: Conflict) => {
    return newBatches.has(kept.batch) || newBatches.has(dropped.batch)
  }
  const newConflicts = conflicts.filter(isNew)
  const oldConflicts = conflicts.filter((conflict) => !isNew(conflict))

  const shown = [...newConflicts, ...oldConflicts].slice(0, MOST_CONFLICTS)
  const rows: Row[] = [
    ['Conflicts', countConflicts(conflicts.length, newConflicts.length)],
    ...shown.map((conflict): Row => ['', describeConflict(conflict, newBatches, folder)]),
  ]

  const more = conflicts.length - shown.length
  if (more > 0) rows.push(['', `and ${formatNumber(more)} more; --verbose names each`])
  return rows
}

/** Lists the records that were dropped though they differ from those that were kept. */
export function conflictsIn(duplicates: readonly Duplicate[]): Conflict[] {
  return duplicates.flatMap(({ id, kept, dropped: records }) => {
    const conflicting = records.filter(({ kind }) => kind === 'conflicting')
    return conflicting.map((dropped) => ({ id, kept, dropped }))
  })
}

/** For example "27 dropped records differ from those that were kept; 4 concern new or changed files". */
function countConflicts(count: number, ofNew: number): string {
  const differ = count === 1 ? 'differs from the one that was' : 'differ from those that were'
  const all = `${plural(count, 'dropped record')} ${differ} kept`
  if (ofNew === 0) return all

  const concern = ofNew === 1 ? 'concerns' : 'concern'
  return `${all}; ${formatNumber(ofNew)} ${concern} new or changed files`
}

/** For example "/blog/029: record 3 of f.json (new) differs from record 4 of b.json in contentHtml". */
function describeConflict(
  { id, kept, dropped }: Conflict,
  newBatches: NewBatches,
  folder: string,
): string {
  const describeRecord = ({ batch, index }: Provenance) => {
    const news = newBatches.get(batch)
    const remark = news === undefined ? '' : ` (${news})`
    return `record ${index + 1} of ${placeIn(folder, batch)}${remark}`
  }

  const fields = dropped.fields.join(', ')
  return `${id}: ${describeRecord(dropped)} differs from ${describeRecord(kept)} in ${fields}`
}

/** How many of the paths that another batch wins the summary names. */
const MOST_TAKEN = 3

/** For example "/pricing/001 now from new.json, which sorts before old.json". */
export function describeNewWinner({ id, batch, from }: NewWinner, folder: string): string {
  return `${id} now from ${placeIn(folder, batch)}, which sorts before ${placeIn(folder, from)}`
}

/** Describes the paths that another batch wins now; no rows if there are none. */
export function describeNewWinners(newWinners: readonly NewWinner[], folder: string): Row[] {
  if (newWinners.length === 0) return []

  const batches = new Set(newWinners.map(({ batch }) => batch))
  const [onlyBatch] = batches.size === 1 ? batches : []
  const newFiles = onlyBatch === undefined ? 'the new files' : placeIn(folder, onlyBatch)
  const advice = `to give them back, rename ${newFiles} to sort after the others`
  const head: Row = ['Taken', `${plural(newWinners.length, 'record')} of earlier files; ${advice}`]

  const rows = newWinners.map((winner): Row => ['', describeNewWinner(winner, folder)])
  return [head, ...firstOf(rows, MOST_TAKEN, '; --json shows all')]
}

/** How many of the files that were not read the summary names. */
const MOST_UNREAD = 10

/** The codes of warnings about the text of a schema. In a batch, a repeated key is never only a warning. */
const OF_SCHEMA_TEXT: readonly AnyCode[] = [
  'loss.repeated-first-key',
  'loss.repeated-key',
  'loss.lone-surrogate',
  'file.byte-order-mark',
]

/** Whether a warning is about the file of a schema, and not about a batch. */
function isOfSchemaFile({ code }: Problem): boolean {
  return areaOf(code) === 'schema-file' || OF_SCHEMA_TEXT.includes(code)
}

/** Describes the warnings in the summary; no rows if there are none. */
export function describeWarnings(warnings: readonly Problem[], folder: string): Row[] {
  const withCode = (...codes: AnyCode[]) => warnings.filter(({ code }) => codes.includes(code))
  const ofSchemaFile = warnings.filter(isOfSchemaFile)

  const rows = [
    ...describeUnread(withCode(NOT_READ, EXCLUDES_NOTHING), folder),
    ...describeEach('Schema', ofSchemaFile, '', '; --json shows all'),
    ...describeUnchecked(withCode(...NOT_CHECKED)),
    ...describeEach('Key', withCode(NEAR_KEY), folder, '; --strict shows each'),
    ...describeYaml('YAML 1.1', OLD_READINGS, withCode(OLD_YAML), folder),
    ...describeYaml('YAML', CUTS, withCode(...CUT_BY_YAML), folder),
    ...describeDamages(withCode(DAMAGED), folder),
  ]
  return rows.map(([name, text]) => [name, text, 'warning'])
}

function describeUnread(warnings: readonly Problem[], folder: string): Row[] {
  const rows = warnings.map(({ batch, code, message }): Row => {
    const place = code === NOT_READ ? placeIn(folder, batch) : batch
    return ['Unread', `${place}: ${message}`]
  })
  return firstOf(rows, MOST_UNREAD, '')
}

/** Describes each warning, with its place. @param remark what shows those beyond the first few */
function describeEach(
  name: string,
  warnings: readonly Problem[],
  folder: string,
  remark: string,
): Row[] {
  const rows = warnings.map((warning): Row => {
    return [name, `${placeOf(warning, folder)}  ${warning.message}`]
  })
  return firstOf(rows, MOST_UNREAD, remark)
}

function describeUnchecked(warnings: readonly Problem[]): Row[] {
  return warnings.map(({ message }) => ['Unchecked', message])
}

const OLD_READINGS = 'that programs read in another way if they know YAML 1.1'
const CUTS = 'where YAML keeps only a part of what is written'

/** Counts warnings about YAML, and shows the first. @param what describes their places */
function describeYaml(
  name: string,
  what: string,
  warnings: readonly Problem[],
  folder: string,
): Row[] {
  const [first] = warnings
  if (!first) return []

  const places = plural(warnings.length, 'place')
  const text = `${places} ${what}; the first at ${placeOf(first, folder)}: ${first.message} --strict shows each`
  return [[name, text]]
}

function describeDamages(warnings: readonly Problem[], folder: string): Row[] {
  const [first] = warnings
  if (!first) return []

  const places = plural(warnings.length, 'place')
  const text = `${places} with U+FFFD, a character that was lost; the first at ${placeOf(first, folder)}; --strict shows each`
  return [['Lost', text]]
}
