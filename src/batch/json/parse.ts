/**
 * Parses a delivered file: UTF-8 without a byte-order mark (RFC 8259, section 8.1), one JSON value,
 * no key twice in an object, no number that would be rounded. The schema checks everything else.
 */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import { faultAt, type Range, type Violation } from '../../page/violation.ts'
import { TOO_DEEP } from './hints.ts'
import { findSyntaxError, locate } from './json.ts'
import { findBrokenLine, isLines, parseLines, toList } from './lines.ts'
import { findLosses, LOST_CODE } from './losses.ts'

export interface ParsedBatch {
  /** As much of it as could be decoded. */
  text: string
  /** What was parsed: the text, or of JSON Lines a list of them. */
  json: string
  /** How much further on than in the text each character is in it. */
  shift: number
  /** Undefined if the file is not JSON: then the only violation says why. */
  value: unknown
  violations: Violation[]
  /** Characters that a program has lost. */
  lost: Violation[]
}

/**
 * Parses the bytes of one delivered file: at most as many as a string has characters.
 *
 * @param name of the batch; it says whether the file is JSON Lines
 */
export function parseBatch(name: string, bytes: Uint8Array): ParsedBatch {
  const fault = findEncodingFault(bytes)
  if (fault) return fault
  // By way of UTF-16, text beyond ASCII is decoded in a third of the time.
  const text = isAscii(bytes)
    ? decode(bytes)
    : transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  if (isLines(name) && text.trim() === '')
    return noBatch(text, faultAt('file.empty', 0, 0, NO_LINES))
  const shift = isLines(name) ? 1 : 0
  let value: unknown
  try {
    value = shift ? parseLines(text) : JSON.parse(text)
  } catch {
    return noBatch(text, shift ? findBrokenLine(text) : findSyntaxError(text))
  }
  const json = shift ? toList(text) : text
  const losses = findLosses(json, value)
  if (!losses) return noBatch(text, faultAt('json.too-deep', 0, 1, TOO_DEEP))
  const placed = losses.map((loss) => ({ ...loss, range: moveBack(loss.range as Range, shift) }))
  const isLost = ({ code }: Violation) => code === LOST_CODE
  const violations = placed.filter((loss) => !isLost(loss))
  return { text, json, shift, value, violations, lost: placed.filter(isLost) }
}

/** Like `locate`, but in the text of a file. */
export function locateIn(
  { json, shift }: ParsedBatch,
  targets: Parameters<typeof locate>[1],
): Range[] {
  return locate(json, targets).map((range) => moveBack(range, shift))
}

function moveBack({ start, end }: Range, by: number): Range {
  return { start: Math.max(0, start - by), end: Math.max(0, end - by) }
}

function noBatch(text: string, fault: Violation): ParsedBatch {
  return { text, json: text, shift: 0, value: undefined, violations: [fault], lost: [] }
}

function findEncodingFault(bytes: Uint8Array): ParsedBatch | undefined {
  const whole = (code: string, what: string) => noBatch('', faultAt(code, 0, 0, `the file ${what}`))
  if (bytes.length === 0) return whole('file.empty', EMPTY)
  const start = Buffer.from(bytes.subarray(0, 20)).toString('latin1')
  const other = OTHERS.find(([mark]) => start.startsWith(mark))
  if (other) return whole(other[1], other[2])
  // No JSON in UTF-8 has a zero there.
  if (bytes.subarray(0, 4).includes(0))
    return whole('file.utf-16', 'is in UTF-16 or UTF-32; save it as UTF-8')
  if (!isUtf8(bytes)) {
    const text = decode(bytes)
    // The first byte that differs may come after the first of the invalid sequence.
    const differing = Buffer.from(text).findIndex((byte, at) => byte !== bytes[at])
    const start = new TextDecoder().decode(bytes.subarray(0, differing), { stream: true }).length
    const message =
      'the file is not UTF-8 from here on; open it in its own encoding, perhaps Windows-1252, and save it as UTF-8'
    return noBatch(text, faultAt('file.not-utf-8', start, start + 1, message))
  }
  return undefined
}

const NO_LINES = 'the file is empty; a batch is at least one line with a record'
const EMPTY = 'is empty; a batch is a JSON array of pages, at least []'
const NOT_JSON = 'not JSON; deliver its pages as a JSON array'

/** What a file is by its first bytes. */
const OTHERS: readonly [start: string, code: string, what: string][] = [
  [
    '\xef\xbb\xbf',
    'file.byte-order-mark',
    'begins with a byte-order mark; save it as UTF-8 without BOM',
  ],
  ['\x1f\x8b', 'file.compressed', 'is compressed; unpack it'],
  ['PK\x03\x04', 'file.compressed', 'is compressed, or a document such as .xlsx; unpack it'],
  ['%PDF', 'file.other', `is a PDF, ${NOT_JSON}`],
  ['\x89PNG', 'file.other', `is an image (PNG), ${NOT_JSON}`],
  ['\xd0\xcf\x11\xe0', 'file.other', `is a document of Office such as .doc or .xls, ${NOT_JSON}`],
  ['version https://git-', 'file.lfs-pointer', 'is only a pointer of Git LFS; run git lfs pull'],
]

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
