/**
 * Values that are right but for their shape: a list in an object, a page under a key, a field
 * without its list, a misspelled key. They are checked as they were meant, so that one run reports
 * what is wrong inside them too.
 */

import type { RepeatedKey } from './json/json.ts'
import {
  formatPointer,
  type Meant,
  type Pointer,
  type SchemaCheck,
  type Violation,
} from './violation.ts'
import { show } from './wording.ts'

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
    const own = readings.get(String(index)) ?? []
    readings.set(String(index), [...own, { at, read, back }])
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
  return {
    read: (value) =>
      Object.fromEntries(
        Object.entries(value as object).map(([each, item]) => [each === key ? meant : each, item]),
      ),
    back: ([step, ...rest]) => (step === undefined ? [] : [step === meant ? key : step, ...rest]),
  }
}

const isPage = (value: unknown) => typeof value === 'object' && value !== null && 'path' in value
const isPages = (value: unknown) =>
  Array.isArray(value) && (value.length === 0 || value.some(isPage))

/** The value of one key of an object. */
function under(key: string): Meant {
  return {
    read: (value) => (value as Record<string, unknown>)[key],
    back: (pointer) => [key, ...pointer],
  }
}

/** @param value a batch that is not what the schema says: a list, unless it is another schema */
export function explainRoot(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = Object.entries(value)
  const [key] = members.find(([, inner]) => isPages(inner)) ?? []
  if (key !== undefined) {
    const message =
      members.length === 1
        ? `must be the list itself; remove the object and its key ${show(key)} around it`
        : `must be the list itself; keep only the list of the key ${show(key)}`
    return { message, meant: under(key) }
  }
  if (!isPage(value) && members.some(([, inner]) => isPage(inner))) {
    return {
      message:
        'must be a list of pages; write [ ] instead of this { }, and remove the key before each page',
      meant: {
        read: () => members.map(([, inner]) => inner),
        back: ([index, ...rest]: Pointer) =>
          index === undefined ? [] : [members[Number(index)]?.[0] as string, ...rest],
      },
    }
  }
  const message = 'must be a list of pages; put [ before the page and ] after it'
  if (!isPage(value)) return { message }
  return {
    message,
    meant: { read: (page: unknown) => [page], back: ([, ...rest]: Pointer) => rest },
  }
}

/** @param value a record that lacks keys */
export function explainPage(value: unknown) {
  const [[key = '', inner] = [], ...others] = Object.entries(value as object)
  if (others.length > 0 || !isPage(inner)) return undefined
  const message = `must be the page itself; remove the object and its key ${show(key)} around it`
  return { message, meant: under(key) }
}

/** @param value a form that lacks keys; `general` names them */
export function wrapField(value: unknown, general: string) {
  if (!('name' in (value as object)) || !general.endsWith(' key "fields"')) return undefined
  return {
    message:
      'must be an object with a list of fields; put { "fields": [ before this field and ] } after it',
    meant: {
      read: (field: unknown) => ({ fields: [field] }),
      back: ([, , ...rest]: Pointer) => rest,
    },
  }
}

/** @param value a form that is no object */
export function wrapFields(value: unknown, general: string) {
  if (!Array.isArray(value) || !value.some((field) => Object(field).name)) return undefined
  return {
    message: `${general}; put { "fields": before it and } after it`,
    meant: { read: (fields: unknown) => ({ fields }), back: ([, ...rest]: Pointer) => rest },
  }
}

/**
 * Says what is wrong with repeated keys. Where the }, { between two objects of a list is lost, the
 * keys of the second repeat those of the first, beginning with its first: that is one mistake.
 *
 * @param batch the value that they are in, as `JSON.parse` returned it
 */
export function explainRepeated(repeated: readonly RepeatedKey[], batch: unknown) {
  const parents = repeated.map(({ pointer }) => formatPointer(pointer.slice(0, -1)))
  const merged = new Set<string>()
  return repeated.flatMap((found, at) => {
    const { pointer } = found
    const object = pointer.slice(0, -1).reduce<unknown>((value, step) => Object(value)[step], batch)
    const isFirst = Object.keys(Object(object))[0] === pointer.at(-1)
    const isInList = typeof pointer.at(-2) === 'number'
    if (isInList && isFirst && parents[at] === parents[at + 1]) {
      merged.add(parents[at] as string)
      return [{ ...found, message: NEXT }]
    }
    return merged.has(parents[at] as string) ? [] : [{ ...found, message: REPEATS }]
  })
}

const REPEATS = 'must not repeat a key; all but the last value would be lost'
const NEXT =
  'another object begins here; replace the comma before it with }, { (the one before was not checked)'

const IN_STRING =
  'it is JSON inside a string: remove the quotes around it and the backslashes in it'

/** Returns the advice for a string that holds an object or a list, or undefined. */
export function adviseInString(value: unknown): string | undefined {
  const inner = typeof value === 'string' ? parsed(value) : undefined
  return typeof inner === 'object' && inner !== null ? IN_STRING : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
