/** Checks the HTML of a body as a browser reads it; the only check of a body that needs a parser. */
import { createRequire } from 'node:module'
import { fault } from '../explain/sentences.ts'
import type { Violation } from '../page/fault.ts'
import { ELEMENTS, type Elements, refusedMarkup } from '../page/html.ts'

const require = createRequire(import.meta.url)

const REFUSED = refusedMarkup(ELEMENTS)

/**
 * Checks that a body has only allowed tags, and closes its elements in order: parsed and serialized
 * again, it is the same. So what a browser shows is what the batch says.
 */
export function checkMarkup(html: string, refused = REFUSED, elements = ELEMENTS): Violation[] {
  // Every list has paragraphs, and those of text are in order. Most bodies need no other check.
  if (/^(?:<p>[^<]*<\/p>)*$/.test(html)) return []
  const wrong = new Map<string, Violation>()
  for (const { index, 0: tag } of html.matchAll(new RegExp(refused, 'g'))) {
    const { about, ...explained } = explainTag(tag, elements)
    if (wrong.has(about)) continue
    const within = { start: index, end: index + tag.length }
    wrong.set(about, { ...explained, about, within })
  }
  if (wrong.size > 0) return [...wrong.values()]
  const read = asRead(html)
  const written = asWritten(html)
  if (written === read) return []
  const instead = withReferences(html, TAG)
  if (asWritten(instead) !== read) return [explainReading(html, written, read)]
  return findAmpersand(html, TAG).map((each) => ({ ...each, instead }))
}

/**
 * Returns HTML with its texts as a browser reads them: a character may be written as itself or as a
 * number. Most are read as they are written; to parse them, too, would take seven times as long.
 */
function asWritten(html: string): string {
  return html.replace(/(?<=^|>)[^<>]*[&\0\r\xa0][^<>]*/g, asRead)
}

/** Returns HTML as a browser reads it. */
function asRead(html: string): string {
  const { parseFragment, serialize } = require('parse5') as typeof import('parse5')
  return serialize(parseFragment(html))
}

/** One that begins no character reference. */
const AMPERSAND = /&(?!#?\w{1,40};)/g
/** The parts of a body in which an & is meant: all of it, or its tags. */
const ALL = /.+/gs
const TAG = /<[^<>]*>/g

/** Writes each & as a reference, if a browser reads the same: it takes `&copy 2026` for a ©. */
export function withReferences(html: string, parts = ALL): string {
  const written = html.replace(parts, (part) => part.replace(AMPERSAND, '&amp;'))
  return written !== html && asRead(written) === asRead(html) ? written : html
}

/** Names the first & that is a text, if there is one. */
export function findAmpersand(html: string, parts = ALL): Violation[] {
  const places = Array.from(html.matchAll(parts), ({ index, 0: part }) =>
    Array.from(part.matchAll(AMPERSAND), (each) => index + each.index),
  )
  const [start, ...others] = places.flat()
  if (start === undefined) return []
  const within = { start, end: start + 1 }
  const shown = html.slice(Math.max(0, start - 10), start + 10)
  return [{ ...fault('html.ampersand', [], shown, others.length), within }]
}

/** What comes before the name of a tag, and after it: `<`, `a`, ` href="/b">`; or `<\/`, `p`, `>`. */
const TAG_PARTS = /^(<[\s\\/]*)([^\s\\/<>]*)(.*)$/s

/** Elements that have no end tag (HTML standard, "Void elements"). */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** What comes after the name in `<p/>`, `<br />` and `<br\/>`. */
const CLOSED_BY_ITSELF = /^\s*\\*\/\s*>$/

/**
 * Says what is wrong with a tag that is not allowed, or with a < that is text.
 *
 * @returns with an `about` that stands for all tags of an element that is not allowed, and for all <
 *   that are text; tags of allowed elements differ
 */
function explainTag(tag: string, elements: Elements): Violation & { about: string } {
  const [, before = '', spelled = '', after = ''] = TAG_PARTS.exec(tag) ?? []
  const name = spelled.toLowerCase()
  const attributes = Object.hasOwn(elements, name) ? elements[name] : undefined
  const kind = kindOfTag(before, name, after, attributes !== undefined)

  if (kind === 'text') return { ...fault('html.text', [], tag), about: '' }

  if (!attributes) {
    const element = name === '' ? tag : `<${name}>`
    const allowed = Object.keys(elements)
    return { ...fault('html.element', [], element, allowed, kind === 'either'), about: name }
  }

  const end = `</${name}>`
  if (before.includes('/')) return { ...fault('html.tag', [], end, tag), about: tag }

  const form = Object.keys(attributes).map((key) =>
    key.endsWith('?') ? ` [${key.slice(0, -1)}="…"]` : ` ${key}="…"`,
  )
  const values = form.length > 0 ? ', with values that src/page/html.ts allows' : ''
  const start = `<${name}${form.join('')}>`
  if (kind === 'either') {
    return { ...fault('html.tag-or-text', [], start + values, tag), about: tag }
  }

  // In `<p/>` and `<\p>`, the slash of an end tag may be in the wrong place.
  const mayBeEnd = before !== '<' || (CLOSED_BY_ITSELF.test(after) && !VOID.test(name))
  const written = mayBeEnd ? `${start} or ${end}` : start
  return { ...fault('html.tag', [], written + values, tag), about: tag }
}

/** Whether a < begins a tag, or is text, or may be either. */
function kindOfTag(
  before: string,
  name: string,
  after: string,
  isAllowed: boolean,
): 'tag' | 'text' | 'either' {
  // For example `<!--`, `<?xml` and `</p`.
  if (/^[!?]/.test(name) || before === '</') return 'tag'
  // For example `<3` and `<`.
  if (!/^[a-z]/.test(name)) return 'text'
  // For example `<\/div>`: scripts write the < and the / of an end tag in this way.
  if (before.includes('\\/')) return 'tag'

  const isComplete = after.endsWith('>') && !after.includes('<')
  // For example `<b</p>`, where a > may be missing, or `a<b` is meant.
  if (before === '<') return isComplete ? 'tag' : 'either'
  // For example `< b`, and `<\alpha>`.
  if (!isAllowed || !isComplete) return 'text'
  // A browser shows `< p>` as it is.
  return /\s/.test(before) && !before.includes('/') ? 'either' : 'tag'
}

/** Names the first tag that a browser reads otherwise than it is written. */
function explainReading(html: string, written: string, read: string): Violation {
  let start = 0
  while (written[start] === read[start]) start++
  // Only tags have a <, so this one is at the same position among those of the body.
  const position = written.slice(0, start + 1).split('<').length - 2
  const { 0: tag = '', index = 0 } = [...html.matchAll(/<[^>]*>/g)][position] ?? {}
  const isRow = tag === '<tr>' && html.slice(0, index).trim().endsWith('<table>')
  const within = { start: index, end: index + tag.length }
  return { ...fault(isRow ? 'html.rows' : 'html.order', [], tag), within }
}
