/** Reads the conflicting records of a build again, and compares them. */
import type { ItemMaker } from '../../accept/items.ts'
import { addLines } from '../../build/record-lines.ts'
import type { CollectionToBuild } from '../../build/source.ts'
import type { BatchEntry } from '../../dataset/format.ts'
import type { Duplicate, Provenance } from '../../dataset/precedence.ts'
import { ownValue } from '../../text/as-object.ts'
import { readInstant } from '../../text/instant.ts'
import { compareValues, type Difference } from './differences.ts'

/** An id that conflicting records claimed. */
export interface Conflict {
  id: string
  kept: Provenance
  dropped: DroppedRecord[]
}

export interface DroppedRecord extends Provenance {
  /** The keys whose values differ from the kept record's. */
  fields: readonly string[]
  /** How they differ. Undefined if a batch has changed since the build. */
  differences: Difference[] | undefined
  /** Which of the two records was updated later, if their `updatedAt` says so. */
  newer: Newer | undefined
}

export interface Newer {
  record: 'kept' | 'dropped'
  /** As it was delivered. */
  updatedAt: string
}

/** The key that says when a page was changed last: see `SitePage`. */
const UPDATED = 'updatedAt'

/** The values of a page, by their keys: those that are compared. */
type Values = ReadonlyMap<string, unknown>

/** Reads the batches of conflicts again, one at a time. @returns the conflicts, with their lines */
export async function readConflicts(
  collection: CollectionToBuild,
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
): Promise<Conflict[]> {
  const valuesAt = new Map<string, Values>()
  const keysAt = comparedKeys(duplicates)

  const keepValues = (items: ItemMaker, places: readonly Provenance[]) => {
    for (const place of places) {
      const item = items.itemOf(place.index)
      const keys = [...(keysAt.get(keyOfRecord(place)) ?? [])]

      valuesAt.set(keyOfRecord(place), new Map(keys.map((key) => [key, ownValue(item, key)])))
    }
  }

  await addLines(collection, { batches, duplicates }, keepValues)

  return duplicates.map(({ id, kept, dropped }) => {
    const keptValues = valuesAt.get(keyOfRecord(kept))

    const compared = dropped.map(({ kind, ...record }) => {
      const droppedValues = valuesAt.get(keyOfRecord(record))
      return { ...record, ...compareRecords(keptValues, droppedValues, record.fields) }
    })

    return { id, kept, dropped: compared }
  })
}

/** @param kept undefined if the batch has changed since the build, as for `dropped` */
function compareRecords(
  kept: Values | undefined,
  dropped: Values | undefined,
  keys: readonly string[],
): Pick<DroppedRecord, 'differences' | 'newer'> {
  if (!kept || !dropped) return { differences: undefined, newer: undefined }

  const differences = keys.map((key) => compareValues(key, kept.get(key), dropped.get(key)))
  return { differences, newer: newerOf(kept, dropped) }
}

/** Returns which keys of each record are compared. */
function comparedKeys(duplicates: readonly Duplicate[]): Map<string, Set<string>> {
  const keysAt = new Map<string, Set<string>>()

  for (const { kept, dropped } of duplicates) {
    const keys = new Set([UPDATED, ...dropped.flatMap(({ fields }) => fields)])
    for (const place of [kept, ...dropped]) keysAt.set(keyOfRecord(place), keys)
  }
  return keysAt
}

/** Returns a key of a record that no other record has. */
function keyOfRecord({ batch, index }: Provenance): string {
  return `${index} ${batch}`
}

function newerOf(kept: Values, dropped: Values): Newer | undefined {
  const [keptInstant, droppedInstant] = [kept, dropped].map((values) => {
    return readInstant(values.get(UPDATED))
  })

  if (keptInstant === undefined || droppedInstant === undefined) return undefined
  if (keptInstant === droppedInstant) return undefined

  return keptInstant > droppedInstant
    ? { record: 'kept', updatedAt: String(kept.get(UPDATED)) }
    : { record: 'dropped', updatedAt: String(dropped.get(UPDATED)) }
}
