/** Checks the HTML of a body as a browser reads it; the only check of a body that needs a parser. */
import { createRequire } from 'node:module'
import { ELEMENTS, refusedMarkup } from '../page/html.ts'
import type { Violation } from '../page/violation.ts'
import { fault } from './sentences.ts'

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
    const name = tag.replace(/^<\/?|[\s/>].*$/gs, '').toLowerCase()
    // One stands for all tags of an element that is not allowed; those of others differ.
    const kind = Object.hasOwn(elements, name) ? tag : name
    if (wrong.has(kind)) continue
    const within = { start: index, end: index + tag.length }
    wrong.set(kind, { ...explainTag(tag, name, elements), about: kind, within })
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

/** Says what is wrong with a tag that is not allowed. */
function explainTag(tag: string, name: string, elements: typeof ELEMENTS): Violation {
  if (/^<[^/!?a-z]|^<$/i.test(tag)) return fault('html.text', [], tag)
  const attributes = Object.hasOwn(elements, name) ? elements[name] : undefined
  if (!attributes)
    return fault('html.element', [], name === '' ? tag : `<${name}>`, Object.keys(elements))
  if (tag.startsWith('</')) return fault('html.tag', [], `</${name}>`, tag)
  const form = Object.keys(attributes).map((key) =>
    key.endsWith('?') ? ` [${key.slice(0, -1)}="…"]` : ` ${key}="…"`,
  )
  const values = form.length > 0 ? ', with values that src/page/html.ts allows' : ''
  return fault('html.tag', [], `<${name}${form.join('')}>${values}`, tag)
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
