/** The errors of ajv, and what they say in the words of JSON Schema. */
import type { ErrorObject } from 'ajv'
import type { Demand, Kind, Reason } from '../../fault/facts.ts'
import { isObject } from '../../text/as-object.ts'

/** An error of ajv (with `verbose`), and what it stands for once it is reduced. */
export interface SchemaError extends ErrorObject {
  /** For a union of several kinds: an error for each. */
  alternatives?: Errors
  /** For a union: the keys that each branch lacks, if each lacks some. */
  lackingKeys?: string[][]
  /** Why something is demanded, such as the keys of `if`. */
  deciding?: readonly Reason[]
  /** What a `not` or `contains` describes, if it can be said in words. */
  demands?: readonly Demand[] | undefined
  /** For a union: what each branch demands, if words can say it. */
  choices?: readonly (readonly Demand[])[]
  /** For `contains`: how many items fit. */
  count?: number
  /** How the value is written in the file, if it may be text that looks like something else. */
  written?: string
}

export type Errors = readonly SchemaError[]

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: SchemaError): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** Whether an error says that a key is missing. */
export function isMissingKey({ keyword }: SchemaError): boolean {
  return keyword === 'required'
}

/** Returns the kinds of values that an error allows, or undefined if it does not list them. */
export function kindsOf(error: SchemaError): readonly Kind[] | undefined {
  const { keyword, params, alternatives, propertyName } = error
  // It's about the name of a key.
  if (propertyName !== undefined) return undefined

  if (keyword === 'type') return [params.type].flat().map((type: string) => ({ type }))
  if (!alternatives) return params.allowedValues?.map((value: unknown) => ({ value }))

  const kinds = alternatives.flatMap((alternative) => kindsOf(alternative) ?? [])
  return kinds.length > 0 ? kinds : undefined
}

/** Whether an error says which texts are allowed. */
export function isAboutText({ keyword }: SchemaError): boolean {
  return keyword === 'pattern' || keyword === 'format'
}

/** Names a key, with its value if that is short. */
export function reasonOfKey(key: string, value: unknown): Reason {
  if (value === undefined || isObject(value)) return { key }
  return { key, value: value as string | number | boolean | null }
}
