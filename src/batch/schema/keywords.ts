/** Keywords that ajv itself decides wrongly for some values, and what the code of a check calls. */

import { createRequire } from 'node:module'
import type { Ajv, KeywordCxt } from 'ajv'
import { isMultiple } from '../json/decimal.ts'

const require = createRequire(import.meta.url)

/** What the code of a check calls as `helpers`. */
export const helpers = {
  isMultiple,
  areUnique: (items: readonly unknown[]) => findRepeated(items).length === 0,
}

/** Replaces what ajv requires: its equality calls the value of a key "valueOf" as a function. */
export function requireFor(id: string): unknown {
  if (id !== 'ajv/dist/runtime/equal') return require(id)
  return { default: (a: unknown, b: unknown) => canonical(a) === canonical(b) }
}

/**
 * Replaces two keywords. ajv's `multipleOf` divides in binary, where 78.1 / 0.01 is no whole number;
 * its `uniqueItems` compares every object with every other, by that equality.
 */
export function replaceKeywords(ajv: Ajv): void {
  const { _ } = require('ajv') as typeof import('ajv')
  const named = ({ gen }: KeywordCxt) => gen.scopeValue('func', { ref: helpers, code: _`helpers` })
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }` },
    code(cxt) {
      cxt.fail(_`!${named(cxt)}.isMultiple(${cxt.data}, ${cxt.schemaCode})`)
    },
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    code(cxt) {
      if (cxt.schema) cxt.fail(_`!${named(cxt)}.areUnique(${cxt.data})`)
    },
  })
}

/** Items that are the same as an earlier one: the positions of both. */
export function findRepeated(items: readonly unknown[]): { item: number; earlier: number }[] {
  const first = new Map<string, number>()
  return items.flatMap((value, item) => {
    const text = canonical(value)
    const earlier = first.get(text)
    if (earlier !== undefined) return [{ item, earlier }]
    first.set(text, item)
    return []
  })
}

/** The same text for the same value, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
