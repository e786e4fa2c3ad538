/**
 * Finds the fixes that make a refused text valid. A fix is suggested only if the schema accepts the
 * text with it and refuses it without.
 */

import { createRequire } from 'node:module'
import { LOOKALIKE, nameLookalike, toAscii } from '../text/lookalikes.ts'
import { show } from '../text/wording.ts'
import type { Violation } from './violation.ts'

const require = createRequire(import.meta.url)

/** The part of a schema that refuses a text. */
export interface TextSchema {
  pattern?: string
  format?: string
}

/**
 * A fix: where a text may be wrong, the replacement, and the message. Fixes are applied in order,
 * each to the result of those before it. Without a message, the fixed text is suggested.
 */
export type Mend = readonly [
  at: RegExp,
  instead: string | ((found: string) => string),
  says?: string | ((found: string) => string),
]

/**
 * An explanation: where it is looked up (the place, with # for a position, and the keyword, such as
 * "/#/form/fields/#/name pattern"), and what finds it: fixes to try, or what to say.
 *
 * @param general the message without an explanation
 */
export type Explainer = readonly [
  at: RegExp,
  (
    value: unknown,
    general: string,
    schema: TextSchema,
  ) => readonly Mend[] | Omit<Violation, 'pointer' | 'at'> | string | undefined,
]

const MOST_TRIED = 10
/** A placeholder for a text that is left as it is, so that no later fix changes it. */
const KEPT = '\uffff'

/** A place where a fix changes a text: the fix, and the offsets in the text as it was. */
interface Fixed {
  mend: Mend
  found: string
  start: number
  end: number
}

/**
 * Finds the faults of a text: the fixes without which, all others made, the schema still refuses
 * it. The same mistake in several places is one fault. A message that has the whole text as it
 * must be needs no others beside it.
 */
export function explainText(
  text: string,
  general: string,
  schema: TextSchema,
  mends: readonly Mend[],
): Omit<Violation, 'pointer' | 'at'>[] {
  const accepts = makeAccepts(schema)
  const { mended, sites } = mendAllBut(text, mends)
  if (!accepts(mended)) return []
  const kinds = new Map<string, Fixed[]>()
  for (const site of sites.sort((a, b) => a.start - b.start)) {
    const kind = LETTERS.has(site.mend[2]) ? 'letters' : saysOf(site)
    const same = kinds.get(kind)
    if (same) same.push(site)
    else kinds.set(kind, [site])
  }
  const faults = [...kinds.values()].flatMap((all) => {
    const needed = all
      .slice(0, MOST_TRIED)
      .find((site) => !accepts(mendAllBut(text, mends, site).mended))
    // An end tag belongs to its start tag.
    const count = all.filter(({ found }) => !found.startsWith('</')).length
    return needed ? { ...needed, count } : []
  })
  const full = faults.find((site) => saysOf(site).includes('{mended}'))
  const isSure = faults.every(({ mend: [, , says] }) => !says || LETTERS.has(says))
  return (full ? [full] : isSure && !faults[0]?.mend[2] ? faults.slice(0, 1) : faults).map(
    (fault) => {
      const { mend, found, start, end, count } = fault
      const says = mend[2] ? saysOf(fault) : general + (isSure ? DID : '')
      const more = mend[2] && !full && count > 1 ? ` (and ${count - 1} more in this text)` : ''
      const message = says.replace('{mended}', () => show(mended)) + more
      return {
        message,
        ...(found !== text && mend[2] && { within: { start, end } }),
        ...((isSure || full) && { mended }),
      }
    },
  )
}

function saysOf({ mend: [, , says = ''], found }: Fixed): string {
  return typeof says === 'string' ? says.replace('{found}', () => found) : says(found)
}

/** Applies all fixes but one. */
function mendAllBut(text: string, mends: readonly Mend[], left?: Fixed) {
  const sites: Fixed[] = []
  let mended = text
  /** For each unit of the mended text, its offset in the text as it was. */
  let origins = Array.from({ length: text.length + 1 }, (_, at) => at)
  for (const mend of mends) {
    const before = mended
    const starts: number[][] = []
    let end = 0
    mended = before.replace(mend[0], (found: string, ...rest) => {
      const at = rest.find((argument) => typeof argument === 'number') as number
      const start = origins[at] as number
      const instead = insteadOf(mend, found)
      if (instead === found) return found
      sites.push({ mend, found, start, end: origins[at + found.length] as number })
      const put = left?.mend === mend && left.start === start ? KEPT : instead
      starts.push(origins.slice(end, at), Array(put.length).fill(start))
      end = at + found.length
      return put
    })
    if (starts.length > 0) origins = [...starts, origins.slice(end)].flat()
  }
  return { mended: left ? mended.replace(KEPT, () => left.found) : mended, sites }
}

function insteadOf([, instead]: Mend, found: string): string {
  return typeof instead === 'string' ? instead.replace('{found}', () => found) : instead(found)
}

/** Returns a function that says whether the schema accepts a text at that place. */
export function makeAccepts({ pattern = '', format }: TextSchema): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  const found = format && require('ajv-formats/dist/formats').fullFormats[format]
  // Two formats, such as "password", are `true`: they refuse nothing.
  if (!found || found === true) return (text) => expression.test(text)
  // A format is a function, a regular expression, or an object that has one as its key.
  const check = found.validate ?? found
  const accepts = check instanceof RegExp ? (text: string) => check.test(text) : check
  return (text) => expression.test(text) && accepts(text)
}

export const LOOKALIKES: readonly Mend[] = [[LOOKALIKE, toAscii, nameLookalike]]
/** The messages about letters that look like what must be there. */
const LETTERS = new Set<Mend[2]>([nameLookalike, nameDigit])

export function nameDigit(letter: string): string {
  return `${letter} is a letter; write the digit ${toDigit(letter)}`
}

export function toDigit(letter: string): string {
  return /o/i.test(letter) ? '0' : '1'
}

export const DID = '; did you mean {mended}?'
