/** The errors of ajv, and what they say in the words of JSON Schema. */
import type { ErrorObject } from 'ajv'
import { nameType, spell } from '../sentences.ts'

/** An error of ajv (with `verbose`), and what it stands for once it is reduced. */
export interface SchemaError extends ErrorObject {
  /** Of a union that demands one of several kinds or texts: an error for each. */
  alternatives?: Errors
  /** Of a union of which no branch has all its keys: the keys that each branch lacks. */
  lackingKeys?: string[][]
  /** The keys that decide that something is demanded, such as those of `if`. */
  deciding?: readonly string[]
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

/** Names the kinds of values that an error allows, or returns undefined if it does not list them. */
export function kindsOf(error: SchemaError): readonly string[] | undefined {
  const { keyword, params, alternatives } = error
  if (keyword === 'type') return [params.type].flat().map(nameType)
  if (!alternatives) return params.allowedValues?.map(spell)

  const kinds = new Set(alternatives.flatMap((alternative) => kindsOf(alternative) ?? []))
  return kinds.size > 0 ? [...kinds] : undefined
}

/** Whether an error says which texts are allowed. */
export function isAboutText({ keyword }: SchemaError): boolean {
  return keyword === 'pattern' || keyword === 'format'
}
