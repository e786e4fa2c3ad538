/**
 * Explains a fault by trying what may repair it: a text that is JSON after one small change lacked that
 * change. The change is only named, never made: `--fix` makes those of `fixes.ts`.
 */

import type { Fault } from '../../fault/fault.ts'
import type { Edit } from '../../text/range.ts'
import { attemptsAtBrackets } from './bracket-attempts.ts'
import { findFixes } from './fixes.ts'
import { lineOf } from './layout.ts'
import { attemptsAtQuotes } from './quote-attempts.ts'
import type { Attempt, Spot } from './tokens.ts'

/** How many lines a text must go on behind the line of a fault, so that a change counts as right. */
const LEAST_LINES = 3

/**
 * Returns the fault of the first change after which the text is JSON; or, if another fault comes later,
 * of the only one with which the text goes on the furthest.
 *
 * @param from where the value begins
 */
export function explainByAttempts(spot: Spot, from: number): Fault | undefined {
  const { text, layout, start } = spot
  let furthest = start
  let best: Attempt[] = []

  for (const attempt of [...attemptsAtQuotes(spot), ...attemptsAtBrackets(spot)]) {
    const { isJson, end } = findFixes(edited(text, attempt.edits), from)
    if (isJson) return attempt.fault

    // Without a bracket, many texts can be read on for a while.
    if (attempt.fault.code === 'json.bracket-extra') continue

    const reached = end - growthOf(attempt.edits)
    if (reached > furthest) best = []
    if (reached >= furthest) best.push(attempt)
    furthest = Math.max(furthest, reached)
  }

  const [only, ...others] = best
  if (!only || others.length > 0) return undefined

  // A change that takes lines away is behind them at once.
  const changed = Math.max(start, only.edits[0]?.end ?? start)
  const isFarEnough = lineOf(layout, furthest) >= lineOf(layout, changed) + LEAST_LINES
  return isFarEnough ? only.fault : undefined
}

function edited(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let from = 0

  for (const { start, end, text: after } of edits) {
    parts.push(text.slice(from, start), after)
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** By how many characters edits make a text longer. */
function growthOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
}
