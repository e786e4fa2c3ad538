/**
 * Finds out which branch of a union an author meant. ajv only says that none fits: `reduce.ts` asks it
 * again about each branch, and these errors show which was meant. Pure.
 */
import { groupBy } from '../../machine/group-by.ts'
import { nearest } from '../../text/nearest.ts'
import { parsePointer } from '../../text/pointer.ts'
import { type Errors, isMissingKey, kindsOf, type SchemaError, unknownKey } from './errors.ts'

/** A branch of a union that refuses the value. */
export interface Branch {
  schema: unknown
  errors: Errors
}

/** Returns whether there is a schema for a key, or for an item, of the value: in a branch, or beside the union. */
type Declares = (branch: Branch, step: string) => boolean

/**
 * Returns the errors to report for a union, or undefined if the rule doesn't apply.
 *
 * @param branches at least one
 */
type Rule = (
  union: SchemaError,
  branches: readonly Branch[],
  declares: Declares,
) => Errors | undefined

/** The surest rule first. */
const RULES: readonly Rule[] = [
  onlyBranch,
  branchOfTag,
  keysOfAllBranches,
  onlyCompleteBranch,
  keysOfEachBranch,
  deepestBranch,
]

/** Returns the errors of the branch that was meant, or one error of the union. */
export function meantBranch(
  union: SchemaError,
  branches: readonly Branch[],
  declares: Declares,
): Errors {
  // A branch for another kind of value, such as a text instead of an object, was not meant.
  const isOfOtherKind = (error: SchemaError) => {
    return isAbout(union, error) && kindsOf(error) !== undefined
  }
  const branchesOfKind = branches.filter(({ errors }) => !errors.some(isOfOtherKind))
  if (branchesOfKind.length === 0) {
    const kinds = branches.flatMap(({ errors }) => errors.filter(isOfOtherKind))
    return [{ ...union, alternatives: kinds.flatMap((error) => error.alternatives ?? error) }]
  }

  // One that lists other texts, or other numbers, may have been meant.
  const branchesWithValues = branches.filter(({ errors }) => {
    return errors.some((error) => isAbout(union, error) && allowsType(error, typeof union.data))
  })
  const possible = new Set([...branchesOfKind, ...branchesWithValues])

  const candidates = withoutExcluded(union, [...possible])
  for (const rule of RULES) {
    const meant = rule(union, candidates, declares)
    if (meant) return meant
  }
  return [union]
}

/** Whether an error lists values, one of them of a type, as `typeof` names it. */
function allowsType(error: SchemaError, type: string): boolean {
  if (type !== 'string' && type !== 'number') return false

  const kinds = kindsOf(error) ?? []
  return kinds.some((kind) => 'value' in kind && typeof kind.value === type)
}

/** Whether an error is about the value of a union, not about one in it. */
function isAbout({ instancePath }: SchemaError, error: SchemaError): boolean {
  return error.instancePath === instancePath
}

/** Leaves out branches that exclude the value of a key by a `not`, if others are left. */
function withoutExcluded(union: SchemaError, branches: readonly Branch[]): readonly Branch[] {
  const wanted = branches.filter(({ errors }) => {
    return !errors.some((error) => error.keyword === 'not' && isAboutKey(union, error))
  })
  return wanted.length > 0 ? wanted : branches
}

/** Whether an error is about the value of a key, or about an item, of the value of a union. */
function isAboutKey({ instancePath }: SchemaError, { instancePath: place }: SchemaError): boolean {
  return place.startsWith(`${instancePath}/`) && place.lastIndexOf('/') === instancePath.length
}

function onlyBranch(_: SchemaError, branches: readonly Branch[]): Errors | undefined {
  return onlyOne(branches)
}

function onlyOne([branch, ...others]: readonly Branch[]): Errors | undefined {
  return others.length === 0 ? branch?.errors : undefined
}

/**
 * The only branch that accepts the value of a tag was meant. If several branches have a tag, and all of them
 * refuse its value, it must be any of theirs.
 */
function branchOfTag(
  union: SchemaError,
  branches: readonly Branch[],
  declares: Declares,
): Errors | undefined {
  const tags = tagsOf(union, branches, declares)
  const decisive = tags.find(({ accepting }) => accepting.length === 1)
  if (decisive) return decisive.accepting[0]?.errors

  const refused = tags.find(({ accepting, refusals }) => {
    return accepting.length === 0 && refusals.length > 1
  })
  return refused && [anyValueOf(refused)]
}

/** Joins the errors of a tag: its value may be any that a branch lists. */
function anyValueOf({ refusals }: Tag): SchemaError {
  const allowedValues = new Set(refusals.flatMap(({ params }) => params.allowedValues))
  return { ...(refusals[0] as SchemaError), params: { allowedValues: [...allowedValues] } }
}

/** A key, or an item, for which branches list values. */
interface Tag {
  /** The errors of branches that list other values. */
  refusals: readonly SchemaError[]
  /** The branches that accept the value. One that doesn't know the key accepts any, which shows nothing. */
  accepting: readonly Branch[]
}

function tagsOf(union: SchemaError, branches: readonly Branch[], declares: Declares): Tag[] {
  const refusals = branches.flatMap(({ errors }) => {
    return errors.filter((error) => error.keyword === 'enum' && isAboutKey(union, error))
  })

  const refusalsByPlace = groupBy(refusals, ({ instancePath }) => instancePath)
  return Array.from(refusalsByPlace, ([place, refusals]) => {
    const key = String(parsePointer(place).at(-1))
    const accepting = branches.filter((branch) => {
      const isRefusing = refusals.some((refusal) => branch.errors.includes(refusal))
      return !isRefusing && declares(branch, key)
    })
    return { refusals, accepting }
  })
}

/** A key that every branch lacks, or that every branch refuses, is wrong whichever was meant. */
function keysOfAllBranches(
  union: SchemaError,
  [first, ...others]: readonly Branch[],
): Errors | undefined {
  const inAll = first?.errors.filter((error) => {
    const key = keyIn(union, error)
    if (key === undefined) return false
    return others.every(({ errors }) => errors.some((one) => keyIn(union, one) === key))
  })
  return inAll?.some(isMissingKey) ? inAll : undefined
}

/** The key that is missing or unknown. */
function keyIn(union: SchemaError, error: SchemaError): string | undefined {
  if (!isAbout(union, error)) return undefined
  return error.params.missingProperty ?? unknownKey(error)
}

function onlyCompleteBranch(union: SchemaError, branches: readonly Branch[]): Errors | undefined {
  return onlyOne(branches.filter((branch) => lackedKeys(union, branch).length === 0))
}

/** Returns the keys that a value lacks for a branch: several lists, if it may have one or the other. */
function lackedKeys(union: SchemaError, { errors }: Branch): string[][] {
  const errorsHere = errors.filter((error) => isAbout(union, error))
  const keys = errorsHere.filter(isMissingKey).map(({ params }) => String(params.missingProperty))
  const choices = errorsHere.flatMap(({ lackingKeys }) => lackingKeys ?? [])

  if (choices.length > 0) return choices.map((choice) => [...keys, ...choice])
  return keys.length > 0 ? [keys] : []
}

/**
 * If each branch lacks keys, the only branch with a misspelled one was meant. Otherwise, one of these
 * choices is required.
 */
function keysOfEachBranch(union: SchemaError, branches: readonly Branch[]): Errors | undefined {
  const keysByBranch = branches.map((branch) => lackedKeys(union, branch))
  const isComplete = keysByBranch.some((keys) => keys.length === 0)
  if (isComplete) return undefined

  const misspelled = branches.filter((branch) => hasMisspelledKey(union, branch))
  return onlyOne(misspelled) ?? [{ ...union, lackingKeys: keysByBranch.flat() }]
}

/** Whether an unknown key is near to one that is missing, such as `CSS` to `css`. */
function hasMisspelledKey(union: SchemaError, branch: Branch): boolean {
  const errors = branch.errors.filter((error) => isAbout(union, error))
  const missing = errors.filter(isMissingKey).map(({ params }) => String(params.missingProperty))

  return errors.some((error) => {
    const key = unknownKey(error)
    if (key === undefined) return false
    return nearest(key, missing).length > 0
  })
}

/** The only branch whose errors are all further inside than those of the others: it fits the most. */
function deepestBranch(_: SchemaError, branches: readonly Branch[]): Errors | undefined {
  const depths = branches.map(({ errors }) => {
    return Math.min(...errors.map(({ instancePath }) => instancePath.split('/').length))
  })
  const deepest = Math.max(...depths)
  return onlyOne(branches.filter((_, index) => depths[index] === deepest))
}
