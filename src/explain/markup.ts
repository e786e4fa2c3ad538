/** Says what is wrong with the HTML of a body that `src/accept/markup.ts` refuses. */
import { asRead, asWritten } from '../accept/markup.ts'
import { type Fault, fault } from '../page/fault.ts'
import { type Elements, refusedMarkup } from '../page/html.ts'

/** An & that begins no character reference, as in `Q & A`. */
const AMPERSAND = /&(?!#?\w{1,40};)/g
/** A tag, such as `<a href="/docs/001">`. */
const TAG = /<[^<>]*>/g
/** All of a body. */
const WHOLE = /.+/gs

/**
 * Explains a body that is refused.
 *
 * @returns faults with offsets into the body; none if it is allowed
 */
export function explainMarkup(html: string, elements: Elements): Fault[] {
  const tagFaults = explainTags(html, elements)
  if (tagFaults.length > 0) return tagFaults

  const read = asRead(html)
  const written = asWritten(html)
  if (written === read) return []

  const corrected = withReferences(html, TAG)
  const isEnough = asWritten(corrected) === read
  if (!isEnough) return [explainReading(html, written, read)]

  return findAmpersand(html, TAG).map((ampersand) => ({ ...ampersand, instead: corrected }))
}

/** Explains each tag that is not allowed. */
function explainTags(html: string, elements: Elements): Fault[] {
  const faults = new Map<string, Fault>()

  for (const { index, 0: tag } of html.matchAll(new RegExp(refusedMarkup(elements), 'g'))) {
    const explained = explainTag(tag, elements)
    if (faults.has(explained.about)) continue

    const within = { start: index, end: index + tag.length }
    faults.set(explained.about, { ...explained, within })
  }
  return [...faults.values()]
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
function explainTag(tag: string, elements: Elements): Fault & { about: string } {
  const [, before = '', spelled = '', after = ''] = TAG_PARTS.exec(tag) ?? []
  const name = spelled.toLowerCase()
  const attributes = Object.hasOwn(elements, name) ? elements[name] : undefined
  const kind = kindOfTag(before, name, after, attributes !== undefined)

  if (kind === 'text') return { ...fault('html.text', [], { tag }), about: '' }

  if (!attributes) {
    const element = name === '' ? tag : `<${name}>`
    const allowed = Object.keys(elements)
    return {
      ...fault('html.element', [], { element, allowed, mayBeText: kind === 'either' }),
      about: name,
    }
  }

  const end = `</${name}>`
  if (before.includes('/')) return { ...fault('html.tag', [], { written: end, tag }), about: tag }

  const form = Object.keys(attributes).map(writeAttribute)
  const values = form.length > 0 ? ', with values that src/page/html.ts allows' : ''
  const start = `<${name}${form.join('')}>`
  if (kind === 'either') {
    return { ...fault('html.tag-or-text', [], { written: start + values, tag }), about: tag }
  }

  // In `<p/>` and `<\p>`, the slash of an end tag may be in the wrong place.
  const mayBeEnd = before !== '<' || (CLOSED_BY_ITSELF.test(after) && !VOID.test(name))
  const written = mayBeEnd ? `${start} or ${end}` : start
  return { ...fault('html.tag', [], { written: written + values, tag }), about: tag }
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

/** Writes an attribute as in a message; one that may be missing is in brackets. */
function writeAttribute(name: string): string {
  const isOptional = name.endsWith('?')
  return isOptional ? ` [${name.slice(0, -1)}="…"]` : ` ${name}="…"`
}

/** A row that stands in its table directly, as in `<table><tr>`. */
const TABLE_BEFORE = /<table>\s*$/

/** Names the first tag that a browser reads otherwise than it is written. */
function explainReading(html: string, written: string, read: string): Fault {
  let differing = 0
  while (written[differing] === read[differing]) differing++

  // Only tags have a <, so this one is at the same position among those of the body.
  const position = written.slice(0, differing + 1).split('<').length - 2
  const tags = [...html.matchAll(/<[^>]*>/g)]
  const { 0: tag = '', index = 0 } = tags[position] ?? {}

  const isRow = tag === '<tr>' && TABLE_BEFORE.test(html.slice(0, index))
  const within = { start: index, end: index + tag.length }
  return { ...fault(isRow ? 'html.rows' : 'html.order', [], { tag }), within }
}

/**
 * Writes each & as a reference, if a browser reads the same: it takes `&copy 2026` for a ©.
 *
 * @param parts the parts of the body in which an & is meant
 */
export function withReferences(html: string, parts = WHOLE): string {
  const written = html.replace(parts, (part) => part.replace(AMPERSAND, '&amp;'))
  return written !== html && asRead(written) === asRead(html) ? written : html
}

/** Names the first & that is a text, if there is one. */
export function findAmpersand(html: string, parts = WHOLE): Fault[] {
  const places: number[] = []
  for (const { index, 0: part } of html.matchAll(parts)) {
    for (const ampersand of part.matchAll(AMPERSAND)) places.push(index + ampersand.index)
  }

  const [start] = places
  if (start === undefined) return []

  const within = { start, end: start + 1 }
  const found = html.slice(Math.max(0, start - 10), start + 10)
  return [{ ...fault('html.ampersand', [], { found, others: places.length - 1 }), within }]
}
