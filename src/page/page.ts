/**
 * What the build and the site need of a page, and the type of a page with the keys that only the schema
 * knows.
 */
import type { Page as Generated } from './delivered.ts'
import type { FormDefinition } from './form-fields.ts'

/** The keys of a page that the build looks at. Their values may be anything. */
export interface Page {
  path?: unknown
  contentHtml?: unknown
  form?: unknown
}

/** What the site needs of a page. It may have more keys, and lack those with a question mark. */
export interface SitePage {
  path: string
  title: string
  /** Raw HTML: see `html.ts` for the elements that it may have. */
  contentHtml: string
  /** A site has forms if any page has this key, even if it is null. */
  form?: FormDefinition | null
  /** A BCP 47 tag, if it is not in the language of the site. */
  language?: string
  /** An RFC 3339 date-time. */
  updatedAt?: string
}

/** What the receiver knows of a page. */
export type FormPage = Pick<SitePage, 'path' | 'title'> & { form?: SitePage['form'] | undefined }

/**
 * A generated page with the types of {@link SitePage}. Each kind of a union keeps its own keys; of a
 * kind that allows any other key, `Omit` would lose them.
 */
export type Shown<Page> = Page extends unknown
  ? SitePage & { [Key in keyof Page as Key extends keyof SitePage ? never : Key]: Page[Key] }
  : never

type Fits<Page extends SitePage> = Page

/**
 * A page with the keys that only the schema knows. If the next line does not compile, the schema has
 * no such pages: change the schema, or let `page` in `content.ts` make them.
 */
export type SchemaPage = Shown<Fits<Generated>>
