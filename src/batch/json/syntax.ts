/** Finds the first place where a text is no JSON, and says what is wrong there. */
import { createRequire } from 'node:module'
import type { Edit, Range, Violation } from '../../page/violation.ts'
import { toAscii } from '../../text/lookalikes.ts'
import { type Due, faultAt } from '../sentences.ts'

const require = createRequire(import.meta.url)

/** The first token that may not stand where it is, what must come there, and what is before it. */
interface Spot extends Range, Due {
  text: string
  /** Whether the token is one of JSON. */
  isToken: boolean
  /** What is wrong within it, as jsonc-parser numbers it. */
  error: number
  /** The last bracket, separator, key or value, and its place. */
  last: Range & { kind: Kind }
}

type Container = NonNullable<Due['open']>['kind']
type Kind = 'start' | 'opening' | 'key' | 'colon' | 'comma' | 'value'

/** Numbers of jsonc-parser: of tokens, and of a text without an end. */
const [COMMENT, LINE_BREAK, SPACE, OPEN_STRING] = [12, 14, 15, 2]

/** Returns the first fault from a place on. What JSON.parse says differs between versions of Node. */
export function findSyntaxError(text: string, from = 0): Violation {
  const spot = findSpot(text, from)
  return (
    ofConflict(spot) ??
    ofEnd(spot) ??
    ofString(spot) ??
    ofCharacter(spot) ??
    ofComma(spot) ??
    ofQuote(spot) ??
    ofWord(spot) ??
    ofBracket(spot)
  )
}

const KEY = 'a key in double quotes'
/** What a character makes of what is before it, and how it is called. */
const SIGNS: Record<string, [kind: Kind, name: string]> = {
  '{': ['opening', 'a value'],
  '[': ['opening', 'a value'],
  '}': ['value', 'a }'],
  ']': ['value', 'a ]'],
  ':': ['colon', 'a ":"'],
  ',': ['comma', 'a ","'],
}

function findSpot(text: string, from: number): Spot {
  const { createScanner } = require('jsonc-parser') as typeof import('jsonc-parser')
  const scanner = createScanner(text)
  scanner.setPosition(from)
  const open: { kind: Container; start: number }[] = []
  let last: Spot['last'] = { kind: 'start', start: from, end: from }
  for (;;) {
    const token: number = scanner.scan()
    if (token === LINE_BREAK || token === SPACE) continue
    const start = scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    const error: number = scanner.getTokenError()
    const inner = open.at(-1)
    const due = dueAfter(last.kind, inner?.kind)
    const sign = text.charAt(start)
    const isKey = sign === '"' && due.includes(KEY)
    const [kind, name] = isKey ? ['key' as const, KEY] : (SIGNS[sign] ?? ['value', 'a value'])
    const isToken = token < COMMENT && error === 0
    if (!isToken || !due.includes(name)) {
      const opened = inner && { kind: inner.kind, line: lineOf(text, inner.start) }
      return { text, start, end, isToken, error, last, due, open: opened }
    }
    last = { kind, start, end }
    if (kind === 'opening') open.push({ kind: sign === '{' ? 'object' : 'array', start })
    if (sign === '}' || sign === ']') open.pop()
  }
}

/** What must come after a token; nothing after the value of the file. */
function dueAfter(last: Kind, open?: Container): string {
  if (last === 'key') return 'a ":"'
  if (last === 'colon' || last === 'start') return 'a value'
  const isObject = open === 'object'
  const closing = isObject ? 'a }' : 'a ]'
  if (last === 'value') return open ? `a "," or ${closing}` : ''
  const item = isObject ? KEY : 'a value'
  return last === 'opening' ? `${item} or ${closing}` : item
}

/** Returns the line of a place, from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

const MARKS = /^(?:<{7}|\|{7}|={7}|>{7})(?= |$).*$/gm

function ofConflict({ text, start }: Spot): Violation | undefined {
  const marks = [...text.matchAll(MARKS)]
  const first = marks.find(({ 0: mark, index }) => start <= index + mark.length)
  if (!first || !text.slice(start, first.index).match(/^\s*$|^[^\n]*\n?$/)) return undefined
  const range = { start: first.index, end: first.index + first[0].length }
  const lines = marks.map(({ index }) => lineOf(text, index))
  return faultAt('json.conflict', range, lines)
}

function ofEnd(spot: Spot): Violation | undefined {
  const { text, start, due } = spot
  if (start < text.length) return undefined
  if (due === '') throw new Error('the text is JSON')
  return faultAt('json.end', { start, end: start }, spot)
}

/** A string that is broken in itself. */
function ofString({ text, error, start, end, last }: Spot): Violation | undefined {
  if (text[start] !== '"') return undefined
  const string = text.slice(start, end)
  if (error === 0) return undefined
  if (error !== OPEN_STRING) {
    const all = string.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|([^ -\uffff]|\\u?[\s\S]?)/g)
    const { index = 0, 0: found = '' } = [...all].find(([, bad]) => bad !== undefined) ?? {}
    const range = { start: start + index, end: start + index + found.length }
    if (found.startsWith('\\')) return faultAt('json.escape', range, found)
    return faultAt('json.control-character', range, JSON.stringify(found))
  }
  if (last.kind !== 'colon' && end < text.length && /^"[\s,:\]}]*$/.test(string))
    return faultAt('json.quote-extra', { start, end: start + 1 })
  // After another one, it may be the end of a quotation.
  const [, before] = /^("[^“”„‟«»]*)[“”„‟«»][\s,:\]}]*$/.exec(string) ?? []
  if (before) return ofLookalike(text, [start + before.length], '"', true)
  // A later line that has a quote, and begins no text of its own, ends this one.
  const [, goesOn = ''] =
    /^((?:\r?\n|\r)[ \t]*(?!["{}[\],])[^"\n\r]*)"[ \t]*(?:[,:\]}]|$)/m.exec(text.slice(end)) ?? []
  const line = lineOf(text, end + goesOn.length)
  if (goesOn !== '') return faultAt('json.line-break', { start: end, end: end + 1 }, line)
  return faultAt('json.string-end', { start, end })
}

/** White space that JSON does not know, or nothing to see at all. */
const ODD = /[\p{Z}\p{Cc}\p{Cf}\p{DI}]/u
/** Indentation that has such a character. */
const INDENT = /^[ \t]*[\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff][^\S\r\n]*/gm
const QUOTES = '“”„‟«»‘’‚‛′＂'

/** A character that JSON does not have outside of texts. */
function ofCharacter(spot: Spot): Violation | undefined {
  const { text, start } = spot
  const found = String.fromCodePoint(text.codePointAt(start) ?? 0)
  const range = { start, end: start + found.length }
  if (/^(?:#|\/[/*])/.test(text.slice(start, start + 2))) return faultAt('json.comment', range)
  if (text.startsWith('```', start)) return faultAt('json.fence', { start, end: start + 3 })
  if (ODD.test(found)) {
    const others = text.split(found).length - 2
    const fault = faultAt('json.invisible', range, found, others)
    const indents = [...text.matchAll(INDENT)].map(({ index, 0: indent }) => {
      const spaces = indent.replace(/[\u200b\ufeff]/g, '').replace(/[^ \t]/g, ' ')
      return { start: index, end: index + indent.length, text: spaces }
    })
    const isIndent = indents.some((each) => each.start <= start && start < each.end)
    if (isIndent) return { ...fault, fix: indents }
    return /\p{Zs}/u.test(found) ? { ...fault, fix: [{ ...range, text: ' ' }] } : fault
  }
  if (QUOTES.includes(found)) {
    const rest =
      /^.(?:[^"\n\r\\“”„‟«»‘’‚‛′＂]|(?<=\p{L})’(?=\p{L}))*["“”„‟«»‘’‚‛′＂](?=[ \t]*(?:[,:\]}]|$))/mu.exec(
        text.slice(start),
      )
    const isDue = spot.last.kind !== 'value' && spot.last.kind !== 'key'
    const isSure = rest !== null && isDue
    const both = isSure ? [start, start + rest[0].length - 1] : [start]
    return ofLookalike(text, both, '"', isSure)
  }
  if (found === "'" || found === '`') return ofLookalike(text, [start], '"', false)
  const meant = toAscii(found)
  if (meant === found || !'":,[]{}'.includes(meant)) return undefined
  return ofLookalike(text, [start], meant, spot.due.includes(meant))
}

/** Characters that stand where one of JSON must. */
function ofLookalike(text: string, at: number[], meant: string, isSure: boolean): Violation {
  const [start = 0] = at
  const found = text.charAt(start)
  const others = text.split(found).length - 2
  const fault = faultAt('json.lookalike', { start, end: start + 1 }, found, meant, others)
  const wrong = at.filter((each) => text[each] !== meant)
  const fix = wrong.map((each): Edit => ({ start: each, end: each + 1, text: meant }))
  return isSure ? { ...fault, fix } : fault
}

/** A comma that is missing, or has nothing before or after it. */
function ofComma(spot: Spot): Violation | undefined {
  const { text, isToken, start, end, last, due, open } = spot
  const found = text.charAt(start)
  const isObject = open?.kind === 'object'
  const remove = (range: Range) => ({ fix: [{ start: range.start, end: range.end, text: '' }] })
  if (last.kind === 'comma' && found === (isObject ? '}' : ']'))
    return { ...faultAt('json.comma-trailing', last), ...remove(last) }
  if (due === '' && /^,[ \t\r\n]*$/.test(text.slice(start)))
    return { ...faultAt('json.comma-trailing', { start, end }), ...remove({ start, end }) }
  if (found === ',' && (last.kind === 'comma' || last.kind === 'opening'))
    return { ...faultAt('json.comma-extra', { start, end }), ...remove({ start, end }) }
  if (!isToken || !due.includes(',') || /[\]}:,]/.test(found)) return undefined
  const isKey = found === '"' && /^[ \t\r\n]*:/.test(text.slice(end))
  const isApart = last.end < start || /[[{\]}]/.test(text.charAt(last.end - 1) + found)
  if (!isApart || isKey !== isObject) return undefined
  const at = { start: last.end, end: last.end }
  const fault = faultAt('json.comma-missing', at)
  // It may be within the quotes.
  if (text.endsWith(',"', last.end)) return fault
  // Before what is less indented, a brace may be missing.
  const isFurtherIn = indentOf(text, start) >= indentOf(text, last.start)
  const isSure = isFurtherIn || isJson(`${text.slice(0, last.end)},${text.slice(last.end)}`)
  return isSure ? { ...fault, fix: [{ ...at, text: ',' }] } : fault
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns how far the line of a place is indented. */
function indentOf(text: string, at: number): number {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at + 1)
  return line.search(/[^ \t]/)
}

/** A quote that is missing, or one too many, before a text or in it. */
function ofQuote({ text, start, last }: Spot): Violation | undefined {
  const [line = ''] = /^[^\n\r]*/.exec(text.slice(start)) ?? []
  if (text[last.start] !== '"' || last.end === last.start || /^[:,[\]{}]/.test(line))
    return undefined
  const inside = text.slice(last.start + 1, last.end - 1)
  // Up to the next quote of the line, if that is not the first of another key or value.
  const [, run] = /^([^"]*[^\s"]|)[ \t]*"/.exec(line) ?? []
  const isAdjacent = last.end === start
  const isOfText = run === '' ? isAdjacent : /[\p{L}\p{N}](?:.*[^:,[{])?$/u.test(run ?? '')
  if (!isOfText) return undefined
  if (inside === '' && isAdjacent)
    return faultAt('json.quote-extra', { start: last.end - 1, end: last.end })
  if (isAdjacent && /^"[ \t]*[,:\]}]/.test(line))
    return faultAt('json.quote-extra', { start, end: start + 1 })
  const [ending] = /[\]}]*[ \t]*[,:][ \t]*$/.exec(inside) ?? []
  if (ending !== undefined && /^[^"]*"[ \t]*(?:[,:\]}]|$)/.test(line)) {
    const at = last.end - 1 - ending.length
    const before = `before this ${ending.trim().charAt(0)}`
    return faultAt('json.quote-missing', { start: at, end: at + 1 }, before)
  }
  const next = /^\w+|^./u.exec(line)?.[0] ?? ''
  return faultAt('json.quote', { start: last.end - 1, end: last.end }, inside, next)
}

const WORD = /[-+.\w$\u0080-\uffff]+/y

/** A word without quotes. */
function ofWord(spot: Spot): Violation | undefined {
  const { text, last, open } = spot
  // A number or a word may have begun as a value, such as the year of a date.
  const isStuck =
    last.end === spot.start && /\w[-+.\w]/.test(text.slice(last.end - 1, last.end + 1))
  const start = isStuck ? last.start : spot.start
  WORD.lastIndex = start
  const [word] = WORD.exec(text) ?? []
  if (word === undefined) return undefined
  const range = { start, end: start + word.length }
  const rest = text.slice(range.end)
  if (/^(?:true|false|null)$/.test(word) && /^[^\s,:\]}]/.test(rest))
    return ofBracket({ ...spot, start: range.end, due: dueAfter('value', open?.kind) })
  const isKeyDue = spot.due.includes(KEY)
  const ending = isKeyDue ? /^[^"\n\r:,[\]{}]*"[ \t]*:/ : /^[^"\n\r:,[\]{}]*"[ \t]*(?:[,\]}]|$)/m
  if (last.kind !== 'value' && last.kind !== 'key' && ending.test(rest))
    return faultAt('json.quote-missing', range, 'before this')
  if (!isStuck && (last.kind === 'value' || last.kind === 'key' || isKeyDue)) return undefined
  const isNumber = /^[-+.]*\d/.test(word)
  const near = ['true', 'false', 'null'].filter((each) => each === word.toLowerCase())
  return /\w/.test(word) && (isStuck || isNumber || last.kind === 'colon' || near.length > 0)
    ? faultAt('json.word', range, word, near)
    : undefined
}

/** Anything else: a bracket, or what no rule above explains. */
function ofBracket(spot: Spot): Violation {
  const { text, start, last, due } = spot
  WORD.lastIndex = start
  const found = WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(start) ?? 0)
  const range = { start, end: start + found.length }
  if (due === '') return faultAt('json.after-end', range, lineOf(text, last.end))
  return faultAt('json.unexpected', range, found, spot)
}
