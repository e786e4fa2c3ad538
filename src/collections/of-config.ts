/** Translates what a configuration says of a collection. */
import path from 'node:path'
import type { Content } from '../page/content.ts'
import type { Collection, IdUse, RecordsUse, ReferencesUse, SchemaUse } from './collection.ts'
import type { CollectionConfig } from './config.ts'
import { parseReferencePath } from './references.ts'

/** The name of the collection that a `content.ts` describes. */
export const PAGES = 'pages'

/** The dataset of the pages: the site reads it by this name. */
const DATASET_OF_PAGES = 'dataset'

/** Where the pages of a site are, if `content.ts` doesn't say it. */
const FILES_OF_PAGES = 'raw-batches'
const SCHEMA_OF_PAGES = 'schema/batch.schema.json'

/**
 * @param config as `takeConfig` has checked it
 * @param folder that the files are relative to, as messages spell it
 */
export function collectionOfConfig(
  name: string,
  config: CollectionConfig<unknown, unknown>,
  folder: string,
): Collection {
  const { format, body, rules = [], duplicates = 'refuse' } = config

  return {
    name,
    dataset: name,
    files: [config.files].flat(),
    hiddenPrefix: '',
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

/** Translates the pages of a site. A page is known by its path. */
export function collectionOfContent(content: Content, folder: string): Collection {
  // Only the owner knows the types of a file and of a record.
  const untyped = content as Content<unknown, unknown>
  const { files = FILES_OF_PAGES, duplicates = 'drop', identity } = untyped

  const hasSchema = untyped.schema !== undefined || untyped.recordSchema !== undefined
  const schema = hasSchema ? {} : { schema: SCHEMA_OF_PAGES }

  const config = { ...untyped, ...schema, files, duplicates, id: 'path' }
  return {
    ...collectionOfConfig(PAGES, config, folder),
    dataset: DATASET_OF_PAGES,
    identity,
    pages: content,
  }
}

function schemaOf(
  { schema, recordSchema }: Pick<CollectionConfig, 'schema' | 'recordSchema'>,
  folder: string,
): SchemaUse {
  if (recordSchema !== undefined) return { kind: 'record', file: spell(recordSchema, folder) }
  if (schema === undefined) return { kind: 'none' }

  if (typeof schema === 'string') return { kind: 'file', file: spell(schema, folder) }
  return { kind: 'named', files: [schema.named].flat(), folder }
}

/** Spells the path of a file as messages do. */
function spell(file: string, folder: string): string {
  return path.isAbsolute(file) ? file : path.join(folder, file)
}

function recordsOf({ records }: CollectionConfig<unknown, unknown>): RecordsUse {
  if (records === undefined) return { kind: 'file' }
  if (typeof records === 'string') return { kind: 'key', key: records }
  return { kind: 'function', find: records }
}

function idOf({ id }: CollectionConfig<unknown, unknown>): IdUse {
  return typeof id === 'string' ? { key: id } : { call: id }
}

function referencesOf({
  references,
}: CollectionConfig<unknown, unknown>): ReferencesUse | undefined {
  if (references === undefined) return undefined
  if (typeof references === 'function') return { call: references }

  const paths = Object.entries(references).flatMap(([path, to]) => {
    const steps = parseReferencePath(path)
    return steps ? [{ path, steps, to }] : []
  })
  return { paths }
}
