/** Checks the HTML of a body as a browser reads it; the only check of a body that needs a parser. */
import { createRequire } from 'node:module'
import { demanded, type Elements } from '../dataset/html.ts'
import { show } from '../text/wording.ts'
import type { Range } from './violation.ts'

const require = createRequire(import.meta.url)

/**
 * Checks that a body has only allowed tags, and closes its elements in order: parsed and serialized
 * again, it is the same. So what a browser shows is what the batch says.
 *
 * @param refused finds what is not allowed: see `html.ts`
 * @param elements the list that it was made of
 */
export function checkMarkup(
  html: string,
  refused: RegExp,
  elements: Elements,
): { message: string; within?: Range }[] {
  // Every list has paragraphs, and those of text are in order. Most bodies need no other check.
  if (isParagraphs(html)) return []
  const found = refused.exec(html)
  if (found) {
    const within = { start: found.index, end: found.index + found[0].length }
    return [{ message: explainTag(found[0], elements), within }]
  }
  const { parseFragment, serialize } = require('parse5') as typeof import('parse5')
  const normal = (text: string) => serialize(parseFragment(text))
  // A character may be written as itself or as a number, so each text is compared as it is read.
  const written = html.replace(/(?<=^|>)[^<>]+/g, (text) =>
    PLAIN.test(text) ? text : normal(text),
  )
  const read = normal(html)
  return written === read ? findStray(html) : [explain(html, written, read, normal)]
}

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

/** Elements that say something only in another one. */
const PLACES: Record<string, readonly string[]> = {
  ...{ li: ['ul', 'ol'], dt: ['dl'], dd: ['dl'] },
  ...{ caption: ['table'], thead: ['table'], tbody: ['table'], tr: ['thead', 'tbody'] },
  ...{ th: ['tr'], td: ['tr'] },
}

function describePlace(name: string): string {
  const places = PLACES[name]?.map((place) => `<${place}>`)
  return `<${name}> must be directly inside ${places?.join(' or ')}`
}

/** Finds the elements that are not where they belong. */
function findStray(html: string) {
  const open: string[] = []
  return tagsOf(html).flatMap(({ name, isEnd, within }) => {
    if (isEnd) open.pop()
    const isStray = !isEnd && PLACES[name]?.includes(open.at(-1) ?? '') === false
    if (!isEnd && !VOID.test(name)) open.push(name)
    return isStray ? [{ message: describePlace(name), within }] : []
  })
}

/** Returns the tags of a body that has only allowed ones, in order. */
function tagsOf(html: string) {
  return [...html.matchAll(/<(\/?)(\w+)[^>]*>/g)].map((match) => {
    const [tag, slash, name = ''] = match
    return {
      tag,
      isEnd: slash !== '',
      name,
      within: { start: match.index, end: match.index + tag.length },
    }
  })
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

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** Says why a browser reads a body otherwise than it is written, and where. */
function explain(html: string, written: string, read: string, normal: (text: string) => string) {
  let start = 0
  while (written[start] === read[start]) start++
  // Only tags have a <, so this one is at the same position among those of the body.
  const position = written.slice(0, start + 1).split('<').length - 2
  const open: { name: string; within: Range }[] = []
  let differing = { around: [''], name: '', tag: '', within: { start: 0, end: 0 } }
  for (const [at, { tag, isEnd, name, within }] of tagsOf(html).entries()) {
    // Each of them may cost a parse, and the reason is hardly ever further away.
    const around = isEnd ? [] : open.slice(-20).map(({ name }) => name)
    if (at === position) differing = { around, name, tag, within }
    const last = open.at(-1)
    if (!isEnd) {
      if (!VOID.test(name)) open.push({ name, within })
    } else if (last?.name === name) open.pop()
    else {
      const isOpen = open.some((element) => element.name === name)
      const why = isOpen ? `<${last?.name}> must be closed before ${tag}` : `${tag} closes nothing`
      return { message: why, within }
    }
  }
  const last = open.at(-1)
  if (last) return { message: `<${last.name}> is not closed`, within: last.within }

  const { around, name, tag, within } = differing
  const outer = around.findLast((_, at) => {
    const nested = [...around.slice(at), name].reduceRight((inner, name) => {
      return VOID.test(name) ? `<${name}>` : `<${name}>${inner}</${name}>`
    }, '')
    return normal(nested) !== nested
  })
  if (outer === 'table' && name === 'tr') return { message: describePlace(name), within }
  const message = outer
    ? `<${name}> may not be inside <${outer}>`
    : `must be read by browsers as it is written, but ${show(tag)} is not`
  return { message, within }
}
