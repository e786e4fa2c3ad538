/** What a file such as `src/content.ts` may say: what a record is, which page it becomes, what is shown of it. */

import type { Batch, Delivered } from './delivered.ts'
import type { Elements } from './html.ts'
import type { Shown, SitePage } from './page.ts'
import type { RecordsConfig, Where } from './records.ts'

export { slug } from '../text/slug.ts'
/** @public An owner's `content.ts` may use it. */
export { WIDE } from './html.ts'
export { paragraphs } from './paragraphs.ts'
/** @public An owner's `content.ts` may name them. */
export type { Fault, Rule, Where } from './records.ts'

/** A text that is undefined or empty is left out. */
type Texts = readonly (string | undefined)[]

/** What `page` makes of a record: the keys that the site knows. */
type Made = Pick<SitePage, 'path' | 'title' | 'contentHtml'> & {
  [Key in 'form' | 'language' | 'updatedAt']?: SitePage[Key] | undefined
}

/**
 * A link to a page of this site (`/guides/first-steps`), to another site or to a mailbox. `text` is what
 * visitors read; without it, they read the address.
 */
export interface FactLink {
  href: string
  text?: string | undefined
}

/** A text, a link, or a list of these. A list shows each of its items once. */
type FactValue = string | FactLink | readonly (string | FactLink)[]

/** A name and a value. A fact whose value is undefined is left out. */
export type Fact = readonly [name: string, value: FactValue | undefined]

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
 * The pages of a site: a collection whose records become pages. All keys are optional. The functions run
 * in the build and in the dev server, never in a browser. None may be `async`: the build does not wait
 * for a Promise. `Item` is the type of a record, `File` of a delivered file, and `Page` of a page.
 */
export interface Content<Item = Delivered, File = Batch, Page = Shown<Item>>
  extends RecordsConfig<Item, File> {
  /**
   * Files, folders, and patterns such as `data/*.json`, from the root of the repository. What begins with
   * `!` is left out: `['*.json', '!package*.json']`. 'raw-batches' by default.
   */
  files?: string | readonly string[]
  /** A page is known by its path, so this can be left out. */
  id?: 'path'
  /**
   * Makes what the site needs and the record lacks. The page is the record with these keys instead of
   * its own `path`, `title`, `contentHtml`, `form`, `language` and `updatedAt`. It has only what JSON
   * can hold: instead of a Date, for example, its text. Without it, the record is the page. The same
   * record must always become the same page: nothing checks that no clock, chance or locale is in it.
   */
  page?(record: Item, where: Where): Made
  /**
   * What a record is about: a text that isn't empty, or a finite number. Two records that claim one
   * path with different identities are a problem.
   */
  identity?(record: Item, where: Where): string | number
  /**
   * Whether a site is made from the dataset, so that the build refuses what a site can't show, such
   * as two paths that are one file on some disks. True by default.
   */
  site?: boolean
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
   * undefined, whose value is undefined, or whose list is empty, is left out.
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
