/** Finds the records that other records name by their identities, as `content.ts` says. Pure. */
import type { Delivered } from '../generated/dataset.json'
import type { Content } from '../page/content.ts'
import type { Identity } from '../page/facts.ts'
import { callContent, takeIdentity, takeList } from './content-calls.ts'

/** That a record names another one. */
export interface RecordReference {
  /** The position of the record that names it. */
  index: number
  /** What the other record is about. */
  identity: Identity
}

/** Returns the identities that a record names. @throws what `references` of `content.ts` throws */
export function namedIdentities(record: unknown, { references }: Content): Identity[] {
  if (!references) return []

  const identities: Identity[] = []
  for (const identity of takeList('references', references(record as Delivered))) {
    if (identity !== undefined) identities.push(takeIdentity(identity))
  }
  return identities
}

/** Returns what a record is about that was refused; null if that can't be said. */
export function identityOf(record: unknown, { identity }: Content): Identity | null {
  if (!identity) return null
  return callContent('identity', () => takeIdentity(identity(record as Delivered))).value ?? null
}
