/**
 * Answers one question: is this batch right? From the bytes of one delivered file to its pages or to
 * its faults. It decides, and explains nothing: `src/explain` does, for the few that are refused.
 */
import type { Content } from '../page/content.ts'
import type { Delivered } from '../page/delivered.ts'
import type { Identity } from '../page/facts.ts'
import { type Fault, fault, type Marked, type Pointer, parsePointer } from '../page/fault.ts'
import { PARAGRAPHS } from '../page/html.ts'
import type { SchemaCheck } from './check.ts'
import { PageEmitter, type Pages } from './emit.ts'
import { createMarkupCheck, type MarkupCheck } from './markup.ts'
import type { KeyCheck } from './near-keys.ts'
import { bodyLinks, otherPaths, type PageLink, references } from './page-links.ts'
import { PageMaker } from './pages.ts'
import { type DeliveredFile, type ParsedBatch, parseBatch } from './parse-batch.ts'
import { placesOf, withRightRecords } from './records.ts'
import { identityOf, namedIdentities, type RecordReference } from './references.ts'
import { checkForSite, checkPage, checkRecord, checkReferences } from './rules.ts'

/** How batches are read. */
export interface Reading {
  check: SchemaCheck
  content: Content
  /** Finds keys that may be misspelled, though the schema accepts them. */
  findNearKeys?: KeyCheck
}

export interface Accepted {
  /** How many records the batch has, valid or not; 0 if they can't be found. */
  records: number
  /** Where `records` of `content.ts` finds them: of those in one list, only the first. */
  places: Pointer[]
  /** What is wrong; none if the batch is right. Schema, syntax and HTML are only named as such. */
  faults: Fault[]
  /** What may be wrong, such as a text that a program has damaged: a problem only if the build is strict. */
  warnings: Fault[]
  /** Whether something is wrong that isn't in a record, so that leaving out records doesn't help. */
  hasFaultOutside: boolean
  /** Whether the schema refuses something, and doesn't say in which records. */
  isUndecided: boolean
  /** The pages of the records that nothing refuses. */
  pages: Pages
  /** What these pages link and refer to. */
  links: PageLink[]
  /** The values of these pages that no other page may have. */
  uniques: UniqueValue[]
  /** The paths of the refused records; null for a record whose path isn't known. */
  refusedPaths: (string | null)[]
  /** The records that these records name by their identities. */
  references: RecordReference[]
  /** What the refused records are about; null where that isn't known. Empty without `references`. */
  refusedIdentities: (Identity | null)[]
}

/** A value that the schema marks as `unique`. */
interface UniqueValue extends Marked {
  /** The position of its record. */
  index: number
}

/**
 * Accepts or refuses one batch: the schema checks the whole file, the rules check each record that the
 * schema accepts, and what every site demands is checked in the page that the record becomes.
 *
 * @param refused the positions of the records that the schema refuses, if `explain` had to find them
 */
export function accept(
  file: DeliveredFile,
  reading: Reading,
  refused: ReadonlySet<number> = new Set(),
): Accepted {
  const { content, findNearKeys } = reading
  const batch = parseBatch(file, content)
  const checked = checkBatch(batch, reading.check, refused)
  const fileFaults = faultsBeforePages(batch, checked?.faults ?? [])

  const undecided = recordsBelow(batch, checked?.undecided ?? [])
  const valid = recordsWithout(batch, fileFaults, undecided)
  const maker = new PageMaker(batch, content)
  const { pages, refusals } = writePages(file, batch, maker, valid, content)

  const faults = [...fileFaults, ...refusals]
  const isAccepted = fileFaults.length === 0 && batch.value !== undefined
  const nearKeys = isAccepted && findNearKeys ? findNearKeys(batch.value) : []
  return {
    records: batch.records.all.length,
    places: content.records ? placesOf(batch.records) : [],
    faults,
    warnings: [...batch.damages, ...nearKeys],
    hasFaultOutside: faults.some((fault) => recordOf(batch, fault) === undefined),
    isUndecided: undecided.length > 0,
    pages,
    links: linksOf(batch, maker, valid, checked?.references ?? [], content),
    uniques: uniquesOf(batch, valid, checked?.uniques ?? []),
    refusedPaths: [
      ...faults.flatMap((fault) => refusedPath(batch, maker, fault)),
      ...undecided.map(() => null),
    ],
    references: referencesOf(batch.records.all, valid, content),
    refusedIdentities: refusedIdentities(batch, valid, undecided, content),
  }
}

/** Returns what the schema refuses, and what is wrong with the file itself. */
function faultsBeforePages(batch: ParsedBatch, schemaFaults: readonly Fault[]): Fault[] {
  const faults = [...schemaFaults, ...batch.faults]

  // If something else is wrong with the file, that may be why there are no records.
  const { fault } = batch.records
  return fault && faults.length === 0 ? [fault] : faults
}

/**
 * Checks a batch against the schema.
 *
 * @param refused the positions of the records that are known to be refused
 */
function checkBatch(batch: ParsedBatch, check: SchemaCheck, refused: ReadonlySet<number>) {
  if (batch.value === undefined) return undefined
  if (refused.size === 0) return check(batch.value)

  const withoutRefused = check(withRightRecords(batch, refused))
  if (withoutRefused.faults.length > 0) return check(batch.value)

  const faults = Array.from(refused, (index) => {
    return fault('schema.refused', batch.records.pointerTo(index))
  })
  return { ...withoutRefused, faults }
}

/** Returns the positions of the records in which the schema may refuse something, or not. */
function recordsBelow({ records }: ParsedBatch, undecided: readonly Pointer[]): number[] {
  const places = undecided.filter((place) => records.at(place) === undefined)
  if (places.length === 0) return []

  return [...records.all.keys()].filter((index) => {
    const pointer = records.pointerTo(index)
    return places.some((place) => place.every((step, depth) => step === pointer[depth]))
  })
}

/** Returns the positions of the records that no fault is in, and that aren't undecided. */
function recordsWithout(
  { records }: ParsedBatch,
  faults: readonly Fault[],
  undecided: readonly number[],
): Set<number> {
  const valid = new Set(records.all.keys())
  for (const index of undecided) valid.delete(index)

  for (const { pointer } of faults) {
    const place = records.at(pointer)
    if (place) valid.delete(place.index)
  }
  return valid
}

/**
 * Makes the pages of records, and writes those that nothing refuses.
 *
 * @param valid the positions of the records; those that are refused are taken out
 */
function writePages(
  { bytes }: DeliveredFile,
  batch: ParsedBatch,
  maker: PageMaker,
  valid: Set<number>,
  content: Content,
): { pages: Pages; refusals: Fault[] } {
  const { records } = batch
  const emitter = new PageEmitter(bytes.length, records.all.length)
  const isAllowedMarkup = createMarkupCheck(content.elements ?? PARAGRAPHS)
  const refusals: Fault[] = []

  for (const index of valid) {
    const faults = judge(batch, maker, index, content, isAllowedMarkup)

    if (faults.length === 0) {
      const record = { index, key: records.keyOf(index), identity: maker.identities[index] }
      const unwritten = emitter.add(maker.pageOf(index), record)
      if (unwritten) faults.push({ ...unwritten, pointer: records.pointerTo(index) })
    }

    if (faults.length > 0) valid.delete(index)
    for (const fault of faults) refusals.push(fault)
  }
  return { pages: emitter.pages(), refusals }
}

/** Returns what the rules and `page` refuse in a record that the schema accepts. */
function judge(
  batch: ParsedBatch,
  maker: PageMaker,
  index: number,
  content: Content,
  isAllowedMarkup: MarkupCheck,
): Fault[] {
  const record = batch.records.all[index] as Delivered
  const place = batch.records.pointerTo(index)
  const faults: Fault[] = checkRecord(record, content.rules ?? []).map((fault) => {
    return { ...fault, pointer: [...place, ...fault.pointer] }
  })

  const unmade = maker.make(index)
  if (unmade) return [...faults, { ...unmade, pointer: place }]

  const page = maker.pageOf(index)
  const hasPath = maker.pathOf(index) !== null
  const pageFaults = hasPath ? checkPage(page, isAllowedMarkup) : [fault('page.no-path', ['path'])]
  for (const pageFault of pageFaults) faults.push({ ...pageFault, page: index })

  const unreferenced = checkReferences(record, content)
  if (unreferenced) faults.push({ ...unreferenced, pointer: place })

  const isForSite = content.site !== false
  if (!isForSite || faults.length > 0) return faults
  return checkForSite(page, content).map((siteFault) => ({ ...siteFault, page: index }))
}

/** Returns the position of the record that a fault refuses; undefined if it's outside of all. */
function recordOf(batch: ParsedBatch, { page, pointer }: Fault): number | undefined {
  return page ?? batch.records.at(pointer)?.index
}

/** Returns the path of the record that a fault refuses: links to it are not reported as well. */
function refusedPath(batch: ParsedBatch, maker: PageMaker, fault: Fault): (string | null)[] {
  const index = recordOf(batch, fault)
  if (index === undefined) return batch.records.fault ? [null] : []

  const within = fault.page === undefined ? batch.records.at(fault.pointer)?.within : fault.pointer
  const isPathRefused = within?.[0] === 'path'
  return [isPathRefused ? null : maker.pathOf(index)]
}

/** Returns the pages that the valid records link or refer to. */
function linksOf(
  { records }: ParsedBatch,
  maker: PageMaker,
  valid: ReadonlySet<number>,
  marked: readonly Marked[],
  content: Content,
): PageLink[] {
  const links: PageLink[] = []
  for (const index of valid) {
    const page = maker.pageOf(index)
    for (const { target } of bodyLinks(page)) links.push({ index, target })
    for (const target of otherPaths(page, content)) links.push({ index, target })
  }

  for (const { index, target } of references(records, marked, valid)) links.push({ index, target })
  return links
}

/** Returns the records that the valid records name by their identities. */
function referencesOf(
  records: readonly unknown[],
  valid: ReadonlySet<number>,
  content: Content,
): RecordReference[] {
  if (!content.references) return []

  const references: RecordReference[] = []
  for (const index of valid) {
    for (const identity of namedIdentities(records[index], content))
      references.push({ index, identity })
  }
  return references
}

/** Returns what the refused records are about: references to them are not reported as well. */
function refusedIdentities(
  { records }: ParsedBatch,
  valid: ReadonlySet<number>,
  undecided: readonly number[],
  content: Content,
): (Identity | null)[] {
  if (!content.references) return []
  if (records.fault || undecided.length > 0) return [null]

  const refused = records.all.filter((_, index) => !valid.has(index))
  return refused.map((record) => identityOf(record, content))
}

/** Returns the values of the valid records that no other page may have. */
function uniquesOf(
  { records }: ParsedBatch,
  valid: ReadonlySet<number>,
  marked: readonly Marked[],
): UniqueValue[] {
  const uniques: UniqueValue[] = []
  for (const mark of marked) {
    const index = records.at(parsePointer(mark.place))?.index
    if (index !== undefined && valid.has(index)) uniques.push({ ...mark, index })
  }
  return uniques
}
