/** Says what is wrong with a value itself. */
import { findRepeated } from '../../accept/keywords.ts'
import type { Demand, Reason } from '../../fault/facts.ts'
import { type Fault, fault, keyFault } from '../../fault/fault.ts'
import { multiplesNear } from '../../text/decimal.ts'
import { nearest } from '../../text/nearest.ts'
import { isPosition, type Pointer, parsePointer } from '../../text/pointer.ts'
import { demandOfPattern } from './demands.ts'
import { type Errors, kindsOf, type SchemaError } from './errors.ts'
import { nearValue, type Repair } from './repair.ts'

/**
 * @param pointer the place of the value
 * @param errors about it, except for its keys
 */
export function valueFaults(
  pointer: Pointer,
  errors: Errors,
  accepts: (repair: Repair) => boolean,
): Fault[] {
  const { near, isFix = false } = nearValue(errors)
  const instead = near[0] as string | number | boolean
  const isCertain = isFix && accepts({ pointer, at: 'value', instead })

  // A fix that the schema refuses is not even near.
  const shown = isFix && !isCertain ? [] : near
  return errors.flatMap((error) => {
    const because = near.length > 0 ? [] : becauseOf([error])
    // Two parts of a schema may make different demands on one value.
    const more = { about: error.schemaPath, because, ...(isCertain && { instead }) }
    return explainError(error, pointer, shown).map((valueFault) => ({ ...more, ...valueFault }))
  })
}

/**
 * The key of `dependentSchemas` in the place of an error's schema, as in "#/dependentSchemas/card/required"
 * and "#/dependentSchemas/card/properties/tags/contains".
 */
const DEPENDENT_KEY = /(?<!properties|\$defs)\/dependentSchemas(\/[^/]+)\//

/** Returns the reasons for a demand; none if the schema always makes it. */
export function becauseOf(demands: Errors): Reason[] {
  const reasonsOfDemands = demands.map(({ deciding, schemaPath }) => {
    if (deciding) return deciding
    const [, step = ''] = DEPENDENT_KEY.exec(schemaPath) ?? []
    return parsePointer(decodeURIComponent(step)).map((key): Reason => ({ key: String(key) }))
  })

  const isUnconditional = reasonsOfDemands.some((reasons) => reasons.length === 0)
  if (isUnconditional) return []

  const reasons = reasonsOfDemands.flat()
  return reasons.filter(({ key }, at) => reasons.findIndex((reason) => reason.key === key) === at)
}

/** The keywords that limit a number or a count, such as `minLength`; `items` limits a list. */
const LIMIT = /^(?:min|max|exclusive|items$|unevaluatedItems$)/

/** The place of a schema `false` that stands for a key. */
const FALSE_PROPERTY = /[pP]roperties\/[^/]+\/false schema$/

/**
 * Explains one error of a value.
 *
 * @param near values that would be accepted
 */
function explainError(
  error: SchemaError,
  pointer: Pointer,
  near: readonly unknown[] = [],
): Fault[] {
  const { propertyName, ...ofName } = error
  if (propertyName !== undefined) {
    const place = [...pointer, propertyName]
    if (error.keyword === 'enum') return [explainName(propertyName, error, place)]
    const faults = explainError(ofName as SchemaError, place)
    return faults.map((inner) => keyFault('schema.key-name', place, { fault: inner }))
  }

  const { keyword, data: value, params } = error
  switch (keyword) {
    case 'enum':
      return [fault('schema.enum', pointer, { allowed: params.allowedValues, value, near })]
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return [explainKinds(error, pointer, near)]
    case 'false schema':
      return [explainFalse(error, pointer)]
    case 'pattern':
    case 'format': {
      const examples = examplesOf(error)
      const facts = {
        demands: [demandOf(error)],
        value,
        isItem: isPosition(pointer.at(-1)),
        near,
        examples,
      }
      return [fault(`schema.${keyword}`, pointer, facts)]
    }
    case 'uniqueItems':
      return explainRepeated(value as unknown[], pointer)
    case 'not':
      return [explainNot(error, pointer)]
    case 'contains':
      return [explainContains(error, pointer)]
    case 'multipleOf':
      return [explainMultiple(error, pointer)]
  }

  if (!LIMIT.test(keyword)) return [fault('schema.keyword', pointer, { keyword, value })]

  const limit = params.limit ?? params.len
  return [fault('schema.limit', pointer, { keyword, limit, value })]
}

/** Explains what a `not` refuses: at the key, if it's about one. */
function explainNot({ data: value, demands = [] }: SchemaError, pointer: Pointer): Fault {
  const [demand, ...others] = demands
  const [key, ...otherKeys] = demand?.kind === 'keys' ? demand.keys : []
  if (key === undefined || others.length > 0 || otherKeys.length > 0)
    return fault('schema.not', pointer, { value, demands })

  return keyFault('schema.excluded-key', [...pointer, key], { key, isBeside: false })
}

/** Explains a key whose name isn't allowed. */
function explainName(key: string, { params }: SchemaError, place: Pointer): Fault {
  const allowed: unknown[] = params.allowedValues
  const known = allowed.filter((name) => typeof name === 'string')
  return keyFault('schema.unknown-key', place, {
    key,
    known,
    patterns: [],
    near: nearest(key, known),
  })
}

function explainContains({ demands, params, count = 0 }: SchemaError, pointer: Pointer): Fault {
  const least = Number(params.minContains)
  const most: number | undefined = params.maxContains
  return fault('schema.contains', pointer, { demands, least, most, count })
}

function explainMultiple({ data: value, schema }: SchemaError, pointer: Pointer): Fault {
  const unit = Number(schema)
  return fault('schema.multiple', pointer, {
    unit,
    value,
    near: multiplesNear(Number(value), unit),
  })
}

function explainFalse({ schemaPath }: SchemaError, pointer: Pointer): Fault {
  const isProperty = FALSE_PROPERTY.test(schemaPath)
  if (!isProperty) return fault('schema.not-allowed', pointer)
  return keyFault('schema.excluded-key', pointer, { key: String(pointer.at(-1)), isBeside: false })
}

function explainRepeated(items: readonly unknown[], pointer: Pointer): Fault[] {
  return findRepeated(items).map(({ item, earlier }) => {
    return fault('schema.unique-items', [...pointer, item], { earlier, value: items[item] })
  })
}

/** Explains a value of a wrong kind: of another type, or of no branch of a union. */
function explainKinds(error: SchemaError, pointer: Pointer, near: readonly unknown[]): Fault {
  const { lackingKeys, params, schema, data: value } = error

  const kinds = kindsOf(error)
  if (kinds)
    return fault('schema.type', pointer, { kinds, value, isItem: isPosition(pointer.at(-1)), near })

  if (lackingKeys) {
    const about = lackingKeys.join(' ')
    return { ...fault('schema.one-key', pointer, { choices: lackingKeys }), about }
  }

  const branches = schema as { required?: string[] }[]
  const passing: number[] | undefined = params.passingSchemas
  const count = branches.length
  if (!passing)
    return fault('schema.any-of', pointer, { count, choices: error.choices, value, near })

  const groups = differingKeys(passing.map((branch) => branches[branch]?.required ?? []))
  return groups.some((keys) => keys.length === 0)
    ? fault('schema.one-of', pointer, { count, passing: passing.length })
    : { ...fault('schema.too-many-keys', pointer, { groups }), about: groups.join(' ') }
}

/** Returns the keys of each group that not all groups have. */
function differingKeys(groups: readonly (readonly string[])[]): string[][] {
  return groups.map((keys) => keys.filter((key) => !groups.every((group) => group.includes(key))))
}

/** The demand of a pattern or a format. */
function demandOf({ keyword, params, parentSchema = {} }: SchemaError): Demand {
  const isFormat = keyword === 'format' && parentSchema.patternErrorMessage === undefined
  if (isFormat) return { kind: 'format', format: params.format }
  return demandOfPattern(String(params.pattern), parentSchema)
}

/** The texts that a schema gives as examples beside a pattern, if they fit it. */
function examplesOf({ keyword, params, parentSchema = {} }: SchemaError): string[] {
  const hasWords = keyword !== 'pattern' || parentSchema.patternErrorMessage !== undefined
  if (hasWords || !Array.isArray(parentSchema.examples)) return []

  const pattern = new RegExp(params.pattern, 'u')
  return parentSchema.examples.filter((one) => typeof one === 'string' && pattern.test(one))
}
