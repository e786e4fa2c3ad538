/** What an owner may say of one kind of records, in `content.ts` and in a `manyurls.config.ts`. */
import type { FormatName } from '../formats/format.ts'
import type { Pointer } from '../text/pointer.ts'
import type { Range } from '../text/range.ts'
import type { Delivered } from './delivered.ts'

/** What names a record. Ids are compared as texts: 1 and "1" are the same. */
export type Id = string | number

/** An id, or several. One that is undefined or null is left out. */
type Ids = Id | null | undefined | Iterable<Id | null | undefined>

/**
 * One kind of records. None of the functions may be `async`. They are called for records that the schema
 * accepts; `references` is tried on the others, too, and may throw there. `Item` is the type of a record,
 * `File` of a file.
 */
export interface RecordsConfig<Item, File> {
  /**
   * The JSON Schema of a whole file. `{ named: 'schemas/*.json' }` checks each file with the one of these
   * schemas that its `$schema` names, by path or by `$id`. Nothing is read from the network. Of pages, it's
   * 'schema/batch.schema.json' by default.
   */
  schema?: string | { named: string | readonly string[] }
  /** The JSON Schema of a record, instead of that of a file. */
  recordSchema?: string
  /**
   * Where the records of a file are: under a key, in a list or in an object, or what a function returns:
   * objects of the file as they are, each once. Without it, a list is a list of records, and an object is
   * one record.
   */
  records?: string | ((file: File) => Iterable<Item>)
  /**
   * Where a record names others by their ids, and in which collection each must be:
   * `{ 'borders[]': 'countries', 'authors[].id': 'people' }`. A path has keys with dots between them,
   * and `[]` for each item of a list. What a path can't say, a function returns:
   * `(country) => ({ currencies: country.currencies.split(' ') })`. A page of a site, in the collection
   * `pages`, is named by its path or, if pages have one, by its identity.
   */
  references?:
    | Readonly<Record<string, string>>
    | ((record: Item, where: Where) => Readonly<Record<string, Ids>>)
  /** Checks that JSON Schema can't express. */
  rules?: readonly Rule<Item>[]
  /**
   * The order of the records in each file: by a key, by what a function of a record returns, or by a
   * function of two records, which returns more than 0 if the second belongs before the first. Texts are
   * compared by their characters, never as in a dictionary of some language.
   */
  sorted?: string | ((record: Item, other: Item) => Id)
  /**
   * What happens to a record whose id an earlier record has, in the same file or in another one: 'drop'
   * keeps the first and drops the others, and 'refuse' makes each of them a problem, whether its values
   * differ or not. 'drop' is the default of pages, 'refuse' that of any other collection. A shard only
   * sees the records of its own files.
   */
  duplicates?: 'refuse' | 'drop'
  /** How the files are written, if their names don't say it. */
  format?: FormatName
  /** The key of the text below the front matter; 'body' by default. */
  body?: string
}

/**
 * Checks a record as it is delivered for what JSON Schema cannot express; it is called for those that
 * the schema accepts. The name of the function is the code of its problems. Problems with one code at
 * one place of many records are shown as one.
 */
export type Rule<Item = Delivered> = (record: Item, where: Where) => RuleFinding[]

/** Where a record is. */
export interface Where {
  /** The file, such as `data/2026/apps.json`, from the configuration; of a page, from the folder of `files`. */
  file: string
  /** The key of the record in the object that it is in; undefined if it's in a list, or is the file. */
  key: string | undefined
  /** The position of the record among those of its file, from 0. */
  index: number
}

/** Rules of an owner may use this name. */
export type { RuleFinding as Fault }

/** What a rule finds in a record. */
interface RuleFinding {
  /** The steps from the record, such as `['form', 'fields', 0]`. */
  pointer: Pointer
  /** A part of the text at the pointer, by its offsets. */
  within?: Range
  /** Whether to show the value at the pointer, or the key that leads to it; the value by default. */
  at?: 'key' | 'value'
  /** Whole sentences: what is there, what is allowed, what to do. */
  message: string
  /** Its code, if not `rule.` and the name of the rule. */
  code?: string
  /**
   * Distinguishes it from others of the rule at this place. Without it, many are shown as one, whatever
   * their messages.
   */
  about?: string
  /** What certainly has to stand there instead; `--fix` writes it. */
  instead?: string | number | boolean
}
