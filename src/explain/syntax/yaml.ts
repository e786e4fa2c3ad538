/** Explains the first place where a text isn't YAML, and finds certain fixes. */
import type { CST, YAMLError } from 'yaml'
import { type Fault, textFault } from '../../fault/fault.ts'
import { divide } from '../../formats/front-matter.ts'
import { compose, innerTokens } from '../../formats/yaml/document.ts'
import { lineAt, startsOfLines } from '../../text/lines.ts'
import type { Edit, Range } from '../../text/range.ts'
import { CONFLICT_MARKS } from './json.ts'
import {
  endOfLine,
  entriesBefore,
  explainMisplacedLine,
  findMisplacedLine,
  neighbour,
  span,
  startOfLine,
  startOfNextLine,
} from './yaml-lines.ts'

export function findYamlError(text: string): Fault {
  const { errors, tokens } = compose(text)
  const [error] = errors
  if (!error) throw new Error('the text is YAML')

  const all = allTokens(tokens)
  const scalars = all.filter(isFlowScalar)
  const [start] = error.pos
  const range = { start, end: Math.max(error.pos[1], start + 1) }
  const fault = explainError({ text, error, range, tokens: all, scalars })
  const fix = fixOfStart(text, error, scalars)
  return fix ? { ...fault, fix: [fix] } : fault
}

/** Says what is wrong with front matter that isn't YAML. */
export function findFrontMatterError(text: string): Fault {
  const parts = divide(text)
  if ('code' in parts) return parts
  return findYamlError(parts.head)
}

/** Returns the edits that are certain, if nothing else is wrong. */
export function findYamlEdits(text: string): Edit[] {
  const { errors, tokens } = compose(text)
  const scalars = allTokens(tokens).filter(isFlowScalar)
  const edits: Edit[] = []
  for (const error of errors) {
    // What comes after > and can't be read, though it's part of the edit before.
    if (error.message.startsWith('Not a YAML token')) continue

    const edit = fixOfStart(text, error, scalars)
    if (!edit) return []
    edits.push(edit)
  }
  return edits
}

export function findFrontMatterEdits(text: string): Edit[] {
  const parts = divide(text)
  return 'code' in parts ? [] : findYamlEdits(parts.head)
}

/** A file that isn't YAML, and where reading it failed first. */
interface Failure {
  text: string
  error: YAMLError
  /** What is marked. */
  range: Range
  /** All of them, in the order of the text. */
  tokens: readonly CST.Token[]
  scalars: readonly CST.FlowScalar[]
}

/** The first explanation that applies counts. */
const EXPLANATIONS: readonly ((failure: Failure) => Fault | undefined)[] = [
  explainConflict,
  explainTab,
  explainCode,
  explainColon,
  explainOpenQuote,
  explainBracket,
  explainBlockStart,
  explainLine,
  explainQuote,
]

function explainError(failure: Failure): Fault {
  for (const explain of EXPLANATIONS) {
    const fault = explain(failure)
    if (fault) return fault
  }

  const { text, range, tokens } = failure
  const found = text.slice(range.start, endOfLine(text, range.start)).trim()
  const entry = entriesBefore(text, tokens, range.start).at(-1)
  return textFault('yaml.syntax', range, { found, ...(entry && { after: neighbour(text, entry) }) })
}

/** Explains an error by its code alone. */
function explainCode({ text, error: { code }, range }: Failure): Fault | undefined {
  const { start } = range
  const sign = text.charAt(start)
  if (code === 'BAD_SCALAR_START') return textFault('yaml.start', range, { sign })
  if (code === 'BAD_ALIAS' && '*&'.includes(sign))
    return textFault('yaml.start', span(start), { sign })
  if (code === 'BAD_DQ_ESCAPE')
    return textFault('yaml.escape', span(start, 2), { escape: text.slice(start, start + 2) })
  return undefined
}

/** A text in quotes that more follows at once, as in `'it's: so'`; as a group, the text in quotes. */
const QUOTED_AND_MORE = /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*")[^\s:,}\]]/

/** A colon in a text without quotes, as in `title: Note: this` and `[Note: this: one]`. */
function explainColon({ text, error, range: { start } }: Failure): Fault | undefined {
  const isNested = error.message.startsWith('Nested mappings') || error.code === 'BLOCK_IN_FLOW'
  if (!isNested) return undefined

  const rest = text.slice(start, endOfLine(text, start))
  const colon = rest.search(COLON)
  if (colon < 0) return undefined

  const [, quoted] = QUOTED_AND_MORE.exec(rest) ?? []
  if (quoted !== undefined) return quoteFault(text, start, start + quoted.length)

  const [, before] = SECOND_KEY.exec(rest) ?? []
  return before === undefined
    ? textFault('yaml.colon', span(start + colon))
    : textFault('yaml.two-keys', span(start + before.length))
}

/** Finds a tab in the indentation of a line or of the one before it: it may cause any error. */
function explainTab({ text, error, range: { start } }: Failure): Fault | undefined {
  if (error.code === 'TAB_AS_INDENT') return textFault('yaml.tab', span(start))

  const line = findMisplacedLine(text, error) ?? startOfLine(text, start)
  const tab = findTab(text, line) ?? findTab(text, line - 1)
  return tab === undefined ? undefined : textFault('yaml.tab', span(tab))
}

/** Returns the offset of a tab in the indentation of a line. */
function findTab(text: string, offset: number): number | undefined {
  const line = startOfLine(text, offset)
  const [indentation = ''] = /^[ \t]*/.exec(text.slice(line, endOfLine(text, line))) ?? []
  const tab = indentation.indexOf('\t')
  return tab < 0 ? undefined : line + tab
}

/** The marks that Git leaves where two versions could not be merged. */
function explainConflict({ text, range }: Failure): Fault | undefined {
  const marks = [...text.matchAll(CONFLICT_MARKS)]
  const [first] = marks
  if (!first) return undefined

  const isHere = marks.some(({ index }) => index === startOfLine(text, range.start))
  const isWhole = first[0].startsWith('<') && marks.length > 1
  if (!isWhole && !isHere) return undefined

  const starts = startsOfLines(text)
  const lines = marks.map(({ index }) => lineAt(starts, index) + 1)
  return textFault('yaml.conflict', span(first.index, first[0].length), { lines })
}

/** The words of `yaml` for a text in quotes that has no end. */
const NO_CLOSING_QUOTE = /^Missing closing ["']quote/

/** A text in quotes that goes on to the end of the file, or to a line that isn't indented. */
function explainOpenQuote({ text, error, scalars }: Failure): Fault | undefined {
  if (!NO_CLOSING_QUOTE.test(error.message)) return undefined

  const [end] = error.pos
  const open = scalars.find(({ offset, source }) => offset + source.length === end)
  if (!open) return undefined

  const range = { start: open.offset, end: Math.min(end, endOfLine(text, open.offset)) }
  return textFault('yaml.quote-missing', range, { quote: open.source.charAt(0) })
}

/** A text in quotes, or an alias, that something comes after, as in `'it's'` and `*word* and more`. */
function explainQuote({ text, range: { start }, scalars }: Failure): Fault | undefined {
  const ended = scalars.find((scalar) => isEndedBefore(text, scalar, start))
  if (ended?.type === 'alias') return textFault('yaml.start', span(ended.offset), { sign: '*' })
  if (!ended || !isQuoted(ended)) return undefined
  return quoteFault(text, ended.offset, ended.offset + ended.source.length)
}

/** @param end where the text in quotes ends that begins at `start` */
function quoteFault(text: string, start: number, end: number): Fault {
  const quote = text.charAt(start)
  const rest = text.slice(end)
  const more = end + rest.length - rest.trimStart().length
  const next = text.slice(more, endOfLine(text, more)).trim()
  return textFault('yaml.quote', span(end - 1), { quote, next })
}

function isQuoted({ source }: CST.FlowScalar): boolean {
  return source.startsWith('"') || source.startsWith("'")
}

/** Whether a text ends right before a place. */
function isEndedBefore(text: string, { offset, source }: CST.FlowScalar, place: number): boolean {
  const end = offset + source.length
  return end <= place && text.slice(end, place).trim() === ''
}

/** The words of `yaml` for a list or an object in brackets that isn't closed. */
const NOT_CLOSED =
  /^Flow (?:sequence|map) in block collection must be|^Missing , or : between flow|^Expected flow/

const CLOSING_BRACKETS: Record<string, string> = { '[': ']', '{': '}' }

/** Explains a bracket that isn't closed, and text after one that is closed. */
function explainBracket({ text, error, range, tokens }: Failure): Fault | undefined {
  const brackets = tokens.filter((token) => token.type === 'flow-collection')
  if (NOT_CLOSED.test(error.message)) {
    const open = brackets.findLast(({ end }) => !end.some(isClosingBracket))
    if (!open) return undefined
    const sign = open.start.source
    return textFault('yaml.bracket-missing', span(open.start.offset), {
      sign,
      bracket: String(CLOSING_BRACKETS[sign]),
    })
  }

  const closed = brackets.find(({ end }) => {
    const closing = end.find(isClosingBracket)
    if (!closing || closing.offset >= range.start) return false
    return /^[ \t]*[^\]}]$/.test(text.slice(closing.offset + 1, range.start + 1))
  })
  if (!closed) return undefined
  return textFault('yaml.bracket-first', span(closed.start.offset), { sign: closed.start.source })
}

function isClosingBracket({ type }: CST.SourceToken): boolean {
  return type === 'flow-seq-end' || type === 'flow-map-end'
}

/** The words of `yaml` for what comes after `|` or `>`. */
const AFTER_BLOCK_START = /^Block scalar header includes|^Not a YAML token/

/** Explains what comes after `|` or `>`. */
function explainBlockStart({ text, error, range, scalars }: Failure): Fault | undefined {
  if (!AFTER_BLOCK_START.test(error.message)) return undefined

  const fix = fixOfStart(text, error, scalars)
  if (fix) return textFault('yaml.start', fix, { sign: '>' })

  const line = startOfLine(text, range.start)
  const before = text.slice(line, range.start)
  const start = line + Math.max(before.lastIndexOf('|'), before.lastIndexOf('>'))
  if (start < line) return undefined

  const next = text.slice(start + 1, endOfLine(text, start)).trim()
  return textFault('yaml.block-start', span(start), { sign: text.charAt(start), next })
}

function explainLine({ text, error, tokens }: Failure): Fault | undefined {
  const line = findMisplacedLine(text, error)
  return line === undefined ? undefined : explainMisplacedLine(text, line, tokens)
}

/** A colon with a space after it, or at the end of a line. */
const COLON = /:(?=[ \t]|\r?$)/m

/** A text in quotes, a date or a word, and a key, as in `'x'   b: 1`; as a group, what is before the key. */
const SECOND_KEY =
  /^((?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|\d{4}-\d\d-\d\d|true|false)[ \t]+)[^\s:]+:/

/** Signs that a plain text can't begin with, though nothing else is meant by them. */
const RESERVED = ['@', '`', '%']

/** A comparison such as `>= 1.2, < 2`: as a group, all of it up to a comment. */
const COMPARISON = /^(>=? *v?\d[\w.-]*(?:,? *[<>=!~^]+ *v?\d[\w.-]*)*) *(?: #.*)?\r?$/

/** Whether the next line is indented further than what begins in this one: it may go on there. */
function goesOnBelow(text: string, offset: number): boolean {
  const line = startOfLine(text, offset)
  const column = text.slice(line).search(/[^ -]/)
  const next = startOfNextLine(text, offset)
  return next !== undefined && text.slice(next).search(/[^ ]/) > column
}

/** Puts quotes around a text that begins with a reserved sign, or compares: it can only be text. */
function fixOfStart(
  text: string,
  { code, message, pos: [start] }: YAMLError,
  scalars: readonly CST.FlowScalar[],
): Edit | undefined {
  if (message.startsWith('Block scalar header includes')) {
    const sign = text.lastIndexOf('>', start)
    const [, comparison] = COMPARISON.exec(text.slice(sign, endOfLine(text, sign))) ?? []
    if (comparison === undefined || goesOnBelow(text, sign)) return undefined
    return quote(sign, comparison)
  }
  if (code !== 'BAD_SCALAR_START') return undefined

  const scalar = scalars.find(({ offset }) => offset === start)
  const isOneLine = scalar && !scalar.source.includes('\n')
  // At the beginning of a line, it may be something else than text, such as a fence of Markdown.
  const isAfterSomething = text.slice(startOfLine(text, start), start).trim() !== ''
  if (!isOneLine || !isAfterSomething || !RESERVED.includes(scalar.source.charAt(0)))
    return undefined
  return quote(scalar.offset, scalar.source)
}

function quote(start: number, written: string): Edit {
  return { start, end: start + written.length, text: JSON.stringify(written) }
}

/** Returns all tokens in the order of the text: an object or a list before what is in it. */
function allTokens(tokens: readonly CST.Token[]): CST.Token[] {
  const all: CST.Token[] = []
  const open = [...tokens]
  for (let token = open.pop(); token; token = open.pop()) {
    all.push(token)
    for (const inner of innerTokens(token)) open.push(inner)
  }
  return all.sort((a, b) => a.offset - b.offset)
}

const SCALARS = ['alias', 'scalar', 'single-quoted-scalar', 'double-quoted-scalar']

/** Whether it's a text in one line or in quotes, a number, a word or an alias. */
function isFlowScalar(token: CST.Token): token is CST.FlowScalar {
  return SCALARS.includes(token.type)
}
