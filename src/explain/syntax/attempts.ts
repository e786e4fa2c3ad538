/**
 * Explains a fault by trying small changes: the one that makes the text JSON shows the mistake. It's
 * only named: `--fix` makes the changes of `fixes.ts`.
 */

import type { AnyCode } from '../../fault/facts.ts'
import type { Fault } from '../../fault/fault.ts'
import type { Edit } from '../../text/range.ts'
import { attemptsAtBrackets } from './bracket-attempts.ts'
import { type FoundFixes, findFixes } from './fixes.ts'
import { lineOf } from './layout.ts'
import { attemptsAtQuotes } from './quote-attempts.ts'
import type { Attempt, Spot } from './tokens.ts'

/** How many lines after the fault must be readable for a change to count as right. */
const LEAST_LINES = 3

/** An attempt, and how far a text can be read with it. */
interface Outcome extends FoundFixes {
  attempt: Attempt
}

/** The faults of a bracket that is missing, or one too many. */
const OF_BRACKETS: readonly AnyCode[] = ['json.bracket-extra', 'json.opening-missing']

/**
 * Returns the fault of the smallest change after which the text is JSON; or, if another fault comes
 * later, of the only change with which the text can be read the furthest.
 *
 * @param from where the value begins
 */
export function explainByAttempts(spot: Spot, from: number): Fault | undefined {
  const attempts = [...attemptsAtQuotes(spot), ...attemptsAtBrackets(spot)]
  const outcomes = attempts.map((attempt) => {
    return { attempt, ...findFixes(edited(spot.text, attempt.edits), from) }
  })

  const whole = outcomes.filter(({ isJson }) => isJson)
  const smallest = Math.min(...whole.map(sizeOf))
  const meant = whole.find((outcome) => sizeOf(outcome) === smallest)
  return (meant?.attempt ?? onlyFurthest(spot, outcomes))?.fault
}

/** How many characters an attempt changes, with the fixes that the text needs besides. */
function sizeOf({ attempt, fixes }: Outcome): number {
  const edits = [...attempt.edits, ...fixes.flatMap((fix) => fix.edits)]
  return edits.reduce((sum, { start, end, text }) => sum + Math.max(text.length, end - start), 0)
}

/** Returns the only attempt with which the text can be read the furthest, if that is far enough. */
function onlyFurthest({ layout, start }: Spot, outcomes: readonly Outcome[]): Attempt | undefined {
  let furthest = start
  let best: Attempt[] = []

  for (const { attempt, end } of outcomes) {
    // With a bracket more or less, most texts can be read to their end, where the brackets don't match.
    if (OF_BRACKETS.includes(attempt.fault.code)) continue

    const reached = end - growthOf(attempt.edits)
    if (reached > furthest) best = []
    if (reached >= furthest) best.push(attempt)
    furthest = Math.max(furthest, reached)
  }

  const [only, ...others] = best
  if (!only || others.length > 0) return undefined

  // The lines that a change removes don't count.
  const changed = Math.max(start, only.edits[0]?.end ?? start)
  const isFarEnough = lineOf(layout, furthest) >= lineOf(layout, changed) + LEAST_LINES
  return isFarEnough ? only : undefined
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

/** How many characters edits add to a text. */
function growthOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
}
