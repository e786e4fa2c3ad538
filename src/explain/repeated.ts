/** Compares two records with the same id, in one file or in two. */
import { type Item, ItemMaker } from '../accept/items.ts'
import {
  type DeliveredFile,
  linesOfRecords,
  type ParsedBatch,
  parseBatch,
} from '../accept/parse-batch.ts'
import type { Collection } from '../collections/collection.ts'
import { differingFields } from '../dataset/precedence.ts'
import { type FaultOf, fault } from '../fault/fault.ts'
import { asObject } from '../text/as-object.ts'
import { startsOfLines } from '../text/lines.ts'
import type { Pointer } from '../text/pointer.ts'
import type { Range } from '../text/range.ts'
import { pointerToKey } from './places.ts'
import { type ExplainedFault, type Place, placeAt } from './problem.ts'
import { sentenceOf } from './sentences.ts'
import type { ReaderWords } from './words.ts'

/** One of two records with the same id. */
export interface KeptRecord {
  id: string
  item: Item
  /** Where the id is in its file: the record itself, if the id is made. */
  place: Place
  /** The line on which the record begins, from 1. */
  line: number
}

/** Returns a record by its file and its position. */
export type FindKept = (batch: string, index: number) => KeptRecord | undefined

/**
 * Finds records that keep their ids, so that others can be compared with them.
 *
 * @param indexes the positions of the records in the file
 * @returns the records by their positions
 */
export function findKeptRecords(
  file: DeliveredFile,
  indexes: ReadonlySet<number>,
  collection: Collection,
): Map<number, KeptRecord> {
  const batch = parseBatch(file, collection)
  return findRecords(batch, new ItemMaker(batch, collection), collection, [...indexes])
}

function findRecords(
  batch: ParsedBatch,
  maker: ItemMaker,
  collection: Collection,
  indexes: readonly number[],
): Map<number, KeptRecord> {
  const { text, tree } = batch
  if (!tree) return new Map()

  const starts = startsOfLines(text)

  const targets = indexes.map((index) => placeOfId(batch, maker, collection, index))
  const rangesOfIds = tree.locate(targets)
  const lines = linesOfRecords(batch, indexes)

  const found = indexes.map((index, at): [number, KeptRecord] => {
    const { pointer } = targets[at] as { pointer: Pointer }
    const place = placeAt(batch, starts, pointer, rangesOfIds[at] as Range)
    const line = lines[at] as number
    const item = maker.itemOf(index)
    return [index, { id: maker.idOf(index) as string, item, place, line }]
  })
  return new Map(found)
}

/**
 * Returns where the id of a record is in its file: the value or the key that is the id, or the record
 * itself if the owner computes the id.
 */
function placeOfId(
  batch: ParsedBatch,
  maker: ItemMaker,
  { id }: Collection,
  index: number,
): { pointer: Pointer; at: 'key' | 'value' } {
  if ('key' in id) {
    return { pointer: pointerToKey(batch, maker, index, [id.key]).pointer, at: 'value' }
  }

  const { records } = batch
  const record = records.pointerTo(index)
  maker.itemOf(index)
  const text = maker.idOf(index)
  if (text === records.keyOf(index)) return { pointer: record, at: 'key' }

  const entries = Object.entries(asObject(records.all[index]))
  const entry = entries.find(([, value]) => isScalar(value) && String(value) === text)
  return { pointer: entry ? [...record, entry[0]] : record, at: 'value' }
}

/** Returns where a record has the value that the owner makes its id of. */
function idInRecord(
  batch: ParsedBatch,
  maker: ItemMaker,
  collection: Collection,
  index: number,
): { pointer?: Pointer; at?: 'key' } {
  if ('key' in collection.id) return {}

  const { pointer, at } = placeOfId(batch, maker, collection, index)
  const within = pointer.slice(batch.records.pointerTo(index).length)
  return at === 'key' ? { pointer: within, at } : { pointer: within }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

/** Says in which values records differ from those that keep their ids, and where these are. */
export function explainRepeated(
  batch: ParsedBatch,
  maker: ItemMaker,
  refusals: readonly FaultOf<'path.refused'>[],
  { collection, words }: { collection: Collection; words: ReaderWords },
  findKept: FindKept,
): ExplainedFault[] {
  if (refusals.length === 0) return []

  const indexes = refusals.map(({ page = 0 }) => page)
  const repeated = findRecords(batch, maker, collection, indexes)

  return refusals.map((refusal) => {
    const index = refusal.page as number
    const { other } = refusal.facts
    const record = repeated.get(index) as KeptRecord
    const kept = findKept(other.batch, other.index)
    if (!kept) throw new Error(`record ${other.index} of ${other.batch} isn't there any more`)

    const isInOtherFile = other.batch !== batch.name
    const shared = { value: record.id, fields: differingFields(kept.item, record.item) }
    const explained = fault('path.repeated', refusal.pointer, {
      ...shared,
      other: { batch: isInOtherFile ? other.batch : undefined, index: other.index },
      line: kept.line,
    })
    const seenFromOther = fault('path.repeated', [], {
      ...shared,
      other: { batch: isInOtherFile ? batch.name : undefined, index },
      line: record.line,
    })
    const message = sentenceOf(seenFromOther, words)
    const id = idInRecord(batch, maker, collection, index)
    return { ...explained, ...id, page: index, other: { ...kept.place, message } }
  })
}
