/** Finds the first place where a text is no JSON, and says what is wrong there. */

import type { JsonToken } from '../../page/facts.ts'
import { type Edit, type Fault, type Range, textFault } from '../../page/fault.ts'
import { toAscii } from '../../text/lookalikes.ts'

/** The first token that may not stand where it is, what must come there, and what is before it. */
interface Spot extends Token {
  text: string
  /** What must come there. */
  due: readonly JsonToken[]
  /** The brackets that are open there. */
  open: Token[]
  /** What follows, and the word or character that it begins with; both are empty at the end. */
  rest: string
  found: string
  /** The token before it. */
  last: Token
}

interface Token extends Range {
  /** Undefined at the start, and for what is no token of JSON. */
  kind?: JsonToken | undefined
}

const SIGNS: readonly JsonToken[] = ['{', '}', '[', ']', ':', ',']

/** Returns the first fault from a place on. What JSON.parse says differs between versions of Node. */
export function findSyntaxError(text: string, from = 0): Fault {
  const spot = findSpot(text, { start: from, end: from }, [])
  return (
    ofConflict(spot) ??
    ofString(spot) ??
    ofCharacter(spot) ??
    ofComma(spot) ??
    ofQuote(spot) ??
    ofWord(spot) ??
    ofOther(spot)
  )
}

/** White space, and what may be a token: a text, even without its end, a word or a character. */
const TOKEN = /[ \t\n\r]*("[^\n\r]*?"(?<=[^\\](?:\\\\)*")|"[^\n\r]*|[-+.\w]+|[\s\S]|$)/y
const WORD = /^[-+.$\w\p{L}\p{M}\p{N}]+/u

/**
 * @param last the token to go on after
 * @param open the brackets that are open there
 */
function findSpot(text: string, last: Token, open: Token[]): Spot {
  for (;;) {
    TOKEN.lastIndex = last.end
    const [spaces = '', token = ''] = TOKEN.exec(text) ?? []
    const end = last.end + spaces.length
    const start = end - token.length
    const due = dueAfter(last.kind, open.at(-1)?.kind)
    const sign = SIGNS.find((each) => each === token)
    const inner = due.includes('key') && token.startsWith('"') ? 'key' : 'value'
    const kind = sign ?? (isJson(token) ? inner : undefined)
    const isOpening = kind === '{' || kind === '['
    if (!kind || !due.includes(isOpening ? 'value' : kind)) {
      const rest = text.slice(start)
      const [found = ''] = WORD.exec(rest) ?? rest
      return { text, start, end, kind, rest, found, last, due, open }
    }
    last = { kind, start, end }
    if (isOpening) open.push(last)
    if (kind === '}' || kind === ']') open.pop()
  }
}

/** What may come after a token; nothing after the value of the file. */
function dueAfter(last: JsonToken | undefined, open: JsonToken | undefined): JsonToken[] {
  if (last === 'key') return [':']
  if (last === undefined || last === ':') return ['value']
  const item = open === '{' ? 'key' : 'value'
  const closing = open === '{' ? '}' : ']'
  if (last === ',') return [item]
  if (last === '{' || last === '[') return [item, closing]
  return open ? [',', closing] : []
}

function span(start: number, length = 1): Range {
  return { start, end: start + length }
}

/** Returns the line of a place, from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

const MARKS = /^(?:<{7}|\|{7}|={7}|>{7})(?= |$).*$/gm

function ofConflict({ text, start }: Spot): Fault | undefined {
  const marks = [...text.matchAll(MARKS)]
  const first = marks.find(({ index }) => index === start)
  if (!first) return undefined
  const lines = marks.map(({ index }) => lineOf(text, index))
  return textFault('json.conflict', span(start, first[0].length), { lines })
}

/** An escape; or what is wrong: a control character, or a backslash that begins no escape. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|([^ -\uffff]|\\u?[\s\S]?)/g

/** A string that is broken in itself. */
function ofString({ text, found, kind, start, end, last }: Spot): Fault | undefined {
  if (found !== '"' || kind) return undefined
  const token = text.slice(start, end)
  for (const { 1: wrong, index } of token.matchAll(ESCAPE)) {
    if (wrong === undefined) continue
    const range = span(start + index, wrong.length)
    if (wrong.startsWith('\\')) return textFault('json.escape', range, { escape: wrong })
    return textFault('json.control-character', range, { escape: JSON.stringify(wrong) })
  }
  if (last.kind !== ':' && end < text.length && /^"[\s,:\]}]*$/.test(token))
    return textFault('json.quote-extra', span(start))
  // After another one, it may be the end of a quotation.
  const [, before] = /^("[^“”„‟«»]*)[“”„‟«»][\s,:\]}]*$/.exec(token) ?? []
  if (before) return ofLookalike(text, [start + before.length], '"', true)
  // If what follows a text comes after the next quote, that one ends this text.
  const [goesOn] = /^[^"]+"(?=[ \t]*(?:[,:\]}\r\n]|$))/.exec(text.slice(end)) ?? []
  if (goesOn !== undefined)
    return textFault('json.line-break', span(end), { line: lineOf(text, end + goesOn.length) })
  return textFault('json.string-end', { start, end })
}

/** White space that JSON does not know, or nothing to see at all. */
const ODD = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}]/u
/** Spaces that begin a line, some of which JSON does not know. */
const INDENT = /(?<![^\r\n])[ \t]*(?:[^\S \t\r\n]|\p{Cf})(?:[^\S\r\n]|\p{Cf})*/gu
/** What is in quotes of other alphabets, with an apostrophe or without, before what follows a text. */
const QUOTED =
  /^[“”„‟«»‘’‚‛′＂](?:[^"\n\r\\“”„‟«»‘’‚‛′＂]|(?<=\p{L})’(?=\p{L}))*["“”„‟«»‘’‚‛′＂](?=[ \t]*(?:[,:\]}]|$))/mu

/** A character that JSON does not have outside of texts. */
function ofCharacter({ text, found, rest, start, due }: Spot): Fault | undefined {
  if (/^(?:#|\/[/*])/.test(rest)) return textFault('json.comment', span(start))
  if (rest.startsWith('```')) return textFault('json.fence', span(start, 3))
  const [odd] = ODD.exec(rest) ?? []
  if (odd !== undefined) {
    const others = text.split(odd).length - 2
    const fault = textFault('json.invisible', span(start, odd.length), { character: odd, others })
    const fix = Array.from(rest.matchAll(INDENT), ({ index, 0: spaces }) => {
      const text = spaces.replace(/\p{Cf}/gu, '').replace(/[^\t]/g, ' ')
      return { ...span(start + index, spaces.length), text }
    })
    // Without it, two words would be one.
    const isBetween = /^\p{Cf}+\w/u.test(rest) && /\w/.test(text.charAt(start - 1))
    return fix[0]?.start === start && !isBetween ? { ...fault, fix } : fault
  }
  const like = toAscii(found)
  const meant = /['`]/.test(like) ? '"' : like
  const isTextDue = due.includes('key') || due.includes('value')
  if (meant === found || !(isTextDue ? '":,[]{}' : ':,[]{}').includes(meant)) return undefined
  const quoted = isTextDue && QUOTED.exec(rest)
  if (quoted) return ofLookalike(text, [start, start + quoted[0].length - 1], meant, true)
  const isSure = due.some((sign) => sign === meant)
  return ofLookalike(text, [start], meant, isSure)
}

/** Characters that stand where one of JSON must. */
function ofLookalike(text: string, at: number[], meant: string, isSure: boolean): Fault {
  const [start = 0] = at
  const found = text.charAt(start)
  const others = text.split(found).length - 2
  const fault = textFault('json.lookalike', span(start), { character: found, meant, others })
  const wrong = at.filter((each) => text[each] !== meant)
  const fix = wrong.map((each): Edit => ({ ...span(each), text: meant }))
  return isSure ? { ...fault, fix } : fault
}

/** A comma that is missing, or has nothing before or after it. */
function ofComma(spot: Spot): Fault | undefined {
  const { text, open } = spot
  const fault = findComma(spot)
  if (!fault) return undefined
  const at = fault.range as Range
  if (fault.code !== 'json.comma-missing') {
    // The bracket after it is one too many, if more follows the value that it ends.
    const isEnd = spot.kind !== ',' && open.length === 1 && /\S/.test(text.slice(spot.end))
    // In [1,,3], a number may be missing.
    const isHole = /^\d,[ \t]*,[ \t]*[-\d]/.test(text.slice(spot.last.start - 1, spot.end + 3))
    return isEnd || isHole ? fault : { ...fault, fix: [{ ...at, text: '' }] }
  }
  const next = findSpot(text, { kind: ',', ...at }, open)
  const isWhole = next.found === '' && next.due.length === 0
  // If brackets do not fit then, one is missing, perhaps here. And a comma may be within the quotes.
  const isUnsure = /^[[\]{}]?$/.test(next.found) && !isWhole && !findComma(next)
  // 1 200 may be one number.
  const between = text.slice(at.start - 1, spot.start + 1)
  const isOneNumber = /^\d[ \t]+[-\d]$/.test(between)
  // What ends in a comma or a space may go on in the next text.
  const goesOn = /^[ ,]"|"[ ,]$/.test(text.slice(at.start - 2, spot.start + 2))
  if (isUnsure || isOneNumber || goesOn) return fault
  return { ...fault, fix: [{ ...at, text: ',' }] }
}

function findComma({ text, kind, rest, start, end, last, due, open }: Spot) {
  const isObject = open.at(-1)?.kind === '{'
  if (last.kind === ',' && kind === (isObject ? '}' : ']'))
    return textFault('json.comma-trailing', span(last.start))
  if (due.length === 0 && /^,[ \t\r\n]*$/.test(rest))
    return textFault('json.comma-trailing', span(start))
  if (kind === ',' && /[{[,]/.test(String(last.kind)))
    return textFault('json.comma-extra', span(start))
  if (!due.includes(',') || (kind !== 'value' && kind !== '{' && kind !== '[')) return undefined
  const isKey = rest.startsWith('"') && /^[ \t\r\n]*:/.test(text.slice(end))
  const isStuck = last.end === start && last.kind === 'value' && kind === 'value'
  if (isStuck || isKey !== isObject) return undefined
  return textFault('json.comma-missing', span(last.end, 0))
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

/** Whether words go on to a quote, which ends no other key or value. */
function goesOn(rest: string): boolean {
  const [run = ''] = /^[^"\n\r]*(?=")/.exec(rest) ?? []
  const words = run.trimEnd()
  return /^[^:,[\]{}]/.test(words) && /[^\s:,[{]$/.test(words) && /[\p{L}\p{N}]/u.test(words)
}

/** A quote that is missing, or one too many, before a text or in it. */
function ofQuote({ text, rest, found, start, last }: Spot): Fault | undefined {
  if (text[last.start] !== '"') return undefined
  if (rest.startsWith('"') ? last.end < start : !goesOn(rest)) return undefined
  const inside = text.slice(last.start + 1, last.end - 1)
  if (inside === '') return textFault('json.quote-extra', span(last.start + 1))
  if (/^"[ \t]*[,:\]}]/.test(rest)) return textFault('json.quote-extra', span(start))
  const [ending] = /[\]}]*[ \t]*[,:][ \t]*$/.exec(inside) ?? []
  if (ending !== undefined && /^[^"]*"[ \t]*(?:[,:\]}]|$)/m.test(rest)) {
    const before = `before this ${ending.trim().charAt(0)}`
    return textFault('json.quote-missing', span(last.end - 1 - ending.length), { where: before })
  }
  return textFault('json.quote', span(last.end - 1), { text: inside, next: found })
}

/** A word without quotes. */
function ofWord({ rest, found, start, last, due }: Spot): Fault | undefined {
  const isKeyDue = due.includes('key')
  if (!(isKeyDue || due.includes('value'))) return undefined
  const range = span(start, found.length)
  const after = rest.slice(found.length)
  const [, sign] = /^[^"\n\r:,[\]{}]*"\s*([:,\]}]|$)/.exec(after) ?? []
  if (sign !== undefined && isKeyDue === (sign === ':'))
    return textFault('json.quote-missing', range, { where: 'before this' })
  const isAlone = last.kind === ':' || (last.kind && /^\s*[,\]}]/.test(after))
  if (isKeyDue || !isAlone || !/\w/.test(found)) return undefined
  const near = ['true', 'false', 'null'].filter((each) => each === found.toLowerCase())
  if (/^(?:none|nil|undefined|nan)$/i.test(found)) near.push('null')
  const number = Number(found)
  if (Number.isFinite(number)) near.push(String(number))
  return textFault('json.word', range, { word: found, near })
}

/** The end of the text, or what no rule above explains. */
function ofOther({ text, rest, found, start, last, due, open }: Spot): Fault {
  if (due.length === 0 && found === '') throw new Error('the text is JSON')
  const range = span(start, found.length)
  if (due.length === 0) {
    const isLine = !text.slice(0, last.end).trim().includes('\n')
    const [sign = ''] = /^:|^,(?=\s*\{)|^\{/.exec(rest) ?? []
    const whole = (sign === '{' ? isLine : !/^\s*\[/.test(text)) ? sign : ''
    return textFault('json.after-end', range, { line: lineOf(text, last.end), sign: whole })
  }
  if (last.kind === 'key' && text.startsWith(':"', last.end - 2))
    return textFault('json.colon-inside', span(last.end - 2))
  const bracket = open.at(-1)
  const line = lineOf(text, bracket?.start ?? 0)
  if (found === '') return textFault('json.end', range, { due, bracket: bracket?.kind, line })
  return textFault('json.unexpected', range, { found, due, bracket: bracket?.kind, line })
}
