/**
 * Finds out which branch of a union an author meant. ajv only says that none fits: `reduce.ts` asks it
 * again about each branch, and these errors show which was meant. Pure.
 */
import { groupBy } from '../../machine/group-by.ts'
import {
  type Errors,
  isAboutText,
  isMissingKey,
  kindsOf,
  type SchemaError,
  unknownKey,
} from './errors.ts'

/** Returns the errors of the branch that was meant, or one error of the union. */
export function meantBranch(union: SchemaError, branches: readonly Errors[]): Errors {
  const isAtUnion = ({ instancePath }: SchemaError) => instancePath === union.instancePath
  const isOfOtherKind = (error: SchemaError) => isAtUnion(error) && kindsOf(error) !== undefined

  // A branch for another kind of value, such as a text instead of an object, was not meant.
  const fitting = branches.filter((errors) => !errors.some(isOfOtherKind))
  const [first, ...rest] = fitting
  if (!first) {
    const kinds = branches.flat().filter(isOfOtherKind)
    return [{ ...union, alternatives: kinds.flatMap((error) => error.alternatives ?? error) }]
  }
  if (rest.length === 0) return first

  // A key that each branch misses or refuses is wrong, whichever was meant.
  const isLack = (error: SchemaError) => isAtUnion(error) && isMissingKey(error)
  const keyOf = (error: SchemaError) => (isAtUnion(error) ? keyIn(error) : undefined)
  const common = first.filter((error) => {
    const key = keyOf(error)
    return key !== undefined && rest.every((errors) => errors.some((one) => keyOf(one) === key))
  })
  if (common.some(isLack)) return common

  const tagged = branchByTag(union.instancePath, fitting)
  if (tagged) return tagged

  // Of the branches that lack nothing, the only one; or the only one that knows all keys.
  const complete = fitting.filter((errors) => !errors.some(isLack))
  if (complete.length === 1) return complete[0] as Errors
  const isUnknown = (error: SchemaError) => isAtUnion(error) && unknownKey(error) !== undefined
  const knowing = complete.filter((errors) => !errors.some(isUnknown))
  if (knowing.length === 1) return knowing[0] as Errors

  if (complete.length === 0) {
    const lackingKeys = fitting.map((errors) =>
      errors.filter(isLack).map((lack) => keyOf(lack) ?? ''),
    )
    return [{ ...union, lackingKeys }]
  }

  const errors = fitting.flat()
  const isOneText =
    fitting.every(({ length }) => length === 1) &&
    errors.every((error) => isAtUnion(error) && isAboutText(error))
  return [isOneText ? { ...union, alternatives: errors } : union]
}

/** The key that is missing or unknown. */
function keyIn(error: SchemaError): string | undefined {
  return error.params.missingProperty ?? unknownKey(error)
}

/** Returns the errors of the branch that a tag means: a key for which each demands another value. */
function branchByTag(place: string, branches: readonly Errors[]): Errors | undefined {
  const tags = branches.flat().filter(({ keyword, instancePath }) => {
    const isKeyOfValue = instancePath.lastIndexOf('/') === place.length
    return keyword === 'enum' && isKeyOfValue
  })

  for (const refusals of groupBy(tags, ({ instancePath }) => instancePath).values()) {
    const meant = branches.filter((errors) => !refusals.some((refusal) => errors.includes(refusal)))
    if (meant.length === 1) return meant[0]

    const [refusal] = refusals
    if (refusal && meant.length === 0) {
      const allowedValues = new Set(refusals.flatMap(({ params }) => params.allowedValues))
      return [{ ...refusal, params: { allowedValues: [...allowedValues] } }]
    }
  }
  return undefined
}
