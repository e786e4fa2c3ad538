/** What a JSON text has lost, or would lose without a word: values, digits, characters. */
import type { JSONPath } from 'jsonc-parser'
import type { Pointer, Range, Violation } from '../../page/violation.ts'
import { fault } from '../sentences.ts'
import { keptAs } from './decimal.ts'
import { partOf, walk } from './json.ts'

/** `JSON.stringify` and jsonc-parser call themselves for each level; the stack has some thousands. */
const DEEPEST = 1_000

/**
 * Returns every key that its object repeats, every number that would not survive, and every half of
 * a surrogate pair, which cannot be written as UTF-8: in the order of the text.
 *
 * @param text valid JSON
 * @param value what `JSON.parse` returned for it
 * @returns undefined if the value is nested too deeply to be checked
 */
export function findLosses(text: string, value: unknown): Violation[] | undefined {
  const surveyed = survey(value)
  if (surveyed.depth > DEEPEST) return undefined
  // Only an escape can produce half of a pair.
  const hasHalves = /\\u[dD][89a-fA-F]/.test(text)
  if (!hasHalves && !mayLoseValue(text, surveyed)) return []

  const losses: Violation[] = []
  /** The keys of the objects that are open, and the line of each. */
  const open: Map<string, number>[] = []
  const halvesOf = (at: 'key' | 'value', range: Range, path: () => JSONPath) => {
    const token = text.slice(range.start, range.end)
    if (!hasHalves || !token.startsWith('"')) return
    for (const { index, 0: found } of (JSON.parse(token) as string).matchAll(/\p{Cs}+/gu)) {
      const place = partOf(text, range, { start: index, end: index + found.length })
      losses.push({ ...fault('loss.lone-surrogate', path()), at, range: place })
    }
  }
  walk(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, start, length, line, _column, path) => {
      const [keys, range] = [open.at(-1), { start, end: start + length }]
      const earlier = keys?.get(key)
      const pointer = () => [...path(), key]
      if (earlier !== undefined)
        losses.push({ ...fault('loss.repeated-key', pointer(), key, earlier), at: 'key', range })
      else keys?.set(key, line + 1)
      halvesOf('key', range, pointer)
    },
    onLiteralValue: (value, start, length, _line, _column, path) => {
      const range = { start, end: start + length }
      const kept = typeof value === 'number' ? keptAs(text.slice(start, range.end)) : undefined
      if (kept !== undefined) losses.push({ ...fault('loss.number', path(), kept), range })
      halvesOf('value', range, path)
    },
  })
  return losses
}

/** The code of a text with U+FFFD. */
export const LOST_CODE = 'loss.character'

/**
 * Returns each text and key with U+FFFD. That is valid, and hardly ever meant: a warning, and with
 * --strict a problem.
 */
export function findLostCharacters(text: string, value: unknown): Violation[] {
  if (!text.includes('\ufffd') && !/\\u[fF]{3}[dD]/.test(text)) return []
  const lost: Violation[] = []
  const add = (at: 'key' | 'value', found: string, pointer: Pointer) => {
    const start = found.indexOf('\ufffd')
    if (start < 0) return
    const others = found.split('\ufffd').length - 2
    const within = { start, end: start + 1 }
    lost.push({ ...fault(LOST_CODE, pointer, others), at, within })
  }
  const search = (inner: unknown, pointer: Pointer) => {
    if (typeof inner === 'string') add('value', inner, pointer)
    if (typeof inner !== 'object' || inner === null) return
    for (const [step, each] of Object.entries(inner)) {
      if (!Array.isArray(inner)) add('key', step, [...pointer, step])
      if (typeof each === 'object' || typeof each === 'string') search(each, [...pointer, step])
    }
  }
  search(value, [])
  return lost
}

/** A long number, or one with an exponent. Texts may have some too. */
const SUSPECT = /(?<=[[:,\s])-?(?:[\d.]{16,}|[\d.]+[eE][-+\d]+)(?=[\]},\s])/g

/** Whether a text may have a key that its value lacks, so a repeated one, or a number that changes. */
function mayLoseValue(text: string, { members, hasNumbers }: ReturnType<typeof survey>): boolean {
  if (hasNumbers && text.match(SUSPECT)?.some((number) => keptAs(number) !== undefined)) return true
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
