/** Says what is wrong at the first place where a text is not JSON. */
import type { AnyCode } from '../../fault/facts.ts'
import { type Fault, textFault } from '../../fault/fault.ts'
import { toAscii } from '../../text/lookalikes.ts'
import type { Range } from '../../text/range.ts'
import { explainByAttempts } from './attempts.ts'
import { explainEnd } from './bracket-attempts.ts'
import { findMissingBracket, type MissingBracket } from './brackets.ts'
import { findQuoted, findUnclosed, ODD } from './characters.ts'
import { findCommaFault } from './commas.ts'
import { findFixes } from './fixes.ts'
import { isOneLine, lineOf } from './layout.ts'
import { goesOnAsText, quoteInText } from './quote-attempts.ts'
import { isComplete, matchAt, rangeOfNext, readToFault, type Spot, startReading } from './tokens.ts'

/**
 * Returns the first fault of a text that isn't JSON. What `JSON.parse` says differs between versions of
 * Node.
 *
 * @param from where the value begins
 */
export function findSyntaxError(text: string, from = 0): Fault {
  if (text.slice(from).trim() === '') return textFault('file.empty', span(0, 0))

  const spot = readToFault(startReading(text, from))
  const fault = explainSpot(spot)

  const [fix] = findFixes(text, from).fixes
  if (fix) return { ...fault, fix: fix.edits }
  if (EXACT.includes(fault.code)) return fault

  const missing = AFTER_BRACKET.includes(fault.code) ? explainBracket(spot, from) : undefined
  if (missing) return missing

  const attempted = explainByAttempts(spot, from)
  if (attempted && isMoreExact(attempted, fault, spot)) return attempted
  return fault.code === 'json.end' ? (explainEnd(spot) ?? fault) : fault
}

/** The faults that can't have another cause. */
const EXACT: readonly AnyCode[] = [
  'json.conflict',
  'json.diff',
  'json.fence',
  'json.escape',
  'json.control-character',
]

/** The faults of known characters and words, which shouldn't just be removed. */
const OF_KNOWN_CHARACTERS: readonly AnyCode[] = [
  'json.comment',
  'json.invisible',
  'json.word',
  'json.key-without-quotes',
]

/** Whether the fault of an attempt says more than the one that is known without it. */
function isMoreExact(attempted: Fault, fault: Fault, { text, start, found }: Spot): boolean {
  if (attempted.code !== 'json.stray') return true
  // In a list of many lines without its [, most can be read.
  if (fault.code === 'json.round-bracket') return false
  if (fault.code !== 'json.lookalike') return !OF_KNOWN_CHARACTERS.includes(fault.code)

  // For example the first quote of `“"North"`.
  return text[start - 1] === '"' || text[start + found.length] === '"'
}

/** The faults that a missing bracket before them may cause. */
const AFTER_BRACKET: readonly AnyCode[] = [
  'json.unexpected',
  'json.end',
  'json.comma-missing',
  'json.comma-trailing',
  'json.key-in-list',
]

/** Whether a text can be read beyond a place if a bracket is written before it, perhaps with a comma. */
function goesFurther(text: string, from: number, place: number, missing: MissingBracket): boolean {
  const { at, bracket } = missing
  return [bracket, `${bracket},`].some((added) => {
    const spot = readToFault(startReading(text.slice(0, at) + added + text.slice(at), from))
    return isComplete(spot) || spot.start > place + added.length
  })
}

/** Explains a place that is wrong because a bracket is missing before it, as the indentation shows. */
function explainBracket({ text, layout, start }: Spot, from: number): Fault | undefined {
  const missing = findMissingBracket(layout, from, start)
  if (!missing || !goesFurther(text, from, start, missing)) return undefined

  const { bracket, at, opening } = missing
  return textFault('json.bracket-missing', span(at, 0), { bracket, line: lineOf(layout, opening) })
}

/** Asks each explanation in turn: the first that fits is the most exact. */
function explainSpot(spot: Spot): Fault {
  return (
    explainConflict(spot) ??
    explainDiff(spot) ??
    explainBrokenText(spot) ??
    explainCharacter(spot) ??
    explainRoundBracket(spot) ??
    explainComma(spot) ??
    explainQuote(spot) ??
    explainWord(spot) ??
    explainSecondKey(spot) ??
    explainOther(spot)
  )
}

function span(start: number, length = 1): Range {
  return { start, end: start + length }
}

/** A line that Git leaves where two versions could not be merged, such as `<<<<<<< HEAD`. */
export const CONFLICT_MARKS = /^(?:<{7}|\|{7}|={7}|>{7})(?= |$).*$/gm

function explainConflict({ text, layout, start }: Spot): Fault | undefined {
  const marks = [...text.matchAll(CONFLICT_MARKS)]
  const first = marks.find(({ index }) => index === start)
  if (!first) return undefined

  const lines = marks.map(({ index }) => lineOf(layout, index))
  return textFault('json.conflict', span(start, first[0].length), { lines })
}

/** The sign before a line of a diff, as in `+    "name": "North",`, or the head of a part of one. */
const DIFF_MARKS = /^(?:[-+](?=[ \t{}[\]"]|$)|@@ )/gm

/** The marks of a diff, which are before all the lines that it shows. */
function explainDiff({ text, layout, start }: Spot): Fault | undefined {
  const marks = [...text.matchAll(DIFF_MARKS)]
  const isMark = marks.some(({ index }) => index === start)
  if (!isMark) return undefined

  const lines = marks.map(({ index }) => lineOf(layout, index))
  return textFault('json.diff', span(start), { lines })
}

/** What must come after a text: white space, a sign, or nothing. For example `"  ],` is a lone quote. */
const LONE_QUOTE = /^"[\s,:\]}]*$/

/** The rest of a text that goes on in the next line, up to its quote, as in `north"` before a comma. */
const REST_OF_TEXT = /^[^"\\]*(?:\\[\s\S][^"\\]*)*"(?=[ \t]*(?:[,:\]}\r\n]|$))/

/** A text that is broken in itself. */
function explainBrokenText(spot: Spot): Fault | undefined {
  const { text, layout, found, kind, start, end, last } = spot
  const isText = found === '"' && !kind
  if (!isText) return undefined

  const token = text.slice(start, end)
  const wrongEscape = explainEscape(token, start)
  if (wrongEscape) return wrongEscape

  const isLone = last.kind !== ':' && LONE_QUOTE.test(token)
  if (isLone) return textFault('json.quote-extra', span(start))

  const unclosed = findUnclosed(spot)
  if (unclosed) return lookalike(text, unclosed.end - 1, '"')

  const [rest] = REST_OF_TEXT.exec(text.slice(end)) ?? []
  if (rest !== undefined)
    return textFault('json.line-break', span(end), {
      line: lineOf(layout, end + rest.length),
      isAtEnd: rest.trim() === '"',
    })

  return textFault('json.string-end', { start, end })
}

/**
 * An escape, such as `\n` and `\u00e9`; or, as a group, what is wrong: a control character, or a
 * backslash that begins no escape, as in `C:\data`.
 */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|([^ -\uffff]|\\u?[\s\S]?)/g

/** Explains the first character or escape that a text may not have. */
function explainEscape(token: string, start: number): Fault | undefined {
  for (const { 1: wrong, index } of token.matchAll(ESCAPE)) {
    if (wrong === undefined) continue

    const range = span(start + index, wrong.length)
    if (wrong.startsWith('\\')) return textFault('json.escape', range, { escape: wrong })
    return textFault('json.control-character', range, { character: wrong })
  }
  return undefined
}

/** The beginning of a comment: `#`, `//` or the two signs of a longer one. */
const COMMENT = /^(?:#|\/[/*])/

/** A key and its colon, as in ` "min":`. */
const KEY = /\s*"[^"\n\r]*"\s*:/y

/** A round bracket, which other languages have, where a value must come. */
function explainRoundBracket({ text, found, start, end, due }: Spot): Fault | undefined {
  if (found !== '(' || !due.includes('value')) return undefined

  const meant = matchAt(KEY, text, end) === '' ? undefined : '{'
  return textFault('json.round-bracket', { start, end }, { meant })
}

/** A character that JSON does not have outside of texts. */
function explainCharacter(spot: Spot): Fault | undefined {
  const { text, found, rest, start, due } = spot
  if (COMMENT.test(rest)) return textFault('json.comment', span(start))
  if (rest.startsWith('```')) return textFault('json.fence', span(start, 3))

  const odd = matchAt(ODD, text, start)
  if (odd !== '') {
    const others = text.split(odd).length - 2
    return textFault('json.invisible', span(start, odd.length), { character: odd, others })
  }

  const similar = toAscii(found)
  const isQuote = similar === "'" || similar === '`'
  const meant = isQuote ? '"' : similar
  const isTextDue = due.includes('key') || due.includes('value')
  const signs = isTextDue ? '":,[]{}' : ':,[]{}'
  if (meant === found || !signs.includes(meant)) return undefined
  return lookalike(text, start, findQuoted(spot) ? '"' : meant)
}

/** A character that stands where one of JSON must. */
function lookalike(text: string, start: number, meant: string): Fault {
  const character = text.charAt(start)
  const others = text.split(character).length - 2
  return textFault('json.lookalike', span(start), { character, meant, others })
}

/** A comma that is missing, or has nothing before or after it. */
function explainComma(spot: Spot): Fault | undefined {
  const commaFault = findCommaFault(spot)
  return commaFault && textFault(commaFault.code, commaFault.range)
}

/** The rest of a line up to the next quote, as in ` and more` before `"`. */
const UP_TO_QUOTE = /^[^"\n\r]*(?=")/

/** A quote one too many, before a text or in it. */
function explainQuote(spot: Spot): Fault | undefined {
  const { text, rest, start, last } = spot
  if (text[last.start] !== '"') return undefined

  const goesOn = goesOnAsText(spot) && UP_TO_QUOTE.test(rest)
  const isApart = rest.startsWith('"') ? last.end < start : !goesOn
  if (isApart) return undefined

  const inside = text.slice(last.start + 1, last.end - 1)
  if (inside === '') return textFault('json.quote-extra', span(last.start + 1))
  return quoteInText(spot)
}

/** A word without quotes. */
function explainWord({ rest, found, start, last, due }: Spot): Fault | undefined {
  const isKeyDue = due.includes('key')
  if (!isKeyDue && !due.includes('value')) return undefined

  const range = span(start, found.length)
  const after = rest.slice(found.length)
  const isKey = isKeyDue && /^\s*:/.test(after)
  if (isKey) return textFault('json.key-without-quotes', range, { key: found })

  const isAlone = last.kind === ':' || (last.kind && /^[ \t]*(?:[\r\n]|\s*[,\]}])/.test(after))
  if (isKeyDue || !isAlone || !/\w/.test(found)) return undefined

  return textFault('json.word', range, { word: found, near: valuesNear(found) })
}

/** Words of other languages for a value that is missing. */
const NO_VALUE = /^(?:none|nil|undefined|nan)$/i

/** Returns the values of JSON that a word may mean: True is true, None is null, .5 is 0.5. */
function valuesNear(word: string): string[] {
  const near = ['true', 'false', 'null'].filter((value) => value === word.toLowerCase())
  if (NO_VALUE.test(word)) near.push('null')

  const number = Number(word)
  if (Number.isFinite(number)) near.push(String(number))
  return near
}

/** A key after a key: the value between them is missing, or it's one too many, as in `"url": "url": 1`. */
function explainSecondKey(spot: Spot): Fault | undefined {
  const { text, layout, found, last, beforeLast, open } = spot
  const inner = open.at(-1)
  const isText = last.kind === 'value' && text[last.start] === '"'
  if (found !== ':' || inner?.kind !== '{' || !isText || beforeLast.kind !== ':') return undefined

  const first = keyAt(text, inner.item)
  const key = keyAt(text, last.start)
  const isNewLine = !isOneLine(layout, beforeLast.end, last.start)
  if (isNewLine && key !== first) return textFault('json.value-missing', beforeLast, { key: first })
  return textFault('json.second-key', { start: last.start, end: last.end }, { key, first })
}

/** Returns the key at a place. */
function keyAt(text: string, start: number): string {
  const { end } = rangeOfNext(text, start)
  return JSON.parse(text.slice(start, end))
}

/** The end of the text, or what no other explanation fits. */
function explainOther(spot: Spot): Fault {
  if (isComplete(spot)) throw new Error('the text is JSON')
  if (spot.due.length === 0) return explainAfterEnd(spot)

  const { text, layout, found, start, last, beforeLast, due, open } = spot
  const bracket = open.at(-1)
  const line = lineOf(layout, bracket?.start ?? 0)
  const expected = { due, bracket: bracket?.kind, line }
  const range = span(start, found.length)
  if (found === '') return textFault('json.end', range, expected)

  const isValueMissing = last.kind === ':' && [',', '}', ']'].includes(found)
  if (isValueMissing) {
    const key = keyAt(text, beforeLast.start)
    return textFault('json.value-missing', { start: last.end, end: last.end }, { key })
  }
  if (last.kind === undefined) return textFault('json.no-json', range, { found })

  const isBeforeKey = matchAt(KEY, text, last.end) !== ''
  const isAlone = last.kind === 'key' && ([',', '}', ']'].includes(found) || isBeforeKey)
  if (isAlone) {
    const key: string = JSON.parse(text.slice(last.start, last.end))
    return textFault('json.one-of-pair', last, { text: key, isFirst: beforeLast.kind === '{' })
  }
  if (found === ':' && bracket?.kind === '[') return textFault('json.key-in-list', last, { line })
  return textFault('json.unexpected', range, { found, ...expected })
}

/** Something after the value of the file. */
function explainAfterEnd({ text, layout, found, start, last }: Spot): Fault {
  const isKey = found === ':' && text[last.start] === '"'
  if (isKey) return textFault('json.opening-missing', last, { bracket: '{', before: undefined })

  // A second record after one line: the file may be JSON Lines.
  const isOneLine = !text.slice(0, last.end).trim().includes('\n')
  const isRecord = found === '{' && isOneLine
  const isClosing = found === '}' || found === ']'
  const sign = isRecord || isClosing ? found : ''

  const range = span(start, found.length)
  return textFault('json.after-end', range, { line: lineOf(layout, last.end), sign })
}
