/**
 * One kind of records, as the build knows it. The pages of a `content.ts` and any other collection are
 * translated into this form when the configuration is loaded. The functions are the owner's: they may
 * throw and return anything, so only `src/accept` calls them.
 */
import type { FormatName } from '../formats/format.ts'
import type { Content } from '../page/content.ts'
import type { Rule, Where } from '../page/records.ts'
import type { ReferenceStep } from './references.ts'

export interface Collection {
  /** As the owner calls it; "pages" of a `content.ts`. */
  name: string
  /** The name of its dataset, without `.json`. */
  dataset: string
  /** Files, folders and patterns; what begins with `!` is left out. */
  files: readonly string[]
  /**
   * The part of a file's name that the owner's functions don't get: for pages, their folder, such as
   * `raw-batches/`.
   */
  hiddenPrefix: string
  schema: SchemaUse
  /** The format of all files, if their names don't say it. */
  format: FormatName | undefined
  /** The key of the text below a front matter; `body` without it. */
  body: string | undefined
  records: RecordsUse
  id: IdUse
  /** The identity of a record, if that isn't its id: records with different identities may not have one id. */
  identity: OfRecord | undefined
  rules: readonly Rule<unknown>[]
  references: ReferencesUse | undefined
  /** Whether records are in order: by a key, by what a function of one says, or by one of two. */
  sorted: string | ((...records: unknown[]) => unknown) | undefined
  /** What happens to a second record with an id. */
  duplicates: 'drop' | 'refuse'
  /** Settings of records that become pages; undefined if records are written as they are. */
  pages: Pages | undefined
}

/** How the schemas of a collection check: a whole file, or each of its records. */
export type SchemaUse =
  | { kind: 'file' | 'record'; file: string }
  /** Each file names one of these as its `$schema`; they are files and patterns, relative to a folder. */
  | { kind: 'named'; files: readonly string[]; folder: string }
  | { kind: 'none' }

/** Where the records of a file are. */
export type RecordsUse =
  /** The file is a list of them, or one record. */
  | { kind: 'file' }
  /** The items of a list, or the values of an object, that is under a key of the file. */
  | { kind: 'key'; key: string }
  /** What a function of the file returns. */
  | { kind: 'function'; find: (file: unknown) => unknown }

/** The id of a record: the value of one of its keys, or the result of a function. */
export type IdUse = { key: string } | { call: OfRecord }

/** Where a record names others: at paths, or in what a function returns, by the names of collections. */
export type ReferencesUse = { paths: readonly ReferencePath[] } | { call: OfRecord }

/** Where a record names records of one collection. */
export interface ReferencePath {
  /** As the owner writes it, such as `authors[].id`. */
  path: string
  steps: readonly ReferenceStep[]
  /** The name of the collection. */
  to: string
}

/** A function of the owner, who knows the type of a record. */
export type OfRecord = (record: unknown, where: Where) => unknown

/** The settings of `content.ts` for pages. */
export type Pages = Pick<
  Content,
  'page' | 'elements' | 'facts' | 'image' | 'group' | 'others' | 'site'
>
