/** What a JSON text has lost, or would lose without a word: values, digits, characters. */
import { type JSONPath, visit } from 'jsonc-parser'
import { fault } from '../explain/sentences.ts'
import type { Violation } from '../page/fault.ts'
import { keptAs } from '../text/decimal.ts'

/** The most levels of a value: `JSON.stringify` and jsonc-parser call themselves for each one. */
const DEEPEST = 1_000

/** The code of a text with U+FFFD. */
export const LOST_CODE = 'loss.character'

/**
 * Returns every key that its object repeats, every number that would not survive, every half of a
 * surrogate pair, which cannot be written as UTF-8, and every text and key with U+FFFD, which is
 * valid, and hardly ever meant: in the order of the text.
 *
 * @returns undefined if the value is nested too deeply to be checked
 */
export function findLosses(text: string, value: unknown): Violation[] | undefined {
  const surveyed = survey(value, { members: 0, hasNumbers: false, depth: 0 })
  if (surveyed.depth > DEEPEST) return undefined
  // Only an escape can produce half of a pair.
  const hasOdd = text.includes('\ufffd') || /\\u(?:[dD][89a-fA-F]|[fF]{3}[dD])/.test(text)
  if (!hasOdd && !mayLoseValue(text, surveyed)) return []

  const losses: Violation[] = []
  /** The keys of the objects that are open, and the line of each. */
  const open: Map<string, number>[] = []
  const addLost = (value: string, place: Pick<Violation, 'at' | 'range'>, path: () => JSONPath) => {
    if (!hasOdd) return
    for (const { index, 0: half } of value.matchAll(/\p{Cs}+/gu)) {
      const within = { start: index, end: index + half.length }
      losses.push({ ...fault('loss.lone-surrogate', path()), ...place, within })
    }
    const [before = '', ...others] = value.split('\ufffd')
    if (others.length === 0) return
    const within = { start: before.length, end: before.length + 1 }
    losses.push({ ...fault(LOST_CODE, path(), others.length - 1), ...place, within })
  }
  visit(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, start, length, line, _column, path) => {
      const place = { at: 'key', range: { start, end: start + length } } as const
      const pointer = () => [...path(), key]
      const keys = open.at(-1)
      const earlier = keys?.get(key)
      if (earlier === undefined) keys?.set(key, line + 1)
      else losses.push({ ...fault('loss.repeated-key', pointer(), key, earlier), ...place })
      addLost(key, place, pointer)
    },
    onLiteralValue: (value, start, length, _line, _column, path) => {
      const range = { start, end: start + length }
      const kept = typeof value === 'number' ? keptAs(text.slice(start, range.end)) : undefined
      if (kept !== undefined) losses.push({ ...fault('loss.number', path(), kept), range })
      if (typeof value === 'string') addLost(value, { at: 'value', range }, path)
    },
  })
  return losses
}

/** A long number, or one with an exponent; texts may have some too. Looks back from a digit: faster. */
const SUSPECT = /[-\d](?<=[[:,\s].)(?:[\d.]{15,}|[\d.]*[eE][-+\d]+)(?=[\]},\s]|$)/g

/** Whether a text may have a key that its value lacks, so a repeated one, or a number that changes. */
function mayLoseValue(text: string, { members, hasNumbers }: Survey): boolean {
  const suspects = hasNumbers ? text.match(SUSPECT) : null
  if (suspects?.some((number) => keptAs(number) !== undefined)) return true
  let keys = 0
  // Before the colon of a key is a quote; in a text, hardly ever.
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1
    while (text.charCodeAt(before) <= 0x20) before--
    if (text[before] === '"') keys++
  }
  return keys !== members
}

type Survey = { members: number; hasNumbers: boolean; depth: number }

/** Counts the members of all objects and the levels down to the deepest, and looks for numbers. */
function survey(value: unknown, found: Survey, level = 0): Survey {
  if (typeof value === 'number') found.hasNumbers = true
  if (level > found.depth) found.depth = level
  if (typeof value !== 'object' || value === null || level > DEEPEST) return found
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (inside !== value) found.members += inside.length
  for (const item of inside) if (typeof item !== 'string') survey(item, found, level + 1)
  return found
}
