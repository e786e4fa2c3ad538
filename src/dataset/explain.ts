/**
 * What exactly is wrong with a value that the schema refuses, and how it is mended: a table of
 * explanations by place in a batch.
 *
 * An explanation never decides. It is looked for only when the schema has refused a value, and a mend
 * is believed only if the schema accepts the value with it and refuses it without. So with another
 * schema the table is silent, and the general sentence stands.
 */
import { createRequire } from 'node:module'
import type { Range } from './json.ts'
import { titleOf } from './rules.ts'
import { nameOf, nearest, show } from './wording.ts'

/** What the schema refuses. */
export interface Refusal {
  /** The place, with # for a position, and the keyword: "/#/form/fields/#/name pattern". */
  at: string
  value: unknown
  /** The record that the value stands in. */
  record: unknown
  /** The part of the schema that refuses it. */
  schema: { pattern?: string; format?: string }
  /** What is said where there is no explanation. */
  general: string
}

export interface Explanation {
  message: string
  /** The part of the value that is meant, when it is a text. */
  within?: Range
}

type Explain = (refusal: Refusal) => Explanation | undefined

const EXPLANATIONS: [at: RegExp, Explain][] = [
  [/^ type$/, explainNoList],
  [/^\/# type$/, explainListInList],
  [/^\/# required$|^\/#\/form\/fields minItems$/, explainNoForm],
  [/^\/#\/path pattern$/, explainPath],
  [/^\/#\/title pattern$/, explainTitle],
  [/^\/#\/contentHtml pattern$/, (refusal) => explainText(refusal, BODY)],
  [/^\/#\/(created|updated)At (pattern|format)$/, (refusal) => explainText(refusal, TIME)],
  [/^\/#\/form\/fields\/#\/name pattern$/, (refusal) => explainText(refusal, NAME)],
  [/^\/#\/form\/fields\/#\/\w+ pattern$/, (refusal) => explainText(refusal, LINE)],
]

/** @returns nothing where the general sentence is all that can be said */
export function explain(refusal: Refusal): Explanation | undefined {
  return EXPLANATIONS.find(([at]) => at.test(refusal.at))?.[1](refusal)
}

// 1. Mends ----------------------------------------------------------------------------------------

/**
 * Where a text may be wrong, what would be right there, and how to say so. Mends are made in their
 * order, each of what the ones before have left. Without a sentence the mended text is suggested.
 */
type Mend = readonly [
  at: RegExp,
  instead: string | ((found: string) => string),
  says?: string | ((found: string, mended: string) => string),
]

/** In characters; of longer texts the general sentence is said. */
const LONGEST = 100_000
const MOST_TRIED = 10
/** Stands for what is left as it is, so that no later mend changes it. */
const KEPT = '\uffff'

function explainText(refusal: Refusal, mends: readonly Mend[]): Explanation | undefined {
  const text = refusal.value as string
  if (text.length > LONGEST) return undefined
  const accepts = makeAccepts(refusal)
  /** Makes all mends, or all but one, at its nth place. */
  const mendAllBut = (left?: Mend, nth?: number) => {
    let kept = ''
    let count = 0
    const mended = mends.reduce((result, mend) => {
      return result.replace(mend[0], (found) => {
        if (mend !== left || count++ !== nth) return insteadOf(mend, found)
        kept = found
        return KEPT
      })
    }, text)
    return mended.replace(KEPT, () => kept)
  }
  const mended = mendAllBut()
  if (!accepts(mended)) return undefined
  const [first] = mends
    .flatMap((mend) =>
      [...text.matchAll(mend[0])].map(({ 0: found, index }, nth) => ({ mend, found, index, nth })),
    )
    .filter(({ mend, found }) => insteadOf(mend, found) !== found)
    .sort((a, b) => a.index - b.index)
    .slice(0, MOST_TRIED)
    .filter(({ mend, nth }) => !accepts(mendAllBut(mend, nth)))
  if (!first) return undefined
  const { mend, found, index } = first
  const says = mend[2]
  if (says === undefined) {
    return { message: `${refusal.general}; did you mean ${show(mended)}?` }
  }
  const message = typeof says === 'string' ? says : says(found, mended)
  if (found === text) return { message }
  return { message, within: { start: index, end: index + found.length } }
}

function insteadOf([, instead]: Mend, found: string): string {
  return typeof instead === 'string' ? instead : instead(found)
}

const require = createRequire(import.meta.url)

/** What the schema accepts at that place. */
function makeAccepts({ schema: { pattern = '', format } }: Refusal): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  if (format === undefined) return (text) => expression.test(text)
  const { fullFormats } = require('ajv-formats/dist/formats')
  return (text) => expression.test(text) && fullFormats[format].validate(text)
}

// 2. Lists and keys -------------------------------------------------------------------------------

function explainNoList({ value }: Refusal): Explanation | undefined {
  const [[key = '', inner] = [], ...others] = Object.entries(value ?? {})
  if (others.length === 0 && Array.isArray(inner)) {
    return {
      message: `must be the list alone; remove the object and its key ${show(key)} around it`,
    }
  }
  if (typeof value !== 'object' || others.length === 0) return undefined
  return { message: 'must be a list of pages; put [ before the page and ] after it' }
}

function explainListInList({ value }: Refusal): Explanation | undefined {
  if (!Array.isArray(value)) return undefined
  return { message: 'must be a page, but is a list; remove this [ and the ] that closes it' }
}

function explainNoForm({ general, at }: Refusal): Explanation | undefined {
  if (at.endsWith('required') && !general.endsWith('the key "form"')) return undefined
  return { message: `${general}; a page without a form has "form": null` }
}

// 3. Paths and titles -----------------------------------------------------------------------------

const PATH = /([^/\s]+)\/+(\d+)(?![\d\p{L}])/u
const LONGEST_PATH = 200

function explainPath(refusal: Refusal): Explanation | undefined {
  const text = refusal.value as string
  const [found, category = '', number = ''] = PATH.exec(text) ?? []
  if (found === undefined || text.length > LONGEST_PATH) return undefined
  const within = (part: string) => {
    const start = text.lastIndexOf(part)
    return { start, end: start + part.length }
  }
  const [, words = ''] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(refusal.schema.pattern ?? '') ?? []
  const categories = words.split('|')
  const meant = nearest(category, categories)
  if (!meant) {
    const message = `unknown category ${show(category)}; known are ${categories.join(', ')}`
    return { message, within: within(category) }
  }
  const id = number.replace(/^0+/, '').padStart(3, '0')
  const accepts = makeAccepts(refusal)
  const is = ['000', '100', '101', id].map((id) => accepts(`/${meant}/${id}`))
  if (is.join() === 'false,true,false,false') {
    const message = `the number must be from 001 to 100, but is ${show(number)}`
    return { message, within: within(number) }
  }
  const isCase = meant === category.toLowerCase()
  const says = (sentence: string) => (_: string, mended: string) =>
    `${sentence}; did you mean ${show(mended)}?`
  return explainText(refusal, [
    [
      /^.*?(?=[^/\s]+\/+\d+(?![\d\p{L}]))/gsu,
      '/',
      says('must begin with a slash and the category'),
    ],
    [/[^/\s]+(?=\/+\d)/g, meant, says(isCase ? LOWER_CASE : `unknown category ${show(category)}`)],
    [/\/{2,}(?=\d)/g, '/', says('one slash must stand before the number')],
    [/(?<=\/)\d+(?![\d\p{L}])/gu, id, says('the number must have three digits')],
    [/(?<=\/\d+)\D.*$/gs, '', says('nothing may follow the number')],
  ])
}

const LOWER_CASE = 'the category must be in lower case'

function explainTitle(refusal: Refusal): Explanation | undefined {
  const { path } = refusal.record as { path?: unknown }
  const title = typeof path === 'string' ? titleOf(path) : ''
  if (!makeAccepts(refusal)(title)) return undefined
  return { message: `must be ${show(title)} to fit the path, but is ${show(refusal.value)}` }
}

/** Whether a title has the same mistake as its path, so that to mend the path is to know of both. */
export function sharesMistake(title: unknown, path: unknown): boolean {
  if (typeof title !== 'string' || typeof path !== 'string') return false
  const [, category, number] = PATH.exec(path.slice(-LONGEST_PATH)) ?? []
  return title.toLowerCase() === `${category} page ${number}`.toLowerCase()
}

// 4. Bodies ---------------------------------------------------------------------------------------

const ALLOWED = '&amp; &lt; &gt; &quot; &apos; &nbsp;'
const ONLY = 'a body is made of <p> elements and text'

const BODY: readonly Mend[] = [
  [/<[!?][^<>]*>/g, '', `a comment is not allowed; ${ONLY}`],
  [/<\/?(?!p[\s/>])[a-z][^<>]*>/gi, '', refuseElement],
  [/<p\s+[^\s>][^<>]*>/gi, '<p>', 'a paragraph has no attributes; write <p>'],
  [/<\/?(?:P[\s/]*|p[\s/]+)>/g, plainTag, (found) => `write the tag as ${plainTag(found)}`],
  [/<(?!\/?p>)/g, '&lt;', 'write < as &lt;'],
  [/(?<!<\/?p)>/g, '&gt;', 'write > as &gt;'],
  [
    /&(?:amp|lt|gt|quot|apos|nbsp)(?![\w;])/g,
    (found) => `${found};`,
    (found) => `${found} must end in a semicolon: ${found};`,
  ],
  [
    /&#(?:\d+|x[\da-f]+);/gi,
    'x',
    (found) => `${found} stands for no character; browsers show \ufffd for it`,
  ],
  [/&\w+;/g, decodeEntity, refuseEntity],
  [/&(?!#?\w+;)/g, '&amp;', 'write & as &amp;'],
  [/[^\P{Cc}\t\n]/gu, '', refuseControl],
  [/(?=<p>)(?<=<p>\s*)<p>/g, '', 'this <p> stands in another; remove it'],
  [/(?=<p>)(?<=<p>[^<]+)/g, '</p>', 'a </p> is missing before this <p>'],
  [/<p>[^<]*$/g, (found) => `${found}</p>`, 'a </p> is missing at the end of this paragraph'],
  [/(?<=^|<\/p>)<\/p>/g, '', 'this </p> ends no paragraph; remove it'],
  [/<p>\s*<\/p>/g, '<p>x</p>', 'this paragraph has no text; write some, or remove it'],
  [/(?<=^|<\/p>)\s+(?=<p>|$)/g, '', 'no space or line break may stand here; remove it'],
  [
    /(?<=^|<\/p>)[^<]+(?=<p>|$)/g,
    (found) => `<p>${found}</p>`,
    'text must stand in a paragraph: <p>…</p>',
  ],
  [/^$/g, '<p>x</p>', 'a body has at least one paragraph, such as <p>Text.</p>'],
  [
    /(?<=^(?:<p>[^<]*<\/p>){5})<p>.*$/gs,
    '',
    'a sixth paragraph begins here; a body has one to five',
  ],
]

function refuseElement(tag: string): string {
  const name = tag
    .slice(0, 40)
    .replace(/^<\/?([^\s/>]*).*$/s, '$1')
    .toLowerCase()
  const tip = name === 'br' ? 'begin a new paragraph with </p><p>' : ONLY
  return `the element <${name}> is not allowed; ${tip}`
}

function plainTag(tag: string): string {
  return tag.startsWith('</') ? '</p>' : '<p>'
}

/** @returns the character that a named entity such as "&eacute;" stands for; "&amp;" as it is */
function decodeEntity(entity: string): string {
  if (ALLOWED.includes(entity)) return entity
  const { parseFragment } = require('parse5') as typeof import('parse5')
  const [node] = parseFragment(entity).childNodes
  const decoded = node && 'value' in node ? node.value : ''
  return decoded.replace(/[&<>]/g, (found) => ESCAPED[found] as string)
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function refuseEntity(entity: string): string {
  const character = decodeEntity(entity)
  if (character.endsWith(entity.slice(1)) && character.length > 5) {
    return `there is no entity ${entity.slice(0, 40)}; write & as &amp;`
  }
  const instead = character.length > 2 ? character : `${character} itself`
  return `write ${instead}; the only names allowed are ${ALLOWED}`
}

function refuseControl(found: string): string {
  return `the control character ${nameOf(found)} is not allowed; remove it`
}

// 5. Times ----------------------------------------------------------------------------------------

const TIME: readonly Mend[] = [
  [/(?<=^\d{4}-\d\d-\d\d)[t\s]+(?=\d)/g, 'T'],
  [/(?<=:\d\d),(?=\d)/g, '.'],
  [/(?<=\.\d{9})\d+/g, ''],
  [/\s*(?:z|utc)\s*$/gi, 'Z'],
  [/(?<=[+-]\d\d)(?=\d\d$)/g, ':'],
  [/(?<=:\d\d[+-]\d\d)$/g, ':00'],
  [/(?<=T\d\d:\d\d)(?=Z|[+-]|$)/g, ':00'],
  [
    /(?<=T\d\d:\d\d:\d\d(?:\.\d+)?)$/g,
    'Z',
    'must end in a time zone: Z for UTC, or such as +02:00',
  ],
  [/(?<=^\d{4}-)(?:00|1[3-9]|[2-9]\d)/g, '01', (found) => `there is no month ${found}`],
  [/(?<=^\d{4}-\d\d-)(?:00|3[2-9]|[4-9]\d)/g, '01', (found) => `there is no day ${found}`],
  [/(?<=^\d{4}-02-)3[01]/g, '01', (found) => `there is no ${found} February`],
  [/(?<=^\d{4}-02-)29/g, '01', 'there is no 29 February in this year'],
  [/(?<=^\d{4}-(?:04|06|09|11)-)31/g, '01', 'there is no day 31 in this month'],
  [
    /(?<=T)(?:2[4-9]|[3-9]\d)/g,
    '00',
    (found) => `there is no hour ${found}; a day begins with 00:00:00`,
  ],
  [/(?<=T\d\d:)[6-9]\d/g, '00', (found) => `there is no minute ${found}`],
  [/(?<=T\d\d:\d\d:)(?:6[1-9]|[7-9]\d)/g, '00', (found) => `there is no second ${found}`],
  [/(?<=T\d\d:\d\d:)60/g, '59', 'there is no second 60 but a leap second, at 23:59:60 UTC'],
  [
    /[+-](?:(?:2[4-9]|[3-9]\d):\d\d|\d\d:[6-9]\d)$/g,
    'Z',
    (found) => `there is no time zone ${found}`,
  ],
]

// 6. Fields ---------------------------------------------------------------------------------------

const NAME: readonly Mend[] = [[/^.+$/gs, toName]]

function toName(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '')
}

const LINE: readonly Mend[] = [
  [
    /\r\n|[\n\r\u2028\u2029]/g,
    ' ',
    'must be one line; put a space in the place of this line break',
  ],
  [/\p{Cc}/gu, '', refuseControl],
]
