/** What a person reads about each keyword of JSON Schema 2020-12 that refuses a value. */

import type { ErrorObject } from 'ajv'
import { remarkOn } from '../../text/lookalikes.ts'
import { formatNumber, plural, show } from '../../text/wording.ts'

/** An example of each format that a person may write. */
const EXAMPLES: Record<string, string> = {
  date: '2026-07-11',
  time: '18:30:00Z',
  'date-time': '2026-07-11T18:30:00Z',
  duration: 'PT1H30M',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  'uri-reference': '/a',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
}

/** Made on first use: it takes 30 ms to load. */
let list: Intl.ListFormat | undefined

/** For example "a", "b" and "c". */
export function listOf(words: readonly string[]): string {
  list ??= new Intl.ListFormat('en-GB')
  return list.format(words.map(show))
}

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: Pick<ErrorObject, 'params'>): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** Says what the value must be, by ajv's error with the value and the schema (`verbose`). */
const SENTENCES: Record<string, (error: ErrorObject) => string> = {
  'false schema': () => 'is not allowed here; remove it',
  row: ({ params: { row } }) => row,
  required: ({ params: { missing } }) =>
    `must have the key${missing.length > 1 ? 's' : ''} ${listOf(missing)}`,
  dependentRequired: ({ params: { property, missingProperty } }) =>
    `must have the key ${show(missingProperty)}, because it has the key ${show(property)}`,
  enum: ({ params, data }) =>
    `must be one of ${params.allowedValues.map(spell).join(', ')}${butIs(data)}${typeof data === 'string' ? remarkOn(data) : ''}`,
  pattern: ({ params, parentSchema, data }) =>
    `${parentSchema?.patternErrorMessage ?? `must match the pattern ${params.pattern} of the schema`}${butIs(data)}`,
  format: ({ params, parentSchema, data }) =>
    `${parentSchema?.patternErrorMessage ?? `must have the format "${params.format}"${suchAs(EXAMPLES[params.format])}`}${butIs(data)}`,
  contains: ({ params: { minContains: least, maxContains: most }, schema }) =>
    `must have at least ${plural(least, 'item')}${most === undefined ? '' : ` and at most ${most}`} of this kind: ${nameKind(schema)}`,
  not: ({ schema, data }) => `must not be ${nameKind(schema)}${butIs(data)}`,
  anyOf: ({ schema, data }) =>
    `must match one of the ${Object(schema).length} kinds that the schema allows${butIs(data)}`,
  oneOf: ({ schema, params, data }) =>
    `must match exactly one of the ${Object(schema).length} kinds that the schema allows` +
    (params.passingSchemas ? ', but matches more than one' : butIs(data)),
  minimum: limit('be at least'),
  maximum: limit('be at most'),
  exclusiveMinimum: limit('be more than'),
  exclusiveMaximum: limit('be less than'),
  multipleOf: ({ params: { multipleOf }, data }) =>
    `must be a multiple of ${multipleOf}${soHave(multipleOf)}${butIs(data)}`,
  minLength: limit('have at least', 'character'),
  maxLength: limit('have at most', 'character'),
  minItems: limit('have at least', 'item'),
  maxItems: limit('have at most', 'item'),
  items: limit('have at most', 'item'),
  unevaluatedItems: limit('have at most', 'item'),
  minProperties: limit('have at least', 'key'),
  maxProperties: limit('have at most', 'key'),
}

/** An object or a list that is allowed has to be shown whole. */
function spell(value: unknown): string {
  return Object(value) === value ? JSON.stringify(value) : show(value)
}

function suchAs(example: string | undefined): string {
  return example === undefined ? '' : `, such as ${show(example)}`
}

/** Only the multiples of 0.1, 0.01 and so on are the numbers with so many decimals. */
function soHave(multipleOf: number): string {
  const [, decimals] = /^0\.(0*1)$/.exec(String(multipleOf)) ?? []
  return decimals === undefined ? '' : `, so have at most ${plural(decimals.length, 'decimal')}`
}

function butIs(value: unknown): string {
  return `, but is ${show(value)}`
}

/** @param unit what is counted in the value; without it, the value itself is compared */
function limit(must: string, unit?: string) {
  return ({ params, data }: ErrorObject): string => {
    const limit = params.limit ?? params.len
    if (unit === undefined) return `must ${must} ${limit}${butIs(data)}`
    // In characters, not in the units of UTF-16.
    const { length } = typeof data === 'string' ? Array.from(data) : Object.keys(data as object)
    return `must ${must} ${plural(limit, unit)}, but has ${formatNumber(length)}`
  }
}

/** Says what a value must be, and what it is. */
export function describe(error: ErrorObject): string {
  const { keyword, data } = error
  const say = SENTENCES[keyword]
  const alternatives = alternativesOf(error)
  if (!alternatives || keyword === 'enum') {
    return say ? say(error) : `must fit "${keyword}" of the schema${butIs(data)}`
  }
  return `must be ${alternatives.join(' or ')}${butIs(data)}`
}

/** Says what to do with JSON in quotes, and with a list where one object must be. */
export function adviseOnKind(error: ErrorObject): string {
  const { data } = error
  const alternatives = alternativesOf(error)
  if (!alternatives) return ''
  if (typeof data === 'string' && hasContent(data))
    return '; remove the quotes around it and the backslashes in it'
  if (!Array.isArray(data) || alternatives.at(-1) !== 'an object') return ''
  return data.every((item) => Object(item) === item)
    ? '; remove this [ and the ] that closes it'
    : '; write { } instead of [ ], and its key before each value'
}

/** Returns what a value may be instead, or undefined if the error does not list it all. */
export function alternativesOf({
  keyword,
  params,
}: Pick<ErrorObject, 'keyword' | 'params'>): string[] | undefined {
  if (keyword === 'type') return [params.type].flat().map(nameType)
  if (keyword === 'const') return [spell(params.allowedValue)]
  return keyword === 'enum' ? params.allowedValues.map(spell) : params.alternatives
}

/** Names what a part of a schema describes, if that is a type or a list of values. */
function nameKind(schema: unknown): string {
  const [[keyword = '', value] = [], ...others] = Object.entries(Object(schema))
  const params = { type: value, allowedValue: value, allowedValues: value }
  const alternatives = others.length === 0 ? alternativesOf({ keyword, params }) : undefined
  return alternatives?.join(' or ') ?? 'what the schema describes there'
}

function nameType(type: string): string {
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** Whether a value is an object or a list that is not empty, or a text that holds one. */
export function hasContent(value: unknown): boolean {
  if (typeof value !== 'string') return Object.keys(Object(value)).length > 0
  try {
    const inner: unknown = JSON.parse(value)
    return typeof inner !== 'string' && hasContent(inner)
  } catch {
    return false
  }
}
