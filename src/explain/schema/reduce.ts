/** Reduces ajv's errors to those that an author can act on: one for each fault. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { formatPointer, parsePointer } from '../../page/fault.ts'
import { asObject } from '../../text/as-object.ts'
import { nameType, spell } from '../sentences.ts'
import type { Known } from './known.ts'

/** An error of ajv, and what it stands for once it is reduced. */
export interface SchemaError extends ErrorObject {
  /** Of a union: the errors of each branch; of `if`, those of the other one (see `keywords.ts`). */
  branches?: readonly SchemaError[][]
  /** Of a union that demands one of several kinds, texts or keys: an error for each. */
  alternatives?: Errors
  /** The keys that decide that it is demanded, such as those of `if`. */
  deciding?: readonly string[]
}

type Errors = readonly SchemaError[]

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: SchemaError): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/**
 * Keeps one error for each fault, and one for each key that is missing, in a list for each place:
 *
 * - Of a union, those of the branch that was meant, if one was.
 * - Of `if` and `propertyNames`, those of what is in them, not their own; of `if`, none if a key that
 *   it looks at is refused beside it.
 * - Of a value that is none of those listed, nothing is said of its type.
 * - If a pattern has a sentence of its own, the format beside it has none.
 * - Of a key whose name is refused, nothing is said of being unknown.
 * - Of a value of another type, nothing is said of how many branches accept it.
 * - ajv calls a key unknown that only a refused subschema declares: that is no fault of its own.
 */
export function reduce(errors: Errors, known: Known): SchemaError[][] {
  const refused = new Set(errors.map(({ instancePath }) => instancePath))
  const all = errors.flatMap((error) => expand(error, known, refused))
  const others = all.filter(({ keyword }) => keyword !== 'unevaluatedProperties')
  const faulty = faultyPlaces(others.length < all.length ? others : [])
  const places = groupBy(all, ({ instancePath }) => instancePath)
  return Array.from(places, ([place, own]) => {
    const declared = faulty.has(place) ? known(parsePointer(place)).at(-1)?.keys : []
    const isRefused = (by: string) => own.some(({ keyword }) => keyword === by)
    const isListed = own.some((each) => each.keyword !== 'type' && kindsOf(each))
    const misnamed = new Set(own.map(({ propertyName }) => propertyName))
    return own.filter((error) => {
      const { keyword, params, parentSchema } = error
      const key = unknownKey(error)
      if (key !== undefined && misnamed.has(key)) return false
      if (params.passingSchemas) return !isRefused('type')
      if (keyword === 'type') return !isListed
      if (keyword === 'format') return !parentSchema?.patternErrorMessage || !isRefused('pattern')
      return keyword !== 'unevaluatedProperties' || !declared?.includes(params.unevaluatedProperty)
    })
  })
}

/**
 * Returns what an error stands for.
 *
 * @param refused the places of the errors beside it
 */
function expand(error: SchemaError, known: Known, refused: ReadonlySet<string>): Errors {
  const { keyword, params, data, branches = [] } = error
  if (keyword === 'propertyNames') return []
  const inner = branches.map((each) => reduce(each, known).flat())
  if (keyword === 'if') {
    const { properties, required } = asObject(error.parentSchema?.if)
    const keys = [...Object.keys(asObject(properties)), ...((required ?? []) as string[])]
    const deciding = keys.filter((key) => Object.hasOwn(asObject(data), key))
    const places = deciding.map((key) => error.instancePath + formatPointer([key]))
    if (places.some((place) => refused.has(place))) return []
    return inner.flat().map((each) => ({ ...each, deciding: deciding.concat(each.deciding ?? []) }))
  }
  if (inner.length > 0 && !params.passingSchemas) return meantBranch(error, inner)
  if (keyword === 'const')
    return [{ ...error, keyword: 'enum', params: { allowedValues: [params.allowedValue] } }]
  if (keyword === 'dependentRequired')
    return [{ ...error, keyword: 'required', deciding: [params.property] }]
  if (keyword !== 'discriminator') return [error]
  if (!Object.hasOwn(data as object, params.tag))
    return [{ ...error, keyword: 'required', params: { missingProperty: params.tag } }]
  const instancePath = error.instancePath + formatPointer([params.tag])
  // What is said of all branches may allow more.
  const own = JSON.stringify(asObject(error.parentSchema?.properties)[params.tag])
  const { nodes = [] } = known(parsePointer(instancePath)).at(-1) ?? {}
  const ofBranches = nodes.filter((each) => JSON.stringify(each) !== own)
  const allowedValues = [...new Set(ofBranches.flatMap((each) => each.enum ?? each.const ?? []))]
  const tag = { keyword: 'enum', instancePath, data: params.tagValue, params: { allowedValues } }
  return [{ ...error, ...tag }]
}

/** The places of errors, and of all that they are in. */
export function faultyPlaces(errors: Errors): Set<string> {
  const places = new Set<string>()
  for (const error of errors) {
    const key = unknownKey(error)
    let at = error.instancePath + (key === undefined ? '' : formatPointer([key]))
    while (!places.has(at)) {
      places.add(at)
      at = at.slice(0, at.lastIndexOf('/'))
    }
  }
  return places
}

/** Returns the errors of the branch that was meant, or that of the union. */
function meantBranch(union: SchemaError, branches: readonly Errors[]): Errors {
  const isOwn = ({ instancePath }: SchemaError) => instancePath === union.instancePath
  const isOfKind = (error: SchemaError) => isOwn(error) && kindsOf(error) !== undefined
  const fitting = branches.filter((all) => !all.some(isOfKind))
  const [first, ...others] = fitting
  if (!first) {
    const own = branches.flat().filter(isOfKind)
    return [{ ...union, alternatives: own.flatMap((each) => each.alternatives ?? each) }]
  }
  if (others.length === 0) return first
  const isLack = (error: SchemaError) => isOwn(error) && error.keyword === 'required'
  const keyOf = (error: SchemaError): string | undefined =>
    isOwn(error) ? (error.params.missingProperty ?? unknownKey(error)) : undefined
  // What each branch says of a key is wrong, whichever was meant.
  const common = first.filter((error) => {
    const key = keyOf(error)
    return key !== undefined && others.every((all) => all.some((each) => keyOf(each) === key))
  })
  if (common.some(isLack)) return common
  const tagged = byTag(union.instancePath, fitting)
  if (tagged) return tagged
  const complete = fitting.filter((branch) => !branch.some(isLack))
  const isUnknown = (error: SchemaError) => isOwn(error) && unknownKey(error) !== undefined
  const knowing = complete.filter((branch) => !branch.some(isUnknown))
  for (const [only, another] of [complete, knowing]) if (only && !another) return only
  const keys = fitting.map((branch) => branch.filter(isLack).map(keyOf))
  if (complete.length === 0) return [{ ...union, params: { ...union.params, keys } }]
  const all = fitting.flat()
  const isOne = all.every(isOwn) && fitting.every(({ length }) => length === 1)
  return [isOne && all.every(isText) ? { ...union, alternatives: all } : union]
}

/** Returns the errors of the branch that a tag means: a key for which each demands another value. */
function byTag(place: string, branches: readonly Errors[]): Errors | undefined {
  const tags = branches.flat().filter(({ keyword, instancePath }) => {
    return keyword === 'enum' && instancePath.lastIndexOf('/') === place.length
  })
  for (const refusals of groupBy(tags, ({ instancePath }) => instancePath).values()) {
    const meant = branches.filter((branch) => !refusals.some((error) => branch.includes(error)))
    if (meant.length === 1) return meant[0]
    const [first] = refusals
    const allowedValues = [...new Set(refusals.flatMap(({ params }) => params.allowedValues))]
    if (first && meant.length === 0) return [{ ...first, params: { allowedValues } }]
  }
  return undefined
}

/** Names the kinds of values that an error allows, or returns undefined if it does not list them. */
export function kindsOf(error: SchemaError): readonly string[] | undefined {
  const { keyword, params, alternatives } = error
  if (keyword === 'type') return [params.type].flat().map(nameType)
  if (!alternatives) return params.allowedValues?.map(spell)
  const kinds = alternatives.flatMap((each) => kindsOf(each) ?? [])
  return kinds.length > 0 ? [...new Set(kinds)] : undefined
}

/** Whether an error says which texts are allowed. */
export function isText({ keyword }: SchemaError): boolean {
  return keyword === 'pattern' || keyword === 'format'
}
