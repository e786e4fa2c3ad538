/** What a record is known by, and what it is about. Pure. */
import type { Collection } from '../collections/collection.ts'
import type { Where } from '../page/content.ts'
import type { Identity } from '../page/facts.ts'
import { type Fault, fault } from '../page/fault.ts'
import { asObject } from '../text/as-object.ts'
import { callOwner, type Outcome, takeIdentity } from './owner-calls.ts'

/**
 * Calls the function `id` or `identity` of the owner.
 *
 * @param record one that the schema accepts
 */
export function callIdentity(
  name: 'id' | 'identity',
  call: NonNullable<Collection['identity']>,
  record: unknown,
  where: Where,
): Outcome<Identity> {
  return callOwner(name, () => takeIdentity(name, call(record, where)))
}

/** Returns the id under a key of an item; null if it isn't one. Only a text can be the path of a page. */
export function idUnder(key: string, item: unknown, { pages }: Collection): string | null {
  const value = asObject(item)[key]
  if (pages) return typeof value === 'string' ? value : null

  // Ids are compared as texts.
  const isId = typeof value === 'string' ? value !== '' : Number.isFinite(value)
  return isId ? String(value) : null
}

/** Says why there is no id under a key of an item, as a fault of the item. */
export function whyWithoutId(key: string, item: unknown, { pages }: Collection): Fault {
  if (pages) return fault('page.no-path', ['path'])

  const value = asObject(item)[key]
  if (value === undefined) return fault('id.missing', [], { key })
  return fault('id.no-id', [key], { key, value })
}
