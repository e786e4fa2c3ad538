/** Says what is wrong with a value itself. */
import { findRepeated } from '../../accept/schema/keywords.ts'
import { type Fault, fault, keyFault, type Pointer, parsePointer } from '../../page/fault.ts'
import { mustHaveFormat } from '../sentences.ts'
import { type Errors, isAboutText, kindsOf, type SchemaError } from './errors.ts'
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
  if (isFix && accepts({ pointer, at: 'value', instead })) {
    const faults = errors.flatMap((error) => explainError(error, pointer, near))
    return faults.map((valueFault) => ({ ...valueFault, instead }))
  }

  // A fix that the schema refuses is not even near.
  const shown = isFix ? [] : near
  return errors.flatMap((error) => {
    const because = near.length > 0 ? [] : becauseOf([error])
    return explainError(error, pointer, shown).map((valueFault) => ({ ...valueFault, because }))
  })
}

/** The key of `dependentSchemas` in the place of an error's schema, as in "#/dependentSchemas/card/required". */
const DEPENDENT_KEY = /(?<!properties)\/dependentSchemas(\/[^/]+)\/[^/]+$/

/** Names the keys that make the schema demand something; none if it demands that anyway. */
export function becauseOf(demands: Errors): string[] {
  const keysOfDemands = demands.map(({ deciding, schemaPath }) => {
    if (deciding) return deciding
    const [, step = ''] = DEPENDENT_KEY.exec(schemaPath) ?? []
    return parsePointer(decodeURIComponent(step)).map(String)
  })

  const isUnconditional = keysOfDemands.some((keys) => keys.length === 0)
  return isUnconditional ? [] : [...new Set(keysOfDemands.flat())]
}

/** The keywords that limit a number or a count, such as `minLength`; `items` limits a list. */
const LIMIT = /^(?:min|max|exclusive|items$)/

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
    case 'format':
      return [fault(`schema.${keyword}`, pointer, { demands: [demandOf(error)], value, near })]
    case 'uniqueItems':
      return explainRepeated(value as unknown[], pointer)
  }

  const { message = '' } = error
  const keywordFault = LIMIT.test(keyword)
    ? fault('schema.limit', pointer, { keyword, limit: params.limit, value })
    : fault('schema.keyword', pointer, { message, value })
  return [{ ...keywordFault, about: keyword }]
}

function explainFalse({ schemaPath }: SchemaError, pointer: Pointer): Fault {
  const isProperty = FALSE_PROPERTY.test(schemaPath)
  if (!isProperty) return fault('schema.not-allowed', pointer)
  return keyFault('schema.excluded-key', pointer, { key: String(pointer.at(-1)) })
}

function explainRepeated(items: readonly unknown[], pointer: Pointer): Fault[] {
  return findRepeated(items).map(({ item, earlier }) => {
    return fault('schema.unique-items', [...pointer, item], { earlier, value: items[item] })
  })
}

/** Explains a value of a wrong kind: of another type, or of no branch of a union. */
function explainKinds(error: SchemaError, pointer: Pointer, near: readonly unknown[]): Fault {
  const { alternatives, lackingKeys, params, schema, data: value } = error

  const kinds = kindsOf(error)
  if (kinds) return fault('schema.type', pointer, { kinds, value, near })

  if (alternatives?.every(isAboutText)) {
    const demands = alternatives.map(demandOf)
    return fault('schema.pattern', pointer, { demands, value, near })
  }

  if (lackingKeys) return fault('schema.one-key', pointer, { choices: lackingKeys })

  const branches = schema as { required?: string[] }[]
  const passing: number[] | undefined = params.passingSchemas
  if (!passing) return fault('schema.any-of', pointer, { count: branches.length, value, near })

  const keys = passing.map((branch) => branches[branch]?.required?.join(' and ') ?? '')
  const areDifferent = new Set(keys).size === keys.length && !keys.includes('')
  return areDifferent
    ? fault('schema.too-many-keys', pointer, { keys })
    : fault('schema.one-of', pointer, { count: branches.length, passing: passing.length })
}

/** What a pattern or a format demands. */
function demandOf({ keyword, params, parentSchema }: SchemaError): string {
  const sentence: string | undefined = parentSchema?.patternErrorMessage
  if (sentence !== undefined) return sentence
  if (keyword === 'format') return mustHaveFormat(params.format)
  return `must match the pattern ${params.pattern} of the schema`
}
