/** Finds where in the delivered file something is that is wrong with a page. */

import type { Reading } from '../accept/accept.ts'
import type { ItemMaker } from '../accept/items.ts'
import { bodyLinks, otherPaths, references } from '../accept/page-links.ts'
import type { ParsedBatch } from '../accept/parse-batch.ts'
import { namedRecords } from '../accept/references.ts'
import { checkBatch } from '../accept/schema-choice.ts'
import type { Collection } from '../collections/collection.ts'
import type { FactsOf } from '../page/facts.ts'
import { type Fault, fault, formatPointer, type Pointer } from '../page/fault.ts'
import { asObject } from '../text/as-object.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import type { ExplainedFault } from './problem.ts'

/**
 * Returns a fault of a page as one of the file. What `page` of `content.ts` has made is nowhere in
 * the file, so it is shown at the record.
 */
export function toFile(
  batch: ParsedBatch,
  maker: ItemMaker,
  pageFault: ExplainedFault,
): ExplainedFault {
  const { page: index, ...rest } = pageFault
  if (index === undefined) return pageFault

  const { pointer, isDelivered } = pointerToKey(batch, maker, index, rest.pointer)
  if (isDelivered) return { ...rest, pointer }

  const { within, instead, ...shown } = rest
  return { ...shown, pointer, madeKey: String(rest.pointer[0]) }
}

/**
 * Returns where a part of a page is in the file.
 *
 * @param index the position of the record
 * @param within the way from the page
 * @returns the place of the record, and that the part isn't delivered, if `content.page` has made it
 */
export function pointerToKey(
  { records }: ParsedBatch,
  maker: ItemMaker,
  index: number,
  within: Pointer,
): { pointer: Pointer; isDelivered: boolean } {
  const [key] = within
  const recordPlace = records.pointerTo(index)
  const isDelivered =
    key === undefined || asObject(maker.itemOf(index))[key] === asObject(records.all[index])[key]
  return { pointer: isDelivered ? [...recordPlace, ...within] : recordPlace, isDelivered }
}

/** The codes of faults that name another record of their batch by its position. */
const WITH_LINE = ['path.two-keys', 'order.before']

/** Adds the line of the other record to the faults that name one of the same batch. */
export function withLinesOfOthers(
  { format, text, records }: ParsedBatch,
  faults: readonly ExplainedFault[],
): ExplainedFault[] {
  const naming = faults.filter(({ code }) => WITH_LINE.includes(code))
  if (naming.length === 0) return [...faults]

  const targets = naming.map(({ facts }) => {
    return { pointer: records.pointerTo(Number(facts.other)), at: 'value' } as const
  })
  const ranges = format.locate(text, targets)
  const starts = startsOfLines(text)
  const lines = new Map(
    naming.map((fault, at) => [fault, lineAt(starts, ranges[at]?.start ?? 0) + 1]),
  )

  return faults.map((fault) => {
    const line = lines.get(fault)
    return line === undefined ? fault : { ...fault, facts: { ...fault.facts, line } }
  })
}

/** Finds each place at which pages name others that do not exist. */
export function placeLinks(
  batch: ParsedBatch,
  maker: ItemMaker,
  { targets, records }: FactsOf['link.refused'],
  { schemas, collection }: Reading,
): Fault[] {
  const placed = new Map<string, Fault>()
  const add = (
    target: string,
    written: string,
    place: Pick<Fault, 'pointer' | 'within' | 'page'>,
  ) => {
    const nowhere = fault('link.nowhere', [], { written, near: targets.get(target) })
    const inFile = toFile(batch, maker, { ...nowhere, ...place, about: target })
    placed.set(`${formatPointer(inFile.pointer)} ${inFile.within?.start}`, inFile)
  }

  for (const index of records) {
    const page = maker.itemOf(index)
    for (const { target, within, written } of bodyLinks(page)) {
      if (targets.has(target))
        add(target, written, { pointer: ['contentHtml'], within, page: index })
    }
    for (const target of otherPaths(page, collection.pages ?? {})) {
      if (targets.has(target)) add(target, target, { pointer: placeOfValue(batch, index, target) })
    }
  }

  const { references: marked } = checkBatch(batch, schemas)
  for (const { target, pointer } of references(batch.records, marked, records)) {
    if (targets.has(target)) add(target, target, { pointer })
  }
  return [...placed.values()]
}

/** Finds each place at which records name others that do not exist. */
export function placeReferences(
  batch: ParsedBatch,
  maker: ItemMaker,
  { collection, targets, records }: FactsOf['reference.refused'],
  from: Collection,
): Fault[] {
  const faults: Fault[] = []
  for (const index of records) {
    for (const named of namedRecords(batch.records.all[index], from, maker.whereOf(index))) {
      const { identity: value } = named
      if (named.collection !== collection || !targets.has(String(value))) continue

      const pointer = placeOfValue(batch, index, value)
      const near = targets.get(String(value))
      const nowhere = fault('reference.nowhere', pointer, { collection, value, near })
      faults.push({ ...nowhere, about: String(value) })
    }
  }
  return faults
}

/** Returns where a value stands in a record; the record, if it was made of something else. */
function placeOfValue({ records }: ParsedBatch, index: number, value: unknown): Pointer {
  const record = records.pointerTo(index)
  const within = findValue(records.all[index], value)
  return within ? [...record, ...within] : record
}

function findValue(outer: unknown, value: unknown): Pointer | undefined {
  if (outer === value) return []

  for (const [key, inner] of Object.entries(asObject(outer))) {
    const within = findValue(inner, value)
    if (within) return [Array.isArray(outer) ? Number(key) : key, ...within]
  }
  return undefined
}
