/** What a person reads about the keywords of JSON Schema 2020-12; for the others, what ajv says. */
import type { ErrorObject } from 'ajv'
import { remarkOn } from '../../text/lookalikes.ts'
import { formatNumber, plural, show } from '../../text/wording.ts'

/** Formats that a person may write. */
const EXAMPLES: Record<string, string> = {
  date: ', such as "2026-07-11"',
  time: ', such as "18:30:00Z"',
  'date-time': ', such as "2026-07-11T18:30:00Z"',
}

/** For example "a", "b" and "c". */
function listOf(words: readonly string[]): string {
  const shown = words.map(show)
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter(Boolean).join(' and ')
}

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: Pick<ErrorObject, 'params'>): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** Says it better than ajv itself, by its error with the value and the schema (`verbose`). */
const SENTENCES: Record<string, (error: ErrorObject) => string> = {
  'false schema': () => 'is not allowed here; remove it',
  discriminator: ({ params: { missing, tags }, data }) =>
    `must ${missing ? `have the key ${listOf(missing)}` : `${tags ? `be one of ${tags.map(spell).join(', ')}` : 'be a kind that the schema names'}${butIs(data)}`} (what is beside it was not checked)`,
  required: ({ params: { missing } }) =>
    `must have the key${missing.length > 1 ? 's' : ''} ${listOf(missing)}`,
  dependentRequired: ({ params: { property, missingProperty } }) =>
    `must have the key ${show(missingProperty)}, because it has the key ${show(property)}`,
  enum: ({ params, data }) =>
    `must be one of ${params.allowedValues.map(spell).join(', ')}${butIs(data)}${typeof data === 'string' ? remarkOn(data) : ''}`,
  pattern: ({ params, parentSchema, data }) =>
    `${parentSchema?.patternErrorMessage ?? `must match the pattern ${params.pattern} of the schema`}${butIs(data)}`,
  format: ({ params, parentSchema, data }) =>
    `${parentSchema?.patternErrorMessage ?? `must have the format "${params.format}"${EXAMPLES[params.format] ?? ''}`}${butIs(data)}`,
  anyOf: ({ schema, data }) =>
    `must match one of the ${Object(schema).length} kinds that the schema allows${butIs(data)}`,
  oneOf: ({ schema, params, data }) =>
    `must match exactly one of the ${Object(schema).length} kinds that the schema allows` +
    (params.passingSchemas ? ', but matches more than one' : butIs(data)),
  minLength: limit('have at least', 'character'),
  maxLength: limit('have at most', 'character'),
  minItems: limit('have at least', 'item'),
  maxItems: limit('have at most', 'item'),
  minimum: bound('at least'),
  maximum: bound('at most'),
  exclusiveMinimum: bound('more than'),
  exclusiveMaximum: bound('less than'),
}

/** An object or a list that is allowed has to be shown whole. */
function spell(value: unknown): string {
  return Object(value) === value ? JSON.stringify(value) : show(value)
}

function butIs(value: unknown): string {
  return `, but is ${show(value)}`
}

/** @param unit what is counted in the value */
function limit(must: string, unit: string) {
  return ({ params, data }: ErrorObject): string => {
    // In characters, not in the units of UTF-16.
    const { length } = Array.from(data as ArrayLike<unknown>)
    return `must ${must} ${plural(params.limit, unit)}, but has ${formatNumber(length)}`
  }
}

function bound(than: string) {
  return ({ params, data }: ErrorObject) => `must be ${than} ${params.limit}${butIs(data)}`
}

/** Says what a value must be, and what it is. */
export function describe(error: ErrorObject): string {
  const { keyword, data, message } = error
  const alternatives = keyword === 'enum' ? undefined : alternativesOf(error)
  const { patternErrorMessage: says } = Object(error.parentSchema)
  if (typeof data === 'number' && alternatives?.length === 1 && says) return `${says}${butIs(data)}`
  if (alternatives) return `must be ${alternatives.join(' or ')}${butIs(data)}`
  return SENTENCES[keyword]?.(error) ?? `${message}${butIs(data)}`
}

/** Returns what a value may be instead, or undefined if the error does not list it all. */
export function alternativesOf({ keyword, params }: ErrorObject): string[] | undefined {
  if (keyword === 'type') return [params.type].flat().map(nameType)
  if (keyword === 'const') return [spell(params.allowedValue)]
  return keyword === 'enum' ? params.allowedValues.map(spell) : params.alternatives
}

function nameType(type: string): string {
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
