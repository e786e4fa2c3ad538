/**
 * Finds the fixes that make a refused text valid: the text is right but for some characters. Unless
 * the schema accepts the text with all fixes, none is suggested.
 */
import { createRequire } from 'node:module'
import type { Range, Violation } from '../page/violation.ts'
import { LOOKALIKE, remarkOn, toAscii } from '../text/lookalikes.ts'
import { show } from '../text/wording.ts'

const require = createRequire(import.meta.url)

/** The part of a schema that refuses a text. */
export interface TextSchema {
  pattern?: string
  format?: string
}

/**
 * A fix: where a text may be wrong, the replacement, and the message. Fixes are applied in order,
 * each to the result of those before it.
 */
export type Mend = readonly [
  at: RegExp,
  instead: string | ((found: string) => string),
  says: string | ((found: string) => string),
]

/** What to try for the texts of a place, its pointer with # for a position: fixes, or a whole text. */
export type Explainer = readonly [
  at: RegExp,
  (text: string, schema: TextSchema) => readonly Mend[] | string,
]

/** What is wrong with a text. */
type Said = Pick<Violation, 'message' | 'within' | 'mended'>

/** In characters. Lookalikes are only searched in the shorter ones: in others they are words. */
const [LONGEST, SHORT] = [100_000, 200]
/** How many texts are explained. Nobody reads more at once, and each costs time. */
const MOST = 1_000

/** Creates a function that explains the refused texts of a batch. It tries each text once. */
export function createExplain(explainers: readonly Explainer[]) {
  const explained = new Map<string, Said[]>()
  /**
   * @param at the place of the text, with # for a position
   * @param general the message without an explanation
   * @returns one for each kind of fault; none if there is nothing to add to the general message
   */
  return (at: string, text: string, general: string, schema: TextSchema): readonly Said[] => {
    const key = `${at} ${schema.pattern} ${schema.format} ${text}`
    const known = explained.get(key)
    if (known || explained.size === MOST || text.length > LONGEST) return known ?? []
    const accepts = makeAccepts(schema)
    const [, find] = explainers.find(([where]) => where.test(at)) ?? []
    const ascii = text.length > SHORT ? text : text.replace(LOOKALIKE, toAscii)
    const found = find?.(ascii, schema) ?? ascii
    let said: Said[] = []
    if (typeof found !== 'string') said = explainBy(found, text, accepts)
    else if (accepts(found)) {
      const message = `${general}; did you mean ${show(found)}?${remarkOn(text)}`
      said = [{ message, mended: found }]
    }
    explained.set(key, said)
    return said
  }
}

/** Makes all fixes. Returns one message for each kind, in the order of the text. */
function explainBy(
  mends: readonly Mend[],
  text: string,
  accepts: (text: string) => boolean,
): Said[] {
  /** The changes of each kind: how many, and the first by its place in the text. */
  const kinds = new Map<string, { says: string; count: number; within: Range }>()
  let mended = text
  /** Where each character of the mended text was, and its end. */
  let origins = Array.from({ length: text.length + 1 }, (_, at) => at)
  for (const [at, instead, says] of mends) {
    let [done, from] = ['', 0]
    const next: number[] = []
    const goOn = (to: number, put: string) => {
      done += mended.slice(from, to) + put
      while (from < to) next.push(origins[from++] as number)
      for (let unit = 0; unit < put.length; unit++) next.push(origins[to] as number)
    }
    for (const { index, 0: found } of mended.matchAll(at)) {
      const put = fill(instead, found)
      if (put === found) continue
      goOn(index, put)
      from = index + found.length
      const within = { start: origins[index] as number, end: origins[from] as number }
      const said = fill(says, found)
      const kind = kinds.get(said) ?? { says: said, count: 0, within }
      if (within.start < kind.within.start) kind.within = within
      // An end tag belongs to its start tag.
      if (!/^<\/[^<]*$/.test(found)) kind.count++
      kinds.set(said, kind)
    }
    if (from === 0 && next.length === 0) continue
    goOn(origins.length, '')
    ;[mended, origins] = [done, next]
  }
  if (!accepts(mended)) return []
  const faults = [...kinds.values()].sort((a, b) => a.within.start - b.within.start)
  return faults.map(({ says, count, within }) => {
    return { message: count > 1 ? `${says} (and ${count - 1} more in this text)` : says, within }
  })
}

function fill(words: string | ((found: string) => string), found: string): string {
  return typeof words === 'string' ? words.replace('{found}', () => found) : words(found)
}

/** Returns a function that says whether the schema accepts a text at that place. */
function makeAccepts({ pattern = '', format }: TextSchema): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  const found = format && require('ajv-formats/dist/formats').fullFormats[format]
  // A format is a function, an expression, or has one as its key. "password" refuses nothing.
  const check = found?.validate ?? found
  const accepts = check instanceof RegExp ? (text: string) => check.test(text) : check
  return (text) => expression.test(text) && (typeof accepts !== 'function' || accepts(text))
}
