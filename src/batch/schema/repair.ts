/** What would be accepted instead of a refused value or key, and which of it is certain. Pure. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Violation } from '../../page/violation.ts'
import { asObject } from '../../text/as-object.ts'
import { nearest } from '../../text/nearest.ts'
import { withReferences } from '../markup.ts'
import { isText, type SchemaError } from './reduce.ts'

/** Values that would be accepted; if it is a fix, there is only one. */
type Accepted = { near: readonly unknown[]; isFix?: boolean }

/** A value or a key, by its place, and what to write instead. */
export type Repair = Required<Pick<Violation, 'pointer' | 'at' | 'instead'>>

/** @param errors of one value */
export function nearValue(errors: readonly SchemaError[]): Accepted {
  const value: unknown = errors[0]?.data
  const isOfName = errors.some(({ propertyName }) => propertyName !== undefined)
  if (isOfName || typeof value !== 'string') return { near: [] }
  const all = errors.flatMap((error) => error.alternatives ?? error)
  const allowed: unknown[] = all.flatMap(({ params }) => params.allowedValues ?? [])
  const types: string[] = all.flatMap(({ params }) => params.type ?? [])
  const parsed = Number(value)
  const isNumber =
    types.includes('number') ||
    (types.includes('integer') && Number.isInteger(parsed)) ||
    allowed.includes(parsed)
  if (isNumber && Number.isFinite(parsed) && String(parsed) === value)
    return { near: [parsed], isFix: true }
  const isWord = (value === 'true' || value === 'false') && types.includes('boolean')
  if (isWord) return { near: [value === 'true'], isFix: true }
  if (allowed.length > 0) return nearAllowed(value, allowed)
  return all.every(isText) ? nearText(value, errors) : { near: [] }
}

function nearAllowed(value: string, allowed: readonly unknown[]): Accepted {
  const texts = allowed.filter((each) => typeof each === 'string')
  const plain = (text: string) => text.trim().toLowerCase()
  // A sign at an end or between digits is more than a spelling: "A-" is no "A", "1-2" no "12".
  const sign = /(?<=[^\W\d])[\s_-]+(?=\w)|(?<=\w)[\s_-]+(?=[^\W\d])/g
  const bare = (text: string) => plain(text).replace(sign, '')
  for (const form of [plain, bare]) {
    const same = texts.filter((each) => form(each) === form(value))
    if (same.length > 0) return { near: same, isFix: same.length === 1 }
  }
  const near = nearest(value, texts)
  return { near: near.length > 3 ? [] : near }
}

/** Changes of a text that may be all it needs. Each is tried alone, and together with others. */
const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.replace(/^[<[({](\S*[.:@]\S*)[>\])}]$/, '$1'),
  (text) => (HOST.test(text) ? `https://${text}` : text),
  (text) => text.replace(/^https?:\/\/(?=.)/i, ''),
  (text) => text.replace(/^https?:\/\/(?=.)/i, 'https://'),
  (text) => text.replace(/(?<=.)\/$/, ''),
  (text) => text.replace(/(?<=[^.])\.$/, ''),
  (text) => (MARKUP.test(text) ? withReferences(text) : text),
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
/** In characters. A longer text is a body, for which few changes are tried. */
const LONG = 2_000

/** @param errors of patterns, formats and unions of them, all of which a change must please */
function nearText(text: string, errors: readonly SchemaError[]): Accepted {
  const checks = errors.map((error) => (error.alternatives ?? [error]).map(checkOf))
  const isAccepted = (changed: string) => checks.every((any) => any.some((is) => is(changed)))
  const tried = new Set([text])
  let latest = [text]
  for (let round = text.length > LONG ? 3 : 1; round <= 3; round++) {
    const next = new Set(latest.flatMap((each) => CHANGES.map((change) => change(each))))
    latest = [...next].filter((each) => !tried.has(each))
    const accepted = latest.filter(isAccepted)
    if (accepted.length > 0) return { near: accepted.slice(0, 3), isFix: accepted.length === 1 }
    for (const each of latest) tried.add(each)
  }
  return { near: [] }
}

/** What a pattern or a format says of a text. */
function checkOf({ keyword, schema }: SchemaError): (text: string) => boolean {
  const pattern = keyword === 'pattern' ? new RegExp(String(schema), 'u') : undefined
  const format = pattern ?? asObject(fullFormats)[String(schema)]
  const check = asObject(format).validate ?? format
  return check instanceof RegExp ? (text) => check.test(text) : (check as (text: string) => boolean)
}

/**
 * Returns a copy of a batch with repairs. Their order does not matter, for none lies in another: the
 * value of an unknown key is not checked.
 */
export function repaired(batch: unknown, repairs: readonly Repair[]): unknown {
  const whole = structuredClone(batch)
  for (const { pointer, at, instead } of repairs) {
    const way = pointer.map(String)
    const key = way.pop() as string
    const object = way.reduce((outer, step) => asObject(outer[step]), asObject(whole))
    const value = at === 'key' ? object[key] : instead
    delete object[key]
    object[at === 'key' ? String(instead) : key] = value
  }
  return whole
}
