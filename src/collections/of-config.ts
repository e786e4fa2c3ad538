/** Translates the collections of a `manyurls.config.ts`. */
import path from 'node:path'
import type { Collection, IdUse, RecordsUse, ReferencesUse, SchemaUse } from './collection.ts'
import type { CollectionConfig } from './config.ts'
import { parseReferencePath } from './references.ts'

/**
 * @param config as `takeConfig` has checked it
 * @param folder that the files are relative to, as messages spell it
 */
export function collectionOfConfig(
  name: string,
  config: CollectionConfig,
  folder: string,
): Collection {
  const { format, body, rules = [], duplicates = 'refuse' } = config

  return {
    name,
    files: [config.files].flat(),
    schema: schemaOf(config, folder),
    format,
    body,
    records: recordsOf(config),
    id: idOf(config),
    identity: undefined,
    rules,
    references: referencesOf(config),
    sorted: config.sorted,
    duplicates,
    pages: undefined,
  }
}

function schemaOf({ schema, recordSchema }: CollectionConfig, folder: string): SchemaUse {
  if (recordSchema !== undefined) return { kind: 'record', file: path.join(folder, recordSchema) }
  if (schema === undefined) return { kind: 'none' }

  if (typeof schema === 'string') return { kind: 'file', file: path.join(folder, schema) }
  return { kind: 'named', files: [schema.named].flat(), folder }
}

function recordsOf({ records }: CollectionConfig): RecordsUse {
  if (records === undefined) return { kind: 'file', isAlone: true }
  if (typeof records === 'string') return { kind: 'key', key: records }
  return { kind: 'function', find: records }
}

function idOf({ id }: CollectionConfig): IdUse {
  return typeof id === 'string' ? { key: id } : { call: id }
}

function referencesOf({ references }: CollectionConfig): ReferencesUse | undefined {
  if (references === undefined) return undefined
  if (typeof references === 'function') return { call: references }

  const paths = Object.entries(references).flatMap(([path, to]) => {
    const steps = parseReferencePath(path)
    return steps ? [{ path, steps, to }] : []
  })
  return { paths }
}
