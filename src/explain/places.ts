/** Finds where in the delivered file something is that is wrong with a page. */
import type { OpenBatch } from '../accept/open.ts'
import { bodyLinks, references } from '../accept/page-links.ts'
import type { PageMaker } from '../accept/pages.ts'
import type { SchemaCheck } from '../accept/schema/check.ts'
import type { FactsOf } from '../page/facts.ts'
import { type Fault, fault, formatPointer } from '../page/fault.ts'
import { asObject } from '../text/as-object.ts'

/**
 * Returns a fault of a page as one of the file. What `page` of `content.ts` has made is nowhere in
 * the file, so it is shown at the record.
 */
export function toFile(batch: OpenBatch, maker: PageMaker, pageFault: Fault): Fault {
  const { page: index, ...rest } = pageFault
  if (index === undefined) return pageFault

  const [key] = rest.pointer
  const record = batch.records.all[index]
  const recordPlace = batch.records.pointerTo(index)
  const isDelivered =
    key === undefined || asObject(maker.pageOf(index))[key] === asObject(record)[key]
  if (isDelivered) return { ...rest, pointer: [...recordPlace, ...rest.pointer] }

  const { within, instead, ...shown } = rest
  return { ...shown, pointer: recordPlace, madeKey: String(key) }
}

/** Finds each place at which pages name others that do not exist. */
export function placeLinks(
  batch: OpenBatch,
  maker: PageMaker,
  { targets, records }: FactsOf['link.refused'],
  check: SchemaCheck,
): Fault[] {
  const placed = new Map<string, Fault>()

  for (const index of records) {
    for (const { target, within, written } of bodyLinks(maker.pageOf(index))) {
      if (!targets.has(target)) continue
      const nowhere = fault('link.nowhere', ['contentHtml'], { written, near: targets.get(target) })
      const inFile = toFile(batch, maker, { ...nowhere, page: index, within, about: target })
      placed.set(`${formatPointer(inFile.pointer)} ${within.start}`, inFile)
    }
  }

  const { references: marked } = check(batch.value)
  for (const { target, pointer } of references(batch.records, marked, records)) {
    if (!targets.has(target)) continue
    const nowhere = fault('link.nowhere', pointer, { written: target, near: targets.get(target) })
    placed.set(formatPointer(pointer), { ...nowhere, about: target })
  }
  return [...placed.values()]
}
