/** Says why a text isn't in its format: one module for each format. */
import type { Format } from '../../formats/format.ts'
import type { Fault } from '../../page/fault.ts'
import { findSyntaxError } from './json.ts'
import { findBrokenLine } from './json-lines.ts'

const EXPLAIN: Record<Format['name'], (text: string) => Fault> = {
  JSON: findSyntaxError,
  'JSON Lines': findBrokenLine,
}

/** @param text which the format can't parse */
export function explainSyntax({ name }: Format, text: string): Fault {
  return EXPLAIN[name](text)
}
