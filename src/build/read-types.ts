/** Makes the types of a dataset, or reuses those of the last build. */

import type { Collection } from '../collections/collection.ts'
import { BuildError, missingPackage } from '../machine/errors.ts'
import type { Pointer } from '../page/fault.ts'
import type { Node } from '../schema/schemas-in.ts'
import type { Cache } from './disk/cache.ts'
import { generateTypes } from './generate-types.ts'
import type { Schema } from './read-schema.ts'
import { type RecordPlaces, recordSchema } from './record-type.ts'

/** The place of a record in a list of them. */
const IN_A_LIST: Pointer = [0]

/**
 * Returns the declaration of the dataset's types. What a record is, the schema says at the places where
 * `records` of `content.ts` finds some. Without any, a file is a list of records; if `records` is to
 * find them and no batch has one, a record is an object with any keys.
 */
export async function readTypes(
  { root, sha256 }: Schema,
  places: RecordPlaces,
  collection: Collection,
  cache: Cache,
): Promise<string> {
  const found = collection.records.kind !== 'file' ? places : { accepted: [IN_A_LIST], refused: [] }
  const record = recordSchema(root as Node, found)

  const isMade = collection.pages?.page !== undefined
  const madeOf = `Schema: sha256 ${sha256}${isMade ? '; pages by content.ts' : ''}`
  const key = `${madeOf} ${JSON.stringify(record)}`
  const types = cache.get<string>('types', key)
  if (types !== undefined) return types

  try {
    return cache.add('types', key, await generateTypes(root, record, madeOf, isMade))
  } catch (error) {
    if (missingPackage(error) !== undefined) throw error
    const reason = (error as Error).message.replaceAll('\n', ' ')
    throw new BuildError(`the types of the dataset cannot be made: ${reason}`)
  }
}
