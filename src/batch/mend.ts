/**
 * Finds the fixes that make a refused text valid: the text is right but for some characters. A fix
 * never decides what is valid. It is suggested only if the schema accepts the text with it and
 * refuses it without. So with another schema it has no effect, and the general message is used.
 */

import { createRequire } from 'node:module'
import { LOOKALIKE, remarkOn, toAscii } from '../text/lookalikes.ts'
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
 * each to the result of those before it. A message without its own words, or with {mended} in it,
 * suggests the whole text.
 */
export type Mend = readonly [
  at: RegExp,
  instead: string | ((found: string) => string),
  says?: string | ((found: string) => string),
]

/**
 * The fixes to try for the texts of a place: its pointer, with # for a position. What finds them
 * may return a message instead.
 */
export type Explainer = readonly [
  at: RegExp,
  (text: string, schema: TextSchema) => readonly Mend[] | string | undefined,
]

/** What is wrong with a text. */
type Said = Pick<Violation, 'message' | 'within' | 'mended'>

/** In characters. Lookalikes are only searched in the shorter ones: in others they are words. */
const [LONGEST, SHORT] = [100_000, 200]
/** How many texts of a place are explained. Nobody reads more at once, and each costs time. */
const MOST = 1_000

interface ExplainedPlace {
  accepts(text: string): boolean
  texts: Map<string, Said[]>
  /** The kinds of fixes without which a text was refused. Each is tried once. */
  needed: Set<string>
}

/** Creates a function that explains the refused texts of a batch. It tries each text once. */
export function createExplain(explainers: readonly Explainer[]) {
  const places = new Map<string, ExplainedPlace>()
  /**
   * @param at the place of the text, with # for a position
   * @param general the message without an explanation
   * @returns one for each kind of fault; none if there is nothing to add to the general message
   */
  return (at: string, text: string, general: string, schema: TextSchema): readonly Said[] => {
    const key = `${at} ${schema.pattern} ${schema.format}`
    const place = places.get(key) ?? {
      accepts: makeAccepts(schema),
      texts: new Map(),
      needed: new Set(),
    }
    places.set(key, place)
    const known = place.texts.get(text)
    if (known || place.texts.size === MOST || text.length > LONGEST) return known ?? []
    const [, find] = explainers.find(([where]) => where.test(at)) ?? []
    const found = find?.(text, schema) ?? []
    const said =
      typeof found === 'string'
        ? [{ message: found }]
        : explainBy(text.length > SHORT ? found : [...LOOKALIKES, ...found], text, general, place)
    place.texts.set(text, said)
    return said
  }
}

const LOOKALIKES: readonly Mend[] = [[LOOKALIKE, toAscii]]

/** The changes of one kind: how many, the first by its place in the text, and what it says. */
interface Kind {
  says: string
  count: number
  found: string
  start: number
  end: number
}

/**
 * Finds the faults of a text: the kinds of fixes without which, all others made, the schema still
 * refuses it. A message that has the whole text as it must be needs no others beside it.
 */
function explainBy(
  mends: readonly Mend[],
  text: string,
  general: string,
  { accepts, needed }: ExplainedPlace,
): Said[] {
  const { mended, kinds } = mendAllBut(text, mends)
  if (text.includes(KEPT) || !accepts(mended)) return []
  const faults = kinds.filter(({ says }) => {
    const isNeeded =
      kinds.length === 1 || needed.has(says) || !accepts(mendAllBut(text, mends, says).mended)
    if (isNeeded) needed.add(says)
    return isNeeded
  })
  const isSure = faults.every(({ says }) => says === '')
  const did = () => `; did you mean ${show(mended)}?${remarkOn(text)}`
  if (isSure && faults.length > 0) return [{ message: general + did(), mended }]
  const whole = faults.find(({ says }) => says.endsWith(MENDED))
  if (whole) return [{ message: whole.says.replace(MENDED, did) }]
  return faults.map(({ says, count, found, start, end }) => {
    const more = says && count > 1 ? ` (and ${count - 1} more in this text)` : ''
    const isPart = says !== '' && found !== text
    return { message: (says || general) + more, ...(isPart && { within: { start, end } }) }
  })
}

/** At the end of a message that suggests the whole text. */
export const MENDED = '{mended}'
/** A placeholder for a text that is left as it is, so that no later fix changes it. */
const KEPT = '\uffff'

/** What a fix has changed, in order: places in the text before it, and the length of what it put. */
type Changes = { start: number; length: number; put: number }[]

/** Applies all fixes but those of one kind. Returns the kinds in the order of the text. */
function mendAllBut(text: string, mends: readonly Mend[], left?: string) {
  const kinds = new Map<string, Kind>()
  const kept: string[] = []
  let restored = 0
  const passes: Changes[] = []
  let mended = text
  for (const [at, instead, says = ''] of mends) {
    const changes: Changes = []
    const seen = new Set<string>()
    mended = mended.replace(at, (found: string, ...rest) => {
      const put = fill(instead, found)
      if (put === found) return found
      const said = fill(says, found)
      const start = rest.find((argument) => typeof argument === 'number') as number
      const { length } = found
      changes.push({ start, length, put: said === left ? 1 : put.length })
      if (said === left) {
        kept.push(found)
        return KEPT
      }
      const kind = kinds.get(said) ?? { says: said, count: 0, found, start: Infinity, end: 0 }
      kinds.set(said, kind)
      // An end tag belongs to its start tag.
      if (!/^<\/[^<]*$/.test(found)) kind.count++
      if (!seen.has(said)) {
        seen.add(said)
        const origin = originOf(start, passes)
        if (origin < kind.start)
          Object.assign(kind, { found, start: origin, end: originOf(start + length, passes) })
      }
      return put
    })
    passes.push(changes)
  }
  return {
    mended: mended.replaceAll(KEPT, () => kept[restored++] ?? ''),
    kinds: [...kinds.values()].sort((a, b) => a.start - b.start),
  }
}

function fill(words: string | ((found: string) => string), found: string): string {
  return typeof words === 'string' ? words.replace('{found}', () => found) : words(found)
}

/** Returns where an offset in a text that fixes have changed was before. */
function originOf(offset: number, passes: readonly Changes[]): number {
  return passes.reduceRight((at, changes) => {
    let shift = 0
    for (const { start, length, put } of changes) {
      if (at < start + shift) break
      if (at < start + shift + put) return start
      shift += put - length
    }
    return at - shift
  }, offset)
}

/** Returns a function that says whether the schema accepts a text at that place. */
function makeAccepts({ pattern = '', format }: TextSchema): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  const found = format && require('ajv-formats/dist/formats').fullFormats[format]
  // Two formats, such as "password", are `true`: they refuse nothing.
  if (!found || found === true) return (text) => expression.test(text)
  // A format is a function, a regular expression, or an object that has one as its key.
  const check = found.validate ?? found
  const accepts = check instanceof RegExp ? (text: string) => check.test(text) : check
  return (text) => expression.test(text) && accepts(text)
}
