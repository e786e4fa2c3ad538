/** What a text has lost before it was delivered, or loses when it is written as UTF-8. */
import { DAMAGES } from '../fault/codes.ts'
import { type Fault, fault } from '../fault/fault.ts'
import type { Range } from '../text/range.ts'

/** Halves of surrogate pairs, such as "\ud83d" without its second half. */
const LONE_SURROGATES = /\p{Cs}+/gu
/** The character that stands for one that a program could not read. */
const REPLACEMENT_CHARACTER = '\ufffd'

/**
 * Returns a fault for all halves of a character that stand together, and one for U+FFFD, each with the
 * part of the text that it is about.
 *
 * @param text a value or a key
 */
export function damagesOf(text: string): (Fault & { within: Range })[] {
  const faults: (Fault & { within: Range })[] = []
  for (const { index, 0: half } of text.matchAll(LONE_SURROGATES)) {
    const within = { start: index, end: index + half.length }
    faults.push({ ...fault('loss.lone-surrogate', []), within })
  }

  const first = text.indexOf(REPLACEMENT_CHARACTER)
  if (first >= 0) {
    const count = text.split(REPLACEMENT_CHARACTER).length - 1
    const within = { start: first, end: first + 1 }
    faults.push({ ...fault('loss.character', [], { others: count - 1 }), within })
  }
  return faults
}

/** Divides losses into faults, and into those that are warnings unless the build is strict. */
export function divideLosses(losses: readonly Fault[]): { faults: Fault[]; damages: Fault[] } {
  return {
    faults: losses.filter(({ code }) => !DAMAGES.includes(code)),
    damages: losses.filter(({ code }) => DAMAGES.includes(code)),
  }
}
