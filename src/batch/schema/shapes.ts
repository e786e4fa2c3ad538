/**
 * Values that are right but for their shape: a list in an object, a page under a key, a field
 * without its list, a misspelled key. They are checked as they were meant, so that one run reports
 * what is wrong inside them too.
 */

import { show } from '../../text/wording.ts'
import {
  formatPointer,
  type Meant,
  type Pointer,
  type SchemaCheck,
  type Violation,
} from '../violation.ts'

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

/** The object with one key renamed. */
export function renameKey(key: string, meant: string): Meant {
  const rename = (each: string) => (each === key ? meant : each)
  return {
    read: (value) =>
      Object.fromEntries(
        Object.entries(value as object).map(([each, item]) => [rename(each), item]),
      ),
    back: ([step, ...rest]) => (step === undefined ? [] : [step === meant ? key : step, ...rest]),
  }
}

/** The value of one key of an object, or one item of a list. */
function under(key: string | number): Meant {
  return {
    read: (value) => (value as Record<string | number, unknown>)[key],
    back: (pointer) => [key, ...pointer],
  }
}

/** The value within lists and objects that are missing around it, as many as `depth`. */
function inside(depth: number, read: (value: unknown) => unknown): Meant {
  return { read, back: (pointer) => pointer.slice(depth) }
}

/** @param value a list of one text where, as `general` says, there must be a text */
export function explainOnly(value: unknown, general: string) {
  const [text, ...others] = Array.isArray(value) ? value : []
  if (typeof text !== 'string' || others.length > 0 || !general.startsWith('must be a string,'))
    return undefined
  return { message: `${general}; remove the [ and ] around the text`, meant: under(0) }
}

const isPage = (value: unknown) => typeof value === 'object' && value !== null && 'path' in value

/** @param value a batch that is not what the schema says: a list, unless it is another schema */
export function explainRoot(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (isPage(value)) return { message: NO_LIST, meant: inside(1, (page) => [page]) }
  const members = Object.entries(value)
  const lists = members.filter(([, inner]) => Array.isArray(inner))
  const [key] =
    lists.find(([, list]) => list.some(isPage)) ?? (lists.length > 1 ? [] : lists.flat())
  if (key === undefined) {
    return members.some(([, inner]) => isPage(inner)) ? { message: NO_KEYS } : undefined
  }
  const message = `must be the list itself; keep only the list of the key ${show(key)}`
  return { message, meant: under(key) }
}

const NO_LIST = 'must be a list of pages; put [ before the page and ] after it'
const NO_KEYS =
  'must be a list of pages; write [ ] instead of this { }, and remove the key before each page'

/** @param value a record that lacks keys; `general` names them */
export function explainPage(value: unknown, general: string) {
  const [[key = '', inner] = [], ...others] = Object.entries(value as object)
  const isPage = Object.keys(Object(inner)).some((each) => general.includes(show(each)))
  if (others.length > 0 || !isPage) return undefined
  const message = `must be the page itself; remove the object and its key ${show(key)} around it`
  return { message, meant: under(key) }
}

/** @param value a form that is a list, or lacks the keys that `general` names */
export function explainForm(value: unknown, general: string) {
  if (Array.isArray(value)) {
    if (!general.includes('an object') || !value.some((field) => Object(field).name))
      return undefined
    const message = `${general}; put { "fields": before it and } after it`
    return { message, meant: inside(1, (fields) => ({ fields })) }
  }
  if (!Object(value).name || !general.endsWith(' key "fields"')) return undefined
  return { message: NO_FIELDS, meant: inside(2, (field) => ({ fields: [field] })) }
}

const NO_FIELDS =
  'must be an object with a list of fields; put { "fields": [ before this field and ] } after it'

/**
 * Where the }, { between two objects of a list is lost, the
 * keys of the second repeat most of the first: that is one mistake, not one for each key.
 *
 * @param batch the value that they are in, as `JSON.parse` returned it
 */
export function explainRepeated(repeated: readonly Violation[], batch: unknown): Violation[] {
  const byObject = new Map<string, Violation[]>()
  for (const found of repeated) {
    const object = formatPointer(found.pointer.slice(0, -1))
    const own = byObject.get(object)
    if (own) own.push(found)
    else byObject.set(object, [found])
  }
  return [...byObject.values()].flatMap((all) => {
    const [first] = all as [Violation]
    const object = first.pointer.slice(0, -1)
    const value = object.reduce<unknown>((inner, step) => Object(inner)[step], batch)
    const isNext =
      typeof object.at(-1) === 'number' &&
      all.length > 1 &&
      all.length * 2 >= Object.keys(Object(value)).length
    return isNext ? [{ ...first, message: NEXT }] : all
  })
}

const NEXT =
  'another object begins here; replace the comma before it with }, { (the two were not fully checked)'
