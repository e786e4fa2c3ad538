/** Reduces ajv's errors to those that an author can act on: one for each fault. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { formatPointer } from '../../page/violation.ts'
import { nameType, spell } from '../sentences.ts'

/** Returns the key that the schema does not have, or undefined. */
export function unknownKey({ params }: Pick<ErrorObject, 'params'>): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/**
 * - The errors of the branches of anyOf and oneOf come before the error of the keyword itself. Only
 *   those of the branch that was meant are kept. Of contains, only its own error is kept; of if and
 *   propertyNames, only those before it.
 * - All missing keys of an object are one error.
 * - A value that is none of those listed is also of the wrong type.
 * - A pattern and a format beside it may have one sentence.
 * - A key that a refused subschema declares is not known to ajv: that is no fault of its own.
 *
 * @param declares whether any subschema for the object at a place has a key
 */
export function reduce(
  errors: readonly ErrorObject[],
  declares: (place: string, key: string) => boolean,
): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    const { keyword } = error
    if (keyword === 'if' || keyword === 'propertyNames') continue
    if (['anyOf', 'oneOf', 'contains'].includes(keyword)) {
      let first = kept.length
      while (first > 0 && isInBranch(kept[first - 1] as ErrorObject, error)) first--
      const branches = kept.splice(first)
      for (const each of keyword === 'contains' ? [error] : meantBranch(error, branches))
        kept.push(each)
    } else kept.push(keyword === 'discriminator' ? errorOfTag(error) : error)
  }
  return joinMissing(withoutEchoes(kept, declares))
}

function withoutEchoes(
  errors: readonly ErrorObject[],
  declares: (place: string, key: string) => boolean,
): ErrorObject[] {
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
    return !declares(instancePath, params.unevaluatedProperty)
  })
}

/** Makes one error of all missing keys of an object. */
function joinMissing(errors: readonly ErrorObject[]): ErrorObject[] {
  const missing = errors.filter(({ keyword }) => keyword === 'required')
  const places = groupBy(missing, ({ instancePath }) => instancePath)
  const joined = new Map<ErrorObject, ErrorObject>()
  for (const [first, ...others] of places.values()) {
    const keys = [first, ...others].map((each) => each?.params.missingProperty)
    if (first) joined.set(first, { ...first, params: { missing: [...new Set(keys)] } })
  }
  return errors.flatMap((error) => {
    return error.keyword === 'required' ? (joined.get(error) ?? []) : error
  })
}

function isInBranch(error: ErrorObject, union: ErrorObject): boolean {
  const isBelow = error.instancePath.startsWith(`${union.instancePath}/`)
  if (union.keyword === 'contains') {
    const { $ref = '?' } = union.schema as { $ref?: string }
    const isOf = (place: string) => error.schemaPath.startsWith(`${place}/`)
    return isBelow && (isOf(union.schemaPath) || isOf($ref))
  }
  const isWithin = isBelow || error.instancePath === union.instancePath
  // Keywords beside the union that were checked before it are not among its branches.
  return isWithin && error.parentSchema !== union.parentSchema
}

/** Returns the error of the key that tells branches apart: it is missing, or has another value. */
function errorOfTag(error: ErrorObject): ErrorObject {
  const { tag, tagValue } = error.params
  if (!Object.hasOwn(error.data as object, tag)) return { ...error, params: { missing: [tag] } }
  const instancePath = error.instancePath + formatPointer([tag])
  const { tags } = Object(error.schema)
  const params = { kinds: undefined, allowedValues: tags }
  return {
    ...error,
    keyword: tags ? 'enum' : 'discriminator',
    data: tagValue,
    instancePath,
    params,
  }
}

/** Returns the errors of the branch that was meant, or that of the union. */
function meantBranch(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  if (union.params.passingSchemas) return [union]
  const place = union.instancePath
  const isMismatch = (error: ErrorObject) => error.instancePath === place && kindsOf(error)
  const branches = splitBranches(union, errors)
  const fitting = branches.filter((branch) => !branch.some(isMismatch))
  if (fitting.length === 0) {
    // An enum or a const says more than the type beside it.
    const own = branches.flatMap((branch) => {
      const all = branch.filter(isMismatch)
      const listed = all.filter(({ keyword }) => keyword !== 'type')
      return listed.length > 0 ? listed : all
    })
    const kinds = [...new Set(own.flatMap((error) => kindsOf(error) ?? []))]
    const values = own.flatMap(
      ({ keyword, params }) => valuesOf(keyword, params) ?? params.values ?? [],
    )
    return [{ ...union, params: { kinds, values } }]
  }
  const [only, another] = fitting
  if (only && !another) return [...only]
  const tagged = byTag(place, fitting)
  if (tagged) return tagged
  const texts = fitting.flat()
  const isOfText = texts.every(({ keyword, instancePath }) => {
    return instancePath === place && /^(?:pattern|format)$/.test(keyword)
  })
  if (isOfText && texts.length === fitting.length) return [{ ...union, params: { musts: texts } }]
  const missing = fitting.map((branch) => {
    const isOnly = branch.every(({ keyword, instancePath }) => {
      return keyword === 'required' && instancePath === place
    })
    return isOnly ? branch.map(({ params }) => params.missingProperty) : []
  })
  // Each branch lacks one key, and nothing else.
  if (missing.every(({ length }) => length === 1))
    return [{ ...union, params: { keys: [...new Set(missing.flat())] } }]
  return [union]
}

/** Infers the key that tells branches apart: each branch demands a value for it. */
function byTag(place: string, branches: readonly ErrorObject[][]): ErrorObject[] | undefined {
  const isTag = ({ keyword, instancePath }: ErrorObject) => {
    const inner = instancePath.slice(place.length + 1)
    return /^(?:const|enum)$/.test(keyword) && instancePath !== place && !inner.includes('/')
  }
  const tags = new Set(
    branches
      .flat()
      .filter(isTag)
      .map(({ instancePath }) => instancePath),
  )
  for (const tag of tags) {
    const refusals = branches.map((branch) =>
      branch.find((error) => {
        return isTag(error) && error.instancePath === tag
      }),
    )
    const meant = branches.filter((_, at) => !refusals[at])
    const [only, another] = meant
    if (only && !another) return only
    if (only) continue
    const allowedValues = refusals.flatMap((error) => {
      return error ? (valuesOf(error.keyword, error.params) ?? []) : []
    })
    const [first] = refusals
    if (first)
      return [{ ...first, keyword: 'enum', params: { allowedValues: [...new Set(allowedValues)] } }]
  }
  return undefined
}

/** Tells the errors of each branch of a union: they come in the order of the branches. */
function splitBranches(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[][] {
  const places = (union.schema as { $ref?: string }[]).map(({ $ref }, index) => {
    return [`${union.schemaPath}/${index}/`, ...($ref === undefined ? [] : [`${$ref}/`])]
  })
  const branches: ErrorObject[][] = places.map(() => [])
  let current = 0
  for (const error of errors) {
    const own = places.findIndex((starts, index) => {
      return index >= current && starts.some((start) => error.schemaPath.startsWith(start))
    })
    // What a branch refers to further on has a place of its own.
    if (own >= 0) current = own
    branches[current]?.push(error)
  }
  return branches
}

/** Names the kinds of values that an error allows, or returns undefined if it does not list them. */
export function kindsOf({ keyword, params }: ErrorObject): string[] | undefined {
  if (keyword === 'type') return [params.type].flat().map(nameType)
  return keyword === 'anyOf' || keyword === 'oneOf'
    ? params.kinds
    : valuesOf(keyword, params)?.map(spell)
}

/** The values that an error of const or enum allows. */
function valuesOf(keyword: string, params: ErrorObject['params']): unknown[] | undefined {
  if (keyword === 'const') return [params.allowedValue]
  return keyword === 'enum' ? params.allowedValues : undefined
}
