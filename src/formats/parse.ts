/** Parses a delivered file: UTF-8 (RFC 8259, section 8.1), one JSON value, and nothing in it lost. */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import { faultAt } from '../explain/sentences.ts'
import { findSyntaxError } from '../explain/syntax/json.ts'
import type { Violation } from '../page/fault.ts'
import { findBrokenLine, isLines, parseLines } from './json-lines.ts'
import { findLosses, LOST_CODE } from './losses.ts'

export interface ParsedBatch {
  /**
   * The file as far as it could be decoded; a byte-order mark is a space, so that offsets stay. JSON
   * Lines have a bracket before them: jsonc-parser, which needs no commas, then finds a list.
   */
  text: string
  /** Where the file begins in the text. */
  from: number
  /** Undefined if the file is not JSON: then the last violation says why. */
  value: unknown
  violations: Violation[]
  /** Characters that a program has lost. */
  lost: Violation[]
}

/** Parses a file whose name says whether it is JSON Lines, and which fits into one string. */
export function parseBatch(name: string, bytes: Buffer): ParsedBatch {
  const unread = findEncodingFault(bytes)
  if (unread) return unread
  const from = isLines(name) ? 1 : 0
  // By way of UTF-16, text beyond ASCII is decoded in a third of the time.
  const utf16 = isAscii(bytes) ? undefined : transcode(bytes, 'utf8', 'utf16le')
  const decoded = utf16?.toString('utf16le') ?? bytes.toString()
  const file = decoded.replace(/^\ufeff/, ' ')
  const text = '['.repeat(from) + file
  const first = { start: from, end: from + 1 }
  const ofMark = { ...faultAt('file.byte-order-mark', first), fix: [{ ...first, text: '' }] }
  const marked = file === decoded ? [] : [ofMark]
  const none = (why: Violation) => ({ ...noBatch(text, ...marked, why), from })
  if (from && file.trim() === '') return none(faultAt('file.empty', first))
  let value: unknown
  try {
    value = from ? parseLines(file) : JSON.parse(file)
  } catch {
    return none(from ? findBrokenLine(text, from) : findSyntaxError(file))
  }
  const losses = findLosses(text, value)
  if (!losses) return none(faultAt('json.too-deep', first))
  const lost = losses.filter(({ code }) => code === LOST_CODE)
  const others = losses.filter(({ code }) => code !== LOST_CODE)
  return { text, from, value, violations: [...marked, ...others], lost }
}

function noBatch(text: string, ...violations: Violation[]): ParsedBatch {
  return { text, from: 0, value: undefined, violations, lost: [] }
}

function findEncodingFault(bytes: Buffer): ParsedBatch | undefined {
  const whole = { start: 0, end: 0 }
  if (bytes.length === 0) return noBatch('', faultAt('file.empty', whole))
  const start = bytes.toString('latin1', 0, 20)
  const other = OTHERS.find(([mark]) => start.startsWith(mark))
  if (other) return noBatch('', faultAt('file.other', whole, other[1]))
  // No JSON in UTF-8 has a zero there.
  if (bytes.subarray(0, 4).includes(0)) return noBatch('', faultAt('file.utf-16', whole))
  if (isUtf8(bytes)) return undefined
  const text = bytes.toString()
  // The first byte that differs may come after the first of the invalid sequence.
  const differing = Buffer.from(text).findIndex((byte, at) => byte !== bytes[at])
  const { length } = new TextDecoder().decode(bytes.subarray(0, differing), { stream: true })
  return noBatch(text, faultAt('file.not-utf-8', { start: length, end: length + 1 }))
}

/** What a file is that begins with such bytes, whatever its name says. */
const OTHERS = [
  ['\x1f\x8b', 'compressed; unpack it'],
  ['PK\x03\x04', 'compressed, or a document such as .xlsx; unpack it'],
  ['%PDF', 'a PDF'],
  ['version https://git-', 'only a pointer of Git LFS; run git lfs pull'],
] as const
