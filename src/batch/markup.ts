/** Checks the HTML of a body as a browser reads it; the only check of a body that needs a parser. */
import { createRequire } from 'node:module'
import type { Range } from './violation.ts'
import { show } from './words.ts'

const require = createRequire(import.meta.url)

/**
 * Checks that a body has only allowed tags, and closes its elements in order: parsed and serialized
 * again, it is the same. So what a browser shows is what the batch says.
 *
 * @param refused finds what is not allowed: see `html.ts`
 */
export function checkMarkup(html: string, refused: RegExp): { message: string; within?: Range }[] {
  // Every list has paragraphs, and those of text are in order. Most bodies need no other check.
  if (/^(?:<p>[^<]*<\/p>)*$/.test(html)) return []
  const found = refused.exec(html)
  if (found) {
    const within = { start: found.index, end: found.index + found[0].length }
    const message = `must have only markup that src/dataset/html.ts allows, but has ${show(found[0])}`
    return [{ message, within }]
  }
  const { parseFragment, serialize } = require('parse5') as typeof import('parse5')
  const normal = (text: string) => serialize(parseFragment(text))
  // A character may be written as itself or as a number, so each text is compared as it is read.
  const written = html.replace(/(?<=^|>)[^<>]+/g, normal)
  const read = normal(html)
  if (written === read) return []
  let start = 0
  while (written[start] === read[start]) start++
  const at = written.lastIndexOf('<', start)
  const near = show(written.slice(Math.max(at, 0), start + 20))
  return [{ message: `must close its elements in the order in which they open, but see ${near}` }]
}
