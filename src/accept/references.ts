/** Finds the records that other records name, as their collection says. Pure. */
import type { Collection } from '../collections/collection.ts'
import type { Where } from '../page/content.ts'
import type { Identity } from '../page/facts.ts'
import { takeIdentity, takeIds, takeNames } from './owner-calls.ts'

/** A record, as another one names it. */
export interface NamedRecord {
  /** The name of its collection. */
  collection: string
  /** Its id or, if its collection says what records are about, that. */
  identity: Identity
}

/** That a record names another one. */
export interface RecordReference extends NamedRecord {
  /** The position of the record that names it. */
  index: number
}

/** Returns the records that a record names. @throws what `references` of the owner throws */
export function namedRecords(
  record: unknown,
  { references }: Pick<Collection, 'references'>,
  where: Where,
): NamedRecord[] {
  if (!references) return []

  const records: NamedRecord[] = []
  const returned = takeNames('references', references(record, where))
  for (const [collection, ids] of Object.entries(returned)) {
    for (const id of takeIds('references', ids)) {
      if (id === undefined || id === null) continue
      records.push({ collection, identity: takeIdentity('references', id) })
    }
  }
  return records
}
