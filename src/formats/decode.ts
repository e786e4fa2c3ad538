/** Decodes a delivered file, which is UTF-8 (RFC 8259, section 8.1). */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import type { OtherKind } from '../fault/facts.ts'
import { type Fault, fault, textFault } from '../fault/fault.ts'

export interface Decoded {
  /** As far as it could be decoded. A byte-order mark that isn't allowed is a space, so that offsets stay. */
  text: string
  /** A fault after which the text is not read. */
  unreadable?: Fault
  /** A fault of a text that can be read all the same. */
  fault?: Fault
}

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Decodes the bytes of a file.
 *
 * @param allowsByteOrderMark whether the format of the file allows one; then it stays in the text
 */
export function decode(bytes: Buffer, allowsByteOrderMark = false): Decoded {
  const kind = otherKindOf(bytes)
  if (kind !== undefined)
    return { text: '', unreadable: { ...fault('file.other', [], { kind }), about: kind } }

  if (isWide(bytes)) return { text: '', unreadable: fault('file.utf-16', []) }
  if (!isUtf8(bytes)) return decodeInvalid(bytes)

  const text = toText(bytes)
  if (!text.startsWith(BYTE_ORDER_MARK) || allowsByteOrderMark) return { text }

  const mark = { start: 0, end: BYTE_ORDER_MARK.length }
  const markFault = textFault('file.byte-order-mark', mark)
  return {
    text: ` ${text.slice(BYTE_ORDER_MARK.length)}`,
    fault: { ...markFault, fix: [{ ...mark, text: '' }] },
  }
}

/** The byte-order mark of UTF-16; that of UTF-32 begins or ends with it. */
const WIDE_MARKS: readonly string[] = ['\xff\xfe', '\xfe\xff']

/** Whether a file is in UTF-16 or UTF-32: its mark says so, or the zeros beside its first letter. */
function isWide(bytes: Buffer): boolean {
  if (WIDE_MARKS.includes(bytes.toString('latin1', 0, 2))) return true

  const beginning = bytes.subarray(0, 4)
  const hasLetter = beginning.some((byte) => byte !== 0)
  return hasLetter && beginning.includes(0)
}

const NUL = '\0'

/** Finds a character that no text has, for a format that would take it for a letter. */
export function findNul(text: string): Fault | undefined {
  const start = text.indexOf(NUL)
  return start < 0 ? undefined : textFault('file.nul', { start, end: start + NUL.length })
}

function toText(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString()
  // By way of UTF-16, text beyond ASCII is decoded in a third of the time.
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}

/** What a file is that begins with such bytes, whatever its name says. */
const OTHER_KINDS: readonly { start: string; kind: OtherKind }[] = [
  { start: '\x1f\x8b', kind: 'gzip' },
  { start: 'PK\x03\x04', kind: 'ZIP' },
  { start: '%PDF', kind: 'PDF' },
  { start: 'version https://git-', kind: 'Git LFS' },
]

function otherKindOf(bytes: Buffer): OtherKind | undefined {
  const beginning = bytes.toString('latin1', 0, 20)
  return OTHER_KINDS.find(({ start }) => beginning.startsWith(start))?.kind
}

/** Finds the first byte that isn't UTF-8. */
function decodeInvalid(bytes: Buffer): Decoded {
  const text = bytes.toString()
  const encodedAgain = Buffer.from(text)
  // The first byte that differs may come after the first of the invalid sequence.
  const differing = encodedAgain.findIndex((byte, at) => byte !== bytes[at])
  const valid = new TextDecoder().decode(bytes.subarray(0, differing), { stream: true })

  const range = { start: valid.length, end: valid.length + 1 }
  return { text, unreadable: textFault('file.not-utf-8', range) }
}
