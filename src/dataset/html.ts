/**
 * The HTML that a body may have: one list of elements and attributes, which build-data checks first
 * and the browser again. Pure, and without a parser: it is part of the site's script.
 */

/** The attributes of each element: a regular expression of the whole value, without quotes. */
export type Elements = Record<string, Record<string, string>>

const TEXT = '[^"<>]*'
/** An address of this site, of another one, or of a mailbox: it begins so that nothing can run. */
const LINK = `(?:https?://|mailto:|#|/(?![/\\\\]))${TEXT}`
/** An image of another site also needs a change of `img-src` in the policy of the site. */
const IMAGE = `(?:https://|/(?![/\\\\]))${TEXT}`

/** Elements that can be allowed as they are. They are tested with attacks, as the list in use is. */
export const WIDE: Elements = {
  ...{ p: {}, h2: {}, h3: {}, ul: {}, ol: {}, li: {}, blockquote: {}, pre: {} },
  ...{ em: {}, strong: {}, code: {}, br: {} },
  a: { href: LINK },
  img: { src: IMAGE, alt: TEXT },
}

/** Change it to allow more, for example to `{ ...WIDE }`; then let the schema admit it. */
export const ELEMENTS: Elements = { p: {} }

/**
 * Returns a regular expression that finds the first tag that is not allowed, or a < that is no tag.
 * A tag is allowed in one spelling: in lower case, its attributes after one space, in double quotes.
 */
export function refusedMarkup(elements: Elements): RegExp {
  const tags = Object.entries(elements).map(([name, attributes]) => {
    const allowed = Object.entries(attributes).map(([key, value]) => `${key}="(?:${value})"`)
    return allowed.length === 0 ? name : `${name}(?: (?:${allowed.join('|')}))*`
  })
  return new RegExp(`<(?!/?(?:${tags.join('|')})>)[^>]*>?`)
}
