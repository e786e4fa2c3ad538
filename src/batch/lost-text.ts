/**
 * U+FFFD stands where some program could not read a character. It is valid, and hardly ever meant:
 * a warning, and with --strict a problem.
 */

import { findStrings } from './rules.ts'
import type { Violation } from './violation.ts'

const MESSAGE =
  'has U+FFFD, which stands for a character that a program could not read; write what was meant'

/** Finds the texts of a batch that have it. @returns none if the batch is not JSON */
export function findLostText(delivered: Uint8Array): Violation[] {
  const bytes = Buffer.from(delivered.buffer, delivered.byteOffset, delivered.byteLength)
  // Its bytes, or how its escape begins: searching for these costs nearly nothing.
  if (![LOST, '\\uf', '\\uF'].some((sign) => bytes.includes(sign))) return []
  const text = bytes.toString()
  if (!/\ufffd|\\u[fF]{3}[dD]/.test(text)) return []
  try {
    return findStrings(JSON.parse(text), (each) => each.includes(LOST), MESSAGE)
  } catch {
    return []
  }
}

const LOST = '\ufffd'
