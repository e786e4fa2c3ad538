/** What a `manyurls.config.ts` may say: the collections of a repository. */
import type { Id, RecordsConfig, Where } from '../page/records.ts'

/** Whatever JSON can hold. It is `any`: after the first build, the owner names the type of a record. */
type Json = ReturnType<typeof JSON.parse>

/**
 * One kind of records. None of the functions may be `async`. They are called for records that the schema
 * accepts; `id` and `references` are tried on the others, too, and may throw there. `Item` is the type of
 * a record, `File` of a file.
 */
export interface CollectionConfig<Item = Json, File = Json> extends RecordsConfig<Item, File> {
  /**
   * Files, folders, and patterns such as `data/*.json`, from the folder of this file. What begins with
   * `!` is left out: `['data', '!data/drafts']`.
   */
  files: string | readonly string[]
  /**
   * What names a record: a key of it, such as `'code'`, or a function. Two records may not have the same
   * id, and one without an id is a problem.
   */
  id: string | ((record: Item, where: Where) => Id | null | undefined)
}

/** Collections by their names. A record whose type isn't known may be whatever JSON can hold. */
type Configs<Items> = {
  readonly [Name in keyof Items]: CollectionConfig<unknown extends Items[Name] ? Json : Items[Name]>
}

/**
 * Names the collections of a repository, so that an editor completes their keys. The name of a collection
 * is that of its dataset: `generated/countries.json`. `defineCollections<{ countries: Country }>` names the
 * types of records; otherwise, the parameters of the functions do.
 */
export function defineCollections<const Items extends object = Record<string, Json>>(
  collections: Configs<Items>,
): Configs<Items> {
  return collections
}
