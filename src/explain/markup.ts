/** Says what is wrong with the HTML of a body that `src/accept/markup.ts` refuses. */
import { asRead, asWritten } from '../accept/markup.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { type Elements, refusedMarkup } from '../page/html.ts'
import { changedPart } from '../text/changed-part.ts'

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

  for (const { index, 0: text } of html.matchAll(new RegExp(refusedMarkup(elements), 'g'))) {
    const tag = readTag(text, elements)
    const about = aboutTag(tag)
    if (faults.has(about)) continue

    const within = { start: index, end: index + text.length }
    faults.set(about, { ...explainTag(tag, elements), about, within })
  }
  return [...faults.values()]
}

/** A tag that is not allowed, or a < that is text with what follows it. */
interface Tag {
  text: string
  /** `<` or `</`, also with spaces and backslashes, as in `<\/p>`. */
  before: string
  /** In lower case. */
  name: string
  /** Such as ` href="/b">`. */
  after: string
  /** Those that its element may have; undefined if the element isn't allowed. */
  attributes: Elements[string] | undefined
  kind: 'tag' | 'text' | 'either'
}

/** A name such as the "!--" of `<!--` and the "?xml" of `<?xml`. */
const DECLARATION = /^[!?]/
/** A name that begins as those of elements do. */
const LETTER_FIRST = /^[a-z]/
const SPACE = /\s/

/** What is before the name of a tag, the name, and what is after it: `<`, `a` and ` href="/b">`. */
const TAG_PARTS = /^(<[\s\\/]*)([^\s\\/<>]*)(.*)$/s

function readTag(text: string, elements: Elements): Tag {
  const [, before = '', spelled = '', after = ''] = TAG_PARTS.exec(text) ?? []
  const name = spelled.toLowerCase()
  const attributes = Object.hasOwn(elements, name) ? elements[name] : undefined
  const kind = kindOfTag(before, name, after, attributes !== undefined)
  return { text, before, name, after, attributes, kind }
}

/** Whether a < begins a tag, or is text, or may be either. */
function kindOfTag(before: string, name: string, after: string, isAllowed: boolean): Tag['kind'] {
  // For example `<!--`, `<?xml` and `</p`.
  if (DECLARATION.test(name) || before === '</') return 'tag'
  // For example `<3` and `<`.
  if (!LETTER_FIRST.test(name)) return 'text'
  // For example `<\/div>`: scripts write the < and the / of an end tag in this way.
  if (before.includes('\\/')) return 'tag'

  const isComplete = after.endsWith('>') && !after.includes('<')
  // For example `<b</p>`, where a > may be missing, or `a<b` is meant.
  if (before === '<') return isComplete ? 'tag' : 'either'
  // For example `< b`, and `<\alpha>`.
  if (!isAllowed || !isComplete) return 'text'
  // A browser shows `< p>` as it is.
  const mayBeText = SPACE.test(before) && !before.includes('/')
  return mayBeText ? 'either' : 'tag'
}

/**
 * Returns a name under which a fault is reported once: all tags of an element that isn't allowed share
 * one, and so do all < that are text.
 */
function aboutTag({ text, name, attributes, kind }: Tag): string {
  if (kind === 'text') return ''
  return attributes ? text : name
}

/** Elements that have no end tag (HTML standard, "Void elements"). */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** What comes after the name in `<p/>`, `<br />` and `<br\/>`. */
const CLOSED_BY_ITSELF = /^\s*\\*\/\s*>$/

/** Says what is wrong with a tag that is not allowed, or with a < that is text. */
function explainTag(tag: Tag, elements: Elements): Fault {
  const { text, before, name, after, attributes, kind } = tag
  if (kind === 'text') return fault('html.text', [], { tag: text })

  if (!attributes) {
    const element = name === '' ? text : `<${name}>`
    const mayBeText = kind === 'either'
    return fault('html.element', [], { element, allowed: Object.keys(elements), mayBeText })
  }

  const end = `</${name}>`
  if (before.includes('/'))
    return fault('html.tag', [], { written: end, tag: text, hasValues: false })

  const names = Object.keys(attributes)
  const hasValues = names.length > 0
  const start = `<${name}${names.map(writeAttribute).join('')}>`
  if (kind === 'either')
    return fault('html.tag-or-text', [], { written: start, tag: text, hasValues })

  // In `<p/>` and `<\p>`, the slash of an end tag may be in the wrong place.
  const mayBeEnd = before !== '<' || (CLOSED_BY_ITSELF.test(after) && !VOID.test(name))
  const written = mayBeEnd ? `${start} or ${end}` : start
  return fault('html.tag', [], { written, tag: text, hasValues })
}

/** Writes an attribute as in a message; one that may be missing is in brackets. */
function writeAttribute(name: string): string {
  const isOptional = name.endsWith('?')
  return isOptional ? ` [${name.slice(0, -1)}="…"]` : ` ${name}="…"`
}

/** What a browser may take for a tag, such as `<td>` and `</td>`. */
const ANY_TAG = /<[^>]*>/g

/** A row that stands in its table directly, as in `<table><tr>`. */
const TABLE_BEFORE = /<table>\s*$/

/** Reports the first tag that a browser reads in another way. */
function explainReading(html: string, written: string, read: string): Fault {
  const { start: differing } = changedPart(written, read)

  // Only tags have a <, so this one is at the same position among those of the body.
  const position = written.slice(0, differing + 1).split('<').length - 2
  const tags = [...html.matchAll(ANY_TAG)]
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

/** Reports the first & that is text, and how many more there are. */
export function findAmpersand(html: string, parts = WHOLE): Fault[] {
  const starts = Array.from(html.matchAll(parts)).flatMap(({ index, 0: part }) => {
    return Array.from(part.matchAll(AMPERSAND), (ampersand) => index + ampersand.index)
  })
  const [start] = starts
  if (start === undefined) return []

  const around = html.slice(Math.max(0, start - 10), start + 10)
  const ampersand = fault('html.ampersand', [], { found: around, others: starts.length - 1 })
  return [{ ...ampersand, within: { start, end: start + 1 } }]
}
