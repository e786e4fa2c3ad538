/** Opens a delivered file: its text, its value, and the records in it. Pure. */
import type { Collection } from '../collections/collection.ts'
import { decode } from '../formats/decode.ts'
import { type Doubt, type Format, unreadable as refuseText } from '../formats/format.ts'
import { type FormatChoice, formatOf } from '../formats/formats.ts'
import { json } from '../formats/json.ts'
import type { Fault } from '../page/fault.ts'
import { findRecords, type Records } from './records.ts'

export interface DeliveredFile {
  /** Relative to the batch folder, with `/` as the separator. */
  name: string
  bytes: Buffer
}

export interface ParsedBatch {
  name: string
  format: Format
  /** The file, as far as it could be decoded. */
  text: string
  /** Undefined if the file can't be read. */
  value: unknown
  /** What is wrong with the file itself, whatever the schema says. */
  faults: Fault[]
  /** Texts that a program has damaged before: warnings, unless the build is strict. */
  damages: Fault[]
  /** Values that other programs read in another way. */
  doubts: Doubt[]
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
  const { faults, ...rest } = parsed
  const records = findRecords(rest.value, collection.records)
  return { ...rest, name, format, text, faults: fault ? [fault, ...faults] : faults, records }
}
