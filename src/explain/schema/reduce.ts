/** Reduces ajv's errors to those that an author can act on: one for each fault. */

import type { Demand, Reason } from '../../fault/facts.ts'
import { groupBy } from '../../machine/group-by.ts'
import { asObject, isPlainObject } from '../../text/as-object.ts'
import { formatPointer, parsePointer } from '../../text/pointer.ts'
import { demandsIn } from './demands.ts'
import { type Errors, kindsOf, reasonOfKey, type SchemaError, unknownKey } from './errors.ts'
import type { Recheck } from './recheck.ts'
import { meantBranch } from './unions.ts'

/**
 * Keeps one error for each fault, and one for each key that is missing, in a list for each place:
 *
 * - For a union, the errors of the branch that was meant, if one was.
 * - For `if` and `propertyNames`, the errors within them; for `if`, none if a key that it looks at is
 *   refused itself.
 * - For a value that isn't one of those listed, none about its type.
 * - Beside a pattern with the owner's sentence, none about the format.
 * - For a value of a wrong type, none about how many branches accept it.
 * - If two parts of the schema demand the same of a value, one of the two.
 * - None about a key that ajv calls unknown because only a refused subschema declares it.
 */
export function reduce(errors: Errors, recheck: Recheck): SchemaError[][] {
  const refusedPlaces = new Set(errors.map(({ instancePath }) => instancePath))
  const expanded = errors.flatMap((error) => expand(error, recheck, refusedPlaces))

  const certain = expanded.filter(({ keyword }) => keyword !== 'unevaluatedProperties')
  const hasUncertain = certain.length < expanded.length
  const faulty = hasUncertain ? faultyPlaces(certain) : new Set<string>()

  const byPlace = groupBy(expanded, ({ instancePath }) => instancePath)
  return Array.from(byPlace, ([place, errorsThere]) => {
    const { keys: declared = [] } = faulty.has(place)
      ? (recheck.known(parsePointer(place)).at(-1) ?? {})
      : {}
    return errorsThere.filter((error, index) => {
      return isOwnFault(error, errorsThere, declared) && !isRepeated(error, index, errorsThere)
    })
  })
}

/**
 * Whether an error is more than a consequence of another one at its place.
 *
 * @param declared the keys that the schema declares for the place, if something in it is refused
 */
function isOwnFault(error: SchemaError, errorsThere: Errors, declared: readonly string[]): boolean {
  const { keyword, params, parentSchema } = error
  if (params.passingSchemas) return !errorsThere.some((beside) => beside.keyword === 'type')

  if (keyword === 'type') {
    return !errorsThere.some((beside) => beside.keyword !== 'type' && kindsOf(beside))
  }
  if (keyword === 'format') {
    const hasSentence = parentSchema?.patternErrorMessage !== undefined
    return !(hasSentence && errorsThere.some((beside) => beside.keyword === 'pattern'))
  }
  return keyword !== 'unevaluatedProperties' || !declared.includes(params.unevaluatedProperty)
}

/** The keywords that say what a value itself must be. */
const OF_VALUE: readonly string[] = ['type', 'enum', 'pattern', 'format']

/** Whether an earlier error demands the same of a value: schemas often list the tags of a union beside it. */
function isRepeated(error: SchemaError, index: number, errorsThere: Errors): boolean {
  const { keyword, params, propertyName } = error
  if (!OF_VALUE.includes(keyword) || propertyName !== undefined) return false

  const text = JSON.stringify(params)
  const first = errorsThere.findIndex((other) => {
    const isUnconditional = other.deciding === undefined && other.propertyName === undefined
    return isUnconditional && other.keyword === keyword && JSON.stringify(other.params) === text
  })
  return first >= 0 && first < index
}

/** The places of errors, and of all that they are in. */
export function faultyPlaces(errors: Errors): Set<string> {
  const places = new Set<string>()
  for (const error of errors) {
    const key = unknownKey(error)
    let place = error.instancePath + (key === undefined ? '' : formatPointer([key]))
    while (!places.has(place)) {
      places.add(place)
      place = place.slice(0, place.lastIndexOf('/'))
    }
  }
  return places
}

/**
 * Returns the errors that an error stands for: itself, if it is not about a union or a condition.
 *
 * @param refusedPlaces the places of all errors beside it
 */
function expand(error: SchemaError, recheck: Recheck, refusedPlaces: ReadonlySet<string>): Errors {
  switch (error.keyword) {
    case 'anyOf':
    case 'oneOf':
      return expandUnion(error, recheck)
    case 'if':
      return expandCondition(error, recheck, refusedPlaces)
    case 'propertyNames':
      // The errors of the name itself are beside it.
      return []
    case 'const':
      return [{ ...error, keyword: 'enum', params: { allowedValues: [error.params.allowedValue] } }]
    case 'dependentRequired':
      return [{ ...error, keyword: 'required', deciding: [{ key: error.params.property }] }]
    case 'not':
      return [{ ...error, demands: demandsOfNot(error, recheck) }]
    case 'contains':
      return [explainContains(error, recheck)]
    default:
      return [error]
  }
}

function expandUnion(union: SchemaError, recheck: Recheck): Errors {
  const isTooMany = Boolean(union.params.passingSchemas)
  if (isTooMany) return [union]

  const branches = (union.schema as unknown[]).map((schema, index) => {
    return { schema, errors: errorsOfPart(union, `/${union.keyword}/${index}`, recheck) }
  })
  // By itself, a branch accepts an object without a tag that is required beside the union. `required`
  // reports that.
  const isExplained = branches.every(({ errors }) => errors.length > 0)
  if (!isExplained) return lacksKey(union) ? [] : [union]

  const beside = { ...union.parentSchema, [union.keyword]: [] }
  const meant = meantBranch(union, branches, ({ schema }, step) => {
    return recheck.haveSchemaOf(step, [beside, schema])
  })
  const [first] = meant
  if (first !== union) return meant

  const choices = (union.schema as unknown[]).map((branch) => demandsIn(branch))
  const isEachSaid = choices.every((demands) => demands !== undefined && demands.length > 0)
  return isEachSaid ? [{ ...union, choices: choices as Demand[][] }] : meant
}

/** Whether an object lacks a key that is required beside the keyword of an error. */
function lacksKey({ parentSchema, data }: SchemaError): boolean {
  const required: string[] = parentSchema?.required ?? []
  return isPlainObject(data) && required.some((key) => !Object.hasOwn(data, key))
}

/** Returns what a `not` refuses in a value: for an `anyOf`, the branch that the value fits. */
function demandsOfNot({ schema, parentSchema, data }: SchemaError, recheck: Recheck): Demand[] {
  const { anyOf, ...rest } = asObject(schema)
  const isUnion = Array.isArray(anyOf) && Object.keys(rest).length === 0
  const fitting = isUnion
    ? anyOf.find((_, index) => {
        return recheck.errorsWithin(parentSchema, `/not/anyOf/${index}`, data).length === 0
      })
    : schema

  const demands = demandsIn(fitting) ?? []
  // A schema for a key also accepts an object without the key, and then there's nothing to report.
  const isThere = demands.every((demand) => {
    return demand.kind !== 'member' || Object.hasOwn(asObject(data), demand.key)
  })
  return isThere ? demands : []
}

/** Counts the items that `contains` looks for, and describes them. */
function explainContains(error: SchemaError, recheck: Recheck): SchemaError {
  const { schema, parentSchema, data } = error
  const fitting = (data as unknown[]).filter((item) => {
    return recheck.errorsWithin(parentSchema, '/contains', item).length === 0
  })

  return { ...error, demands: demandsIn(schema), count: fitting.length }
}

/** Returns what `then` or `else` demands, with the keys that decide. */
function expandCondition(
  error: SchemaError,
  recheck: Recheck,
  refusedPlaces: ReadonlySet<string>,
): Errors {
  const { failingKeyword } = error.params
  const errors = errorsOfPart(error, `/${failingKeyword}`, recheck)
  if (errors.length === 0) return [error]

  const condition = asObject(error.parentSchema?.if)
  const reasons = reasonsIn(condition, asObject(error.data))

  // While a key that decides is refused itself, its demands are unknown.
  const places = reasons.map(({ key }) => error.instancePath + formatPointer([key]))
  if (places.some((place) => refusedPlaces.has(place))) return []

  const deciding = failingKeyword === 'else' ? exceptionIn(condition) : reasons
  return errors.map((inner) => ({ ...inner, deciding: [...deciding, ...(inner.deciding ?? [])] }))
}

/** The keys of an object that an `if` looks at; with their values, if it looks at these. */
function reasonsIn(condition: Record<string, unknown>, object: Record<string, unknown>): Reason[] {
  const keys = Object.keys(asObject(condition.properties))
  const required = ((condition.required ?? []) as string[]).filter((key) => !keys.includes(key))

  const reasons = keys.map((key) => reasonOfKey(key, object[key]))
  for (const key of required) reasons.push({ key })
  return reasons.filter(({ key }) => Object.hasOwn(object, key))
}

/** The exceptions of an `else`: a key, or some of its values; none if the `if` has more conditions. */
function exceptionIn(condition: Record<string, unknown>): Reason[] {
  const demands = demandsIn(condition) ?? []
  const [demand, ...others] = demands
  if (demand === undefined || others.length > 0) return []

  if (demand.kind === 'keys') {
    const [key, ...otherKeys] = demand.keys
    return key === undefined || otherKeys.length > 0 ? [] : [{ key, except: [] }]
  }
  if (demand.kind !== 'member') return []

  const [value, ...otherDemands] = demand.demands
  const isOfValues = value?.kind === 'values' && otherDemands.length === 0
  return isOfValues ? [{ key: demand.key, except: value.values }] : []
}

/** Checks the value of an error by a part of its schema. */
function errorsOfPart(error: SchemaError, steps: string, recheck: Recheck): Errors {
  const { instancePath, propertyName } = error

  return recheck.answerOnce(error, steps, () => {
    const errors = recheck.errorsWithin(error.parentSchema, steps, error.data).map((inner) => ({
      ...inner,
      instancePath: instancePath + inner.instancePath,
      ...(propertyName !== undefined && { propertyName }),
    }))
    return reduce(errors, recheck).flat()
  })
}
