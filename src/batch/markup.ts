/** Checks the HTML of a body as a browser reads it; the only check of a body that needs a parser. */
import { createRequire } from 'node:module'
import { demanded, type Elements } from '../dataset/html.ts'
import { show } from '../text/wording.ts'
import type { Range } from './violation.ts'

const require = createRequire(import.meta.url)

interface Fault {
  message: string
  within: Range
}

/**
 * Checks that a body has only allowed tags, and closes its elements in order: parsed and serialized
 * again, it is the same. So what a browser shows is what the batch says.
 *
 * @param refused finds what is not allowed: see `html.ts`
 * @param elements the list that it was made of
 */
export function checkMarkup(html: string, refused: RegExp, elements: Elements): Fault[] {
  // Every list has paragraphs, and those of text are in order. Most bodies need no other check.
  if (isParagraphs(html)) return []
  const wrong = new Map<string, Fault>()
  for (const { index, 0: tag } of html.matchAll(new RegExp(refused, 'g'))) {
    // One for a start tag and its end tag.
    const name = tag.replace(/^<\/?|[\s>].*$/gs, '')
    const within = { start: index, end: index + tag.length }
    if (!wrong.has(name)) wrong.set(name, { message: explainTag(tag, elements), within })
  }
  if (wrong.size > 0) return [...wrong.values()]
  const { parseFragment, serialize } = require('parse5') as typeof import('parse5')
  const normal = (text: string) => serialize(parseFragment(text))
  // A character may be written as itself or as a number, so each text is compared as it is read.
  const written = html.replace(/(?<=^|>)[^<>]+/g, (text) =>
    PLAIN.test(text) ? text : normal(text),
  )
  const read = normal(html)
  return written === read ? findStray(html) : [explainReading(html, written, read)]
}

function isParagraphs(html: string): boolean {
  for (let at = 0; at < html.length; at += '</p>'.length) {
    if (!html.startsWith('<p>', at)) return false
    at = html.indexOf('<', at + 1)
    if (at < 0 || !html.startsWith('</p>', at)) return false
  }
  return true
}

/** A text that is read and written as it is. Most are, and to parse each would take seven times as long. */
const PLAIN = /^[^&\0\r\xa0]*$/

/** Says what is wrong with a tag that is not allowed. */
function explainTag(tag: string, elements: Elements): string {
  const [, name = ''] = /^<(\w+)[ >]/.exec(tag) ?? []
  const attributes = Object.hasOwn(elements, name) ? demanded(elements[name] ?? {}) : []
  const missing = attributes.filter((key) => !new RegExp(` ${key} ?=`, 'i').test(tag))
  if (missing.length > 0)
    return `<${name}> must have ${missing.join(' and ')}: ${show(tag)} does not`
  const allowed = Object.keys(elements).map((each) => `<${each}>`)
  return `must have only markup that src/dataset/html.ts allows (${allowed.join(' ')}), but has ${show(tag)}`
}

/** Returns the tags of a body that has only allowed ones, in order. */
function tagsOf(html: string) {
  return Array.from(html.matchAll(/<(\/?)(\w+)[^>]*>/g), ({ index, 0: tag, 1: slash, 2: name }) => {
    return {
      tag,
      isEnd: slash !== '',
      name: name ?? '',
      within: { start: index, end: index + tag.length },
    }
  })
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** Elements that say something only in another one. */
const PLACES: Record<string, readonly string[]> = {
  ...{ li: ['ul', 'ol'], dt: ['dl'], dd: ['dl'] },
  ...{ caption: ['table'], thead: ['table'], tbody: ['table'], tr: ['thead', 'tbody'] },
  ...{ th: ['tr'], td: ['tr'] },
}

/** Finds the elements that are not where they belong. */
function findStray(html: string): Fault[] {
  const open: string[] = []
  return tagsOf(html).flatMap(({ name, isEnd, within }) => {
    if (isEnd) open.pop()
    const places = isEnd ? undefined : PLACES[name]
    const isStray = places?.includes(open.at(-1) ?? '') === false
    if (!isEnd && !VOID.test(name)) open.push(name)
    const where = places?.map((place) => `<${place}>`).join(' or ')
    return isStray ? [{ message: `<${name}> must be directly inside ${where}`, within }] : []
  })
}

/** Names the first tag that a browser reads otherwise than it is written. */
function explainReading(html: string, written: string, read: string): Fault {
  let start = 0
  while (written[start] === read[start]) start++
  // Only tags have a <, so this one is at the same position among those of the body.
  const position = written.slice(0, start + 1).split('<').length - 2
  const { tag, within } = tagsOf(html)[position] ?? { tag: '', within: { start: 0, end: 0 } }
  const message = `browsers read ${show(tag)} otherwise than it is written: an element is not closed in order, may not be inside another, or has an attribute twice`
  return { message, within }
}
