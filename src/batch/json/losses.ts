/** What a JSON text has lost, or would lose without a word: values, digits, characters. */

import type { JSONPath } from 'jsonc-parser'
import type { Range, Violation } from '../violation.ts'
import { whyLost } from './decimal.ts'
import { partOf, walk } from './json.ts'

const REPEATS =
  'must not repeat a key; rename one, or remove the one whose value is not meant (it is lost; the first was not checked)'
export const LONE = 'must be well-formed Unicode, but has a lone surrogate'
/** It is valid, and hardly ever meant: a warning, and with --strict a problem. */
export const LOST =
  'has U+FFFD, which stands for a character that a program could not read; write what was meant'

/**
 * Returns every key that its object repeats, every number that would not survive, every half of a
 * surrogate pair, which cannot be written as UTF-8, and every U+FFFD: in the order of the text.
 *
 * @param text valid JSON
 * @param value what `JSON.parse` returned for it
 */
export function findLosses(text: string, value: unknown): Violation[] {
  const faulty: [part: RegExp, message: string][] = []
  const hasEscapes = text.includes('\\u')
  // Decoded UTF-8 is well-formed; only an escape can produce half of a pair.
  if (hasEscapes && /\\u[dD][89a-fA-F]/.test(text)) faulty.push([/\p{Cs}+/gu, LONE])
  const hasLost = text.includes('\ufffd') || (hasEscapes && /\\u[fF]{3}[dD]/.test(text))
  if (hasLost) faulty.push([/\ufffd+/g, LOST])
  if (faulty.length === 0 && !losesValue(text, value)) return []

  const losses: Violation[] = []
  const add = (at: 'key' | 'value', start: number, length: number, pointer: () => JSONPath) => {
    const range = { start, end: start + length }
    const token = text.slice(start, range.end)
    const push = (message: string, place: Range = range) => {
      losses.push({ pointer: pointer(), at, range: place, message })
    }
    const keys = seen.at(-1)
    if (at === 'key' && keys?.has(JSON.parse(token))) push(REPEATS)
    if (at === 'key') keys?.add(JSON.parse(token))
    const why = /^[-\d]/.test(token) ? whyLost(token) : undefined
    if (why !== undefined) push(why)
    const read: string = token.startsWith('"') && faulty.length > 0 ? JSON.parse(token) : ''
    for (const [part, message] of faulty) {
      for (const { index, 0: found } of read.matchAll(part))
        push(message, partOf(text, range, { start: index, end: index + found.length }))
    }
  }
  const seen: Set<string>[] = []
  walk(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty: (key, start, length, _line, _column, path) =>
      add('key', start, length, () => [...path(), key]),
    onLiteralValue: (_, start, length, _line, _column, path) => add('value', start, length, path),
  })
  return losses
}

/** A number that is shorter survives, unless its exponent has three digits. */
const MANY_DIGITS = 16
const LONG_EXPONENT = /\d[eE][-+]?\d{3}/
/** All numbers that do not survive, and few others: many programs write fractions of 17 digits. */
const SUSPECT = /\d{16}|[\d.]{19}|\d[eE]/

/** Whether a text has a key that its value lacks, so a repeated one, or a number that changes. */
function losesValue(text: string, value: unknown): boolean {
  const { members, hasNumbers } = survey(value)
  if (!hasNumbers && countAtLeastKeys(text) === members) return false
  const least = hasNumbers && LONG_EXPONENT.test(text) ? '1e999'.length : MANY_DIGITS
  let keys = 0
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    // Only between strings: texts with many digits are common.
    const between = hasNumbers && end - at >= least ? text.slice(at, end) : ''
    const suspects = SUSPECT.test(between) ? (between.match(/-?\d[-+.\deE]*/g) ?? []) : []
    if (suspects.some(whyLost)) return true
    if (quote === -1) return keys !== members
    at = skipString(text, quote)
    let after = at
    while (text.charCodeAt(after) <= 0x20) after++
    if (text[after] === ':') keys++
  }
}

/** Counts the colons after a quote: those after keys, and perhaps some in texts. */
function countAtLeastKeys(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) <= 0x20) before--
    if (text[before] === '"') colons++
  }
  return colons
}

/** Counts the members of all objects, and looks for numbers. */
function survey(root: unknown): { members: number; hasNumbers: boolean } {
  let members = 0
  let hasNumbers = false
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'number') hasNumbers = true
    if (typeof value !== 'object' || value === null) continue
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inside !== value) members += inside.length
    for (const item of inside) {
      if (typeof item === 'object') waiting.push(item)
      else if (typeof item === 'number') hasNumbers = true
    }
  }
  return { members, hasNumbers }
}

/** @returns the offset after the closing quote of the string that opens at `at` */
function skipString(text: string, at: number): number {
  for (let quote = at + 1; ; quote++) {
    quote = text.indexOf('"', quote)
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
}
