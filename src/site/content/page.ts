/**
 * What the site needs of a page: the only place that says it. A schema may have more keys than
 * these, and leave out those with a question mark.
 */
import type { FormDefinition } from '../../dataset/fields.ts'
import type { Page } from '../../generated/dataset.json'

export interface SitePage {
  path: string
  title: string
  /** Raw HTML: see `html.ts` for the elements that it may have. */
  contentHtml: string
  /** A site has forms if any page has this key, even if it is null. */
  form?: FormDefinition | null
  /** A BCP 47 tag, if it is not in the language of the site. */
  language?: string
  /** RFC 3339 date-times. */
  createdAt?: string
  updatedAt?: string
}

/** A generated page with the types of {@link SitePage}. Each kind of a union keeps its own keys. */
export type Shown<Generated> = Generated extends unknown
  ? SitePage & Omit<Generated, keyof SitePage>
  : never

type Fits<Generated extends SitePage> = Generated

/**
 * A page with the keys that only the schema knows. If the next line does not compile, the schema has
 * no such pages: change the schema, or {@link SitePage}.
 */
export type SchemaPage = Shown<Fits<Page>>
