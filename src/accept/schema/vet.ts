/** Finds the faults of a schema that ajv and the generator of types would report without their place. */
import type { Ajv } from 'ajv'
import { formatPointer } from '../../page/fault.ts'
import { asObject, isObject } from '../../text/as-object.ts'
import { show } from '../../text/wording.ts'

export type Node = Record<string, unknown>

/** Keywords that hold schemas: by keys, in a list, or one. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const ONES = [
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
]

/** What editors and generators of types read, and checks do not. */
export const ANNOTATIONS = [
  ...['$anchor', 'tsType', 'patternErrorMessage', 'errorMessage', 'markdownDescription'],
  ...['markdownEnumDescriptions', 'enumDescriptions', 'deprecationMessage', 'doNotSuggest'],
  ...['suggestSortText', 'defaultSnippets', 'allowComments', 'allowTrailingCommas'],
]

/** @throws Error in one line that names the place of the first fault */
export function vetSchema(schema: Node, ajv: Ajv): void {
  for (const [at, node] of schemasIn(schema)) {
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x-') && !ajv.RULES.keywords[key]) ajv.addVocabulary([key])
      const why = whyRefused(key, value, node, ajv)
      if (why !== undefined) throw new Error(`at ${at}${formatPointer([key])}: ${why}`)
    }
  }
}

/** All schemas in a schema, by their places. A property may have the name of a keyword. */
export function* schemasIn(schema: unknown, at = ''): Generator<[at: string, node: Node]> {
  if (!isObject(schema) || Array.isArray(schema)) return
  yield [at, schema]
  for (const keyword of [...MAPS, ...LISTS]) {
    for (const [key, inner] of Object.entries(asObject(schema[keyword])))
      yield* schemasIn(inner, at + formatPointer([keyword, key]))
  }
  for (const keyword of ONES) yield* schemasIn(schema[keyword], at + formatPointer([keyword]))
}

function whyRefused(key: string, value: unknown, node: Node, ajv: Ajv): string | undefined {
  if (!ajv.RULES.keywords[key]) return `unknown keyword: ${show(key)}`
  if (key === 'nullable' && node.type === undefined) return '"nullable" needs a "type" beside it'
  // ajv would accept everything that is no object.
  if (key === 'discriminator' && node.type !== 'object') return 'beside it must be "type": "object"'
  if (key === 'maxItems' && Number(value) < Number(node.minItems))
    return 'it is less than "minItems"'
  if (key === 'format' && !Object.hasOwn(ajv.formats, String(value)))
    return `unknown format ${show(value)}`
  if (key !== 'pattern') return undefined
  try {
    new RegExp(String(value), 'u')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
