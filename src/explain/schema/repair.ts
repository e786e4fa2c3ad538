/** Finds what would be accepted instead of a refused value or key, and what of that is certain. Pure. */

import type { Fault } from '../../fault/fault.ts'
import { allFormats } from '../../schema/formats.ts'
import { asObject, setKey } from '../../text/as-object.ts'
import { beginningWith, nearest } from '../../text/nearest.ts'
import { valueAt } from '../../text/pointer.ts'
import { isSameWord } from '../../text/same-word.ts'
import { withReferences } from '../markup.ts'
import { isAboutText, type SchemaError } from './errors.ts'

/** Values that would be accepted; if one is certainly what its author means, it is a fix, and the only one. */
type Accepted = { near: readonly unknown[]; isFix?: boolean }

/** A value or a key, by its place, and what to write instead. */
export type Repair = Required<Pick<Fault, 'pointer' | 'at' | 'instead'>>

/** @param errors of one value */
export function nearValue(errors: readonly SchemaError[]): Accepted {
  const value: unknown = errors[0]?.data
  const isNameOfKey = errors.some(({ propertyName }) => propertyName !== undefined)
  if (isNameOfKey) return { near: [] }

  const all = errors.flatMap((error) => error.alternatives ?? error)
  const allowed: unknown[] = all.flatMap(({ params }) => params.allowedValues ?? [])
  const types: string[] = all.flatMap(({ params }) => params.type ?? [])

  if (typeof value !== 'string') return nearWritten(errors, types, allowed)

  const number = numberIn(value)
  const isNumberAllowed =
    types.includes('number') ||
    (types.includes('integer') && Number.isInteger(number)) ||
    allowed.includes(number)
  if (number !== undefined && isNumberAllowed) return { near: [number], isFix: true }

  const isBoolean = value === 'true' || value === 'false'
  const boolean = value === 'true'
  const isBooleanAllowed = types.includes('boolean') || allowed.includes(boolean)
  if (isBoolean && isBooleanAllowed) return { near: [boolean], isFix: true }

  if (allowed.length > 0) return nearAllowed(value, allowed)
  return all.every(isAboutText) ? nearText(value, errors) : { near: [] }
}

/** Finds what is near a value that isn't text, if its author may have meant text. */
function nearWritten(
  errors: readonly SchemaError[],
  types: readonly string[],
  allowed: readonly unknown[],
): Accepted {
  const written = writtenText(errors)
  if (written === undefined) return { near: [] }

  const isTextAllowed = types.includes('string') || allowed.includes(written)
  return isTextAllowed ? { near: [written], isFix: true } : { near: [] }
}

/** Returns the text that was taken for a number, true or false; undefined for an alias of one. */
function writtenText(errors: readonly SchemaError[]): string | undefined {
  const { data: value, written } = errors[0] ?? {}
  const isNumber = typeof value === 'number' && Number(written) === value
  const isBoolean = typeof value === 'boolean' && written?.toLowerCase() === String(value)
  return isNumber || isBoolean ? written : undefined
}

/** Returns the number that a text is, if it is written in the same way: not for "007" and "1.10". */
function numberIn(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : undefined
}

function nearAllowed(value: string, allowed: readonly unknown[]): Accepted {
  const texts = allowed.filter((known) => typeof known === 'string')

  const near = nearest(value, texts)
  const [known] = near
  const isFix = known !== undefined && near.length === 1 && isSameWord(value, known)
  if (isFix) return { near, isFix }

  // "LGPL" is the beginning of "LGPL-2.1", though a letter makes it "NGPL".
  const longer = beginningWith(value, texts)
  if (longer.length > 0) return { near: longer.length > MOST_LONGER ? [] : longer }
  return { near: near.length > MOST_NEAR ? [] : near }
}

/** If several values are equally near, none is named. */
const MOST_NEAR = 3

/** Nor if several values begin with the text. */
const MOST_LONGER = 10

type Change = (text: string) => string

/** Changes of a text that keep its meaning. */
const CERTAIN: readonly Change[] = [
  // No author means spaces around a text, but a text of spaces may stand for something.
  (text) => text.trim() || text,
  // A browser reads the same.
  (text) => (APART.test(text) ? text : referencesIn(text)),
]

/** An & that may begin a broken reference: `& amp;`, `&&amp;`. */
const APART = /&(?:\s+|&)(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7});/

/** Changes that may be right. Nobody knows whether a new address answers. */
const LIKELY: readonly Change[] = [
  (text) => (HOST.test(text) ? `https://${text}` : text),
  referencesIn,
]

function referencesIn(text: string): string {
  return MARKUP.test(text) ? withReferences(text) : text
}

/** A sign before a text, or the v of a version; a sign after it. Without its -, -1 is another number. */
const SIGN_BEFORE = /^(?!-\d)(?:[^\p{L}\p{N}]|v(?=\d))/u
const SIGN_AFTER = /[^\p{L}\p{N}]$/u

/** Other ways to write a short text. */
const SPELLINGS: readonly Change[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  // The sign before a color.
  (text) => `#${text}`,
  // The sign of "@jin", of "example.org/", of "v1.2".
  (text) => text.replace(SIGN_BEFORE, ''),
  (text) => text.replace(SIGN_AFTER, ''),
  // The day of "2024-12-3", the hour of "9:00".
  (text) => text.replace(/(?<!\d)\d(?!\d)/g, '0$&'),
  // The dot of "2020.06".
  ...['-', '.', '/', '_'].map((separator): Change => {
    return (text) => text.replace(/[-./_]/g, separator)
  }),
]

/** The last part of a host's name, and the endings of files that would be one, too. */
const TOP =
  '(?:com|org|net|edu|gov|info|io|dev|app|(?!ai|cc|cs|db|go|gz|js|md|pl|pm|ps|py|rb|rs|sh|so|ts)[a-z]{2})'
/** The name of a host, and what may follow it in an address; no name of a file. */
const HOST = new RegExp(
  `^(?:www\\.\\S+|(?:[\\p{L}\\p{N}_-]+\\.)+(?:${TOP}$|\\p{L}{2,}(?::\\d+)?[/?#:]\\S*))$`,
  'iu',
)
const MARKUP = /<[a-z][^<>]*>/i

/** @param errors of patterns and formats, all of which a change must satisfy */
function nearText(text: string, errors: readonly SchemaError[]): Accepted {
  const checks = errors.map(checkOf)
  const isAccepted = (changed: string) => checks.every((accepts) => accepts(changed))

  const certain = CERTAIN.map((change) => change(text)).find(isAccepted)
  if (certain !== undefined) return { near: [certain], isFix: true }

  const changes = text.length > SHORT ? LIKELY : [...LIKELY, ...SPELLINGS]
  const likely = new Set(changes.map((change) => change(text)).filter(isAccepted))
  return { near: likely.size > MOST_NEAR ? [] : [...likely] }
}

/** The longest text for which other spellings are tried, in characters. */
const SHORT = 60

/** Returns the check of a pattern or a format. */
function checkOf({ keyword, schema }: SchemaError): (text: string) => boolean {
  const pattern = keyword === 'pattern' ? new RegExp(String(schema), 'u') : undefined
  const format = pattern ?? asObject(allFormats())[String(schema)]
  const check = asObject(format).validate ?? format
  return check instanceof RegExp ? (text) => check.test(text) : (check as (text: string) => boolean)
}

/**
 * Returns a copy of a batch with repairs. Their order doesn't matter, because none is inside another:
 * the value of an unknown key is not checked.
 */
export function repaired(batch: unknown, repairs: readonly Repair[]): unknown {
  const whole = structuredClone(batch)
  for (const { pointer, at, instead } of repairs) {
    const key = String(pointer.at(-1))
    const object = asObject(valueAt(whole, pointer.slice(0, -1)))
    const value = at === 'key' ? object[key] : instead
    delete object[key]
    setKey(object, at === 'key' ? String(instead) : key, value)
  }
  return whole
}
