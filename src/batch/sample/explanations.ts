/** How the paths, bodies, times and forms of the sample are mended, by their places in a batch. */

import { createRequire } from 'node:module'
import { LOOKALIKE, toAscii } from '../../text/lookalikes.ts'
import { nameOf, nearest, show } from '../../text/wording.ts'
import {
  DID,
  type Explainer,
  LOOKALIKES,
  type Mend,
  makeAccepts,
  nameDigit,
  type TextSchema,
  toDigit,
} from '../mend.ts'

const require = createRequire(import.meta.url)

export const SAMPLE_EXPLANATIONS: readonly Explainer[] = [
  [/^\/# required$/, (_, general) => addNull(general)],
  [/^\/#\/form\/fields minItems$/, (_, general) => general + NULL],
  [/^\/#\/path pattern$/, mendPath],
  [/^\/#\/contentHtml pattern$/, (value) => (/^\s*&lt;p&gt;/.test(String(value)) ? ESCAPED : BODY)],
  [/^\/#\/(created|updated)At (pattern|format)$/, () => TIME],
  [/^\/#\/form\/fields\/#\/name pattern$/, () => [[/^.+$/gs, toName]]],
  [/^\/#\/(?:form\/fields\/#\/)?\w+ pattern$/, () => LINE],
]

const NULL = '; a page without a form has "form": null'

function addNull(general: string): string | undefined {
  return / key "form"$/.test(general) ? general + NULL : undefined
}

const PATH = /([^/\s]+)\/+(\d+)(?![\d\p{L}])/u

function mendPath(value: unknown, _: string, schema: TextSchema): Mend[] | undefined {
  const text = String(value).replace(LOOKALIKE, toAscii)
  const [found, category = '', number = ''] = PATH.exec(text) ?? []
  const [, words] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(schema.pattern ?? '') ?? []
  if (found === undefined || words === undefined) return undefined
  const accepts = makeAccepts(schema)
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
