/** What a JSON text has lost, or would lose without a word: values, digits, characters. */
import type { JSONPath } from 'jsonc-parser'
import type { Range, Violation } from '../../page/violation.ts'
import { whyLost } from './decimal.ts'
import { partOf, walk } from './json.ts'

const REPEATS =
  'must not repeat a key; if another object begins here, write }, { before it; else join the two values in one, or remove the one that is not meant (it is lost; the first was not checked)'
const LONE =
  'must be well-formed Unicode, but has half of a character (a lone surrogate); write the whole one'
/** Its fault is valid, and hardly ever meant: a warning, and with --strict a problem. */
export const LOST_CODE = 'json.lost-character'
const LOST =
  'has U+FFFD, which stands for a character that a program could not read; write what was meant'
/** Characters that are lost, as they are in the value. Only an escape can produce half of a pair. */
const LOST_PARTS: readonly [part: RegExp, code: string, message: string][] = [
  [/\p{Cs}+/gu, 'json.lone-surrogate', LONE],
  [/\ufffd+/g, LOST_CODE, LOST],
]
/** `JSON.stringify` and jsonc-parser call themselves for each level; the stack has some thousands. */
const DEEPEST = 1_000

/**
 * Returns every key that its object repeats, every number that would not survive, every half of a
 * surrogate pair, which cannot be written as UTF-8, and every U+FFFD: in the order of the text.
 *
 * @param text valid JSON
 * @param value what `JSON.parse` returned for it
 * @returns undefined if the value is nested too deeply to be checked
 */
export function findLosses(text: string, value: unknown): Violation[] | undefined {
  const surveyed = survey(value)
  if (surveyed.depth > DEEPEST) return undefined
  const hasOdd = text.includes('\ufffd') || /\\u(?:[dD][89a-fA-F]|[fF]{3}[dD])/.test(text)
  if (!hasOdd && !mayLoseValue(text, surveyed)) return []

  const losses: Violation[] = []
  const add = (at: 'key' | 'value', start: number, length: number, pointer: () => JSONPath) => {
    const range = { start, end: start + length }
    const token = text.slice(start, range.end)
    const push = (code: string, message: string, place: Range = range) => {
      losses.push({ code, pointer: pointer(), at, range: place, message })
    }
    const keys = seen.at(-1)
    if (at === 'key' && keys?.has(JSON.parse(token))) push('json.repeated-key', REPEATS)
    if (at === 'key') keys?.add(JSON.parse(token))
    const why = /^[-\d]/.test(token) ? whyLost(token) : undefined
    if (why !== undefined) push('json.number-lost', why)
    const read: string = token.startsWith('"') && hasOdd ? JSON.parse(token) : ''
    for (const [part, code, message] of LOST_PARTS) {
      for (const { index, 0: found } of read.matchAll(part))
        push(code, message, partOf(text, range, { start: index, end: index + found.length }))
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

/** A long number, or one with an exponent. Texts may have some too. */
const SUSPECT = /(?<=[[:,\s])-?(?:[\d.]{16,}|[\d.]+[eE][-+\d]+)(?=[\]},\s])/g

/** Whether a text may have a key that its value lacks, so a repeated one, or a number that changes. */
function mayLoseValue(text: string, { members, hasNumbers }: ReturnType<typeof survey>): boolean {
  if (hasNumbers && text.match(SUSPECT)?.some(whyLost)) return true
  let keys = 0
  // Before the colon of a key is a quote; in a text, hardly ever.
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1
    while (text.charCodeAt(before) <= 0x20) before--
    if (text[before] === '"') keys++
  }
  return keys !== members
}

/** Counts the members of all objects and the levels of nesting, and looks for numbers. */
function survey(root: unknown): { members: number; hasNumbers: boolean; depth: number } {
  let [members, depth, hasNumbers] = [0, -1, false]
  for (let level = [root], next: unknown[] = []; level.length > 0; level = next, next = []) {
    depth++
    for (const value of level) {
      if (typeof value === 'number') hasNumbers = true
      if (typeof value !== 'object' || value === null) continue
      const inside: unknown[] = Array.isArray(value) ? value : Object.values(value)
      if (inside !== value) members += inside.length
      for (const item of inside) if (typeof item !== 'string') next.push(item)
    }
  }
  return { members, hasNumbers, depth }
}
