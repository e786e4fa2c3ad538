/** Which part of a scalar's text makes which part of its value, and how another value is written. */
import type { Scalar } from 'yaml'
import type { Range } from '../../page/fault.ts'

/**
 * Finds a part of a text.
 *
 * @param within offsets into its value, in UTF-16 code units
 * @returns the whole scalar if the part can't be found
 */
export function partOf(text: string, scalar: Scalar.Parsed, within: Range): Range {
  const [start, end] = scalar.range
  const offsets = offsetsOf(text.slice(start, end), String(scalar.value))
  const first = offsets?.[within.start]
  const last = offsets?.[within.end]
  if (first === undefined || last === undefined) return { start, end }

  return { start: start + first, end: start + last }
}

/**
 * Returns for each code unit of a value the offset of what it's made of, and at last that of the end.
 *
 * @param source as it's written, with its quotes or the sign of a block
 * @returns undefined if the source doesn't make this value
 */
export function offsetsOf(source: string, value: string): number[] | undefined {
  const sign = source.charAt(0)
  if (sign === '|' || sign === '>') return offsetsInBlock(source, value)

  const isQuoted = sign === '"' || sign === "'"
  const units = isQuoted ? source.slice(0, -1) : source
  const { text, offsets } = readFlow(units, isQuoted ? 1 : 0, sign)
  return text === value ? offsets : undefined
}

/** The end of a line with the white space around it, and the blank lines after it. */
const LINE_BREAKS = /[ \t]*\r?\n(?:[ \t]*\r?\n)*[ \t]*/y
/** An escaped end of a line, which adds nothing. */
const JOINED_LINES = /\\\r?\n[ \t]*/y
/** For example `\n`, `\x41`, `\u00e9` and `\U0001f600`. */
const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[^xuU\r\n])/iy

const SHORT_ESCAPES: Record<string, string> = {
  ...{ '0': '\0', a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029' },
}

/** Reads a plain or quoted scalar, whose line breaks are folded (YAML 1.2, section 6.5). */
function readFlow(source: string, from: number, quote: string) {
  const offsets: number[] = []
  let text = ''
  let at = from

  /** Adds what the next characters of the source make. */
  const add = (made: string, length: number) => {
    for (let unit = 0; unit < made.length; unit++) offsets.push(at)
    text += made
    at += length
  }

  while (at < source.length) {
    const breaks = matchAt(LINE_BREAKS, source, at)
    const joined = quote === '"' ? matchAt(JOINED_LINES, source, at) : ''
    const escaped = quote === '"' ? matchAt(ESCAPE, source, at) : ''

    if (breaks !== '') add(foldedBreaks(breaks), breaks.length)
    else if (joined !== '') add('', joined.length)
    else if (escaped !== '') add(unescaped(escaped), escaped.length)
    else if (quote === "'" && source.startsWith("''", at)) add("'", 2)
    else add(source.charAt(at), 1)
  }

  offsets.push(at)
  return { text, offsets }
}

function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at
  const [match = ''] = expression.exec(text) ?? []
  return match
}

/** One line break is a space, more are one less. */
function foldedBreaks(breaks: string): string {
  const count = breaks.split('\n').length - 1
  return count === 1 ? ' ' : '\n'.repeat(count - 1)
}

function unescaped(escaped: string): string {
  const letter = escaped.charAt(1)
  const digits = escaped.slice(2)
  if (digits !== '') return String.fromCodePoint(Number.parseInt(digits, 16))
  return SHORT_ESCAPES[letter] ?? letter
}

/** A line of a block, with its end. */
const LINE = /([^\r\n]*)(?:\r?\n|$)/g

/**
 * Finds the lines of a block in its value. What stands between them in the value are the ends of
 * lines, folded or not, which stand at the end of the line before.
 */
function offsetsInBlock(source: string, value: string): number[] | undefined {
  const header = source.indexOf('\n') + 1
  const offsets: number[] = []
  let indentation: number | undefined
  let lineEnd = header

  for (const { 1: line = '', index } of source.slice(header).matchAll(LINE)) {
    if (line.trim() === '') continue

    const breaks = countBreaks(value, offsets.length)
    indentation ??= indentationOf(line, value.slice(offsets.length + breaks))
    const content = line.slice(indentation ?? 0)
    const start = startOfLine(value, offsets.length, content)
    if (start === undefined) return undefined

    while (offsets.length < start) offsets.push(lineEnd)
    const from = header + index + line.length - content.length
    for (let unit = 0; unit < content.length; unit++) offsets.push(from + unit)
    lineEnd = from + content.length
  }

  const rest = value.slice(offsets.length)
  if (rest.trim() !== '') return undefined
  for (let unit = 0; unit <= rest.length; unit++) offsets.push(lineEnd)
  return offsets
}

/** Returns where in the value the content of a line begins, after the ends of the lines before it. */
function startOfLine(value: string, from: number, content: string): number | undefined {
  let at = from
  while (!value.startsWith(content, at)) {
    const isBreak = value[at] === '\n' || value[at] === ' '
    if (!isBreak) return undefined
    at++
  }
  return at
}

function countBreaks(value: string, from: number): number {
  let at = from
  while (value[at] === '\n') at++
  return at - from
}

/** Returns how many spaces at the beginning of a line aren't part of the value. */
function indentationOf(line: string, value: string): number | undefined {
  const spaces = line.length - line.trimStart().length
  for (let indentation = 0; indentation <= spaces; indentation++) {
    if (value.startsWith(line.slice(indentation))) return indentation
  }
  return undefined
}
