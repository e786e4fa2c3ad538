/** What a file such as `src/content.ts` may say: what a record is, which page it becomes, what is shown of it. */

import type { Pointer } from '../text/pointer.ts'
import type { Range } from '../text/range.ts'
import type { Batch, Delivered } from './delivered.ts'
import type { Elements } from './html.ts'
import type { Shown, SitePage } from './page.ts'

export { slug } from '../text/slug.ts'
/** @public An owner's `content.ts` may use it. */
export { WIDE } from './html.ts'
export { paragraphs } from './paragraphs.ts'

/** A text that is undefined or empty is left out. */
type Texts = readonly (string | undefined)[]

/** What `page` makes of a record: the keys that the site knows. */
type Made = Pick<SitePage, 'path' | 'title' | 'contentHtml'> & {
  [Key in 'form' | 'language' | 'updatedAt']?: SitePage[Key] | undefined
}

/**
 * Checks a record as it is delivered for what JSON Schema cannot express; it is called for those that
 * the schema accepts. The name of the function is the code of what it finds: problems of one code at
 * one place of many records are shown as one.
 */
export type Rule<Item = Delivered> = (record: Item, where: Where) => RuleFinding[]

/** Where a record is. */
export interface Where {
  /** The file, such as `2026/apps.json`: a site's batch, from its folder; otherwise, from the configuration. */
  file: string
  /** The key of the record in the object that it is in; undefined if it's in a list, or is the file. */
  key: string | undefined
  /** The position of the record among those of its file, from 0. */
  index: number
}

/** Rules of an owner may name it so. */
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
  /** Tells it from others of the rule at this place: without it, many are shown as one, whatever they say. */
  about?: string
  /** What certainly has to stand there instead; `--fix` writes it. */
  instead?: string | number | boolean
}

/**
 * A link to a page of this site (`/guides/first-steps`), to another site or to a mailbox. `text` is what
 * visitors read; without it, they read the address.
 */
export interface FactLink {
  href: string
  text?: string | undefined
}

/** A name, and a text, a link, or a list of these. A list shows each of its items once. */
export type Fact = readonly [
  name: string,
  value: string | FactLink | readonly (string | FactLink)[],
]

/** An image of a page. */
export interface CardImage {
  /**
   * Its address: `/images/cake.png` for `src/public/images/cake.png`, or one that begins with
   * https://. For images of another site, change `img-src` in `src/static/policy.ts`, too.
   */
  src: string
  /** What visitors who don't see it need to know; '' if the title says it all. */
  alt: string
}

/**
 * All keys are optional. The functions run in the build and in the dev server, never in a browser.
 * None may be `async`: the build does not wait for a Promise.
 * `Item` is the type of a record, `File` of a delivered file, and `Page` of a page.
 */
export interface Content<Item = Delivered, File = Batch, Page = Shown<Item>> {
  /**
   * The records of a delivered file that the schema accepts, in their order: objects of the file as
   * they are, each once. Without it, the file is a list of records.
   */
  records?(file: File): Iterable<Item>
  /**
   * Makes what the site needs and the record lacks. The page is the record with these keys instead
   * of its own `path`, `title`, `contentHtml`, `form`, `language` and `updatedAt`. It consists of what
   * JSON can hold: not of a Date, for example, but of its text. Without it, the
   * record is the page. The same record must always become the same page: nothing checks that no
   * clock, chance or locale is in it.
   */
  page?(record: Item, where: Where): Made
  /**
   * What a record is about: a text that isn't empty, or a finite number. Two records that claim one path with other
   * identities are a problem.
   */
  identity?(record: Item, where: Where): string | number
  /**
   * What happens to a record whose path an earlier record has, in the same batch or in another one:
   * `'drop'` keeps the first and drops the others, and `'refuse'` makes each of them a problem, whether
   * its values differ or not. 'drop' by default. A shard only sees the records of its own batches.
   */
  duplicates?: 'drop' | 'refuse'
  /**
   * The identities or the paths of other records that a record names, such as its neighbours by their
   * ids. Each must be that of some record of the delivery, as `identity` says it; one that is undefined or
   * null is left out. It's also tried on records that the schema refuses, and may throw there.
   */
  references?(record: Item, where: Where): Iterable<string | number | null | undefined>
  /**
   * Whether a site is made from the dataset, so that the build refuses what a site can't show, such
   * as two paths that are one file on some disks. True by default.
   */
  site?: boolean
  /** What a schema cannot say of a record as it is delivered. */
  rules?: readonly Rule<Item>[]
  /**
   * The HTML that a body may have: the attributes of each element. Without it, a body is paragraphs of
   * text. `WIDE` is a wider list: `{ ...WIDE }`, or some of it: `{ p: {}, em: {}, a: WIDE.a }`.
   */
  elements?: Elements
  /** The lines below the title of a card. A page's other keys are on its own screen. */
  card?(page: Page): Texts
  /**
   * The image on the card and the screen of a page, and where a link to the page is shared. It is shown
   * whole, and scaled to the same height on all cards.
   */
  image?(page: Page): CardImage | undefined
  /**
   * The rows of a list below the body: a name, and a text, a link, or a list of these. One that is
   * undefined, or whose list is empty, is left out.
   */
  facts?(page: Page): readonly (Fact | undefined)[]
  /**
   * The category of a page on the index and above its title, or a list of several. Without it, and
   * where it is undefined or '', the category is the first part of the path. With an empty list, a page
   * has none.
   */
  group?(page: Page): string | Texts | undefined
  /** What the search finds besides titles, paths and the texts of bodies. */
  searched?(page: Page): Texts
  /**
   * The sort key of the index: numbers sort by value, texts as in a dictionary of the site's language.
   * Without it, and where it is the same, pages are in the order of their paths.
   */
  order?(page: Page): string | number
  /**
   * The paths of other pages. The screen of a page shows links to them, each once, in a list below the
   * facts. Its heading is `seeAlso` in `src/words.ts`.
   */
  others?(page: Page): readonly string[]
}

/** Where a delivery is: each key has a default. */
export interface DeliveryPlace {
  /**
   * Files, folders, and patterns of files such as `data/*.json`. What begins with `!` is left out:
   * `['*.json', '!package*.json']`.
   */
  batches?: string | readonly string[]
  /** The JSON Schema of a delivered file. */
  schema?: string
}

/** A type that TypeScript doesn't infer from what the functions return: `Object.values` would be unknown. */
type Named<Type> = [Type][Type extends unknown ? 0 : never]

/**
 * Names the type, so that an editor completes the keys. `Item` is the type of a record, and `File` of
 * a delivered file.
 */
export function defineContent<Item = Delivered, File = Batch>(
  content: Content<Named<Item>, Named<File>>,
): Content<Item, File> {
  return content
}
