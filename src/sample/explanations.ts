/** How the paths, bodies, times and other texts of the sample are mended, by their places. */
import { createRequire } from 'node:module'
import type { Explainer, Mend, TextSchema } from '../batch/mend.ts'
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'

const require = createRequire(import.meta.url)

export const SAMPLE_EXPLANATIONS: readonly Explainer[] = [
  [/^\/#\/path pattern$/, mendPath],
  [/^\/#\/contentHtml pattern$/, mendBody],
  [/^\/#\/(?:created|updated)At (?:pattern|format)$/, mendTime],
  [/^\/#\/form\/fields\/#\/name pattern$/, toName],
  [/^\/#\/(?:form\/fields\/#\/)?\w+ pattern$/, toLine],
]

/** The expressions are slow on longer texts. */
const LONGEST_LINE = 200

/** Takes the categories from the pattern. */
function mendPath(value: string, { pattern = '' }: TextSchema): readonly Mend[] | string {
  const [, category = '', number = ''] =
    /([^/\s]+)\/+(\d+)(?![\d\p{L}])/u.exec(value.slice(0, LONGEST_LINE)) ?? []
  const [, words = ''] = /\(\?:((?:[a-z]+\|)+[a-z]+)\)/.exec(pattern) ?? []
  const [first = '', ...others] = words.split('|')
  const meant = nearest(category, [first, ...others])
  if (meant) return `/${meant}/${number.replace(/^0+/, '').padStart(3, '0')}`
  const known = [first, ...others].join(', ')
  const says = `unknown category ${show(category)}; known categories: ${known}`
  return /^\/[^/]+\/\d+$/.test(value) ? [[/^.*$/gs, `/${first}/001`, says]] : value
}

const ALLOWED = '&amp; &lt; &gt; &quot; &apos; &nbsp;'
const ESCAPED =
  'this body is escaped once too often; write < instead of each &lt;, > instead of &gt; and & instead of &amp; (what else is wrong with it was not checked)'
const UNSEEN =
  'comments, <head>, <script> and <style> are not allowed; first move what readers should see of it into a paragraph, then remove it (the rest is lost)'
const TABLE =
  'a table is not allowed; write it as a paragraph, with a comma between its cells and a semicolon between its rows (what is in it was not checked)'
const NO_TEXT = 'a body has at least one paragraph, such as <p>Text.</p>'
const BREAK =
  'the element <br> is not allowed; write </p><p> instead, but nothing between paragraphs or at the end of one'
const NO_ELEMENT =
  'this is no element; write < as &lt; and > as &gt; if readers should see it, else remove it'
const UNKNOWN = 'write & as &amp;, or the character that is meant as itself'
const NO_CHARACTER =
  'this number is no character; write the one that is meant as itself (an emoji is one, not two numbers)'
const EMPTY = 'remove this empty paragraph'
const TAGS = 'write the tags as <p> and </p>, without attributes'
const INNER = 'this <p> is inside another; write &lt;p&gt; if readers should see it, else remove it'
const OUTSIDE =
  'text must be inside paragraphs; put each part of it into <p> and </p>, nothing between them and without marks of Markdown such as # or **, or remove it (it is lost)'
const SIXTH =
  'a sixth paragraph begins here, and five are allowed; write a space instead of </p><p> here and between those after it'

/** An element that stands where a paragraph must. */
const BLOCK =
  /<(div|section|article|h[1-6]|pre|blockquote|li|d[dt])\b[^<>]*>(?<!<p>[^<]*<[^<]*)[^<]+<\/\1>/gi
const TABLES = /(?:<p>\s*)?<table\b[^<>]*>\s*<[a-z](?:(?!<table\b).)*?<\/table>(?:\s*<\/p>)?/gis
/** The tag of an element, and not a text such as <ann@example.com> or List<Item>. */
const ELEMENT =
  /<\/?(?![pP][\s/>])(?:[a-z][a-z\d]*|[A-Z][A-Z\d]*)(?:[:-][\w:-]+)?(?:\s[^<>=]*=[^<>]*|\s*\/?)>/g

const BODY: readonly Mend[] = [
  [/^\s*&lt;p(?:&gt;|>).*$/gs, '<p>x</p>', ESCAPED],
  [/<\\+(?=\/)/g, '<', 'remove the backslash after this <'],
  [
    /[^\P{Cc}\t\n]/gu,
    ' ',
    'a control character is not allowed, and in JSON \\b and \\f are two; write a backslash as \\\\, and others as a space',
  ],
  [
    /<!--.*?(?:-->|$)|<!\[CDATA\[|\]\]>|<[!?][^<>]*>|<(script|style)\b.*?(?:<\/\1>|$)/gis,
    '',
    UNSEEN,
  ],
  // Not beyond the next start, so that those without an end are searched once.
  [/<head\b[^<>]*>\s*<[a-z](?:(?!<head\b).)*?<\/head>/gis, '', UNSEEN],
  [TABLES, '<p>x</p>', TABLE],
  [/^(?:\s|<p>|<\/p>|<br\s*\/?>)*$/gi, '<p>x</p>', NO_TEXT],
  [/<p\b[^<>]*>\s*(?:<br\s*\/?>\s*)*<\/p>|(?<=<\/p>)<p\s*\/>/gi, '', EMPTY],
  // The lookbehinds keep long runs from being searched from each of their characters.
  [/(?<=^|<\/?p>)(?:\s*<br\s*\/?>)+/gi, '', BREAK],
  [/(?=<br)(?<!<br\s*\/?>\s*)(?:<br\s*\/?>\s*)+(?=<\/?p>|$)/gi, '', BREAK],
  [/(?<!\s)\s*(?:<br\s*\/?>\s*)+/gi, '</p><p>', BREAK],
  [BLOCK, (found) => found.replace(/^<[^<>]*>/, '<p>').replace(/<[^<>]*>$/, '</p>'), refuseBlock],
  [ELEMENT, (tag) => (/ (?:src|data|value)=/.test(tag) ? 'x' : ''), refuseElement],
  [/<\/?(?!p[\s/>])[a-z][^<>]*>/gi, (tag) => `&lt;${tag.slice(1, -1)}&gt;`, NO_ELEMENT],
  [/<\s*\/\s*p\s*>/gi, '</p>', TAGS],
  [/<\s*\/\s*p\s*(?=<|$)/gi, '</p>', 'the > of this tag is missing'],
  [/(?<!<|&lt;|\/)\/p>|(?<=<\/p>|<p>[^<]+<p>)p>/gi, '<{found}', 'the < of this tag is missing'],
  [/<p\s*\/?>(?<=<p>[^<]+<[^<]*)(?=\s*(?:<p>|$))/gi, '</p>', 'write </p> here'],
  [/<\s*p(?:\s[^<>]*|[\s/]*)>/gi, '<p>', TAGS],
  [/<(?!\/?p>)/g, '&lt;', 'write < as &lt;, or complete the tag that it begins'],
  [/(?<!<\/?p)>/g, '&gt;', 'write > as &gt;, or complete the tag that it ends'],
  [/(?<=&)\s+(?=(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[\da-f]+);)/gi, '', 'remove the space after &'],
  [
    /&(?:(?:amp|lt|gt|quot|apos|nbsp|#[xX][\da-fA-F]{1,6})(?![\w;=])|#\d{1,7}(?![\d;]))/g,
    '{found};',
    'a semicolon must follow {found}',
  ],
  [/&#?\w{1,40};/g, decodeEntity, refuseEntity],
  [/&(?=#?\w)(?!#?\w{1,40};)/g, '&amp;', UNKNOWN],
  [/&(?!#?\w)/g, '&amp;', 'write & as &amp;'],
  [/<p>(?<=<p>\s*<p>)/g, '', INNER],
  [/(?=<p>)(?<=<p>[^<]+)/g, '</p>', 'a </p> is missing before this <p>'],
  [/<p>[^<]*$/g, '{found}</p>', 'a </p> is missing at the end of this paragraph'],
  [/(?<=^|<\/p>)(?=[^<]*<\/p>)\s*[^<\s][^<]*/g, '<p>{found}', 'a <p> is missing before this text'],
  [/<\/p>(?<=(?:^|<\/p>)<\/p>)/g, '', 'this </p> has no <p>; remove it'],
  [/<p>\s*<\/p>/g, '', EMPTY],
  [/(?<=^|<\/p>)\s+(?=<p>|$)/g, '', 'a space or line break is not allowed here; remove it'],
  [/(?<=^|<\/p>)[^<]+(?=<p>|$)/g, '<p>{found}</p>', OUTSIDE],
  // To the end, so that it is searched once.
  [/<\/p><p>(?<=^(?:<p>[^<]*<\/p>){5}<p>).*$/gs, (rest) => rest.replaceAll('</p><p>', ' '), SIXTH],
]

/** With a schema that allows some of what the table refuses, it does not fit. */
function mendBody(text: string, { pattern = '' }: TextSchema): readonly Mend[] | string {
  const isAllowed = (part: string) => new RegExp(pattern, 'u').test(`<p>b${part}</p>`)
  const inline = ['b', 'i', 'u', 'em', 'strong', 'code'].map((name) => `<${name}>b</${name}>`)
  const others = ['<br>', '<a href="/b">b</a>', '&', '&eacute;', '</p> <p>b', '</p><h2>b</h2><p>b']
  return [...inline, ...others, '</p><p>b'.repeat(5)].some(isAllowed) ? text : BODY
}

function refuseBlock(found: string): string {
  return `the element <${nameOfTag(found)}> is not allowed; write <p> and </p> instead`
}

function refuseElement(tag: string): string {
  return `the element <${nameOfTag(tag)}> is not allowed; write < as &lt; if readers should see it, else remove its tags, not the words between them, but write what they show or link to as text, and a space or </p><p> where they part words`
}

function nameOfTag(tag: string): string {
  return /[^\s</>]+/.exec(tag.slice(0, 40).toLowerCase())?.[0] ?? ''
}

/** Decodes an entity such as "&eacute;". Those allowed in a body are left as they are. */
function decodeEntity(entity: string): string {
  if (ALLOWED.includes(entity)) return entity
  const { parseFragment } = require('parse5') as typeof import('parse5')
  const [node] = parseFragment(entity).childNodes
  const character = node && 'value' in node ? node.value : '&'
  if (entity.startsWith('&#') && character !== '\ufffd' && character !== entity) return entity
  return /^[&<>\ufffd]/.test(character) ? `&amp;${entity.slice(1)}` : character
}

function refuseEntity(entity: string): string {
  const character = decodeEntity(entity)
  if (!character.startsWith('&'))
    return `write ${character} itself; the only names allowed are ${ALLOWED}`
  return entity.startsWith('&#') ? NO_CHARACTER : UNKNOWN
}

function mendTime(text: string): readonly Mend[] | string {
  if (text.length > LONGEST_LINE) return text
  const mended = text
    .replace(/^(\d\d?)\.(\d\d?)\.(\d{4})(?=\D)/, (_, day: string, month: string, year) => {
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    })
    .replace(/(?<=^\d{4}-\d\d-\d\d)[t\s]+(?=\d)/, 'T')
    .replace(/(?<=:\d\d),(?=\d)/, '.')
    .replace(/\s*(?:z|utc)\s*$/i, 'Z')
    .replace(/(?<=[+-]\d\d)(?=\d\d$)/, ':')
    .replace(/(?<=:\d\d[+-]\d\d)$/, ':00')
    .replace(/(?<=T\d\d:\d\d)(?=Z|[+-]|$)/, ':00')
  if (!/T[\d:.]+$/.test(mended)) return mended
  const utc = `${mended}Z`
  const says = `must end in its time zone: ${show(utc)} if it is in UTC, else an offset such as +02:00`
  return [[/^.+$/gs, utc, says]]
}

function toName(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^\p{L}\d]+/gu, '-').replace(/^-+|-+$/g, '')
}

function toLine(text: string): string {
  return text.replace(/\s*[\n\r\u2028\u2029]\s*/g, ' ').replace(/\p{Cc}/gu, '')
}
