/** Finds the schemas within a schema. Pure. */

import { asObject, isObject } from '../text/as-object.ts'
import { formatPointer } from '../text/pointer.ts'

export type Node = Record<string, unknown>

/** Keywords that hold schemas by keys, in any draft. `dependencies` may also hold lists of keys. */
export const MAPS: readonly string[] = [
  ...['properties', 'patternProperties', '$defs', 'definitions'],
  ...['dependentSchemas', 'dependencies'],
]

/** Keywords that hold a list of schemas. In older drafts, `items` may, too. */
export const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']

/** Keywords that hold one schema. */
export const ONES: readonly string[] = [
  ...['items', 'additionalItems', 'contains', 'additionalProperties', 'unevaluatedProperties'],
  ...['unevaluatedItems', 'propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
]

/** Returns the schemas directly in a schema, with the steps to each. A property may have the name of a keyword. */
export function* innerSchemas(node: Node): Generator<[steps: string[], inner: unknown]> {
  for (const [keyword, value] of Object.entries(node)) {
    if (holdsMany(keyword, value)) {
      for (const [key, inner] of Object.entries(asObject(value))) yield [[keyword, key], inner]
    } else if (ONES.includes(keyword)) {
      yield [[keyword], value]
    }
  }
}

function holdsMany(keyword: string, value: unknown): boolean {
  if (Array.isArray(value)) return LISTS.includes(keyword)
  return isObject(value) && MAPS.includes(keyword)
}

/** All schemas in a schema that are objects, by their places. */
export function* schemasIn(schema: unknown, at = ''): Generator<[at: string, node: Node]> {
  if (!isObject(schema) || Array.isArray(schema)) return

  yield [at, schema]
  for (const [steps, inner] of innerSchemas(schema)) {
    yield* schemasIn(inner, at + formatPointer(steps))
  }
}
