/**
 * Explains what exactly is wrong with a value that the schema refuses, and how to fix it: a table
 * of explanations by place in a batch.
 *
 * An explanation never decides what is valid. It is looked up only after the schema has refused a
 * value. A fix is suggested only if the schema accepts the value with it and refuses it without.
 * So with another schema the table has no effect, and the general message is used.
 */

import { createRequire } from 'node:module'
import { LOOKALIKE, nameLookalike, toAscii } from '../../text/lookalikes.ts'
import { nameOf, nearest, show } from '../../text/wording.ts'
import type { Meant, Range } from '../violation.ts'
import { explainForm, explainOnly, explainPage, explainRoot } from './shapes.ts'

/** A value that the schema refuses. */
export interface Refusal {
  /** The place, with # for a position, and the keyword: "/#/form/fields/#/name pattern". */
  at: string
  value: unknown
  /** The part of the schema that refuses it. */
  schema: { pattern?: string; format?: string }
  /** The message if there is no explanation. */
  general: string
}

export interface Explanation {
  message: string
  /** The faulty part of the value, if it is a string. */
  within?: Range
  /** What the message says that the value must be. */
  mended?: string
  /** If only the shape of the value is wrong: what it was meant to be. */
  meant?: Meant
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

const EXPLANATIONS: [
  at: RegExp,
  (refusal: Refusal) => readonly Mend[] | Explanation | string | undefined,
][] = [
  [/^ type$/, ({ value }) => explainRoot(value)],
  [/^\/# type$/, ({ value }) => (Array.isArray(value) ? LIST_IN_LIST : undefined)],
  [/^\/# required$/, ({ value, general }) => explainPage(value, general) ?? addNull(general)],
  [/^\/#\/form\/fields minItems$/, ({ general }) => general + NULL],
  [/^\/#\/form (?:required|type|anyOf)$/, ({ value, general }) => explainForm(value, general)],
  [/ type$/, ({ value, general }) => explainOnly(value, general)],
  [/^\/#\/path pattern$/, mendPath],
  [
    /^\/#\/contentHtml pattern$/,
    ({ value }) => (/^\s*&lt;p&gt;/.test(String(value)) ? ESCAPED : BODY),
  ],
  [/^\/#\/(created|updated)At (pattern|format)$/, () => TIME],
  [/^\/#\/form\/fields\/#\/name pattern$/, () => [[/^.+$/gs, toName]]],
  [/^\/#\/(?:form\/fields\/#\/)?\w+ pattern$/, () => LINE],
]

/** In characters: for a body, and for all other texts. The expressions are slow on longer ones. */
const [LONGEST_BODY, LONGEST] = [100_000, 200]

/** @returns one explanation for each fault; none if there is nothing to add to the general message */
export function explain(refusal: Refusal): Explanation[] {
  const { at, value } = refusal
  const longest = at.includes('contentHtml') ? LONGEST_BODY : LONGEST
  if (typeof value === 'string' && value.length > longest) return []
  if (/ (pattern|format)$/.test(at)) {
    // Some formats are of numbers.
    if (typeof value !== 'string') return []
    const seen = explainText(refusal, LOOKALIKES)
    if (seen.length > 0) return seen
  }
  const [, find] = EXPLANATIONS.find(([place]) => place.test(at)) ?? []
  const found = find?.(refusal)
  if (typeof found === 'string') return [{ message: found }]
  if (found === undefined) return []
  return 'message' in found ? [found] : explainText(refusal, found)
}

// 1. Fixes ----------------------------------------------------------------------------------------

const MOST_TRIED = 10
/** A placeholder for a text that is left as it is, so that no later fix changes it. */
const KEPT = '\uffff'

/** A place where a fix changes a text: the fix, and the offsets in the text as it was. */
interface Site {
  mend: Mend
  found: string
  start: number
  end: number
}

/**
 * Finds the faults of a text: the fixes without which, all others made, the schema still refuses
 * it. The same mistake in several places is one fault. A message that has the whole text as it
 * must be needs no others beside it.
 */
function explainText(refusal: Refusal, mends: readonly Mend[]): Explanation[] {
  const text = refusal.value as string
  const accepts = makeAccepts(refusal)
  const { mended, sites } = mendAllBut(text, mends)
  if (!accepts(mended)) return []
  const kinds = new Map<string, Site[]>()
  for (const site of sites.sort((a, b) => a.start - b.start)) {
    const kind = LETTERS.has(site.mend[2]) ? 'letters' : saysOf(site)
    const same = kinds.get(kind)
    if (same) same.push(site)
    else kinds.set(kind, [site])
  }
  const faults = [...kinds.values()].flatMap((all) => {
    const needed = all
      .slice(0, MOST_TRIED)
      .find((site) => !accepts(mendAllBut(text, mends, site).mended))
    // An end tag belongs to its start tag.
    const count = all.filter(({ found }) => !found.startsWith('</')).length
    return needed ? { ...needed, count } : []
  })
  const full = faults.find((site) => saysOf(site).includes('{mended}'))
  const isSure = faults.every(({ mend: [, , says] }) => !says || LETTERS.has(says))
  return (full ? [full] : isSure && !faults[0]?.mend[2] ? faults.slice(0, 1) : faults).map(
    (fault) => {
      const { mend, found, start, end, count } = fault
      const says = mend[2] ? saysOf(fault) : refusal.general + (isSure ? DID : '')
      const more = mend[2] && !full && count > 1 ? ` (and ${count - 1} more in this text)` : ''
      const message = says.replace('{mended}', () => show(mended)) + more
      return {
        message,
        ...(found !== text && mend[2] && { within: { start, end } }),
        ...((isSure || full) && { mended }),
      }
    },
  )
}

function saysOf({ mend: [, , says = ''], found }: Site): string {
  return typeof says === 'string' ? says.replace('{found}', () => found) : says(found)
}

/** Applies all fixes but one. */
function mendAllBut(text: string, mends: readonly Mend[], left?: Site) {
  const sites: Site[] = []
  let mended = text
  /** For each unit of the mended text, its offset in the text as it was. */
  let origins = Array.from({ length: text.length + 1 }, (_, at) => at)
  for (const mend of mends) {
    const before = mended
    const starts: number[][] = []
    let end = 0
    mended = before.replace(mend[0], (found: string, ...rest) => {
      const at = rest.find((argument) => typeof argument === 'number') as number
      const start = origins[at] as number
      const instead = insteadOf(mend, found)
      if (instead === found) return found
      sites.push({ mend, found, start, end: origins[at + found.length] as number })
      const put = left?.mend === mend && left.start === start ? KEPT : instead
      starts.push(origins.slice(end, at), Array(put.length).fill(start))
      end = at + found.length
      return put
    })
    if (starts.length > 0) origins = [...starts, origins.slice(end)].flat()
  }
  return { mended: left ? mended.replace(KEPT, () => left.found) : mended, sites }
}

function insteadOf([, instead]: Mend, found: string): string {
  return typeof instead === 'string' ? instead.replace('{found}', () => found) : instead(found)
}

const require = createRequire(import.meta.url)

/** Returns a function that says whether the schema accepts a text at that place. */
function makeAccepts({ schema: { pattern = '', format } }: Refusal): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  const found = format && require('ajv-formats/dist/formats').fullFormats[format]
  // Two formats, such as "password", are `true`: they refuse nothing.
  if (!found || found === true) return (text) => expression.test(text)
  // A format is a function, a regular expression, or an object that has one as its key.
  const check = found.validate ?? found
  const accepts = check instanceof RegExp ? (text: string) => check.test(text) : check
  return (text) => expression.test(text) && accepts(text)
}

// 2. The table ------------------------------------------------------------------------------------

const LOOKALIKES: readonly Mend[] = [[LOOKALIKE, toAscii, nameLookalike]]
/** The messages about letters that look like what must be there. */
const LETTERS = new Set<Mend[2]>([nameLookalike, nameDigit])

function nameDigit(letter: string): string {
  return `${letter} is a letter; write the digit ${toDigit(letter)}`
}

function toDigit(letter: string): string {
  return /o/i.test(letter) ? '0' : '1'
}

const LIST_IN_LIST = 'must be a page, but is a list; remove this [ and the ] that closes it'
const NULL = '; a page without a form has "form": null'
const DID = '; did you mean {mended}?'

function addNull(general: string): string | undefined {
  return / key "form"$/.test(general) ? general + NULL : undefined
}

const PATH = /([^/\s]+)\/+(\d+)(?![\d\p{L}])/u

function mendPath(refusal: Refusal): Mend[] | undefined {
  const text = (refusal.value as string).replace(LOOKALIKE, toAscii)
  const [found, category = '', number = ''] = PATH.exec(text) ?? []
  const [, words] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(refusal.schema.pattern ?? '') ?? []
  if (found === undefined || words === undefined) return undefined
  const accepts = makeAccepts(refusal)
  const categories = words.split('|')
  const meant = nearest(category, categories)
  const id = number.replace(/^0+/, '').padStart(3, '0')
  const isId = accepts(`/${categories[0]}/${id}`)
  const last = accepts(`/${categories[0]}/101`) ? number : '100'
  const did = meant && isId ? DID : ''
  const known = meant ? '' : `; known categories: ${categories.join(', ')}`
  const size = isId ? 'have three digits' : 'be from 001 to 100, but is "{found}"'
  return [
    ...LOOKALIKES,
    [BEFORE_CATEGORY, '/', `must begin with a slash and the category${did}`],
    [
      /[^/\s\uffff]+(?=\/+\d)/g,
      meant ?? (categories[0] as string),
      `unknown category "{found}"${known}${did}`,
    ],
    [/\/{2,}(?=\d)/g, '/', `exactly one slash must come before the number${did}`],
    [/(?<=\/)\d+(?![\d\p{L}])/gu, isId ? id : last, `the number must ${size}${did}`],
    [/(?<=\/\d+)\D.*$/gs, '', `nothing may follow the number${did}`],
  ]
}

const BEFORE_CATEGORY = /^.*?(?=[^/\s]+\/+\d+(?![\d\p{L}]))/gsu

const ALLOWED = '&amp; &lt; &gt; &quot; &apos; &nbsp;'
const ESCAPED =
  'the tags of this body are escaped; write <p> instead of &lt;p&gt;, and </p> instead of &lt;/p&gt; (the text was not checked)'
const CDATA = 'CDATA is not HTML; remove <![CDATA[ and the ]]> after it'
const ONLY = 'a body is made of <p> elements and text'
const TAGS = 'write the tags as <p> and </p>'

/** An element that stands where a paragraph must. */
const BLOCK = /(?<!<p>[^<]*)<(div|section|h[1-6]|pre|blockquote)\b[^<>]*>[^<]+<\/\1>/gi
const SIXTH = 'a sixth paragraph begins here; five are allowed (what follows was not checked)'
const INNER = 'this <p> is inside another; remove it'

const BODY: readonly Mend[] = [
  [/<!\[CDATA\[.*?\]\]>/gs, (found) => found.slice(9, -3), CDATA],
  [/<(script|style)\b[^<>]*>.*?<\/\1>/gis, '', refuseElement],
  [/<[!?][^<>]*>/g, '', `a comment is not allowed; ${ONLY}`],
  [BLOCK, (found) => found.replace(/^<[^<>]*>/, '<p>').replace(/<[^<>]*>$/, '</p>'), refuseElement],
  [/<\/?(?!p[\s/>])[a-z][^<>]*>/gi, '', refuseElement],
  [/<p\s+[^\s>][^<>]*>/gi, '<p>', 'a paragraph has no attributes; write <p>'],
  [/<(?:P[\s/]*|p[\s/]+)>/g, '<p>', TAGS],
  [/<\/(?:P\s*|p\s+)>/g, '</p>', TAGS],
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
  [
    /<p>(?<=<p>[^<]*<p>)[^<]*<\/p>(?=[^<]*<\/p>)/g,
    (found) => found.slice(3, -4),
    `${INNER} and its </p>`,
  ],
  [/<p>(?<=<p>\s*<p>)/g, '', INNER],
  [/(?=<p>)(?<=<p>[^<]+)/g, '</p>', 'a </p> is missing before this <p>'],
  [/<p>[^<]*$/g, '{found}</p>', 'a </p> is missing at the end of this paragraph'],
  [/(?<=^|<\/p>)(?=[^<]*<\/p>)\s*[^<\s][^<]*/g, '<p>{found}', 'a <p> is missing before this text'],
  [/<\/p>(?<=(?:^|<\/p>)<\/p>)/g, '', 'this </p> has no <p>; remove it'],
  [/<p>\s*<\/p>/g, '<p>x</p>', 'this paragraph has no text; write some, or remove it'],
  [/(?<=^|<\/p>)\s+(?=<p>|$)/g, '', 'a space or line break is not allowed here; remove it'],
  [/(?<=^|<\/p>)[^<]+(?=<p>|$)/g, '<p>{found}</p>', 'text must be inside a paragraph: <p>…</p>'],
  [/^$/g, '<p>x</p>', 'a body has at least one paragraph, such as <p>Text.</p>'],
  [/<p>(?<=^(?:<p>[^<]*<\/p>){5}<p>).*$/gs, '', SIXTH],
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
    ? `there is no entity ${show(entity)}; write & as &amp;`
    : `write ${character} itself; the only names allowed are ${ALLOWED}`
}

function refuseControl(found: string): string {
  return `the control character ${nameOf(found)} is not allowed; remove it`
}

const TIME: readonly Mend[] = [
  ...LOOKALIKES,
  [/[oOlI]/g, toDigit, nameDigit],
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
  [/(?<=^\d{4}-)(?:02-(?:29|3[01])|(?:0[469]|11)-31)/g, '01-01', refuseDay],
  [/(?<=T)(?:2[4-9]|[3-9]\d)/g, '00', 'there is no hour {found}; a day begins with 00:00:00'],
  [/(?<=T\d\d:)[6-9]\d/g, '00', 'there is no minute {found}'],
  [/(?<=T\d\d:\d\d:)[6-9]\d/g, '00', 'there is no second {found}'],
  [/[+-](?:(?:2[4-9]|[3-9]\d):\d\d|\d\d:[6-9]\d)$/g, 'Z', 'there is no time zone {found}'],
]

const SHORT = { '02': 'February', '04': 'April', '06': 'June', '09': 'September', '11': 'November' }

/** @param found a month and a day that it does not have */
function refuseDay(found: string): string {
  const [month, day] = found.split('-') as [keyof typeof SHORT, string]
  return `there is no ${day} ${SHORT[month]}${day === '29' ? ' in this year' : ''}`
}

function toName(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '')
}

const LINE: readonly Mend[] = [
  [/\r\n|[\n\r\u2028\u2029]/g, ' ', 'must be one line; replace this line break with a space'],
  [/\p{Cc}/gu, '', refuseControl],
]
