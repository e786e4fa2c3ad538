/**
 * Explains what exactly is wrong with a value that the schema refuses, and how to fix it: a table
 * of explanations by place in a batch.
 *
 * An explanation never decides what is valid. It is looked up only after the schema has refused a
 * value. A fix is suggested only if the schema accepts the value with it and refuses it without.
 * So with another schema the table has no effect, and the general message is used.
 */
import { createRequire } from 'node:module'
import type { Range } from './json.ts'
import { titleOf } from './rules.ts'
import { nameOf, nearest, show } from './wording.ts'

/** A value that the schema refuses. */
export interface Refusal {
  /** The place, with # for a position, and the keyword: "/#/form/fields/#/name pattern". */
  at: string
  value: unknown
  /** The record that contains the value. */
  record: unknown
  /** The part of the schema that refuses it. */
  schema: { pattern?: string; format?: string }
  /** The message if there is no explanation. */
  general: string
}

export interface Explanation {
  message: string
  /** The faulty part of the value, if it is a string. */
  within?: Range
}

/**
 * A fix: where a text may be wrong, the replacement, and the message. Fixes are applied in order,
 * each to the result of those before it. Without a message, the fixed text is suggested.
 */
type Mend = readonly [
  at: RegExp,
  instead: string | ((found: string) => string),
  says?: string | ((found: string) => string),
]

const EXPLANATIONS: [at: RegExp, (refusal: Refusal) => readonly Mend[] | string | undefined][] = [
  [/^ type$/, explainNoList],
  [/^\/# type$/, ({ value }) => (Array.isArray(value) ? LIST_IN_LIST : undefined)],
  [/^\/# required$/, ({ general }) => (/ key "form"$/.test(general) ? general + NULL : undefined)],
  [/^\/#\/form\/fields minItems$/, ({ general }) => general + NULL],
  [/^\/#\/path pattern$/, mendPath],
  [/^\/#\/title pattern$/, mendTitle],
  [/^\/#\/contentHtml pattern$/, () => BODY],
  [/^\/#\/(created|updated)At (pattern|format)$/, () => TIME],
  [/^\/#\/form\/fields\/#\/name pattern$/, () => [[/^.+$/gs, toName]]],
  [/^\/#\/(?:form\/fields\/#\/)?\w+ pattern$/, () => LINE],
]

/** In characters: for a body, and for all other texts. The expressions are slow on longer ones. */
const [LONGEST_BODY, LONGEST] = [100_000, 200]

/** @returns undefined if there is nothing to add to the general message */
export function explain(refusal: Refusal): Explanation | undefined {
  const { at, value } = refusal
  const longest = at.includes('contentHtml') ? LONGEST_BODY : LONGEST
  if (typeof value === 'string' && value.length > longest) return undefined
  const [, find] = EXPLANATIONS.find(([place]) => place.test(at)) ?? []
  const found = find?.(refusal)
  return typeof found === 'string' ? { message: found } : found && explainText(refusal, found)
}

// 1. Fixes ----------------------------------------------------------------------------------------

const MOST_TRIED = 10
/** A placeholder for a text that is left as it is, so that no later fix changes it. */
const KEPT = '\uffff'

function explainText(refusal: Refusal, mends: readonly Mend[]): Explanation | undefined {
  const text = refusal.value as string
  const accepts = makeAccepts(refusal)
  /** Applies all fixes, except `left` at its nth match. */
  const mendAllBut = (left?: Mend, nth?: number) => {
    let kept = ''
    let count = 0
    const make = (result: string, mend: Mend) =>
      result.replace(mend[0], (found) => {
        if (mend !== left || count++ !== nth) return insteadOf(mend, found)
        kept = found
        return KEPT
      })
    return mends.reduce(make, text).replace(KEPT, () => kept)
  }
  const mended = mendAllBut()
  if (!accepts(mended)) return undefined
  const first = mends
    .flatMap((mend) => Array.from(text.matchAll(mend[0]), (match, nth) => ({ mend, match, nth })))
    .filter(({ mend, match }) => insteadOf(mend, match[0]) !== match[0])
    .sort((a, b) => a.match.index - b.match.index)
    .slice(0, MOST_TRIED)
    .find(({ mend, nth }) => !accepts(mendAllBut(mend, nth)))
  if (!first) return undefined
  const { 0: found, index: start } = first.match
  const { 2: says = refusal.general + DID } = first.mend
  const message = (typeof says === 'string' ? says : says(found))
    .replace('{found}', () => found)
    .replace('{mended}', () => show(mended))
  const isWhole = found === text || first.mend[2] === undefined
  return isWhole ? { message } : { message, within: { start, end: start + found.length } }
}

function insteadOf([, instead]: Mend, found: string): string {
  return typeof instead === 'string' ? instead.replace('{found}', () => found) : instead(found)
}

const require = createRequire(import.meta.url)

/** Returns a function that says whether the schema accepts a text at that place. */
function makeAccepts({ schema: { pattern = '', format } }: Refusal): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  if (!format) return (text) => expression.test(text)
  const { validate } = require('ajv-formats/dist/formats').fullFormats[format]
  return (text) => expression.test(text) && validate(text)
}

// 2. The table ------------------------------------------------------------------------------------

const LIST_IN_LIST = 'must be a page, but is a list; remove this [ and the ] that closes it'
const NULL = '; a page without a form has "form": null'
const DID = '; did you mean {mended}?'

function explainNoList({ value }: Refusal): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [[key = '', inner] = [], ...others] = Object.entries(value)
  return others.length === 0 && Array.isArray(inner)
    ? `must be the list itself; remove the object and its key ${show(key)} around it`
    : 'must be a list of pages; put [ before the page and ] after it'
}

const PATH = /([^/\s]+)\/+(\d+)(?![\d\p{L}])/u

function mendPath(refusal: Refusal): Mend[] | undefined {
  const [found, category = '', number = ''] = PATH.exec(refusal.value as string) ?? []
  if (found === undefined) return undefined
  const accepts = makeAccepts(refusal)
  const [, words = ''] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(refusal.schema.pattern ?? '') ?? []
  const categories = words.split('|')
  const meant = nearest(category, categories)
  const id = number.replace(/^0+/, '').padStart(3, '0')
  const isId = accepts(`/${categories[0]}/${id}`)
  const last = accepts(`/${categories[0]}/101`) ? number : '100'
  const did = meant && isId ? DID : ''
  const known = meant ? '' : `; known categories: ${categories.join(', ')}`
  const isCase = meant === category.toLowerCase()
  const unknown = isCase ? 'the category must be in lower case' : 'unknown category "{found}"'
  const size = isId ? 'have three digits' : 'be from 001 to 100, but is "{found}"'
  return [
    [BEFORE_CATEGORY, '/', `must begin with a slash and the category${did}`],
    [/[^/\s]+(?=\/+\d)/g, meant ?? (categories[0] as string), unknown + known + did],
    [/\/{2,}(?=\d)/g, '/', `exactly one slash must come before the number${did}`],
    [/(?<=\/)\d+(?![\d\p{L}])/gu, isId ? id : last, `the number must ${size}${did}`],
    [/(?<=\/\d+)\D.*$/gs, '', `nothing may follow the number${did}`],
  ]
}

const BEFORE_CATEGORY = /^.*?(?=[^/\s]+\/+\d+(?![\d\p{L}]))/gsu

function mendTitle({ value, record }: Refusal): Mend[] | undefined {
  const { path } = record as { path?: unknown }
  if (typeof path !== 'string') return undefined
  return [[/^.*$/gs, titleOf(path), `must be {mended} to fit the path, but is ${show(value)}`]]
}

const ALLOWED = '&amp; &lt; &gt; &quot; &apos; &nbsp;'
const ONLY = 'a body is made of <p> elements and text'

const BODY: readonly Mend[] = [
  [/<[!?][^<>]*>/g, '', `a comment is not allowed; ${ONLY}`],
  [/<\/?(?!p[\s/>])[a-z][^<>]*>/gi, '', refuseElement],
  [/<p\s+[^\s>][^<>]*>/gi, '<p>', 'a paragraph has no attributes; write <p>'],
  [/<(?:P[\s/]*|p[\s/]+)>/g, '<p>', 'write the tag as <p>'],
  [/<\/(?:P\s*|p\s+)>/g, '</p>', 'write the tag as </p>'],
  [/<(?!\/?p>)/g, '&lt;', 'write < as &lt;'],
  [/(?<!<\/?p)>/g, '&gt;', 'write > as &gt;'],
  [/&(?:amp|lt|gt|quot|apos|nbsp)(?![\w;])/g, '{found};', 'a semicolon must follow {found}'],
  [/&(?:AMP|LT|GT|QUOT);/g, (found) => found.toLowerCase(), 'write {found} in lower case'],
  [
    /&#(?:\d{1,20}|x[\da-f]{1,20});/gi,
    'x',
    '{found} is not a character; browsers show \ufffd for it',
  ],
  [/&[a-z]\w{1,40};/gi, decodeEntity, refuseEntity],
  [/&(?!#?\w{1,40};)/g, '&amp;', 'write & as &amp;'],
  [/[^\P{Cc}\t\n]/gu, '', refuseControl],
  [/<p>(?<=<p>\s*<p>)/g, '', 'this <p> is inside another; remove it'],
  [/(?=<p>)(?<=<p>[^<]+)/g, '</p>', 'a </p> is missing before this <p>'],
  [/<p>[^<]*$/g, '{found}</p>', 'a </p> is missing at the end of this paragraph'],
  [/<\/p>(?<=(?:^|<\/p>)<\/p>)/g, '', 'this </p> has no <p>; remove it'],
  [/<p>\s*<\/p>/g, '<p>x</p>', 'this paragraph has no text; write some, or remove it'],
  [/(?<=^|<\/p>)\s+(?=<p>|$)/g, '', 'a space or line break is not allowed here; remove it'],
  [/(?<=^|<\/p>)[^<]+(?=<p>|$)/g, '<p>{found}</p>', 'text must be inside a paragraph: <p>…</p>'],
  [/^$/g, '<p>x</p>', 'a body has at least one paragraph, such as <p>Text.</p>'],
  [/<p>(?<=^(?:<p>[^<]*<\/p>){5}<p>).*$/gs, '', 'a sixth paragraph begins here; five are allowed'],
]

function refuseElement(tag: string): string {
  const [name = ''] = /[^\s</>]+/.exec(tag.slice(0, 40).toLowerCase()) ?? []
  const tip = name === 'br' ? 'begin a new paragraph with </p><p>' : ONLY
  return `the element <${name}> is not allowed; ${tip}`
}

/** Decodes a named entity such as "&eacute;". Those allowed in a body are left as they are. */
function decodeEntity(entity: string): string {
  if (ALLOWED.includes(entity)) return entity
  const { parseFragment } = require('parse5') as typeof import('parse5')
  const [node] = parseFragment(entity).childNodes
  return node && 'value' in node ? node.value.replace(/^&/, '&amp;') : entity
}

function refuseEntity(entity: string): string {
  const character = decodeEntity(entity)
  return character.startsWith('&')
    ? `there is no entity ${entity}; write & as &amp;`
    : `write ${character} itself; the only names allowed are ${ALLOWED}`
}

function refuseControl(found: string): string {
  return `the control character ${nameOf(found)} is not allowed; remove it`
}

const TIME: readonly Mend[] = [
  [/(?<=^\d{4}-\d\d-\d\d)[t\s]+(?=\d)/g, 'T'],
  [/(?<=:\d\d),(?=\d)/g, '.'],
  [/(?<=\.\d{9})\d+/g, ''],
  [/\s*(?:z|utc)\s*$/gi, 'Z'],
  [/(?<=[+-]\d\d)(?=\d\d$)/g, ':'],
  [/(?<=:\d\d[+-]\d\d)$/g, ':00'],
  [/(?<=T\d\d:\d\d)(?=Z|[+-]|$)/g, ':00'],
  [/(?<=T\d\d:\d\d:\d\d(?:\.\d+)?)$/g, 'Z', 'must end in a time zone, such as Z or +02:00'],
  [/(?<=^\d{4}-)(?:00|1[3-9]|[2-9]\d)/g, '01', 'there is no month {found}'],
  [/(?<=^\d{4}-\d\d-)(?:00|3[2-9]|[4-9]\d)/g, '01', 'there is no day {found}'],
  [/(?<=^\d{4}-02-)3[01]/g, '01', 'there is no {found} February'],
  [/(?<=^\d{4}-02-)29/g, '01', 'there is no 29 February in this year'],
  [/(?<=^\d{4}-(?:04|06|09|11)-)31/g, '01', 'there is no day 31 in this month'],
  [/(?<=T)(?:2[4-9]|[3-9]\d)/g, '00', 'there is no hour {found}; a day begins with 00:00:00'],
  [/(?<=T\d\d:)[6-9]\d/g, '00', 'there is no minute {found}'],
  [/(?<=T\d\d:\d\d:)[6-9]\d/g, '00', 'there is no second {found}'],
  [/[+-](?:(?:2[4-9]|[3-9]\d):\d\d|\d\d:[6-9]\d)$/g, 'Z', 'there is no time zone {found}'],
]

function toName(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '')
}

const LINE: readonly Mend[] = [
  [/\r\n|[\n\r\u2028\u2029]/g, ' ', 'must be one line; replace this line break with a space'],
  [/\p{Cc}/gu, '', refuseControl],
]
