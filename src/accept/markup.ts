/** Decides whether the HTML of a body is allowed, and reads it as a browser does. Pure. */
import { type Elements, refusedMarkup } from '../page/html.ts'
import { htmlParser } from '../page/parse-html.ts'

/** A body of paragraphs without other tags, such as `<p>One.</p><p>Two.</p>`. Nearly all are. */
const PLAIN_PARAGRAPHS = /^(?:<p>[^<]*<\/p>)*$/

/** Whether the HTML of a body is allowed. */
export type MarkupCheck = (html: string) => boolean

/**
 * Creates the check of bodies. An allowed body has only allowed tags, and closes its elements in order.
 * Parsed and serialized, it stays the same, so a browser shows what the batch says.
 */
export function createMarkupCheck(elements: Elements): MarkupCheck {
  // Made at the first body that needs it: most files have none.
  let refused: RegExp | undefined

  return (html) => {
    // Every list of elements has paragraphs, and a browser reads them as they are written.
    if (PLAIN_PARAGRAPHS.test(html)) return true

    refused ??= refusedMarkup(elements)
    return !refused.test(html) && asWritten(html) === asRead(html)
  }
}

/** A text between two tags with a character that a browser may read as another one, such as `a & b`. */
const TEXT_WITH_REFERENCE = /(?<=^|>)[^<>]*[&\0\r\xa0][^<>]*/g

/**
 * Returns HTML with its texts as a browser reads them: a character may be written as itself or as a
 * number. Most are read as they are written; parsing them, too, would take seven times as long.
 */
export function asWritten(html: string): string {
  return html.replace(TEXT_WITH_REFERENCE, asRead)
}

/** Returns HTML as a browser reads it. */
export function asRead(html: string): string {
  const { parseFragment, serialize } = htmlParser()
  return serialize(parseFragment(html))
}
