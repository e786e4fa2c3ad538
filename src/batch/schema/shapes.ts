/**
 * Values that are right but for their shape: a list in an object, a page under a key, a field
 * without its list, JSON in quotes, a misspelled key. A reading of such a value is suggested only
 * if the schema then accepts its shape; the batch is checked as it was meant, so that one run
 * reports what is wrong inside it too.
 */

import type { ErrorObject } from 'ajv'
import { remarkOn } from '../../text/lookalikes.ts'
import { isTypo, nearest, show } from '../../text/wording.ts'
import { whyLost } from '../json/decimal.ts'
import {
  formatPointer,
  type Meant,
  type Pointer,
  parsePointer,
  type SchemaCheck,
  type Violation,
  violation,
} from '../violation.ts'
import { alternativesOf, describe, listOf, unknownKey } from './sentences.ts'

// 1. Checking a batch as it was meant --------------------------------------------------------------

export interface CheckedAsMeant {
  /** The batch as it was meant. */
  value: unknown
  /** What is wrong with shapes, by places in the batch as it was delivered. */
  shapes: Violation[]
  /** What else is wrong, by places in the batch as it was meant. */
  violations: Violation[]
  /** From a place in the batch as it was meant to that in the batch as it was delivered. */
  back(pointer: Pointer): Pointer
}

/** Checks a batch, and if something has a wrong shape, once more as it was meant. */
export function checkAsMeant(batch: unknown, check: SchemaCheck): CheckedAsMeant {
  const violations = check(batch)
  const shapes = violations.filter(({ meant }) => meant)
  if (shapes.length === 0) return { value: batch, shapes, violations, back: (pointer) => pointer }

  const records: unknown[] = Array.isArray(batch) ? [...batch] : []
  let value = Array.isArray(batch) ? records : batch
  /** By the position of their record: there may be one for each of many records. */
  const readings = new Map<string, (Meant & { at: Pointer })[]>()
  for (const { pointer, at: part, meant } of shapes) {
    const at = part === 'key' ? pointer.slice(0, -1) : pointer
    const [index, ...within] = at
    const { read, back } = meant as Meant
    if (index === undefined) value = read(value)
    else records[Number(index)] = change(records[Number(index)], within, read)
    const own = readings.get(String(index))
    if (own) own.push({ at, read, back })
    else readings.set(String(index), [{ at, read, back }])
  }
  const back = (pointer: Pointer) => {
    const own = readings.get('undefined') ?? readings.get(String(pointer[0])) ?? []
    return own.reduceRight((place, { at, back }) => {
      const isWithin = at.every((step, depth) => String(step) === String(place[depth]))
      return isWithin ? [...at, ...back(place.slice(at.length))] : place
    }, pointer)
  }
  const inner = checkAsMeant(value, check)
  const below = inner.shapes.map((shape) => ({ ...shape, pointer: back(shape.pointer) }))
  return {
    ...inner,
    shapes: [...shapes, ...below],
    back: (pointer) => back(inner.back(pointer)),
  }
}

/** Returns a copy of a value that differs only at the pointer. */
export function change(
  value: unknown,
  [step, ...rest]: Pointer,
  read: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return read(value)
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string | number, unknown>
  members[step] = change(members[step], rest, read)
  return copy
}

// 2. Finding what was meant -----------------------------------------------------------------------

type Members = Record<string, unknown>

/** What a value may have been meant to be. */
interface Reading extends Meant {
  says: string
  /** The key that the message is about, if it is not about the value. */
  key?: string
  /** Where the value is in what was meant: there it must be of the right kind. */
  lands?: Pointer
  /** Whether nothing at all may be wrong there, because this reading is a guess. */
  isGuess?: boolean
}

/** What is wrong with the shape of a value. */
interface Complaint {
  isOfOtherKind: boolean
  missing: readonly string[]
  unknown: readonly string[]
}

/** The same, and what is wrong at the place where the value lands in a reading. */
interface Attempt extends Complaint {
  landed: Complaint
  /** Whether it has a key that is required there. */
  isKnown: boolean
  /** Whether it, or anything in it, is refused there. */
  isRefused: boolean
}

type Recheck = (batch: unknown) => readonly ErrorObject[]
type TryOut = (value: unknown, lands?: Pointer) => Attempt

/** Returns the values of a wrong shape for which the schema accepts another reading. */
export function findShapes(
  batch: unknown,
  errors: readonly ErrorObject[],
  recheck: Recheck,
): Violation[] {
  const shapes = new Map<string, Violation>()
  for (const [place, own] of groupBy(errors, ({ instancePath }) => instancePath)) {
    const shape = findShape(batch, place, own, recheck)
    // Two empty values may be in one object that is empty.
    if (shape) shapes.set(formatPointer(shape.pointer), shape)
  }
  return [...shapes.values()]
}

/** @param errors those at the place */
function findShape(
  batch: unknown,
  place: string,
  errors: readonly ErrorObject[],
  recheck: Recheck,
): Violation | undefined {
  const now = complaintOf(errors)
  const pointer = outermostEmpty(batch, parsePointer(place))
  const value = valueAt(batch, pointer)
  if (!now.isOfOtherKind && countKeys(now) === 0 && !isEmpty(value)) return undefined
  const tryOut: TryOut = (value, lands = []) => {
    const [index, ...inner] = pointer
    const put = () => value
    // Of a list, only the record is checked again.
    if (!Array.isArray(batch) || index === undefined)
      return judge(recheck(change(batch, pointer, put)), pointer, lands)
    return judge(recheck([change(batch[Number(index)], inner, put)]), [0, ...inner], lands)
  }
  const error = errors.find((each) => unknownKey(each) === undefined) ?? (errors[0] as ErrorObject)
  const known = errors.flatMap(({ parentSchema }) => Object.keys(parentSchema?.properties ?? {}))
  let best: Reading | undefined
  let least = now.isOfOtherKind || isEmpty(value) ? Number.POSITIVE_INFINITY : countKeys(now)
  for (const reading of readingsOf(value, now, describe(error), [...new Set(known)], tryOut)) {
    const { landed, isKnown, isRefused, ...then } = tryOut(reading.read(value), reading.lands)
    const keys = countKeys(now.isOfOtherKind ? landed : then)
    if (then.isOfOtherKind || !isKnown || keys >= least || (reading.isGuess && isRefused)) continue
    best = reading
    least = keys
  }
  if (!best) return undefined
  const { says: message, key, read, back } = best
  return key === undefined
    ? { pointer, at: 'value', message, meant: { read, back } }
    : { pointer: [...pointer, key], at: 'key', message, meant: { read, back } }
}

/**
 * Returns one violation for each record that is no page, such as the header of a table: what is
 * wrong with each of its values does not help.
 */
export function findRows(batch: unknown, errors: readonly ErrorObject[]): Violation[] {
  if (!Array.isArray(batch)) return []
  const records = groupBy(errors, ({ instancePath }) => instancePath.split('/')[1] ?? '')
  return [...records].flatMap(([index, own]) => {
    const record: unknown = batch[Number(index)]
    const says = isObject(record) ? explainRow(record, own) : undefined
    return says === undefined ? [] : [violation([index], says)]
  })
}

function explainRow(record: object, errors: readonly ErrorObject[]): string | undefined {
  const filled = Object.entries(record).filter(([, value]) => !isEmpty(value))
  if (filled.length === 0) return 'this record is empty; fill it in, or remove it'
  if (filled.every(([key, value]) => key === value))
    return 'this record only repeats the keys, like the header of a table; remove it'
  const refused = errors.map((error) => unknownKey(error) ?? error.instancePath.split('/')[2])
  const wrong = errors.reduce((sum, { params }) => sum + (params.missing?.length ?? 1), 0)
  const isUnknown = errors.some((error) => unknownKey(error) !== undefined)
  const isRow = filled.every(([key, value]) => refused.includes(key) && Object(value) !== value)
  return isRow && wrong > 2 && (filled.length <= 2 || !isUnknown) ? TOTAL : undefined
}

const TOTAL =
  'this is hardly a page; fill it in, or remove it if it is a note, or the header or total of a table (what it says is lost; it was not checked)'

function complaintOf(errors: readonly ErrorObject[]): Complaint {
  return {
    isOfOtherKind: errors.some(isOfKind),
    missing: errors.flatMap(({ params }) => params.missing ?? []),
    unknown: errors.flatMap((error) => unknownKey(error) ?? []),
  }
}

function countKeys({ missing, unknown }: Complaint): number {
  return missing.length + unknown.length
}

/** Whether an error says that a value must be of another kind. */
function isOfKind(error: ErrorObject): boolean {
  const { keyword, params } = error
  return (
    (/^(?:any|one)Of$/.test(keyword) && !params.passingSchemas) ||
    alternativesOf(error) !== undefined
  )
}

/** @param lands where the value is, from its place on */
function judge(errors: readonly ErrorObject[], place: Pointer, lands: Pointer): Attempt {
  const [at, to] = [formatPointer(place), formatPointer([...place, ...lands])]
  const landed = errors.filter(({ instancePath }) => instancePath === to)
  const around = errors.filter(({ instancePath }) => {
    return `${instancePath}/`.startsWith(`${at}/`) && `${to}/`.startsWith(`${instancePath}/`)
  })
  return {
    ...complaintOf(errors.filter(({ instancePath }) => instancePath === at)),
    isOfOtherKind: around.some(isOfKind),
    landed: complaintOf(landed),
    isKnown: landed.every(({ params, parentSchema }) => {
      return !params.missing || params.missing.length < parentSchema?.required?.length
    }),
    isRefused: errors.some(({ instancePath }) => `${instancePath}/`.startsWith(`${to}/`)),
  }
}

/** The readings to try, the better ones first. Each keeps every text of the value. */
function* readingsOf(
  value: unknown,
  { isOfOtherKind, missing, unknown }: Complaint,
  general: string,
  known: readonly string[],
  tryOut: TryOut,
): Generator<Reading> {
  if (isEmpty(value)) {
    const says = 'this is empty; write null instead, or fill it in'
    if (tryOut(false).isRefused) yield { says, read: () => null, back: () => [] }
    return
  }
  const as = (says: string, meant: Meant, lands: Pointer = []): Reading => {
    return { says: `${general}; ${says}`, ...meant, lands }
  }
  if (isObject(value)) {
    yield* keyReadings(value as Members, missing, unknown, known, tryOut)
    const [name, ...more] = missing
    if (name !== undefined && more.length === 0 && isPicky(value, name, tryOut)) {
      const says = `write ${show(name)}: null if there is none`
      const back: Meant['back'] = (pointer) => (pointer[0] === name ? [] : pointer)
      yield as(says, { back, read: (page) => ({ ...(page as object), [name]: null }) }, [name])
    }
  }
  if (isOfOtherKind) {
    const [only, ...others] = Object.keys(Object(value))
    if (typeof value === 'string') {
      const parsed = parse(value)
      // What is in a list or an object in quotes has no place of its own.
      const isScalar = typeof parsed !== 'string' && Object(parsed) !== parsed
      // Such a number was put into quotes because it would not survive without.
      const isLost = typeof parsed === 'number' && whyLost(value.trim()) !== undefined
      if (isScalar && !isLost)
        yield as('remove the quotes around it', { read: () => parsed, back: () => [] })
    } else if (only !== undefined && others.length === 0) {
      const it = Array.isArray(value) ? '[ and ]' : `object and its key ${show(only)}`
      yield as(`remove the ${it} around it`, under(only))
    }
    if (isObject(value)) yield* listReadings(value as Members, as, tryOut)
    yield as('put [ before it and ] after it', { read: (each) => [each], back: below(1) }, [0])
  }
  // An empty object tells which key is required.
  const isOther = isOfOtherKind || (missing.length > 0 && unknown.length > 0)
  const [key, ...rest] = isOther ? tryOut({}).missing : []
  if (key === undefined || rest.length > 0) return
  const [start, end] = [`put { ${show(key)}: `, 'before it and']
  const inKey: Meant = { read: (each) => ({ [key]: each }), back: below(1) }
  const inList: Meant = { read: (each) => ({ [key]: [each] }), back: below(2) }
  yield as(`${start}${end} } after it`, inKey, Array.isArray(value) ? [key, 0] : [key])
  yield as(`${start}[ ${end} ] } after it`, inList, [key, 0])
}

/** Whether the schema demands something of a key, so that a value that it accepts says something. */
function isPicky(object: object, key: string, tryOut: TryOut): boolean {
  return tryOut({ ...object, [key]: false }, [key]).isRefused
}

/** What may be meant by the keys of an object that the schema does not have there. */
function* keyReadings(
  object: Members,
  missing: readonly string[],
  unknown: readonly string[],
  known: readonly string[],
  tryOut: TryOut,
): Generator<Reading> {
  const near = new Map(unknown.map((key) => [key, nearest(key, known)]))
  const guesses = unknown.flatMap((key) => {
    // A key that is nearest to one that is there is another version of that.
    if (Object.hasOwn(object, near.get(key) ?? '')) return []
    return missing.flatMap((meant) => {
      const isFit = !tryOut(renameKey(key, meant).read(object), [meant]).isRefused
      return isFit && isPicky(object, meant, tryOut) ? [{ key, meant }] : []
    })
  })
  const isAlone = (all: readonly unknown[], one: unknown) => {
    return all.filter((each) => each === one).length === 1
  }
  for (const key of unknown) {
    const is = `unknown key ${show(key)}`
    const inner = object[key]
    const meant = near.get(key)
    if (meant !== undefined && !Object.hasOwn(object, meant) && isTypo(key, meant)) {
      const says = `${is}; did you mean ${show(meant)}?${remarkOn(key)}`
      if (isAlone([...near.values()], meant)) yield { says, key, ...renameKey(key, meant) }
    }
    if (isObject(inner) && missing.some((name) => Object.hasOwn(inner, name))) {
      const isApart = !Object.keys(inner).some((name) => Object.hasOwn(object, name))
      const says = `${is}; move what is in it up, in place of the key and its { }`
      if (isApart) yield { says, key, ...spread(key, inner) }
    }
    for (const guess of guesses) {
      if (
        guess.key !== key ||
        !isAlone(
          guesses.map((each) => each.key),
          key,
        )
      )
        continue
      if (
        !isAlone(
          guesses.map((each) => each.meant),
          guess.meant,
        )
      )
        continue
      const says = `${is}, and ${show(guess.meant)} is missing; is it that?`
      yield { says, key, ...renameKey(key, guess.meant), lands: [guess.meant], isGuess: true }
    }
    for (const name of known) {
      if ((object[name] ?? null) !== null || !isPicky(object, name, tryOut)) continue
      const says = `${is}; move it into ${show(name)}: { ${show(key)}: … }`
      yield { says, key, ...nest(key, name), lands: [name], isGuess: true }
    }
  }
}

/** What may be meant by an object where a list must be. */
function* listReadings(
  object: Members,
  as: (says: string, meant: Meant, lands: Pointer) => Reading,
  tryOut: TryOut,
): Generator<Reading> {
  const fits = (item: unknown) => {
    const { isOfOtherKind, isKnown } = tryOut([item], [0])
    return isObject(item) && !isOfOtherKind && isKnown
  }
  const lists = [...listsIn(object)].filter((pointer) => fits(valueAt(object, [...pointer, 0])))
  if (lists.length > 0) {
    const names = lists.map((pointer) => pointer.toReversed().map(show).join(' in '))
    const what = names.length === 1 ? 'keep only the list of the key' : 'join the lists of the keys'
    const used = lists.map(([key]) => key)
    const rest = Object.keys(object).filter((key) => !used.includes(key) && !isEmpty(object[key]))
    const moved = rest.length === 0 ? '' : `, and move ${listOf(rest)} out of the file`
    const items = lists.flatMap((pointer) => {
      return (valueAt(object, pointer) as unknown[]).map((_, index) => [...pointer, index])
    })
    yield as(`${what} ${names.join(' and ')}${moved}`, picked(items), [0])
  }
  const entries = Object.entries(object)
  const [[, first] = []] = entries
  // The first few tell: there may be thousands.
  if (!entries.slice(0, 20).every(([, item]) => fits(item))) return
  const places = entries.map(([key]) => [key])
  const instead = 'write [ ] instead of its { }, and'
  const isSaid = entries.every(([key, item]) => {
    return /^\d+$/.test(key) || Object.values(item as object).includes(key)
  })
  const [name, ...more] = tryOut([first], [0]).landed.missing
  if (name !== undefined && more.length === 0 && !isSaid) {
    const withKey = ([key, item]: [string, unknown]) => ({ [name]: key, ...(item as object) })
    const isFit = entries
      .slice(0, 20)
      .every((entry) => !tryOut([withKey(entry)], [0, name]).isRefused)
    const says = `${instead} put the key before each item into it, as its ${show(name)}`
    if (isFit) yield as(says, { ...picked(places), read: () => entries.map(withKey) }, [0])
  }
  const lost = isSaid ? '' : ' (the keys are lost)'
  yield as(`${instead} remove the key before each item${lost}`, picked(places), [0])
}

// 3. Readings -------------------------------------------------------------------------------------

/** The places of a value that is as many lists and objects deeper in what was meant. */
function below(depth: number): Meant['back'] {
  return (pointer) => pointer.slice(depth)
}

/** The value of one key of an object, or one item of a list. */
function under(key: string | number): Meant {
  return { read: (value) => valueAt(value, [key]), back: (pointer) => [key, ...pointer] }
}

/** A list of what is at these places of a value. */
function picked(places: readonly Pointer[]): Meant {
  return {
    read: (value) => places.map((place) => valueAt(value, place)),
    back: ([index, ...rest]) => [...(places[Number(index)] ?? []), ...rest],
  }
}

/** The object with one key renamed. */
function renameKey(key: string, meant: string): Meant {
  return {
    read: (value) => replaceMember(value, key, (item) => [[meant, item]]),
    back: ([step, ...rest]) => (step === undefined ? [] : [step === meant ? key : step, ...rest]),
  }
}

/** The object with the members of one key in place of that. */
function spread(key: string, inner: object): Meant {
  return {
    read: (value) => replaceMember(value, key, () => Object.entries(inner)),
    back: ([step, ...rest]) => {
      if (step === undefined) return []
      return Object.hasOwn(inner, step) ? [key, step, ...rest] : [step, ...rest]
    },
  }
}

/** The object with one key moved into another, which is missing or null. */
function nest(key: string, into: string): Meant {
  return {
    read: (value) => {
      const { [into]: _, ...others } = value as Members
      return replaceMember(others, key, (item) => [[into, { [key]: item }]])
    },
    back: (pointer) => (pointer[0] === into ? [key, ...pointer.slice(2)] : pointer),
  }
}

function replaceMember(
  value: unknown,
  key: string,
  instead: (item: unknown) => [string, unknown][],
): unknown {
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.flatMap((each) => (each[0] === key ? instead(each[1]) : [each])),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function valueAt(value: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((inner, step) => Object(inner)[step], value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether nothing is said in a value: it has only empty texts, lists and objects. */
function isEmpty(value: unknown, depth = 3): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object' || value === null) return value === null
  return depth > 0 && Object.values(value).every((inner) => isEmpty(inner, depth - 1))
}

/** The outermost value in its record that is empty and has the one at a place; else that place. */
function outermostEmpty(batch: unknown, pointer: Pointer): Pointer {
  const outer = pointer.slice(0, -1)
  const isIn = outer.length > 1 && isEmpty(valueAt(batch, outer))
  return isIn ? outermostEmpty(batch, outer) : pointer
}

const DEEPEST_LIST = 3

function* listsIn(value: unknown, pointer: Pointer = []): Generator<Pointer> {
  if (Array.isArray(value)) yield pointer
  else if (isObject(value) && pointer.length < DEEPEST_LIST)
    for (const [key, inner] of Object.entries(value)) yield* listsIn(inner, [...pointer, key])
}

/** Groups items by a key, in the order of their first. Node 20 has no `Map.groupBy`. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const own = groups.get(key)
    if (own) own.push(item)
    else groups.set(key, [item])
  }
  return groups
}

// 4. Repeated keys --------------------------------------------------------------------------------

/**
 * Where the }, { between two objects of a list is lost, the keys of the second repeat most of the
 * first: that is one mistake, not one for each key.
 *
 * @param batch the value that they are in, as `JSON.parse` returned it
 */
export function explainRepeated(repeated: readonly Violation[], batch: unknown): Violation[] {
  const byObject = groupBy(repeated, ({ pointer }) => formatPointer(pointer.slice(0, -1)))
  return [...byObject.values()].flatMap((all) => {
    const [first] = all as [Violation]
    const object = first.pointer.slice(0, -1)
    const isNext =
      typeof object.at(-1) === 'number' &&
      all.length > 1 &&
      all.length * 2 >= Object.keys(Object(valueAt(batch, object))).length
    return isNext ? [{ ...first, message: NEXT }] : all
  })
}

const NEXT =
  'another object begins here; replace the comma before it with }, { (the two were not fully checked)'
