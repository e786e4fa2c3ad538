/** Compares two records of which only one may have a path, in one file or in two. */
import type { Reading } from '../accept/accept.ts'
import { PageMaker } from '../accept/pages.ts'
import { type DeliveredFile, type ParsedBatch, parseBatch } from '../accept/parse-batch.ts'
import { differingFields } from '../dataset/precedence.ts'
import type { FactsOf } from '../page/facts.ts'
import { type Fault, fault, type Pointer, type Range } from '../page/fault.ts'
import type { Page } from '../page/page.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import { pointerToKey } from './places.ts'
import { type ExplainedFault, type Place, placeAt } from './problem.ts'
import { sentenceOf } from './sentences.ts'

/** A record of two that have one path. */
export interface KeptRecord {
  page: Page
  /** Where the path is in its file: the record itself, if `content.page` makes the path. */
  place: Place
  /** The line on which the record begins, from 1. */
  line: number
}

/** Returns a record by its file and its position. */
export type FindKept = (batch: string, index: number) => KeptRecord | undefined

/**
 * Finds records that keep their paths, so that others can be compared with them.
 *
 * @param indexes the positions of the records in the file
 * @returns the records by their positions
 */
export function findKeptRecords(
  file: DeliveredFile,
  indexes: ReadonlySet<number>,
  { content }: Pick<Reading, 'content'>,
): Map<number, KeptRecord> {
  const batch = parseBatch(file, content)
  return findRecords(batch, new PageMaker(batch, content), [...indexes])
}

function findRecords(
  batch: ParsedBatch,
  maker: PageMaker,
  indexes: readonly number[],
): Map<number, KeptRecord> {
  const { format, text, records } = batch
  const starts = startsOfLines(text)
  const locate = (pointers: readonly Pointer[]) => {
    return format.locate(
      text,
      pointers.map((pointer) => ({ pointer, at: 'value' })),
    )
  }

  const paths = indexes.map((index) => pointerToKey(batch, maker, index, ['path']).pointer)
  const rangesOfPaths = locate(paths)
  const rangesOfRecords = locate(indexes.map((index) => records.pointerTo(index)))

  const found = indexes.map((index, at): [number, KeptRecord] => {
    const place = placeAt(batch, starts, paths[at] as Pointer, rangesOfPaths[at] as Range)
    const line = lineAt(starts, (rangesOfRecords[at] as Range).start) + 1
    return [index, { page: maker.pageOf(index), place, line }]
  })
  return new Map(found)
}

/** Says in which values records differ from those that keep their paths, and where these are. */
export function explainRepeated(
  batch: ParsedBatch,
  maker: PageMaker,
  refusals: readonly Fault[],
  findKept: FindKept,
): ExplainedFault[] {
  if (refusals.length === 0) return []

  const indexes = refusals.map(({ page = 0 }) => page)
  const repeated = findRecords(batch, maker, indexes)

  return refusals.map((refusal) => {
    const index = refusal.page as number
    const { other } = refusal.facts as FactsOf['path.refused']
    const record = repeated.get(index) as KeptRecord
    const kept = findKept(other.batch, other.index)
    if (!kept) throw new Error(`record ${other.index} of ${other.batch} isn't there any more`)

    const fields = differingFields(kept.page, record.page)
    const isInOtherFile = other.batch !== batch.name
    const explained = fault('path.repeated', refusal.pointer, {
      fields,
      other: other.index,
      line: kept.line,
      batch: isInOtherFile ? other.batch : undefined,
    })
    const seenFromOther = fault('path.repeated', [], {
      fields,
      other: index,
      line: record.line,
      batch: isInOtherFile ? batch.name : undefined,
    })
    const message = sentenceOf(seenFromOther)
    return { ...explained, page: index, other: { ...kept.place, message } }
  })
}
