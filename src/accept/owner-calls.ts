/** Calls the owner's functions, which may throw or return anything. What isn't right becomes a fault. */
import type { Identity } from '../fault/facts.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { isObject, isPlainObject } from '../text/as-object.ts'
import { formatPointer } from '../text/pointer.ts'
import { reasonOf } from '../text/thrown.ts'
import { findUnwritable, HALF_CHARACTER, type Unwritable } from './unwritable.ts'

/** The result of a function, or a fault of the record. */
export type Outcome<Value> =
  | { value: Value; fault?: undefined }
  | { value?: undefined; fault: Fault }

/**
 * Calls a function of the owner.
 *
 * @param name of the function
 * @param run calls it, and takes what it returns by one of the functions below
 * @returns what `run` returns, or the fault of the record or the file
 */
export function callOwner<Value>(name: string, run: () => Value): Outcome<Value> {
  try {
    return { value: run() }
  } catch (error) {
    if (error instanceof Refused) return { fault: { about: name, ...error.fault } }

    const failure = fault('content.fails', [], { name, reason: reasonOf(error) })
    return { fault: { ...failure, about: name } }
  }
}

/** Thrown because of what a function returns. */
class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.code)
    this.fault = fault
  }
}

/** Takes any value but a Promise. */
export function takeValue(name: string, returned: unknown): unknown {
  refusePromise(name, returned)
  return returned
}

/** Takes a number, or what stands for one: true or false. */
export function takeNumber(name: string, returned: unknown): number {
  refusePromise(name, returned)
  const number = Number(returned)
  if (Number.isNaN(number)) throw new Refused(fault('content.no-number', [], { name, returned }))

  return number
}

/** Takes a list, or another iterable object. */
export function takeList(name: string, returned: unknown): unknown[] {
  refusePromise(name, returned)
  if (!isIterable(returned)) throw new Refused(fault('content.no-list', [], { name, returned }))

  return [...returned]
}

/** Whether a value can be an id: a text that isn't empty, or a finite number. */
export function isId(value: unknown): value is Identity {
  return typeof value === 'string' ? value !== '' : Number.isFinite(value)
}

/** Takes an id, or what a record is about. @param name of the function that returns it */
export function takeId(name: string, returned: unknown): Identity {
  refusePromise(name, returned)
  if (isId(returned)) return returned

  throw new Refused(fault('page.no-identity', [], { name, value: returned }))
}

/** Takes what `references` returns: ids by the names of collections. */
export function takeNames(name: string, returned: unknown): Record<string, unknown> {
  refusePromise(name, returned)
  if (isObject(returned) && !isIterable(returned)) return returned

  throw new Refused(fault('content.no-names', [], { name, returned }))
}

/** Takes one id, several or none, which `references` returns under the name of a collection. */
export function takeIds(key: string, returned: unknown): Identity[] {
  const isInList = isIterable(returned)
  const ids = isInList ? [...returned] : [returned]
  const named = ids.filter((id) => id !== undefined && id !== null)
  return named.map((id) => takeReferredId(id, { key, isInList }))
}

/** No record has an empty id. An empty text is reported at its place. */
function takeReferredId(id: unknown, place: { key: string; isInList: boolean }): Identity {
  refusePromise('references', id)
  if (id === '' || isId(id)) return id

  throw new Refused(fault('content.no-id', [], { ...place, value: id }))
}

/** The texts that `page` must make. */
const MADE_TEXTS = ['path', 'title', 'contentHtml'] as const

/** Takes what `page` returns. */
export function takePage(returned: unknown): Record<string, unknown> {
  refusePromise('page', returned)
  if (!isPlainObject(returned)) throw new Refused(fault('page.no-object', [], { returned }))

  const unwritable = findUnwritable(returned)
  if (unwritable) {
    ignoreRejections(returned)
    throw new Refused(refusePart(returned, unwritable))
  }

  for (const key of MADE_TEXTS) {
    const text = returned[key]
    const mayBeEmpty = key === 'contentHtml'
    const isText = typeof text === 'string' && (mayBeEmpty || text.trim() !== '')
    if (!isText)
      throw new Refused({ ...fault('page.no-text', [], { key, value: text }), about: key })
  }
  return returned
}

function refusePart(returned: unknown, { pointer, what }: Unwritable): Fault {
  if (pointer.length === 0) return fault('page.no-object', [], { returned })

  const place = formatPointer(pointer)
  if (what === HALF_CHARACTER)
    return { ...fault('page.half-character', [], { place }), about: place }
  return { ...fault('page.not-json', [], { what, place }), about: place }
}

function refusePromise(name: string, returned: unknown): void {
  if (!(returned instanceof Promise)) return

  ignoreRejections(returned)
  throw new Refused(fault('content.promise', [], { name }))
}

/** A rejection that nobody handles would end the process. */
function ignoreRejections(value: unknown): void {
  const values = isObject(value) ? [value, ...Object.values(value)] : []
  for (const promise of values) if (promise instanceof Promise) promise.catch(() => undefined)
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value
}
