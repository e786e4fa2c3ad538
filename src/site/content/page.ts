/**
 * What the site needs of a page: the only place that says it. A schema may have more keys than
 * these, and leave out those with a question mark.
 */
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

export interface FormDefinition {
  fields: FieldDefinition[]
}

export interface FieldDefinition {
  name: string
  label: string
  type: 'text' | 'email' | 'textarea'
  placeholder: string
  required: boolean
}

/**
 * The name of a control that no visitor sees and no browser sends, because it is disabled. Bots that
 * fill in every field with a familiar name give themselves away with it. No field may have it.
 */
export const HONEYPOT = 'homepage_url'

/** HTML, 4.10.5.1.5: the regular expression of a valid e-mail address, to the letter. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

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
