/** Searches every text of a batch: for half a character, and for a character that was lost. */

import type { Pointer, Violation } from '../violation.ts'

/** A value and its parent. Storing a pointer for every value would cost the square of the depth. */
interface Place {
  value: unknown
  step: string | number
  parent: Place | undefined
}

/** A string, or the key of an object. */
interface Text {
  text: string
  at: 'key' | 'value'
  place: Place
}

function* textsOf(root: unknown): Generator<Text> {
  const waiting: Place[] = [{ value: root, step: '', parent: undefined }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value } = place
    if (typeof value === 'string') yield { text: value, at: 'value', place }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      const isItem = Array.isArray(value)
      const inner = { value: member, step: isItem ? Number(key) : key, parent: place }
      waiting.push(inner)
      if (!isItem) yield { text: key, at: 'key', place: inner }
    }
  }
}

function pointerTo(place: Place): Pointer {
  const steps: (string | number)[] = []
  for (let at = place; at.parent; at = at.parent) steps.push(at.step)
  return steps.reverse()
}

/** @param faulty global */
function findIn(value: unknown, faulty: RegExp, message: string): Violation[] {
  const found: Violation[] = []
  for (const { text, at, place } of textsOf(value)) {
    for (const { index, 0: part } of text.matchAll(faulty)) {
      const within = { start: index, end: index + part.length }
      found.push({ pointer: pointerTo(place), at, within, message })
    }
  }
  return found
}

/**
 * Finds every lone surrogate, which cannot be encoded as UTF-8. It can only come from an escape such
 * as `\uD800` in the text, never from its bytes.
 */
export function findLoneSurrogates(value: unknown): Violation[] {
  return findIn(value, /\p{Cs}+/gu, 'must be well-formed Unicode, but has a lone surrogate')
}

const LOST = '\ufffd'
const LOST_MESSAGE =
  'has U+FFFD, which stands for a character that a program could not read; write what was meant'

/**
 * Finds every U+FFFD of a batch. It is valid, and hardly ever meant: a warning, and with --strict a
 * problem.
 *
 * @returns none if the batch is too long for a string, or not JSON
 */
export function findLostText(delivered: Uint8Array): Violation[] {
  const bytes = Buffer.from(delivered.buffer, delivered.byteOffset, delivered.byteLength)
  // Its bytes, or how its escape begins: searching for these costs nearly nothing.
  if (![LOST, '\\uf', '\\uF'].some((sign) => bytes.includes(sign))) return []
  try {
    const text = bytes.toString()
    if (!/\ufffd|\\u[fF]{3}[dD]/.test(text)) return []
    return findIn(JSON.parse(text), /\ufffd+/g, LOST_MESSAGE)
  } catch {
    return []
  }
}
