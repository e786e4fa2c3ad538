/**
 * Finds out which branch of a union an author meant. ajv only says that none fits: `reduce.ts` asks it
 * again about each branch, and these errors show which was meant. Pure.
 */
import { groupBy } from '../../machine/group-by.ts'
import { nearest } from '../../text/nearest.ts'
import { spellingsOf } from '../../text/same-word.ts'
import {
  type Errors,
  isAboutText,
  isMissingKey,
  kindsOf,
  type SchemaError,
  unknownKey,
} from './errors.ts'

/**
 * Returns the errors of the branch that was meant, or one error of the union.
 *
 * @param errorsOfBranches one list for each branch
 */
export function meantBranch(union: SchemaError, errorsOfBranches: readonly Errors[]): Errors {
  const isAtUnion = ({ instancePath }: SchemaError) => instancePath === union.instancePath
  const isOfOtherKind = (error: SchemaError) => isAtUnion(error) && kindsOf(error) !== undefined

  // A branch for another kind of value, such as a text instead of an object, was not meant.
  const ofKind = errorsOfBranches.filter((errors) => !errors.some(isOfOtherKind))
  if (ofKind.length === 0) {
    const kinds = errorsOfBranches.flat().filter(isOfOtherKind)
    return [{ ...union, alternatives: kinds.flatMap((error) => error.alternatives ?? error) }]
  }

  const branches = withoutExcluded(union, ofKind)
  const [first, ...rest] = branches
  if (rest.length === 0) return first as Errors

  const tag = tagOf(union.instancePath, branches)
  if (tag.meant) return tag.meant

  // A key that each branch misses or refuses is wrong, whichever was meant.
  const isLack = (error: SchemaError) => isAtUnion(error) && isMissingKey(error)
  const keyOf = (error: SchemaError) => (isAtUnion(error) ? keyIn(error) : undefined)
  const common = (first as Errors).filter((error) => {
    const key = keyOf(error)
    return key !== undefined && rest.every((errors) => errors.some((one) => keyOf(one) === key))
  })
  if (common.some(isLack)) return common
  if (tag.refused) return tag.refused

  // Of the branches that lack nothing, the only one; or the only one that knows all keys.
  const lacks = (errors: Errors) =>
    errors.some((error) => isAtUnion(error) && (isMissingKey(error) || error.lackingKeys))
  const complete = branches.filter((errors) => !lacks(errors))
  if (complete.length === 1) return complete[0] as Errors
  const isUnknown = (error: SchemaError) => isAtUnion(error) && unknownKey(error) !== undefined
  const knowing = complete.filter((errors) => !errors.some(isUnknown))
  if (knowing.length === 1) return knowing[0] as Errors

  if (complete.length === 0) {
    const misspelled = branches.filter((errors) => hasMisspelledKey(errors.filter(isAtUnion)))
    if (misspelled.length === 1) return misspelled[0] as Errors

    const lackingKeys = branches.flatMap((errors) => {
      const inner = errors.filter(isAtUnion).flatMap((error) => error.lackingKeys ?? [])
      const keys = errors.filter(isLack).map((lack) => keyOf(lack) ?? '')
      return inner.length === 0 ? [keys] : inner.map((choice) => [...keys, ...choice])
    })
    return [{ ...union, lackingKeys }]
  }

  const deepest = deepestOf(branches)
  if (deepest) return deepest

  const errors = branches.flat()
  const isOneText =
    branches.every(({ length }) => length === 1) &&
    errors.every((error) => isAtUnion(error) && isAboutText(error))
  return [isOneText ? { ...union, alternatives: errors } : union]
}

/** Leaves out the branches that a `not` keeps a value out of, or one of its keys, if others are left. */
function withoutExcluded(
  { instancePath }: SchemaError,
  branches: readonly Errors[],
): readonly Errors[] {
  const wanted = branches.filter((errors) => {
    return !errors.some(({ keyword, instancePath: place }) => {
      return keyword === 'not' && (place === instancePath || isKeyOf(instancePath, place))
    })
  })
  return wanted.length > 0 ? wanted : branches
}

/** Whether a place is a key, or an item, of what is at another place. */
function isKeyOf(outer: string, place: string): boolean {
  return place.startsWith(`${outer}/`) && place.lastIndexOf('/') === outer.length
}

/** Whether an unknown key is near to one that is missing, such as `CSS` for `css`. */
function hasMisspelledKey(errors: Errors): boolean {
  const missing = errors.filter(isMissingKey).map(({ params }) => String(params.missingProperty))
  return errors.some((error) => {
    const key = unknownKey(error)
    if (key === undefined) return false
    return spellingsOf(key, missing).length > 0 || nearest(key, missing).length > 0
  })
}

/** Returns the only branch whose errors are all further inside than those of the others: it fits the most. */
function deepestOf(branches: readonly Errors[]): Errors | undefined {
  const depthOf = (errors: Errors) =>
    Math.min(...errors.map(({ instancePath }) => instancePath.split('/').length))
  const depths = branches.map(depthOf)
  const deepest = Math.max(...depths)

  const [only, ...others] = branches.filter((_, index) => depths[index] === deepest)
  return others.length === 0 ? only : undefined
}

/** The key that is missing or unknown. */
function keyIn(error: SchemaError): string | undefined {
  return error.params.missingProperty ?? unknownKey(error)
}

/** What the key says that tells the branches apart: which one was meant, or that its value is none of theirs. */
interface Tag {
  meant?: Errors
  refused?: Errors
}

/** Finds the tag of a union: a key for which each branch demands another value. */
function tagOf(place: string, branches: readonly Errors[]): Tag {
  const refusals = branches.flat().filter(({ keyword, instancePath }) => {
    return keyword === 'enum' && isKeyOf(place, instancePath)
  })

  let refused: Errors | undefined
  for (const ofKey of groupBy(refusals, ({ instancePath }) => instancePath).values()) {
    const meant = branches.filter((errors) => !ofKey.some((refusal) => errors.includes(refusal)))
    if (meant.length === 1) return { meant: meant[0] as Errors }

    const [refusal] = ofKey
    if (refused || !refusal || meant.length > 0) continue
    const allowedValues = new Set(ofKey.flatMap(({ params }) => params.allowedValues))
    refused = [{ ...refusal, params: { allowedValues: [...allowedValues] } }]
  }
  return refused ? { refused } : {}
}
