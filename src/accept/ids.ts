/** The id and the identity of a record. Pure. */
import type { Collection } from '../collections/collection.ts'
import type { Identity } from '../fault/facts.ts'
import { type Fault, fault } from '../fault/fault.ts'
import type { Where } from '../page/content.ts'
import { asObject, ownValue } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { callOwner, isId, type Outcome, takeId } from './owner-calls.ts'
import type { Records } from './records.ts'

/**
 * Calls the function `id` or `identity` of the owner.
 *
 * @param record for `identity`, one that the schema accepts
 */
export function callIdentity(
  name: 'id' | 'identity',
  call: NonNullable<Collection['identity']>,
  record: unknown,
  where: Where,
): Outcome<Identity> {
  return callOwner(name, () => takeId(name, call(record, where)))
}

/** Returns the id under a key of an item; null if it isn't one. Only a text can be the path of a page. */
export function idUnder(key: string, item: unknown, { pages }: Collection): string | null {
  const value = ownValue(item, key)
  if (!isId(value)) return null
  if (pages && typeof value !== 'string') return null

  // Ids are compared as texts.
  return String(value)
}

/** Says why there is no id under a key of an item, as a fault of the item. */
export function whyWithoutId(key: string, item: unknown, { pages }: Collection): Fault {
  if (pages) return fault('page.no-path', ['path'])

  const value = ownValue(item, key)
  if (value === undefined) return fault('id.missing', [], { key })
  return fault('id.no-id', [key], { key, value })
}

/**
 * Whether a batch has the id key: true if one of its records has it; a fault of the first record if
 * none has; undefined if there are no records, or if a function returns the ids.
 */
export type KeyOfIds = true | Fault | undefined

/** Finds out whether a record of a batch has the id key. For pages, `page` makes it. */
export function findKeyOfIds({ all, pointerTo }: Records, { id, pages }: Collection): KeyOfIds {
  if ('call' in id || pages || all.length === 0) return undefined

  const { key } = id
  if (all.some((record) => Object.hasOwn(asObject(record), key))) return true

  const keys = Object.keys(asObject(all[0]))
  return fault('id.no-key', pointerTo(0), { key, near: nearest(key, keys) })
}
