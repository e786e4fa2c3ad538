/** What `JSON.parse` loses of a valid text without a word: values of repeated keys, and digits. */

import type { Violation } from '../violation.ts'
import { whyLost } from './decimal.ts'
import { COLON, QUOTE, scan, skipString } from './json.ts'

/**
 * Returns every key that its object repeats, and every number that would not survive, in the order
 * of the text.
 *
 * @param text valid JSON
 * @param value what `JSON.parse` returned for it
 */
export function findLosses(text: string, value: unknown): Violation[] {
  const { members, hasNumbers } = survey(value)
  // Each colon outside strings is a member, and a repeated one is missing from the parsed value.
  const repeatsKey = countAtLeastColons(text) !== members && countColons(text) !== members
  if (!repeatsKey && !(hasNumbers && losesNumber(text))) return []
  const losses: Violation[] = []
  scan(text, { losses })
  return losses
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

/** Counts the colons that follow a quote: those of all members, and perhaps some in strings. */
function countAtLeastColons(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) <= 0x20) before--
    if (text.charCodeAt(before) === QUOTE) colons++
  }
  return colons
}

function countColons(text: string): number {
  let colons = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === COLON) colons++
    at = code === QUOTE ? skipString(text, at) : at + 1
  }
  return colons
}

/** A number that is shorter survives, unless its exponent has three digits. */
const MANY_DIGITS = 16
const LONG_EXPONENT = /\d[eE][-+]?\d{3}/
/** All numbers that do not survive, and few others: many programs write fractions of 17 digits. */
const SUSPECT = /\d{16}|[\d.]{19}|\d[eE]/

/** Looks only between strings: texts with many digits are common. */
function losesNumber(text: string): boolean {
  const least = LONG_EXPONENT.test(text) ? '1e999'.length : MANY_DIGITS
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    const between = end - at < least ? '' : text.slice(at, end)
    const suspects = SUSPECT.test(between) ? (between.match(/-?\d[-+.\deE]*/g) ?? []) : []
    if (suspects.some(whyLost)) return true
    if (quote === -1) return false
    at = skipString(text, quote)
  }
}
