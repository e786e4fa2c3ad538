/** Finds what a JSON text has lost, or would silently lose: values, digits, characters. */
import { isDeepStrictEqual } from 'node:util'
import { createScanner, type JSONPath, type JSONScanner, visit } from 'jsonc-parser'
import { type Fault, fault, keyFault } from '../fault/fault.ts'
import { isPlainObject } from '../text/as-object.ts'
import { numberRead } from '../text/decimal.ts'
import type { Range } from '../text/range.ts'
import { damagesOf } from './damages.ts'
import { locateWithin } from './json-text.ts'

/** The most levels of a value: `JSON.stringify` and jsonc-parser call themselves for each one. */
export const DEEPEST = 1_000

/**
 * Returns every key that its object repeats, every number that would not survive, every half of a
 * surrogate pair, which can't be written as UTF-8, and every text and key with U+FFFD, which is
 * valid, and hardly ever meant: in the order of the text.
 */
export function findLosses(text: string, value: unknown): Fault[] | 'too deep' {
  const survey = surveyOf(value)
  if (survey.depth > DEEPEST) return 'too deep'

  // Nearly all texts lose nothing, and a look at each key and number takes longer than JSON.parse.
  const hasOddCharacter = ODD_CHARACTER.test(text)
  if (!hasOddCharacter && !mayLoseValue(text, survey)) return []

  return lookAtEach(text, hasOddCharacter)
}

/** U+FFFD, or the escape of it or of a surrogate, such as \ud83d: only an escape can produce half of a pair. */
const ODD_CHARACTER = /\ufffd|\\u(?:[dD][89a-fA-F]|[fF]{3}[dD])/

/** Looks at each key, number and text. */
function lookAtEach(text: string, hasOddCharacter: boolean): Fault[] {
  const losses: Fault[] = []
  /** The keys of the objects that are open: of each, the line and the end of its latest one. */
  const openObjects: Map<string, { line: number; end: number }>[] = []
  const scanner = createScanner(text, true)

  const addKey = (key: string, range: Range, line: number, pointer: () => JSONPath) => {
    const keys = openObjects.at(-1)
    const earlier = keys?.get(key)
    keys?.set(key, { line, end: range.end })

    if (earlier !== undefined) {
      const earlierValue = valueAfterKey(text, scanner, earlier.end)
      const value = valueAfterKey(text, scanner, range.end)
      const isEqual = isDeepStrictEqual(value, earlierValue)
      const both = kindOfBoth(value, earlierValue)
      const facts = { key, line: earlier.line, isEqual, ...(both && { both }) }
      losses.push({ ...keyFault('loss.repeated-key', pointer(), facts), range })
    }

    if (hasOddCharacter) losses.push(...lossesOfText(key, { at: 'key', range }, text, pointer()))
  }

  const addValue = (value: unknown, range: Range, pointer: () => JSONPath) => {
    if (typeof value === 'number') {
      const becomes = numberRead(text.slice(range.start, range.end))
      if (becomes === undefined) return
      losses.push({ ...fault('loss.number', pointer(), { becomes }), range })
    }

    if (typeof value === 'string' && hasOddCharacter)
      losses.push(...lossesOfText(value, { at: 'value', range }, text, pointer()))
  }

  // jsonc-parser makes a pointer only if it's asked for, which takes longer than the rest.
  visit(text, {
    onObjectBegin: () => {
      openObjects.push(new Map())
    },
    onObjectEnd: () => {
      openObjects.pop()
    },
    onObjectProperty: (key, start, length, line, _column, path) => {
      addKey(key, { start, end: start + length }, line + 1, () => [...path(), key])
    },
    onLiteralValue: (value, start, length, _line, _column, path) => {
      addValue(value, { start, end: start + length }, path)
    },
  })
  return losses
}

/** Says what two values are, if both have parts. */
function kindOfBoth(value: unknown, other: unknown): 'lists' | 'objects' | undefined {
  if (Array.isArray(value) && Array.isArray(other)) return 'lists'
  return isPlainObject(value) && isPlainObject(other) ? 'objects' : undefined
}

/** Returns the value of a key, by the end of the key: the object that is read has only the last of two. */
function valueAfterKey(text: string, scanner: JSONScanner, end: number): unknown {
  scanner.setPosition(end)
  // The colon.
  scanner.scan()

  const start = scanner.getPosition()
  let depth = 0
  do {
    scanner.scan()
    const sign = text.charAt(scanner.getTokenOffset())
    if (sign === '{' || sign === '[') depth++
    if (sign === '}' || sign === ']') depth--
  } while (depth > 0)

  return JSON.parse(text.slice(start, scanner.getPosition()))
}

/** Returns what a text or a key has lost, and where that is in the file. */
function lossesOfText(
  value: string,
  { at, range }: { at: Fault['at']; range: Range },
  text: string,
  pointer: JSONPath,
): Fault[] {
  return damagesOf(value).map(({ within, ...damage }) => {
    return { ...damage, pointer, at, range: locateWithin(text, range, within) }
  })
}

/**
 * A number of 15 or more digits, or one with an exponent, such as 12345678901234567 or 1e400. It may
 * be part of a text. It begins with a digit and looks back from there, which is faster.
 */
const SUSPECT_NUMBER = /[-\d](?<=[[:,\s].)(?:[\d.]{15,}|[\d.]*[eE][-+\d]+)(?=[\]},\s]|$)/g

/** Whether a text may have a key that its value lacks, so a repeated one, or a number that changes. */
function mayLoseValue(text: string, { members, hasNumbers }: Survey): boolean {
  if (hasNumbers) {
    const suspects = text.match(SUSPECT_NUMBER) ?? []
    if (suspects.some((number) => numberRead(number) !== undefined)) return true
  }

  return countKeys(text) !== members
}

/** The last character of ASCII that is not visible. */
const SPACE = 0x20

/** Counts colons after a quote. In a text, there is hardly ever one; then the count is too high. */
function countKeys(text: string): number {
  let keys = 0
  let colon = text.indexOf(':')
  while (colon >= 0) {
    let before = colon - 1
    while (text.charCodeAt(before) <= SPACE) before--
    if (text[before] === '"') keys++

    colon = text.indexOf(':', colon + 1)
  }
  return keys
}

interface Survey {
  /** How many keys all objects have. */
  members: number
  hasNumbers: boolean
  /** How many levels are below the root. */
  depth: number
}

function surveyOf(value: unknown): Survey {
  const survey: Survey = { members: 0, hasNumbers: false, depth: 0 }
  addToSurvey(survey, value, 0)
  return survey
}

function addToSurvey(survey: Survey, value: unknown, level: number): void {
  if (level > survey.depth) survey.depth = level
  if (typeof value === 'number') survey.hasNumbers = true
  if (typeof value !== 'object' || value === null || level > DEEPEST) return

  const items = Object.values(value)
  if (!Array.isArray(value)) survey.members += items.length

  // Most items are texts, and need no call.
  for (const item of items) if (typeof item !== 'string') addToSurvey(survey, item, level + 1)
}
