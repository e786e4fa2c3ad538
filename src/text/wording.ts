/** Values, counts and names as they stand in a sentence. */
import { changedPart } from './changed-part.ts'

/** How many characters of a text or a name are shown. */
const LONGEST_SHOWN = 60

/**
 * Formats a value as JSON, cut to fit on a line. An object or a list is only named as such, and so is
 * what JSON does not have, such as "a function" or "a Map".
 */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value, LONGEST_SHOWN))
    case 'number':
      // JSON.parse returns Infinity for 1e999.
      if (Math.abs(value) === Number.POSITIVE_INFINITY) return 'a number that is too large'
      return String(value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return 'a function'
    case 'symbol':
      return 'a symbol'
    case 'object':
      return value === null ? 'null' : nameObject(value)
    case 'undefined':
      return 'no value'
    default:
      return String(value)
  }
}

/** How many characters are shown before the first one in which two texts differ. */
const SHOWN_BEFORE = 20

/** The second half of a character of two code units, at the start of a text. */
const HALF_CHARACTER_FIRST = /^[\udc00-\udfff]/

/** Formats a value among others: if it would be cut before it differs from one of them, its start is left out. */
export function showAmong(value: unknown, others: readonly unknown[]): string {
  if (typeof value !== 'string' || value.length <= LONGEST_SHOWN) return show(value)

  const beginning = value.slice(0, LONGEST_SHOWN - 1)
  const alike = others.find((other) => {
    return typeof other === 'string' && other !== value && other.startsWith(beginning)
  })
  if (alike === undefined) return show(value)

  const { start } = changedPart(value, String(alike))
  const end = value.slice(start - SHOWN_BEFORE).replace(HALF_CHARACTER_FIRST, '')
  return JSON.stringify(`…${cut(end, LONGEST_SHOWN)}`)
}

/** A name such as "Iterator", which needs "an". */
const VOWEL_FIRST = /^[aeiou]/i

/** Names an object by its class, such as "a Map"; a plain one is "an object". */
function nameObject(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'

  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return 'an object'

  const name = (prototype as object).constructor?.name
  if (typeof name !== 'string' || name === '') return 'an object'

  const article = VOWEL_FIRST.test(name) ? 'an' : 'a'
  return `${article} ${cut(name, LONGEST_SHOWN)}`
}

/** The first half of a character of two code units, at the end of a text. */
const HALF_CHARACTER_LAST = /[\ud800-\udbff]$/

/** Cuts a text to a length, with an ellipsis as its end, and never within a code point. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text

  const start = text.slice(0, longest - 1).replace(HALF_CHARACTER_LAST, '')
  return `${start}…`
}

/** Returns the code point of a character, such as U+200B. */
export function codePointOf(character: string): string {
  const code = character.codePointAt(0) as number
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The places of the commas in a whole number, such as that after the 1 of "1234". */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g

/** Formats like `toLocaleString('en-US')`, which takes longer to load than a small build takes. */
export function formatNumber(value: number): string {
  return String(value).replace(THOUSANDS, ',')
}

/** Formats a count with its word, for example "1,234 batches". */
export function plural(count: number, word: string): string {
  if (count === 1) return `1 ${word}`

  const ending = word.endsWith('ch') ? 'es' : 's'
  return `${formatNumber(count)} ${word}${ending}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a number of bytes, for example "112.4 kB". */
export function formatBytes(bytes: number): string {
  let power = 0
  let text = bytes.toFixed(0)

  // What is rounded decides: 999,960 bytes are 1.0 MB, not 1000.0 kB.
  while (Number(text) >= 1000 && power < UNITS.length - 1) {
    power++
    text = (bytes / 1000 ** power).toFixed(1)
  }
  return `${text} ${UNITS[power]}`
}
