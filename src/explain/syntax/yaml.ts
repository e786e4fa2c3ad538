/** Says what is wrong at the first place where a text isn't YAML, and what certainly fixes it. */
import type { CST, YAMLError } from 'yaml'
import { type Fault, textFault } from '../../fault/fault.ts'
import { divide } from '../../formats/front-matter.ts'
import { compose, innerTokens } from '../../formats/yaml/document.ts'
import { lineAt, startsOfLines } from '../../text/lines.ts'
import type { Edit, Range } from '../../text/range.ts'
import { CONFLICT_MARKS } from './json.ts'

export function findYamlError(text: string): Fault {
  const { errors, tokens } = compose(text)
  const [error] = errors
  if (!error) throw new Error('the text is YAML')

  const scalars = scalarsIn(tokens)
  const fault = explainError(text, error, scalars)
  const fix = fixOfStart(error, scalars)
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
  const scalars = scalarsIn(tokens)
  const edits = errors.map((error) => fixOfStart(error, scalars))
  return edits.every((edit) => edit !== undefined) ? edits : []
}

export function findFrontMatterEdits(text: string): Edit[] {
  const parts = divide(text)
  return 'code' in parts ? [] : findYamlEdits(parts.head)
}

/** The words of `yaml` for an error of a code that has several. */
const NO_CLOSING_QUOTE = /^Missing closing ["']quote/
const AFTER_VALUE = /^Unexpected scalar at node end/

const NO_PAIR =
  /^Implicit keys need to be on a single line|^Implicit map keys need to be followed by map values/

function explainError(text: string, error: YAMLError, scalars: readonly CST.FlowScalar[]): Fault {
  const { message, pos } = error
  const [start] = pos
  const range = { start, end: Math.max(pos[1], start + 1) }

  const conflict = findConflict(text)
  if (conflict) return conflict
  const exact = explainCode(text, error, range) ?? explainColon(text, error)
  if (exact) return exact
  if (NO_CLOSING_QUOTE.test(message)) return explainOpenQuote(text, start, scalars, range)

  const quoted =
    AFTER_VALUE.test(message) && scalars.find((scalar) => isBefore(text, scalar, start))
  if (quoted) return explainQuote(text, quoted, range)

  const line = findMisplacedLine(text, error)
  const dash = findDash(text, line ?? start)
  if (dash !== undefined) return textFault('yaml.dash', span(dash))
  if (line !== undefined) return explainIndentation(text, line)
  if (NO_PAIR.test(message) && isWord(text, start))
    return textFault('yaml.no-pair', { start, end: Math.min(range.end, endOfLine(text, start)) })
  return textFault('yaml.syntax', range, { message })
}

/** Explains an error whose code says enough, and a tab, which may cause any. */
function explainCode(text: string, { code }: YAMLError, range: Range): Fault | undefined {
  const { start } = range
  const tab = code === 'TAB_AS_INDENT' ? start : findTab(text, start)
  if (tab !== undefined) return textFault('yaml.tab', span(tab))

  const sign = text.charAt(start)
  if (code === 'BAD_SCALAR_START') return textFault('yaml.start', range, { sign })
  if (code === 'BAD_ALIAS' && sign === '*') return textFault('yaml.start', span(start), { sign })
  if (code === 'BAD_DQ_ESCAPE')
    return textFault('yaml.escape', span(start, 2), { escape: text.slice(start, start + 2) })
  return undefined
}

function explainColon(text: string, error: YAMLError): Fault | undefined {
  const colon = findColonInText(text, error)
  if (colon === undefined) return undefined

  const key = findSecondKey(text, error.pos[0])
  return key === undefined
    ? textFault('yaml.colon', span(colon))
    : textFault('yaml.two-keys', span(key))
}

/** Returns the offset of a tab in the indentation of a line. */
function findTab(text: string, offset: number): number | undefined {
  const line = startOfLine(text, offset)
  const [indentation = ''] = /^[ \t]*/.exec(text.slice(line, endOfLine(text, line))) ?? []
  const tab = indentation.indexOf('\t')
  return tab < 0 ? undefined : line + tab
}

/** The marks that Git leaves where two versions could not be merged. */
function findConflict(text: string): Fault | undefined {
  const marks = [...text.matchAll(CONFLICT_MARKS)]
  const [first] = marks
  if (!first?.[0].startsWith('<') || marks.length < 2) return undefined

  const starts = startsOfLines(text)
  const lines = marks.map(({ index }) => lineAt(starts, index) + 1)
  return textFault('yaml.conflict', span(first.index, first[0].length), { lines })
}

/** Whether a line begins with a word there, such as `name 1` or `name:1`. */
function isWord(text: string, start: number): boolean {
  return /^[\p{L}\p{N}_"']/u.test(text.slice(start, start + 2))
}

/** A text in quotes that goes on to the end of the file, or to a line that isn't indented. */
function explainOpenQuote(
  text: string,
  end: number,
  scalars: readonly CST.FlowScalar[],
  range: Range,
): Fault {
  const open = scalars.find(({ offset, source }) => offset + source.length === end)
  const quote = open?.source.charAt(0)
  if (!open || !quote) return textFault('yaml.syntax', range, { message: 'a quote is missing' })

  const lineEnd = endOfLine(text, open.offset)
  return textFault(
    'yaml.quote-missing',
    { start: open.offset, end: Math.min(end, lineEnd) },
    { quote },
  )
}

/** Whether a text in quotes ends right before a place. */
function isBefore(text: string, { offset, source }: CST.FlowScalar, place: number): boolean {
  const end = offset + source.length
  const isQuoted = source.startsWith('"') || source.startsWith("'")
  return isQuoted && end <= place && text.slice(end, place).trim() === ''
}

/** A text in quotes that something comes after: a quote may be part of it, as in `'it's'`. */
function explainQuote(text: string, { offset, source }: CST.FlowScalar, range: Range): Fault {
  const quote = source.charAt(0)
  const next = text.slice(range.start, Math.min(range.end, endOfLine(text, range.start)))
  return textFault('yaml.quote', span(offset + source.length - 1), { quote, next })
}

/** A colon with a space after it, or at the end of a line. */
const COLON = /:(?=[ \t]|\r?$)/m

/** Returns the offset of the colon in a text without quotes, as in `title: Note: this`. */
function findColonInText(text: string, { code, message, pos: [start] }: YAMLError) {
  const isNested = code === 'BLOCK_AS_IMPLICIT_KEY' && message.startsWith('Nested mappings')
  if (!isNested) return undefined

  const rest = text.slice(start, endOfLine(text, start))
  const colon = rest.search(COLON)
  return colon < 0 ? undefined : start + colon
}

/** A text in quotes with a key after it, as in `'x'   b: 1`; as a group, what is before the key. */
const SECOND_KEY = /^((?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")[ \t]+)[^\s:]+:/

/** Returns the offset of a key that comes after a text in quotes. */
function findSecondKey(text: string, start: number): number | undefined {
  const [, before] = SECOND_KEY.exec(text.slice(start, endOfLine(text, start))) ?? []
  return before === undefined ? undefined : start + before.length
}

/** A dash right before a word, such as the one of `-name`; as a group, what is before it. */
const DASH = /^( *)-[\p{L}_"']/u

/** Returns the offset of a dash without a space after it, in the line of a place or the one before. */
function findDash(text: string, place: number): number | undefined {
  const line = startOfLine(text, place)
  for (const start of [line, startOfLine(text, line - 1)]) {
    const [, before] = DASH.exec(text.slice(start, endOfLine(text, start))) ?? []
    if (before !== undefined) return start + before.length
  }
  return undefined
}

/** The words of `yaml` for a line that begins in a column of its own. */
const INDENTATION =
  /^(?:Nested mappings are not allowed|A block sequence may not be used|All (?:mapping|sequence) items must start|Sequence item without)/

/** Returns the offset of the line that is indented in another way than those it could belong to. */
function findMisplacedLine(text: string, { message, pos: [start] }: YAMLError): number | undefined {
  if (!INDENTATION.test(message)) return undefined

  const isInIndentation = text.slice(startOfLine(text, start), start + 1).trim() === ''
  const isOfLine = isInIndentation || message.startsWith('All ')
  return isOfLine ? startOfLine(text, start) : startOfNextLine(text, start)
}

/** The spaces that a line begins with, and the dashes of the lists that begin in it. */
const BEGINNING = /^( *)((?:- +)*)/

/** @param line its offset */
function explainIndentation(text: string, line: number): Fault {
  const [, indentation = ''] = BEGINNING.exec(text.slice(line, endOfLine(text, line))) ?? []
  const spaces = indentation.length
  const others = [...columnsBefore(text.slice(0, line))].filter((column) => column !== spaces)
  const start = line + spaces
  return textFault('yaml.indentation', span(start), { spaces, others })
}

/** Returns the columns in which what the next line could belong to begins, from the outermost on. */
function columnsBefore(text: string): Set<number> {
  const columns = new Set<number>()
  let smallest = Number.POSITIVE_INFINITY

  for (const line of text.split('\n').reverse()) {
    const isBlank = line.trim() === '' || line.trimStart().startsWith('#')
    const [, indentation = '', dashes = ''] = BEGINNING.exec(line) ?? []
    if (isBlank || indentation.length >= smallest) continue

    if (dashes !== '') columns.add(indentation.length + dashes.length)
    columns.add(indentation.length)
    smallest = indentation.length
    if (smallest === 0) break
  }
  return new Set([...columns].sort((a, b) => a - b))
}

/** Signs that a plain text can't begin with, though nothing else is meant by them. */
const RESERVED = ['@', '`', '%']

/** Puts quotes around a text that begins with a reserved sign: it can only be text. */
function fixOfStart(
  { code, pos }: YAMLError,
  scalars: readonly CST.FlowScalar[],
): Edit | undefined {
  if (code !== 'BAD_SCALAR_START') return undefined

  const scalar = scalars.find(({ offset }) => offset === pos[0])
  const isOneLine = scalar && !scalar.source.includes('\n')
  if (!isOneLine || !RESERVED.includes(scalar.source.charAt(0))) return undefined

  const { offset, source } = scalar
  return { start: offset, end: offset + source.length, text: JSON.stringify(source) }
}

/** Returns all texts, numbers and words of a file, in the order of the text. */
function scalarsIn(tokens: readonly CST.Token[]): CST.FlowScalar[] {
  const scalars: CST.FlowScalar[] = []
  const open = [...tokens]
  for (let token = open.pop(); token; token = open.pop()) {
    if ('source' in token && token.type.endsWith('scalar') && token.type !== 'block-scalar')
      scalars.push(token as CST.FlowScalar)
    for (const inner of innerTokens(token)) open.push(inner)
  }
  return scalars.sort((a, b) => a.offset - b.offset)
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

/** A line that isn't blank. */
const NEXT_LINE = /\n(?=[^\n]*\S)/g

function startOfNextLine(text: string, offset: number): number | undefined {
  NEXT_LINE.lastIndex = offset
  const match = NEXT_LINE.exec(text)
  return match ? match.index + 1 : undefined
}

function span(start: number, length = 1): Range {
  return { start, end: start + length }
}
