/** What a `manyurls.config.ts` may say: the collections of a repository. */
import type { FormatName } from '../formats/format.ts'
import type { Rule, Where } from '../page/content.ts'

/** Whatever JSON can hold. It is `any`: after the first build, the owner names the type of a record. */
type Json = ReturnType<typeof JSON.parse>

/** What names a record. Ids are compared as texts: 1 and "1" are the same. */
export type Id = string | number

/** An id, or several. One that is undefined or null is left out. */
type Ids = Id | null | undefined | Iterable<Id | null | undefined>

/**
 * One kind of records. None of the functions may be `async`. They are called for records that the schema
 * accepts; `id` and `references` are tried on the others, too, and may throw there. `Item` is the type of
 * a record, `File` of a file.
 */
export interface CollectionConfig<Item = Json, File = Json> {
  /**
   * Files, folders, and patterns such as `data/*.json`, from the folder of this file. What begins with
   * `!` is left out: `['data', '!data/drafts']`.
   */
  files: string | readonly string[]
  /**
   * The JSON Schema of a whole file. `{ named: 'schemas/*.json' }` checks each file with the one of these
   * schemas that its `$schema` names, by path or by `$id`. Nothing is read from the network.
   */
  schema?: string | { named: string | readonly string[] }
  /** The JSON Schema of a record, instead of that of a file. */
  recordSchema?: string
  /**
   * Where the records of a file are: under a key, in a list or in an object, or what a function returns.
   * Without it, a list is a list of records, and an object is one record.
   */
  records?: string | ((file: File) => Iterable<Item>)
  /**
   * What names a record: a key of it, such as `'code'`, or a function. Two records may not have the same
   * id, and one without an id is a problem.
   */
  id: string | ((record: Item, where: Where) => Id | null | undefined)
  /**
   * Where a record names others by their ids, and in which collection each must be:
   * `{ 'borders[]': 'countries', 'authors[].id': 'people' }`. A path has keys with dots between them,
   * and `[]` for each item of a list. What a path can't say, a function returns:
   * `(country) => ({ currencies: country.currencies.split(' ') })`.
   */
  references?:
    | Readonly<Record<string, string>>
    | ((record: Item, where: Where) => Readonly<Record<string, Ids>>)
  /** What a schema cannot say of a record. */
  rules?: readonly Rule<Item>[]
  /**
   * The order of the records in each file: by a key, by what a function of a record returns, or by a
   * function of two records, which returns more than 0 if the second belongs before the first. Texts are
   * compared by their characters, never as in a dictionary of some language.
   */
  sorted?: string | ((record: Item, other: Item) => Id)
  /**
   * What happens to a record whose id an earlier record has, in the same file or in another one: 'refuse',
   * the default, makes it a problem, and 'drop' keeps the first.
   */
  duplicates?: 'refuse' | 'drop'
  /** How the files are written, if their names don't say it. */
  format?: FormatName
  /** The key of the text below the front matter; 'body' by default. */
  body?: string
}

/**
 * Names the collections of a repository, so that an editor completes their keys. It is the default
 * export of `manyurls.config.ts`. The name of a collection is that of its file: `generated/countries.json`.
 */
export function defineCollections<Name extends string>(
  collections: Readonly<Record<Name, CollectionConfig>>,
): Readonly<Record<Name, CollectionConfig>> {
  return collections
}
