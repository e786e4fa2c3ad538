/**
 * Values that are right but for their shape: a list in an object, a page under a key, a field
 * without its list, JSON in quotes, a misspelled key. What was meant is the reading of a value of
 * which the schema accepts the most. The batch is then checked as it was meant, so that one run
 * reports what is wrong inside such a value too.
 */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import {
  type Checked,
  formatPointer,
  type Pointer,
  parsePointer,
  type Violation,
} from '../../page/violation.ts'
import { remarkOn } from '../../text/lookalikes.ts'
import { isTypo, nearest } from '../../text/nearest.ts'
import { show } from '../../text/wording.ts'
import { whyLost } from '../json/decimal.ts'
import { alternativesOf, describe, parse, unknownKey } from './sentences.ts'

// 1. Checking a batch as it was meant --------------------------------------------------------------

type Check = (value: unknown) => readonly ErrorObject[]

/** What is wrong with a value besides shapes, by places in the value as it was meant. */
type Meant = Omit<Checked, 'violations' | 'references'> & { errors: readonly ErrorObject[] }

/** Finds what the records of a batch were meant to be; a batch without a list is one value. */
export function readAsMeant(batch: unknown, found: readonly ErrorObject[], check: Check): Meant {
  const whole = mend(batch, found, check, ({ instancePath }) => instancePath === '')
  if (!Array.isArray(whole.value)) return whole
  const records: unknown[] = [...whole.value]
  const byRecord = groupBy(whole.errors, ({ instancePath }) => instancePath.split('/')[1] ?? '')
  const errors = byRecord.get('') ?? []
  byRecord.delete('')
  const backs = new Map<string, Meant['back']>()
  for (const [index, own] of byRecord) {
    // In a list of its own it is checked faster.
    const one = mend(records[Number(index)], inRecord(own), (record) => inRecord(check([record])))
    records[Number(index)] = one.value
    backs.set(index, one.back)
    for (const { pointer, ...shape } of one.shapes)
      whole.shapes.push({ ...shape, pointer: whole.back([index, ...pointer]) })
    for (const error of asRow(one.value, one.errors))
      errors.push({ ...error, instancePath: `/${index}${error.instancePath}` })
  }
  const back = (place: Pointer) => {
    const [index = '', ...rest] = place
    const own = backs.get(String(index))
    return whole.back(own ? [index, ...own(rest)] : place)
  }
  return { value: records, shapes: whole.shapes, errors, back }
}

/** Returns the errors that are in a record, with their places in it. */
function inRecord(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.flatMap((error) => {
    const { instancePath } = error
    return instancePath === '' ? [] : { ...error, instancePath: instancePath.replace(/^\/\d+/, '') }
  })
}

/** Replaces values of a wrong shape, as long as the schema accepts more of the whole. */
function mend(
  whole: unknown,
  found: readonly ErrorObject[],
  check: Check,
  isTried: (error: ErrorObject) => boolean = () => true,
): Meant {
  const shapes: Violation[] = []
  let [value, errors, back] = [whole, found, (pointer: Pointer) => pointer]
  for (;;) {
    const reading = findShape(value, errors.filter(isTried), check)
    if (!reading) return { value, shapes, errors, back }
    const { at, says: message, key } = reading
    const pointer = back(key === undefined ? at : [...at, key])
    shapes.push({ pointer, at: key === undefined ? 'value' : 'key', message })
    const before = back
    back = (place) => {
      const isHere = at.every((step, depth) => String(step) === String(place[depth]))
      const inner = isHere && reading.back?.(place.slice(at.length))
      return before(inner ? [...at, ...inner] : place)
    }
    value = change(value, at, reading.value)
    errors = check(value)
  }
}

/** Returns a copy of a value that differs only at the pointer. */
export function change(value: unknown, [step, ...rest]: Pointer, instead: unknown): unknown {
  if (step === undefined) return instead
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string | number, unknown>
  members[step] = change(members[step], rest, instead)
  return copy
}

// 2. Finding what was meant -----------------------------------------------------------------------

/** What a value may have been meant to be. */
interface Reading {
  says: string
  value: unknown
  /** The key that the message is about, if it is not about the value. */
  key?: string
  /** Whether it is meant though the schema does not accept more of it. */
  isLikely?: boolean
  /** From a place in this reading to that in the value, if they differ. */
  back?(place: Pointer): Pointer
}

/** What the schema says if a value is replaced: how much it accepts, and what is wrong there. */
type TryOut = (value: unknown) => { accepted: number; at(...place: Pointer): ErrorObject[] }

/** Nobody mistypes so many keys or values of one record, and each reading costs a check of it. */
const MOST_TRIED = 30

/** Returns a value of a wrong shape, and what was meant by it. */
function findShape(whole: unknown, errors: readonly ErrorObject[], check: Check) {
  const wrong = [...groupBy(errors, ({ instancePath }) => instancePath)].flatMap(([place, own]) => {
    const at = outermostEmpty(whole, parsePointer(place))
    const value = valueAt(whole, at)
    const { unknown, missing } = keysOf(own)
    const isWrong = isEmpty(value) || own.some(isOfKind) || unknown.length + missing.length > 0
    return isWrong ? [{ at, value, own }] : []
  })
  if (wrong.length > MOST_TRIED) return undefined
  for (const { at, value, own } of wrong) {
    const here = formatPointer(at)
    const tryOut: TryOut = (value) => {
      const found = check(change(whole, at, value))
      const isOfOuter = (error: ErrorObject) =>
        isOfKind(error) && here.startsWith(`${error.instancePath}/`)
      const within = found.filter(({ instancePath }) => `${instancePath}/`.startsWith(`${here}/`))
      return {
        accepted: found.some(isOfOuter) ? 0 : countAccepted(value, here, within),
        at: (...inner) => {
          const to = here + formatPointer(inner)
          return within.filter(({ instancePath }) => instancePath === to)
        },
      }
    }
    let best: Reading | undefined
    let most = isEmpty(value) ? Number.NEGATIVE_INFINITY : tryOut(value).accepted
    for (const reading of readingsOf(value, own, tryOut)) {
      const { accepted } = tryOut(reading.value)
      if (accepted > most) [best, most] = [reading, accepted]
      else if (reading.isLikely) best ??= reading
    }
    if (best) return { at, ...best }
  }
  return undefined
}

/** How much of a value the schema accepts: its texts, then the fewest keys missing or unknown. */
function countAccepted(value: unknown, place: string, errors: readonly ErrorObject[]): number {
  const faulty = new Set(errors.map(({ instancePath }) => instancePath))
  const refused = new Set<string>()
  const { unknown, missing } = keysOf(errors)
  for (const error of errors) {
    const { instancePath, params, parentSchema } = error
    const key = unknownKey(error)
    if (key !== undefined) refused.add(instancePath + formatPointer([key]))
    // What has none of its keys is something else.
    else if (isOfKind(error) || params.missing?.length === parentSchema?.required?.length)
      refused.add(instancePath)
  }
  const count = (inner: unknown, at: string): number => {
    if (refused.has(at)) return 0
    if (Object(inner) !== inner) return faulty.has(at) ? 0 : 1
    return Object.entries(inner as object).reduce((sum, [key, each]) => {
      return sum + count(each, at + formatPointer([key]))
    }, 0)
  }
  return count(value, place) - (unknown.length + missing.length) / 1e9
}

function keysOf(errors: readonly ErrorObject[]): { unknown: string[]; missing: string[] } {
  return {
    unknown: errors.flatMap((error) => unknownKey(error) ?? []),
    missing: errors.flatMap(({ params }) => params.missing ?? []),
  }
}

/** Whether an error says that a value must be of another kind. */
function isOfKind(error: ErrorObject): boolean {
  const isOfNone = /^(?:any|one)Of$/.test(error.keyword) && !error.params.passingSchemas
  return isOfNone || alternativesOf(error) !== undefined
}

/** The readings to try, the better ones first. Each keeps every text of the value. */
function* readingsOf(
  value: unknown,
  errors: readonly ErrorObject[],
  tryOut: TryOut,
): Generator<Reading> {
  const { missing, unknown } = keysOf(errors)
  // Where false is accepted too, the schema says nothing of the value.
  const isNullable = (put: (value: unknown) => unknown, ...at: string[]) =>
    tryOut(put(null)).at(...at).length === 0 && tryOut(put(false)).at(...at).length > 0
  if (isEmpty(value)) {
    const says = 'this is empty; write null instead, or fill it in'
    if (isNullable((it) => it)) yield { says, value: null }
    return
  }
  const error = errors.find((each) => unknownKey(each) === undefined) ?? (errors[0] as ErrorObject)
  const as = (advice: string, value: unknown, back?: Reading['back']): Reading => {
    return { says: `${describe(error)}; ${advice}`, value, ...(back && { back }) }
  }
  if (isObject(value)) {
    yield* keyReadings(value, errors, tryOut)
    const [name = '', ...more] = missing
    const put = (it: unknown) => ({ ...value, [name]: it })
    if (name !== '' && more.length === 0 && isNullable(put, name))
      yield as(`write ${show(name)}: null if there is none`, put(null))
  }
  if (errors.some(isOfKind)) {
    const [only, ...others] = Object.keys(Object(value))
    if (typeof value === 'string') {
      const parsed = parse(value)
      // What is in a list or an object in quotes has no place of its own. A number that would not
      // survive without the quotes needs them.
      const isLost = typeof parsed === 'number' && whyLost(value.trim()) !== undefined
      if (Object(parsed) !== parsed && !isLost) yield as('remove the quotes around it', parsed)
    } else if (only !== undefined && others.length === 0) {
      const it = Array.isArray(value) ? '[ and ]' : `object and its key ${show(only)}`
      yield as(`remove the ${it} around it`, valueAt(value, [only]), (place) => [only, ...place])
    }
    if (isObject(value)) yield* listReadings(value, as, tryOut)
    yield as('put [ before it and ] after it', [value], ([, ...rest]) => rest)
  } else if (missing.length === 0 || unknown.length === 0) return
  // An empty object tells which key is required.
  const [key, ...more] = keysOf(tryOut({}).at()).missing
  if (key === undefined || more.length > 0) return
  const start = `put { ${show(key)}: `
  if (tryOut({ [key]: value }).at(key).length === 0)
    yield as(`${start}before it and } after it`, { [key]: value }, ([, ...rest]) => rest)
  yield as(`${start}[ before it and ] } after it`, { [key]: [value] }, ([, , ...rest]) => rest)
}

type Members = Record<string, unknown>

/** What may be meant by the keys of an object that the schema does not have there. */
function* keyReadings(
  object: Members,
  errors: readonly ErrorObject[],
  tryOut: TryOut,
): Generator<Reading> {
  const { unknown, missing } = keysOf(errors)
  if (unknown.length > MOST_TRIED) return
  const keys = errors.flatMap(({ parentSchema }) => Object.keys(parentSchema?.properties ?? {}))
  const known = [...new Set(keys)]
  const near = new Map(unknown.map((key) => [key, nearest(key, known)]))
  // A key that is nearest to one that is there is another version of that.
  const isVersion = (key: string) => Object.hasOwn(object, near.get(key) ?? '')
  const rename = (key: string, to: string) => ({
    value: replaceKey(object, key, { [to]: object[key] }),
    back: (place: Pointer) => (place[0] === to ? [key, ...place.slice(1)] : place),
  })
  for (const key of unknown) {
    const is = `unknown key ${show(key)}`
    const [inner, meant] = [object[key], near.get(key)]
    const isOnly = [...near.values()].filter((each) => each === meant).length === 1
    if (meant !== undefined && isOnly && !isVersion(key) && isTypo(key, meant)) {
      const says = `${is}; did you mean ${show(meant)}?${remarkOn(key)}`
      yield { says, key, ...rename(key, meant) }
    }
    if (isObject(inner) && !Object.keys(inner).some((each) => Object.hasOwn(object, each))) {
      yield {
        ...{ says: `${is}; move what is in it up, in place of the key and its { }`, key },
        value: replaceKey(object, key, inner),
        back: (place) => (Object.hasOwn(inner, place[0] ?? '') ? [key, ...place] : place),
      }
    }
    for (const to of known) {
      const value = { ...replaceKey(object, key, {}), [to]: { [key]: inner } }
      const isFree = Object(inner) === inner && (object[to] ?? null) === null
      if (!isFree || tryOut(value).at(to).length > 0) continue
      const says = `${is}; move it and its value into { } as the value of ${show(to)}`
      const back = (place: Pointer) => (place[0] === to ? [key, ...place.slice(2)] : place)
      yield { says, key, value, back }
    }
  }
  const guesses = unknown.flatMap((key) => {
    const fitting = missing.filter((to) => tryOut(rename(key, to).value).at(to).length === 0)
    return isVersion(key) ? [] : fitting.map((to) => ({ key, to }))
  })
  for (const { key, to } of guesses) {
    if (guesses.some((each) => (each.key === key) !== (each.to === to))) continue
    const says = `unknown key ${show(key)}, and ${show(to)} is missing; is it that?`
    yield { says, key, ...rename(key, to) }
  }
}

/** What may be meant by an object where a list must be. */
function* listReadings(
  object: Members,
  as: (advice: string, value: unknown, back?: Reading['back']) => Reading,
  tryOut: TryOut,
): Generator<Reading> {
  const picked = (places: Pointer[]): Reading['back'] => {
    return ([index, ...rest]) => [...(places[Number(index)] ?? []), ...rest]
  }
  const nothing = tryOut([]).accepted
  const all = [...listsIn(object)].filter(({ items }) => items.some(isObject))
  const fitting = all.filter(({ items }) => tryOut(items).accepted > nothing)
  const lists = fitting.length > 0 ? fitting : all
  if (lists.length > 0) {
    const names = lists.map(({ place }) => place.toReversed().map(show).join(' in '))
    const what = names.length === 1 ? 'keep only the list of the key' : 'join the lists of the keys'
    const items = lists.flatMap(({ items }) => items)
    const places = lists.flatMap(({ place, items }) => items.map((_, index) => [...place, index]))
    const advice = `${what} ${names.join(' and ')}, and move what else is there to another file`
    // Of pages in envelopes, the schema accepts nothing yet.
    const isLikely = all.length === 1 && !tryOut([]).at().some(isOfKind)
    yield { ...as(advice, items, picked(places)), isLikely }
  }
  const [keys, items] = [Object.keys(object), Object.values(object)]
  const rows = Object.keys(Object(items[0]))
  // With other rows in each column, the table could be far larger than the file.
  const isTable = items.every((item) => {
    return Object(item) === item && Object.keys(item as object).join() === rows.join()
  })
  if (isTable && rows.every((row) => /^\d+$/.test(row))) {
    const cellsOf = (row: string) => keys.map((key) => [key, valueAt(object, [key, row])])
    const table = rows.map((row) => Object.fromEntries(cellsOf(row)))
    const advice = 'it is a table by columns: write it by rows, each an object with all these keys'
    yield as(advice, table, ([row, key, ...rest]) => {
      return key === undefined ? [] : [key, rows[Number(row)] ?? '', ...rest]
    })
  }
  if (!items.every(isObject)) return
  const isSaid = keys.every((key, index) => {
    return /^\d+$/.test(key) || Object.values(items[index] as object).includes(key)
  })
  const advice = isSaid
    ? 'remove the key before each item'
    : 'move the key before each item into it'
  const back = picked(keys.map((key) => [key]))
  yield as(`write [ ] instead of its { }, and ${advice}`, items, back)
}

/** The lists in an object, or in objects in it. */
function* listsIn(
  value: unknown,
  place: readonly string[] = [],
): Generator<{ place: readonly string[]; items: unknown[] }> {
  if (Array.isArray(value)) yield { place, items: value }
  else if (isObject(value) && place.length < 3)
    for (const [key, inner] of Object.entries(value)) yield* listsIn(inner, [...place, key])
}

// 3. Values ---------------------------------------------------------------------------------------

/** Returns an object with other members in place of one. */
function replaceKey(object: Members, key: string, instead: Members): Members {
  const entries = Object.entries(object)
  return Object.fromEntries(
    entries.flatMap((each) => (each[0] === key ? Object.entries(instead) : [each])),
  )
}

export function valueAt(value: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((inner, step) => Object(inner)[step], value)
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether nothing is said in a value: it has only empty texts, lists and objects. */
function isEmpty(value: unknown, depth = 3): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object' || value === null) return value === null
  return depth > 0 && Object.values(value).every((inner) => isEmpty(inner, depth - 1))
}

/** The outermost value in its record that is empty and has the one at a place; else that place. */
function outermostEmpty(record: unknown, place: Pointer): Pointer {
  const outer = place.slice(0, -1)
  return outer.length > 0 && isEmpty(valueAt(record, outer)) ? outermostEmpty(record, outer) : place
}

/** Replaces the errors of a record that is no page, such as the header of a table, by one. */
function asRow(record: unknown, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const [first] = errors
  if (!first || !isObject(record)) return errors
  const { unknown, missing } = keysOf(errors)
  const refused = errors.map(({ instancePath }) => instancePath.split('/')[1]).concat(unknown)
  const said = Object.entries(record).filter(([key, value]) => !isEmpty(value) && key !== value)
  const isRefused = said.every(([key, value]) => refused.includes(key) && Object(value) !== value)
  const isShort = said.length <= 2 || unknown.length === 0
  const isRow = said.length === 0 || (isShort && errors.length + missing.length > 3)
  return isRefused && isRow ? [{ ...first, instancePath: '', keyword: 'row' }] : errors
}
