/** Reduces ajv's errors to those that an author can act on: one for each fault. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { type Pointer, parsePointer } from '../../page/violation.ts'
import { nameType, spell } from '../sentences.ts'

/** What is known of a schema. */
export interface SchemaFacts {
  /** Returns ajv's errors of a batch. */
  errorsOf(batch: unknown): readonly ErrorObject[]
  /** Returns those of each branch of a union, by their places in its value. */
  branchesOf(union: ErrorObject): (readonly ErrorObject[])[]
  /** The keys that the schema declares for the object at a place. */
  knownKeys(pointer: Pointer): readonly string[]
}

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: Pick<ErrorObject, 'params'>): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/**
 * - Of a union, the errors of the branch that was meant are kept, if one was.
 * - Of if and propertyNames, only the errors before theirs are kept.
 * - All missing keys of an object are one error.
 * - A value that is none of those listed is also of the wrong type.
 * - A pattern and a format beside it may have one sentence.
 * - A key that a refused subschema declares is not known to ajv: that is no fault of its own.
 */
export function reduce(errors: readonly ErrorObject[], facts: SchemaFacts): ErrorObject[] {
  return joinMissing(withoutEchoes(expand(errors, facts), facts))
}

function expand(errors: readonly ErrorObject[], facts: SchemaFacts): ErrorObject[] {
  return errors.flatMap((error) => {
    const { keyword, params, data, parentSchema } = error
    if (keyword === 'if' || keyword === 'propertyNames') return []
    if (isUnion(error) && !params.passingSchemas) return ofUnion(error, facts)
    if (keyword !== 'discriminator') return error
    if (!Object.hasOwn(data as object, params.tag))
      return { ...error, keyword: 'required', params: { missingProperty: params.tag } }
    return ofUnion({ ...error, keyword: 'oneOf', schema: parentSchema?.oneOf, params: {} }, facts)
  })
}

function ofUnion(union: ErrorObject, facts: SchemaFacts): readonly ErrorObject[] {
  const branches = facts.branchesOf(union).map((found) => {
    const place = (each: ErrorObject) => union.instancePath + each.instancePath
    return expand(
      found.map((each) => ({ ...each, instancePath: place(each) })),
      facts,
    )
  })
  return meantBranch(union, branches)
}

function isUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function withoutEchoes(
  errors: readonly ErrorObject[],
  { knownKeys }: SchemaFacts,
): readonly ErrorObject[] {
  const placesOf = (all: readonly ErrorObject[]) => new Set(all.map((each) => each.instancePath))
  const listed = placesOf(errors.filter((each) => each.keyword !== 'type' && kindsOf(each)))
  const unlike = placesOf(errors.filter(({ keyword }) => keyword === 'pattern'))
  // Every object that has another fault, in itself or in what is in it.
  const faulty = new Set<string>()
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'unevaluatedProperties') continue
    for (let at = instancePath; !faulty.has(at); at = at.slice(0, at.lastIndexOf('/'))) {
      faulty.add(at)
      if (at === '') break
    }
  }
  return errors.filter(({ keyword, instancePath, params, parentSchema }) => {
    if (keyword === 'type') return !listed.has(instancePath)
    if (keyword === 'format') return !parentSchema?.patternErrorMessage || !unlike.has(instancePath)
    if (keyword !== 'unevaluatedProperties' || !faulty.has(instancePath)) return true
    return !knownKeys(parsePointer(instancePath)).includes(params.unevaluatedProperty)
  })
}

/** Makes one error of all missing keys of an object. */
function joinMissing(errors: readonly ErrorObject[]): ErrorObject[] {
  const missing = errors.filter(({ keyword }) => keyword === 'required')
  const places = groupBy(missing, ({ instancePath }) => instancePath)
  return errors.flatMap((error) => {
    if (error.keyword !== 'required') return error
    const all = places.get(error.instancePath) ?? []
    const keys = all.map(({ params }) => params.missingProperty)
    return all[0] === error ? { ...error, params: { missing: [...new Set(keys)] } } : []
  })
}

/**
 * Returns the errors of the branch that was meant, or that of the union.
 *
 * @param branches the errors of each branch
 */
function meantBranch(
  union: ErrorObject,
  branches: readonly (readonly ErrorObject[])[],
): readonly ErrorObject[] {
  const isOwn = ({ instancePath }: ErrorObject) => instancePath === union.instancePath
  const isMismatch = (error: ErrorObject) => isOwn(error) && kindsOf(error) !== undefined
  const fitting = branches.filter((branch) => !branch.some(isMismatch))
  if (fitting.length === 0)
    return [
      ofKinds(
        union,
        branches.map((all) => all.filter(isMismatch)),
      ),
    ]
  const [only] = fitting
  if (only && fitting.length === 1) return only
  const lacks = fitting.map((branch) => {
    return branch.filter((error) => isOwn(error) && error.keyword === 'required')
  })
  const keys = lacks.map((all) => all.map(({ params }) => String(params.missingProperty)))
  // A key that each branch demands is missing, whichever was meant.
  const common = lacks[0]?.filter(({ params }) => {
    return keys.every((each) => each.includes(params.missingProperty))
  })
  if (common && common.length > 0) return common
  const tagged = byTag(union.instancePath, fitting)
  if (tagged) return tagged
  const complete = fitting.filter((_, at) => lacks[at]?.length === 0)
  if (complete[0] && complete.length === 1) return complete[0]
  if (fitting.every(({ length }) => length === 1)) {
    const all = fitting.flat()
    if (all.every((error) => isOwn(error) && /^(?:pattern|format)$/.test(error.keyword)))
      return [{ ...union, params: { musts: all } }]
    if (lacks.every(({ length }) => length === 1))
      return [{ ...union, params: { keys: [...new Set(keys.flat())] } }]
  }
  return [union]
}

/** The error of a value of none of the kinds that the branches of a union are for. */
function ofKinds(union: ErrorObject, branches: readonly (readonly ErrorObject[])[]): ErrorObject {
  // An enum or a const says more than the type beside it.
  const own = branches.flatMap((all) => {
    const listed = all.filter(({ keyword }) => keyword !== 'type')
    return listed.length > 0 ? listed : all
  })
  const kinds = [...new Set(own.flatMap((error) => kindsOf(error) ?? []))]
  const values = own.flatMap((error) => valuesOf(error) ?? error.params.values ?? [])
  return { ...union, params: { kinds, values } }
}

/** Infers the key that tells branches apart: each branch demands a value for it. */
function byTag(
  place: string,
  branches: readonly (readonly ErrorObject[])[],
): readonly ErrorObject[] | undefined {
  const isTag = ({ keyword, instancePath }: ErrorObject) => {
    const inner = instancePath.slice(place.length + 1)
    return /^(?:const|enum)$/.test(keyword) && inner !== '' && !inner.includes('/')
  }
  const tags = branches.flat().filter(isTag)
  for (const tag of new Set(tags.map(({ instancePath }) => instancePath))) {
    const refusals = tags.filter(({ instancePath }) => instancePath === tag)
    const meant = branches.filter((branch) => !refusals.some((error) => branch.includes(error)))
    if (meant.length === 1) return meant[0]
    const [first] = refusals
    const allowedValues = [...new Set(refusals.flatMap((error) => valuesOf(error) ?? []))]
    if (first && meant.length === 0)
      return [{ ...first, keyword: 'enum', params: { allowedValues } }]
  }
  return undefined
}

/** Names the kinds of values that an error allows, or returns undefined if it does not list them. */
export function kindsOf(error: ErrorObject): string[] | undefined {
  if (error.keyword === 'type') return [error.params.type].flat().map(nameType)
  return isUnion(error) ? error.params.kinds : valuesOf(error)?.map(spell)
}

/** The values that an error of const or enum allows. */
export function valuesOf({ keyword, params }: ErrorObject): unknown[] | undefined {
  if (keyword === 'const') return [params.allowedValue]
  return keyword === 'enum' ? params.allowedValues : undefined
}
