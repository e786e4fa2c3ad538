/** Finds the place in the delivered file of what is wrong with a page. */

import type { ItemMaker } from '../accept/items.ts'
import { linesOfRecords, type ParsedBatch } from '../accept/parse-batch.ts'
import type { Reference, ReferenceFinder } from '../accept/references.ts'
import type { FactsOf } from '../fault/facts.ts'
import { type Fault, type FaultOf, fault } from '../fault/fault.ts'
import { asObject } from '../text/as-object.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import type { ExplainedFault } from './problem.ts'

/**
 * Moves a fault from a page to the file. What `page` of `content.ts` made isn't in the file, so it's
 * shown at the record.
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
 * @returns the place of the record, and whether the part was delivered or made by `content.page`
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
type CodeWithLine = 'path.two-keys' | 'order.before'

function namesAnother(fault: ExplainedFault): fault is FaultOf<CodeWithLine> {
  return fault.code === 'path.two-keys' || fault.code === 'order.before'
}

function withLine<C extends CodeWithLine>(fault: FaultOf<C>, line: number): FaultOf<C> {
  return { ...fault, facts: { ...fault.facts, line } }
}

/** Adds the line of the other record to the faults that name one of the same batch. */
export function withLinesOfOthers(
  batch: ParsedBatch,
  faults: readonly ExplainedFault[],
): ExplainedFault[] {
  const naming = faults.filter(namesAnother)
  if (naming.length === 0) return [...faults]

  const others = naming.map(({ facts }) => facts.other)
  const lines = linesOfRecords(batch, others)
  const completed = new Map<ExplainedFault, ExplainedFault>()
  for (const [at, fault] of naming.entries()) completed.set(fault, withLine(fault, lines[at] ?? 1))
  return faults.map((fault) => completed.get(fault) ?? fault)
}

/** Finds each place at which records refer to others that don't exist. */
export function placeReferences(
  batch: ParsedBatch,
  maker: ItemMaker,
  finder: ReferenceFinder,
  { to, isLink, targets, records }: FactsOf['reference.refused'],
): Fault[] {
  const placed = new Map<string, Fault>()

  for (const [index, standing] of records) {
    // As it was when the reference was found. It may be refused because nothing can be made of it.
    if (standing === 'accepted') maker.itemOf(index)
    if (standing === 'refused') maker.make(index)

    for (const reference of finder.find(index, standing === 'accepted')) {
      const { id } = reference
      const isMissing = reference.to === to && reference.isLink === isLink && targets.has(id)
      if (!isMissing) continue

      const nowhere = { ...faultOf(reference, targets.get(id)), about: id }
      const inFile = toFile(batch, maker, { ...nowhere, ...placeOf(batch, reference) })
      placed.set(`${formatPointer(inFile.pointer)} ${inFile.within?.start} ${id}`, inFile)
    }
  }
  return [...placed.values()]
}

function faultOf({ to, written, isLink }: Reference, near: string | undefined): Fault {
  if (isLink) return fault('link.nowhere', [], { written: String(written), near })
  return fault('reference.nowhere', [], { collection: to, value: written, near })
}

/** Returns where a reference is. One that a function has returned is searched in the record. */
function placeOf(
  { records }: ParsedBatch,
  { index, pointer, within, isInPage, written }: Reference,
): Pick<Fault, 'pointer' | 'within' | 'page'> {
  if (pointer) return { pointer, ...(within && { within }), ...(isInPage && { page: index }) }

  const place = findText(records.all[index], String(written))
  const record = records.pointerTo(index)
  return place ? { ...place, pointer: [...record, ...place.pointer] } : { pointer: record }
}

type TextPlace = Pick<Fault, 'pointer' | 'within'>

/** Finds the first value that is a text, or else the only text that it's a part of. */
function findText(outer: unknown, wanted: string): TextPlace | undefined {
  const parts: TextPlace[] = []

  for (const { value, pointer } of scalarsIn(outer, [])) {
    const text = String(value)
    if (text === wanted) return { pointer }

    const start = wanted === '' ? -1 : text.indexOf(wanted)
    if (start >= 0) parts.push({ pointer, within: { start, end: start + wanted.length } })
  }

  const [part, ...others] = parts
  return others.length === 0 ? part : undefined
}

/** All texts and numbers in a value, in order. */
function* scalarsIn(
  value: unknown,
  pointer: Pointer,
): Generator<{ value: string | number; pointer: Pointer }> {
  if (typeof value === 'string' || typeof value === 'number') yield { value, pointer }

  for (const [key, inner] of Object.entries(asObject(value))) {
    yield* scalarsIn(inner, [...pointer, Array.isArray(value) ? Number(key) : key])
  }
}
