/** Opens a delivered file: its text, its value, and the records in it. Pure. */
import type { Collection } from '../collections/collection.ts'
import { decode } from '../formats/decode.ts'
import { type Format, type Parsed, unreadable as refuseText } from '../formats/format.ts'
import { type FormatChoice, formatOf } from '../formats/formats.ts'
import { json } from '../formats/json.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import { findRecords, type Records } from './records.ts'

export interface DeliveredFile {
  /** Relative to the batch folder, with `/` as the separator. */
  name: string
  bytes: Buffer
}

/** A file with its value and its tree; if it can't be read, with the faults instead. */
export type ParsedBatch = OpenedFile & Parsed

interface OpenedFile {
  name: string
  format: Format
  /** The file, as far as it could be decoded. */
  text: string
  records: Records
}

/**
 * @param file must fit into one string
 * @param collection says where the records are, and how the file is written
 */
export function parseBatch(
  { name, bytes }: DeliveredFile,
  collection: Pick<Collection, 'records'> & FormatChoice,
): ParsedBatch {
  const format = formatOf(name, collection) ?? json
  const { text, unreadable, fault } = decode(bytes, format.allowsByteOrderMark)

  const parsed = unreadable ? refuseText(unreadable) : format.parse(text)
  const faults = fault ? [fault, ...parsed.faults] : parsed.faults
  const records = findRecords(parsed.value, collection.records)
  return { ...parsed, name, format, text, faults, records }
}

/** Returns the lines, from 1, on which records begin; none if the file can't be read. */
export function linesOfRecords(
  { text, records, tree }: ParsedBatch,
  indexes: readonly number[],
): number[] {
  const targets = indexes.map((index) => {
    return { pointer: records.pointerTo(index), at: 'value' } as const
  })

  const ranges = tree?.locate(targets) ?? []
  const starts = startsOfLines(text)
  return ranges.map(({ start }) => lineAt(starts, start) + 1)
}
