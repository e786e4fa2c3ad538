/**
 * What exactly is wrong with a value that the schema refuses, and how it is mended: a table of
 * explanations by place in a batch.
 *
 * An explanation never decides. It is looked for only when the schema has refused a value, and where
 * it is about a pattern it is believed only if the schema accepts the value with what is suggested,
 * and refuses it without. So with another schema it is silent, and the general sentence stands.
 */
import { createRequire } from 'node:module'
import type { Range } from './json.ts'
import { titleOf } from './rules.ts'
import { nameOf, nearest, show } from './wording.ts'

/** What the schema refuses. */
export interface Refusal {
  /** The place in a batch, with # for a position: "/#/form/fields/#/name". */
  place: string
  /** The keyword of the schema that refuses it. */
  keyword: string
  value: unknown
  /** The part of the schema that has the keyword. */
  schema: { pattern?: string }
  /** The record that the value stands in. */
  record: unknown
  /** The keys that an object lacks. */
  missing: readonly string[]
  /** What is said where there is no explanation. */
  general: string
}

export interface Explanation {
  message: string
  /** The part of the value that is meant, when it is a string. */
  within?: Range
}

/** A part of a text, what it should be instead, and what to say of it. */
interface Mend extends Range {
  text: string
  says: string
  /** What to show, where it is another part than what is replaced. */
  shown?: Range
}

type Explain = (refusal: Refusal) => Explanation | undefined

const EXPLANATIONS: Record<string, Explain> = {
  ' type': explainNoList,
  '/# type': explainListInList,
  '/# required': explainNoForm,
  '/#/path pattern': byMends(mendPath),
  '/#/title pattern': byMends(mendTitle),
  '/#/contentHtml pattern': byMends(mendBody),
  '/#/createdAt pattern': byMends(mendTime),
  '/#/createdAt format': explainTime,
  '/#/updatedAt pattern': byMends(mendTime),
  '/#/updatedAt format': explainTime,
  '/#/form/fields minItems': explainNoFields,
  '/#/form/fields/#/name pattern': byMends(mendName),
  '/#/form/fields/#/label pattern': byMends(mendLine),
  '/#/form/fields/#/placeholder pattern': byMends(mendLine),
}

/** @returns nothing where the general sentence is all that can be said */
export function explain(refusal: Refusal): Explanation | undefined {
  const { place, keyword } = refusal
  return EXPLANATIONS[`${place} ${keyword}`]?.(refusal)
}

// 1. Mends ----------------------------------------------------------------------------------------

type Accepts = (text: string) => boolean

function byMends(mendsOf: (text: string, accepts: Accepts, refusal: Refusal) => Mend[]): Explain {
  return (refusal) => {
    const { value, schema } = refusal
    if (typeof value !== 'string' || value.length > LONGEST) return undefined
    if (schema.pattern === undefined) return undefined
    const pattern = new RegExp(schema.pattern, 'u')
    const accepts = (text: string) => pattern.test(text)
    const mends = mendsOf(value, accepts, refusal)
    if (!accepts(apply(value, mends))) return undefined
    const needed = mends.slice(0, MOST_TRIED).find((mend) => {
      return !accepts(
        apply(
          value,
          mends.filter((other) => other !== mend),
        ),
      )
    })
    if (!needed) return undefined
    const { says: message, shown: { start, end } = needed } = needed
    const isWhole = start === 0 && end === value.length
    return isWhole ? { message } : { message, within: { start, end } }
  }
}

const LONGEST = 100_000
const MOST_TRIED = 10

function apply(text: string, mends: readonly Mend[]): string {
  let mended = ''
  let at = 0
  for (const { start, end, text: instead } of mends) {
    mended += text.slice(at, start) + instead
    at = end
  }
  return mended + text.slice(at)
}

/** A mend of the whole text. */
function whole(text: string, instead: string, says: string): Mend[] {
  return [{ start: 0, end: text.length, text: instead, says }]
}

// 2. Lists and keys -------------------------------------------------------------------------------

function explainNoList({ value }: Refusal): Explanation | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [[key = '', inner] = [], ...others] = Object.entries(value)
  if (others.length === 0 && Array.isArray(inner)) {
    const message = `must be the list alone; remove the object and its key ${show(key)} around it`
    return { message }
  }
  if (!('path' in value)) return undefined
  return { message: 'must be a list of pages; put [ before the page and ] after it' }
}

function explainListInList({ value }: Refusal): Explanation | undefined {
  if (!Array.isArray(value)) return undefined
  const message = 'must be a page, but is a list; remove this bracket and the one that closes it'
  return { message }
}

function explainNoForm({ missing, general }: Refusal): Explanation | undefined {
  if (missing.join() !== 'form') return undefined
  return { message: `${general}; a page without a form has "form": null` }
}

function explainNoFields({ general }: Refusal): Explanation {
  return { message: `${general}; a page without a form has "form": null` }
}

// 3. Paths and titles -----------------------------------------------------------------------------

/** Beyond it the expression would take long. */
const LONGEST_PATH = 200
/** What comes before the category, the category, the slash, the number, what follows. */
const PATH = /^([\s\S]*?)([^/\s]+)(\/+)(\d+)(?![\d\p{L}])([\s\S]*)$/u

function mendPath(text: string, accepts: Accepts, { schema }: Refusal): Mend[] {
  const parts = text.length > LONGEST_PATH ? undefined : PATH.exec(text)?.slice(1)
  if (!parts) return []
  const [before, category, slash, number, after] = parts as [string, string, string, string, string]
  const [, words = ''] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(schema.pattern ?? '') ?? []
  const categories = words.split('|')
  const meant = nearest(category, categories)
  const digits = number.replace(/^0+/, '').padStart(3, '0')
  const isInRange = accepts(`/${categories[0]}/${digits}`)
  const good = ['/', meant ?? categories[0], '/', isInRange ? digits : '001', ''] as string[]
  const suggested = good.join('')
  const tip = meant && isInRange ? `; did you mean ${show(suggested)}?` : ''
  const says = [
    'must begin with a slash and the category',
    meant === category.toLowerCase()
      ? 'the category must be in lower case'
      : `unknown category ${show(category)}`,
    'one slash must stand before the number',
    isInRange ? 'the number must have three digits' : outOfRange(number, categories, accepts),
    'nothing may follow the number',
  ].map((sentence) => `${sentence}${tip}`)
  if (!meant) says[1] += `; known are ${categories.join(', ')}`
  let start = 0
  return [before, category, slash, number, after].flatMap((part, index) => {
    const mend = { start, end: start + part.length, text: good[index], says: says[index] } as Mend
    start = mend.end
    return part === mend.text ? [] : mend
  })
}

function outOfRange(number: string, [category]: string[], accepts: Accepts): string {
  const isOurs = ['000', '001', '100', '101'].map((id) => accepts(`/${category}/${id}`))
  const range = isOurs.join() === 'false,true,true,false' ? 'from 001 to 100' : 'another'
  return `the number must be ${range}, but is ${show(number)}`
}

function mendTitle(text: string, _: Accepts, { record }: Refusal): Mend[] {
  const { path } = record as { path?: unknown }
  if (typeof path !== 'string') return []
  const title = titleOf(path)
  return whole(text, title, `must be ${show(title)} to fit the path, but is ${show(text)}`)
}

/** Whether a title has the same mistake as its path, so that to mend the path is to know of both. */
export function sharesMistake(title: unknown, path: unknown): boolean {
  if (typeof title !== 'string' || typeof path !== 'string') return false
  if (path.length > LONGEST_PATH) return false
  const [, , category = '', , number = ''] = PATH.exec(path) ?? []
  return title.toLowerCase() === `${category} page ${number}`.toLowerCase()
}

// 4. Bodies ---------------------------------------------------------------------------------------

const ALLOWED = '&amp; &lt; &gt; &quot; &apos; &nbsp;'
const MOST_PARAGRAPHS = 5
const TOKEN =
  /<(\/?)([a-z!?][^\s<>/]*)[^<>]*>|&#?\w+;?|[<>&]|[^\P{Cc}\t\n]|(?:[^<>&\p{Cc}]|[\t\n])+/giu

function mendBody(text: string): Mend[] {
  const mends: Mend[] = []
  let paragraphs = 0
  let open: { tag: Range; hasText: boolean } | undefined
  for (const match of text.matchAll(TOKEN)) {
    const [found, slash, name] = match
    const range = { start: match.index, end: match.index + found.length }
    const mend = (text: string, says: string, rest?: Partial<Mend>) =>
      mends.push({ ...range, text, says, ...rest })

    if (name?.toLowerCase() !== 'p') {
      if (name?.startsWith('!')) mend('', `a comment is not allowed; ${PARAGRAPHS_ONLY}`)
      else if (name !== undefined) mend('', refuseElement(name))
      else if (open) {
        const [instead, says] = mendText(found)
        open.hasText ||= /\S/.test(instead)
        if (says) mend(instead, says)
      } else if (/\S/.test(found)) mend('', 'text must stand in a paragraph, <p>…</p>')
      else mend('', NOTHING_BETWEEN)
    } else if (slash) {
      if (!open) mend('', 'this </p> ends no paragraph; remove it')
      else if (!open.hasText) mend('x</p>', NO_TEXT, { shown: { ...open.tag, end: range.end } })
      else if (found !== '</p>') mend('</p>', 'write the tag as </p>')
      open = undefined
    } else if (open && !open.hasText) {
      mend('', 'this <p> stands in another; remove it')
    } else if (paragraphs === MOST_PARAGRAPHS) {
      const says = 'a sixth paragraph begins here; a body has one to five'
      mend(open ? '</p>' : '', says, { end: text.length, shown: range })
      return mends
    } else {
      if (open)
        mend('</p><p>', 'the paragraph before does not end; write </p> before this one begins')
      else if (/\s[^\s>]/.test(found)) mend('<p>', 'a paragraph has no attributes; write <p>')
      else if (found !== '<p>') mend('<p>', 'write the tag as <p>')
      paragraphs++
      open = { tag: range, hasText: false }
    }
  }
  const end = { start: text.length, end: text.length }
  if (open) {
    const says = 'this paragraph does not end; write </p> where it does'
    mends.push({ ...end, text: open.hasText ? '</p>' : 'x</p>', says, shown: open.tag })
  } else if (paragraphs === 0) {
    mends.push({
      ...end,
      text: '<p>x</p>',
      says: 'a body has at least one paragraph, such as <p>Text.</p>',
    })
  }
  return mends
}

const PARAGRAPHS_ONLY = 'a body is made of <p> elements and text'
const NOTHING_BETWEEN =
  'nothing may stand before, between or after paragraphs, not even a space or a line break; remove it'
const NO_TEXT = 'this paragraph has no text; remove it, or write some'

function refuseElement(name: string): string {
  const tip = /^br$/i.test(name) ? 'begin a new paragraph with </p><p>' : PARAGRAPHS_ONLY
  return `the element <${name.toLowerCase().slice(0, 40)}> is not allowed; ${tip}`
}

/** @returns what a bit of a paragraph should be, and what is wrong with it, if anything is */
function mendText(found: string): [instead: string, says?: string] {
  if (found === '<') return ['&lt;', 'write < as &lt;']
  if (found === '>') return ['&gt;', 'write > as &gt;']
  if (/^[^\P{Cc}\t\n]/u.test(found)) {
    return ['', `the control character ${nameOf(found)} is not allowed; remove it`]
  }
  if (!found.startsWith('&')) return [found]
  if (/^&(?:amp|lt|gt|quot|apos|nbsp);$/.test(found)) return [found]
  if (/^&(?:amp|lt|gt|quot|apos|nbsp)$/.test(found)) {
    return [`${found};`, `${found} must end in a semicolon: ${found};`]
  }
  if (/^&#(?:\d+|x[\da-f]+);$/i.test(found)) {
    const code = Number(found.slice(2, -1).replace(/^x/i, '0x'))
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter
      ? [found]
      : ['x', `${found} stands for no character; browsers show \ufffd for it`]
  }
  const escaped = found.replace('&', '&amp;')
  if (!/^&\w+;$/.test(found)) return [escaped, 'write & as &amp;']
  const character = decodeEntity(found)
  if (character === undefined) {
    return [escaped, `there is no entity ${found.slice(0, 40)}; write & as &amp;`]
  }
  const isEscaped = '<>&'.includes(character)
  const instead = isEscaped ? found.toLowerCase() : `${character} itself`
  return ['x', `write ${instead}; the only names allowed are ${ALLOWED}`]
}

const require = createRequire(import.meta.url)

/** The character that a named entity such as "&eacute;" stands for. */
function decodeEntity(entity: string): string | undefined {
  const { parseFragment } = require('parse5') as typeof import('parse5')
  const [node] = parseFragment(entity).childNodes
  return node && 'value' in node && !node.value.endsWith(';') ? node.value : undefined
}

// 5. Times ----------------------------------------------------------------------------------------

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** A date-time of the right shape of which a part is no time. */
function explainTime(refusal: Refusal): Explanation | undefined {
  const text = refusal.value as string
  const fault = findNoTime(text)
  return fault ?? byMends(mendTime)(refusal)
}

function findNoTime(text: string): Explanation | undefined {
  const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|([+-]\d\d):(\d\d))$/.exec(
    text,
  )
  if (!shape) return undefined
  const [year, month, day, hour, minute, second] = shape.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const part = (start: number, message: string, end = start + 2) => ({
    message,
    within: { start, end },
  })
  if (month < 1 || month > 12) return part(5, `there is no month ${shape[2]}`)
  if (day < 1 || day > 31) return part(8, `there is no day ${shape[3]}`)
  const of = (year: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > of(2000 + (year % 400))) {
    const inYear = day > of(2000) ? '' : ` in ${shape[1]}`
    return part(8, `there is no ${day} ${MONTHS[month - 1]}${inYear}`)
  }
  if (hour > 23) return part(11, `there is no hour ${hour}; a day begins with 00:00:00`)
  if (minute > 59) return part(14, `there is no minute ${minute}`)
  if (second > 60) return part(17, `there is no second ${second}`)
  if (Number(shape[8]?.slice(1) ?? 0) > 23 || Number(shape[9] ?? 0) > 59) {
    return part(text.length - 6, `there is no time zone ${shape[7]}`, text.length)
  }
  if (second === 60) return part(17, 'there is no second 60 but a leap second, at 23:59:60 UTC')
  return undefined
}

/** A date-time that people understand, and RFC 3339 does not. */
const LOOSE_TIME =
  /^\s*(\d{4}-\d\d-\d\d)[Tt\s]\s*(\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9})\d*)?\s*(?:(Z|UTC)|([+-]\d\d):?(\d\d)?)?\s*$/i

function mendTime(text: string, _: Accepts, { general }: Refusal): Mend[] {
  const match = LOOSE_TIME.exec(text)
  if (!match) return []
  const [, date, time, seconds = ':00', fraction, utc, hours, minutes = '00'] = match
  const zone = hours ? `${hours}:${minutes}` : 'Z'
  const meant = `${date}T${time}${seconds}${fraction ? `.${fraction}` : ''}${zone}`
  if (findNoTime(meant)) return []
  const says =
    utc || hours
      ? `${general}; did you mean ${show(meant)}?`
      : 'must end in a time zone: Z for UTC, or hours and minutes such as +02:00'
  return whole(text, meant, says)
}

// 6. Fields ---------------------------------------------------------------------------------------

function mendName(text: string, _: Accepts, { general }: Refusal): Mend[] {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const meant = letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '')
  return whole(text, meant, `${general}; did you mean ${show(meant)}?`)
}

function mendLine(text: string): Mend[] {
  if (text.trim() === '') return []
  return [...text.matchAll(/\r\n|[\p{Cc}\u2028\u2029]/gu)].map(({ 0: found, index }) => {
    const says = /[\n\r\u2028\u2029]/.test(found)
      ? 'must be one line; put a space in the place of this line break'
      : `the control character ${nameOf(found)} is not allowed; remove it`
    return { start: index, end: index + found.length, text: ' ', says }
  })
}
