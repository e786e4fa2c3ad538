/**
 * Hides the rules for a page that JSON Schema cannot say. Each names the keys it reads, so that a
 * value which the schema has refused is not told twice.
 */
import type { FieldDefinition, Page } from '../generated/dataset.json'
import type { Pointer } from './json.ts'
import { show, type Violation } from './schema.ts'

interface Rule {
  reads: readonly [keyof Page, (keyof Page)?]
  /** Pointers are relative to the page. */
  check(page: Page): Violation[]
  /**
   * Whether the rule is kept beyond doubt, seen from the bytes; false says nothing. `a` and `b` are
   * the values it reads, as JSON from their first byte to before their end.
   */
  isSurelyKept(bytes: Buffer, a: number, aEnd: number, b: number, bEnd: number): boolean
}

const RULES: readonly Rule[] = [
  { reads: ['path', 'title'], check: titleFitsPath, isSurelyKept: titleSurelyFits },
  { reads: ['form'], check: fieldNamesAreUnique, isSurelyKept: fieldNamesAreSurelyUnique },
  {
    reads: ['createdAt', 'updatedAt'],
    check: updatedOnTheDayOfCreation,
    isSurelyKept: surelyUpdatedOnTheDay,
  },
]

/**
 * @param page a record of a batch; only what the rules read has to have the shape of a page
 * @param isSound whether the value of a key has the shape that `Page` gives it
 * @returns violations with pointers relative to the page
 */
export function checkRules(page: Page, isSound: (key: keyof Page) => boolean): Violation[] {
  const isReadable = (key: keyof Page | undefined) =>
    key === undefined || (isSound(key) && hasKind(key, page[key]))
  return RULES.flatMap(({ reads, check }) => (reads.every(isReadable) ? check(page) : []))
}

/** Another schema may admit what no page of this project has; the rules are silent on it then. */
function hasKind(key: keyof Page, value: unknown): boolean {
  if (key !== 'form') return typeof value === 'string'
  if (value === null) return true
  const { fields } = value as Record<string, unknown>
  return Array.isArray(fields) && fields.every((field) => typeof field?.name === 'string')
}

/**
 * Whether the rules are surely kept, by records of which only the bytes are known.
 *
 * @param keys the members of a record, in order
 * @returns a function of the bytes and a list of offsets, in which from `at` on stand the start and
 *   the end of each member's value; the start is -1 where the record has no such member
 */
export function rulesForBytes(
  keys: readonly string[],
): (bytes: Buffer, offsets: Int32Array, at: number) => boolean {
  const bound = RULES.flatMap(({ reads: [first, second = first], isSurelyKept }) => {
    const [a, b] = [keys.indexOf(first) * 2, keys.indexOf(second) * 2]
    return a < 0 || b < 0 ? [] : { a, b, isSurelyKept }
  })
  return (bytes, offsets, at) => {
    for (const { a, b, isSurelyKept } of bound) {
      const [aStart, bStart] = [offsets[at + a] as number, offsets[at + b] as number]
      const [aEnd, bEnd] = [offsets[at + a + 1] as number, offsets[at + b + 1] as number]
      if (aStart < 0 || bStart < 0) continue
      if (!isSurelyKept(bytes, aStart, aEnd, bStart, bEnd)) return false
    }
    return true
  }
}

/** Specification, section 3: title 'Section Page NNN' of path '/{category}/{nnn}'. */
function titleFitsPath({ path, title }: Page): Violation[] {
  const [, category = '', id] = path.split('/')
  const fitting = `${category.charAt(0).toUpperCase()}${category.slice(1)} Page ${id}`
  if (title === fitting) return []
  return [violation(['title'], `must be ${show(fitting)} to fit the path, but is ${show(title)}`)]
}

const PAGE = Buffer.from(' Page ')

/** `"Blog Page 029"` fits `"/blog/029"`. */
function titleSurelyFits(bytes: Buffer, a: number, aEnd: number, b: number, bEnd: number): boolean {
  // Past the quote and the slash, and past the quote.
  let path = a + 2
  let title = b + 1
  if (bytes[a + 1] !== 0x2f) return false
  const initial = bytes[path++] as number
  if (initial < 0x61 || initial > 0x7a || bytes[title++] !== initial - 0x20) return false
  for (; bytes[path] !== 0x2f; path++, title++) {
    if (path >= aEnd || bytes[path] !== bytes[title]) return false
  }
  path++
  for (const byte of PAGE) if (bytes[title++] !== byte) return false
  for (; path < aEnd; path++, title++) {
    if (bytes[path] === 0x2f || bytes[path] !== bytes[title]) return false
  }
  return title === bEnd
}

function fieldNamesAreUnique({ form }: Page): Violation[] {
  const first = new Map<string, number>()
  return (form?.fields ?? []).flatMap(({ name }: FieldDefinition, index) => {
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, index)
      return []
    }
    const message = `must be another name than that of field ${earlier}, but is ${show(name)} too`
    return [violation(['form', 'fields', index, 'name'], message)]
  })
}

const NAME = Buffer.from('"name"')

/** Equal texts are equal bytes; whatever may be a name counts as one. */
function fieldNamesAreSurelyUnique(bytes: Buffer, start: number, end: number): boolean {
  const form = bytes.subarray(start, end)
  const names = new Set<string>()
  for (let at = form.indexOf(NAME); at >= 0; at = form.indexOf(NAME, at + NAME.length)) {
    let from = at + NAME.length
    while (isSpaceOrColon(form[from] as number)) from++
    if (form[from] !== QUOTE) continue
    const to = form.indexOf(QUOTE, from + 1)
    const name = form.toString('latin1', from, to)
    // A name with an escape ends further on.
    if (name.includes('\\') || names.has(name)) return false
    names.add(name)
  }
  return true
}

function isSpaceOrColon(byte: number): boolean {
  return byte <= 0x20 || byte === 0x3a
}

const QUOTE = 0x22

/** Specification, section 3: updatedAt is on the same day as createdAt. Days are those of UTC. */
function updatedOnTheDayOfCreation({ createdAt, updatedAt }: Page): Violation[] {
  const created = toInstant(createdAt)
  const updated = toInstant(updatedAt)
  if (!created || !updated) return []
  const isEarlier =
    updated.second < created.second ||
    (updated.second === created.second && updated.fraction < created.fraction)
  const but = `but is ${show(updatedAt)}`
  if (isEarlier) {
    return [violation(['updatedAt'], `must not be before createdAt (${show(createdAt)}), ${but}`)]
  }
  if (updated.day !== created.day) {
    const message = `must be on the UTC day of createdAt (${created.day}), ${but}`
    return [violation(['updatedAt'], message)]
  }
  return []
}

/** Both in UTC, in one spelling, which makes the order of bytes that of time. */
function surelyUpdatedOnTheDay(
  bytes: Buffer,
  a: number,
  aEnd: number,
  b: number,
  bEnd: number,
): boolean {
  if (aEnd - a !== bEnd - b || !isInstant(bytes, a, aEnd) || !isInstant(bytes, b, bEnd))
    return false
  for (let at = 0; at < aEnd - a; at++) {
    const order = (bytes[a + at] as number) - (bytes[b + at] as number)
    if (order !== 0) return order < 0 && at > T
  }
  return true
}

/** Where the time begins, after a quote and the day. */
const T = 11

/** Whether it is spelled as `"2025-08-28T10:15:00…Z"` is; the schema has seen to the digits. */
function isInstant(bytes: Buffer, start: number, end: number): boolean {
  return (
    bytes[start + 5] === 0x2d &&
    bytes[start + 8] === 0x2d &&
    bytes[start + T] === 0x54 &&
    bytes[start + 14] === 0x3a &&
    bytes[start + 17] === 0x3a &&
    bytes[end - 2] === 0x5a
  )
}

/** An RFC 3339 date-time as values to compare, for Date knows no more than milliseconds. */
function toInstant(dateTime: string) {
  // A leap second (RFC 3339, section 5.6) is unknown to Date; it lengthens the second before it.
  const time = new Date(dateTime.replace(LEAP_SECOND, ':59'))
  if (Number.isNaN(time.getTime())) return undefined
  const digits = (/\.(\d+)/.exec(dateTime)?.[1] ?? '').padEnd(9, '0')
  return {
    second: Math.floor(time.getTime() / 1000),
    fraction: `${LEAP_SECOND.test(dateTime) ? 1 : 0}.${digits}`,
    day: time.toISOString().slice(0, 10),
  }
}

const LEAP_SECOND = /:60(?=[.Z+-])/

/**
 * Every string, keys too, that holds a surrogate without its partner (it cannot be written as
 * UTF-8). Such a string comes only of `\uD800`-like escapes in the text, never of its bytes.
 *
 * @param value any JSON value
 */
export function findIllFormedStrings(value: unknown): Violation[] {
  const found: Violation[] = []
  const waiting: Place[] = [{ value, step: '', parent: undefined }]
  for (const place of waiting) {
    const { value } = place
    if (typeof value === 'string' && !value.isWellFormed()) {
      const message = 'must be well-formed Unicode, but has a lone surrogate'
      found.push(violation(pointerTo(place), message))
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      const inner = { value: member, step: Array.isArray(value) ? Number(key) : key, parent: place }
      waiting.push(inner)
      if (!key.isWellFormed()) {
        const message = 'must be a key of well-formed Unicode, but has a lone surrogate'
        found.push({ pointer: pointerTo(inner), at: 'key', message })
      }
    }
  }
  return found
}

/** A value and the way to it. A pointer for every value would take the square of the depth. */
interface Place {
  value: unknown
  step: string | number
  parent: Place | undefined
}

function pointerTo(place: Place): Pointer {
  const steps: (string | number)[] = []
  for (let at = place; at.parent; at = at.parent) steps.push(at.step)
  return steps.reverse()
}

function violation(pointer: Pointer, message: string): Violation {
  return { pointer, at: 'value', message }
}
