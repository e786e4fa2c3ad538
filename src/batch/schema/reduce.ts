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
  if (!isBelow && error.instancePath !== union.instancePath) return false
  if (callsOf(error).length > callsOf(union).length) return true
  // What else this schema says is not among the branches, unless they refer to it.
  const isOf = (place: string) => error.schemaPath.startsWith(`${place}/`)
  const isReferred = (union.schema as { $ref?: string }[]).some(({ $ref = '?' }) => isOf($ref))
  const [, part] = union.schemaPath.split('/')
  return isReferred || isOf(union.schemaPath) || error.schemaPath.split('/')[1] !== part
}

/** The calls that led to an error in a schema that another one refers to, outermost first. */
function callsOf(error: ErrorObject): readonly object[] {
  return (error as ErrorObject & { calls?: object[] }).calls ?? []
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
  const branches = splitBranches(union, errors)
  if (branches.some(({ length }) => length === 0)) return [union]
  const fitting = branches.filter((branch) => !branch.some((error) => isMismatch(union, error)))
  if (fitting.length === 0) {
    // An enum or a const says more than the type beside it.
    const own = branches.flatMap((branch) => {
      const all = branch.filter((error) => isMismatch(union, error))
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
  // A key that each branch demands is missing, whichever was meant.
  const lacks = (branch: readonly ErrorObject[], key: string) =>
    branch.some((error) => error.instancePath === place && error.params.missingProperty === key)
  const common = only?.filter(({ instancePath, params }) => {
    const key = params.missingProperty
    return instancePath === place && key && fitting.every((branch) => lacks(branch, key))
  })
  if (common && common.length > 0) return common
  const tagged = byTag(place, fitting)
  if (tagged) return tagged
  const isMissing = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'required' && instancePath === place
  const [complete, ...others] = fitting.filter((branch) => !branch.some(isMissing))
  if (complete && others.length === 0) return complete
  const texts = fitting.flat()
  const isOfText = texts.every(({ keyword, instancePath }) => {
    return instancePath === place && /^(?:pattern|format)$/.test(keyword)
  })
  if (isOfText && texts.length === fitting.length) return [{ ...union, params: { musts: texts } }]
  const missing = fitting.map((branch) => {
    return branch.every(isMissing) ? branch.map(({ params }) => params.missingProperty) : []
  })
  // Each branch lacks one key, and nothing else.
  if (missing.every(({ length }) => length === 1))
    return [{ ...union, params: { keys: [...new Set(missing.flat())] } }]
  return [union]
}

/** Whether a branch is for values of another kind. */
function isMismatch(union: ErrorObject, error: ErrorObject): boolean {
  return error.instancePath === union.instancePath && kindsOf(error) !== undefined
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

/**
 * Tells the errors of each branch of a union, which come in the order of the branches. Those of a
 * branch that is a reference come from one call. Calls before these belong to what a branch has.
 */
function splitBranches(union: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[][] {
  const schemas = union.schema as { $ref?: string }[]
  const branches: ErrorObject[][] = schemas.map(() => [])
  const depth = callsOf(union).length
  let current = -1
  let calls: ErrorObject[][] = []
  const place = (next: number) => {
    const references = [...schemas.keys()].filter((index) => {
      return index > current && index < next && schemas[index]?.$ref !== undefined
    })
    for (const [at, call] of calls.entries()) {
      const index = references[at - calls.length + references.length] ?? current
      branches[Math.max(index, 0)]?.push(...call)
    }
    calls = []
    current = next
  }
  let last: object | undefined
  for (const error of errors) {
    const call = callsOf(error)[depth]
    if (call === undefined) {
      const own = schemas.findIndex(({ $ref }, index) => {
        const isWithin = error.schemaPath.startsWith(`${union.schemaPath}/${index}/`)
        return isWithin || (index >= current && error.schemaPath.startsWith(`${$ref}/`))
      })
      // What a branch refers to further on has a place of its own. A branch for another kind of
      // value has no such error.
      const isOver = branches[current]?.some((each) => isMismatch(union, each))
      if (own >= 0 ? own !== current : isOver) place(own >= 0 ? own : current + 1)
      branches[Math.max(current, 0)]?.push(error)
    } else if (call === last) calls.at(-1)?.push(error)
    else calls.push([error])
    last = call
  }
  place(schemas.length)
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
