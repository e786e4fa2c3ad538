/**
 * The HTML that a body may have: a list of elements and attributes, by which build-data checks bodies
 * first and the browser again. Pure, and without a parser: it is part of the site's script.
 */

/**
 * The attributes of each element: a regular expression of the whole value, without quotes. An
 * element must have all of them, but for those whose name here ends in a question mark.
 */
export type Elements = Record<string, Record<string, string>>

const TEXT = '[^"<>]*'
/** An address of this site, of another one, or of a mailbox: it begins so that nothing can run. */
const LINK = `(?:https?://|mailto:|#|/(?![/\\\\]))${TEXT}`

/** Whether a link may lead to an address. */
export function isLink(address: string): boolean {
  return new RegExp(`^${LINK}$`).test(address)
}

/** An image of another site also needs a change of `img-src` in the policy of the site. */
const IMAGE = `(?:https://|/(?![/\\\\]))${TEXT}`
/** Whether an image may have an address. */
export function isImage(address: string): boolean {
  return new RegExp(`^${IMAGE}$`).test(address)
}

/** How many columns or rows a cell of a table takes. */
const SPAN = '[1-9][0-9]?'

/** A wider list for `elements` of `content.ts`. It is tested with attacks. */
export const WIDE = {
  ...{ p: {}, h2: {}, h3: {}, ul: {}, ol: {}, li: {}, blockquote: {}, pre: {} },
  ...{ em: {}, strong: {}, code: {}, br: {} },
  a: { href: LINK },
  img: { src: IMAGE, alt: TEXT },
  ...{ abbr: { 'title?': TEXT }, dl: {}, dt: {}, dd: {} },
  ...{ table: {}, caption: {}, thead: {}, tbody: {}, tr: {} },
  th: { 'scope?': 'col|row', 'colspan?': SPAN, 'rowspan?': SPAN },
  td: { 'colspan?': SPAN, 'rowspan?': SPAN },
} satisfies Elements

/** What a body may have if `elements` of `content.ts` says nothing else. */
export const PARAGRAPHS: Elements = { p: {} }

/**
 * Returns a regular expression that finds the first tag that is not allowed, or a < that doesn't begin a tag.
 * A tag is allowed in one spelling: in lower case, its attributes after one space, in double quotes.
 */
export function refusedMarkup(elements: Elements): RegExp {
  const startTags = Object.entries(elements).map(([name, attributes]) => {
    return name + patternOfAttributes(attributes)
  })
  const names = Object.keys(elements)

  const allowed = `(?:${startTags.join('|')}|/(?:${names.join('|')}))>`
  return new RegExp(`<(?!${allowed})[^>]*>?`)
}

/** Returns a pattern of attributes in any order, which has each that must be there. */
function patternOfAttributes(attributes: Elements[string]): string {
  const allowed = Object.entries(attributes).map(([key, value]) => {
    return ` ${key.replace('?', '')}="(?:${value})"`
  })

  const demanded = Object.keys(attributes).filter((key) => !key.endsWith('?'))
  const isThere = demanded.map((key) => `(?=(?: [a-z-]+="[^"]*")*? ${key}=")`)
  return `${isThere.join('')}(?:${allowed.join('|')})*`
}
