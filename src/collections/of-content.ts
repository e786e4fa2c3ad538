/** Translates a site's `content.ts`: its one collection has pages, and a path is the id of a page. */
import type { Content, Where } from '../page/content.ts'
import type { Collection, SchemaUse } from './collection.ts'

/** The name of the only collection of a site. */
const NAME = 'content'

export function collectionOfContent(content: Content, schema: SchemaUse): Collection {
  // Only the owner knows the types of a file and of a record.
  const untyped = content as Content<unknown, unknown>
  const { records, identity, references, rules = [], duplicates = 'drop' } = untyped

  return {
    name: NAME,
    // A site's batches are where `delivery` or an option says.
    files: [],
    schema,
    format: undefined,
    body: undefined,
    records: records ? { kind: 'function', find: records } : { kind: 'file', isAlone: false },
    id: { key: 'path' },
    identity,
    rules,
    references: references && {
      call: (record: unknown, where: Where) => ({ [NAME]: references(record, where) }),
    },
    sorted: undefined,
    duplicates,
    pages: content,
  }
}
