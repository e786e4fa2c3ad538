/** Makes violations of ajv's errors: what each value must be, what is near, and what surely mends it. */
import type { AnySchemaObject, ValidateFunction } from 'ajv'
import { checkMarkup, findAmpersand } from '../../accept/markup.ts'
import { findRepeated } from '../../accept/schema/keywords.ts'
import { groupBy } from '../../machine/group-by.ts'
import { formatPointer, type Pointer, parsePointer, type Violation } from '../../page/fault.ts'
import { asObject } from '../../text/as-object.ts'
import { nearest } from '../../text/nearest.ts'
import { isSameWord, spellingsOf } from '../../text/same-word.ts'
import { fault, mustHaveFormat, sayDeciding } from '../sentences.ts'
import { createKnown, type Known, type Place } from './known.ts'
import { faultyPlaces, isText, kindsOf, reduce, type SchemaError, unknownKey } from './reduce.ts'
import { nearValue, type Repair, repaired } from './repair.ts'

/** The compiled check of a schema, the schema, and what it declares, once that is asked for. */
export type Validate = ValidateFunction & { root: AnySchemaObject; known?: Known }

/** @param validate has just refused the batch */
export function explain(batch: unknown, validate: Validate): Violation[] {
  validate.known ??= createKnown(validate.root)
  const { known } = validate
  const told = reduce(validate.errors ?? [], known)
  const repairs: Repair[] = []
  const best = tell(told, known, (repair) => repairs.push(repair) > 0)
  if (repairs.length === 0 || validate(repaired(batch, repairs))) return best
  const left = reduce(validate.errors ?? [], known).flat()
  const faulty = faultyPlaces(left)
  const nameOf = ({ instancePath, keyword }: SchemaError) => `${instancePath} ${keyword}`
  const names = new Set(told.flat().map(nameOf))
  const placeOf = ({ pointer, at, instead }: Repair) =>
    formatPointer(at === 'key' ? [...pointer.slice(0, -1), String(instead)] : pointer)
  const tried = new Set(repairs.map(placeOf))
  // What is right by itself may show another fault of what it is in; what is not shows only its own.
  const fresh = faultyPlaces(
    left.filter((error) => !names.has(nameOf(error)) && !tried.has(error.instancePath)),
  )
  return tell(told, known, (repair) => {
    return !faulty.has(placeOf(repair)) && !fresh.has(formatPointer(repair.pointer.slice(0, -1)))
  })
}

/** Whether the schema accepts a repair. */
type Accepts = (repair: Repair) => boolean

/** @param told the errors of each place */
function tell(told: readonly SchemaError[][], known: Known, accepts: Accepts): Violation[] {
  return told.flatMap((errors) => {
    const pointer = parsePointer(errors[0]?.instancePath ?? '')
    const unknown = errors.filter((error) => unknownKey(error) !== undefined)
    const required = errors.filter(({ keyword }) => keyword === 'required')
    const lacking = new Set(required.map(({ params }) => String(params.missingProperty)))
    const others = errors.filter((error) => {
      return error.keyword !== 'required' && unknownKey(error) === undefined
    })
    const said = ofKeys(pointer, unknown, lacking, known, accepts)
    const lacks = groupBy(required, ({ params }) => String(params.missingProperty))
    const left = [...lacks].filter(([key]) => lacking.has(key))
    for (const [because, each] of groupBy(left, ([, demands]) => becauseOf(demands))) {
      const keys = each.map(([key]) => key)
      said.push(fault('schema.missing-key', pointer, keys, because))
    }
    return [...said, ...ofValues(pointer, others, accepts)]
  })
}

/** Says which keys their object may not have, and takes those that they surely are from `lacking`. */
function ofKeys(
  pointer: Pointer,
  errors: readonly SchemaError[],
  lacking: Set<string>,
  known: Known,
  accepts: Accepts,
): Violation[] {
  if (errors.length === 0) return []
  const levels = known(pointer)
  const here = levels.at(-1) as Place
  const said: Violation[] = []
  const unknown: string[] = []
  for (const error of errors) {
    const key = String(unknownKey(error))
    const place = [...pointer, key]
    // Not where it is on the way already, as in { "owner": { "owner": … } }.
    const isOf = ({ keys }: Place, at: number) => keys.includes(key) && pointer[at] !== key
    const depth = levels.findLastIndex(isOf)
    const outer = formatPointer(pointer.slice(0, depth))
    if (depth < 0) unknown.push(key)
    else if (depth === pointer.length) said.push(fault('schema.excluded-key', place, key))
    else said.push(fault('schema.misplaced-key', place, key, outer, here.keys))
  }

  const object = asObject(errors[0]?.data)
  const pair = unknown.length === 1 && lacking.size === 1 ? [...lacking] : []
  const candidates = unknown.map((key) => ({ key, ...meaningOf(key, here, object, lacking) }))
  const inner = (step: string) => known([...pointer, step]).at(-1)?.keys ?? []
  here.below ??= new Map(here.keys.flatMap((step) => inner(step).map((key) => [key, step])))

  for (const { key, near, same } of candidates) {
    const place = [...pointer, key]
    const isGood = (instead: string) => accepts({ pointer: place, at: 'key', instead })

    // Two keys cannot become one.
    const isOnly = candidates.filter((candidate) => candidate.same === same).length === 1
    const instead = same !== undefined && isOnly && isGood(same) ? same : undefined

    const meant = same ?? nearest(key, [...lacking])[0] ?? pair.find(isGood)
    const isMissing = meant !== undefined && lacking.delete(meant)
    const below = near.length === 0 ? here.below.get(key) : undefined

    let violation = fault('schema.unknown-key', place, key, here.keys, near)
    if (isMissing) violation = fault('schema.misspelled-key', place, key, meant)
    else if (below !== undefined) {
      const inside = formatPointer([...pointer, below])
      violation = fault('schema.misplaced-key', place, key, inside, here.keys)
    }
    said.push(instead === undefined ? violation : { ...violation, instead })
  }
  return said.map((violation) => ({ ...violation, at: 'key' }))
}

/** Returns the keys that an unknown one is near to, and the one that it certainly is. */
function meaningOf(
  key: string,
  here: Place,
  object: Record<string, unknown>,
  lacking: ReadonlySet<string>,
): { near: readonly string[]; same?: string } {
  const near = nearKeys(key, here)
  if (near.some((known) => Object.hasOwn(object, known))) return { near: [] }

  const [known] = near
  if (known === undefined || near.length > 1) return { near: near.slice(0, 3) }

  return isSameWord(key, known, lacking.has(known)) ? { near, same: known } : { near }
}

/** Returns the keys of a place of which an unknown one is another spelling, or else those nearest to it. */
function nearKeys(key: string, here: Place): readonly string[] {
  const remembered = here.near.get(key)
  if (remembered) return remembered

  const spellings = spellingsOf(key, here.keys)
  const near = spellings.length > 0 ? spellings : nearest(key, here.keys)
  here.near.set(key, near)
  return near
}

/** Says what is wrong with a value itself. */
function ofValues(pointer: Pointer, errors: readonly SchemaError[], accepts: Accepts): Violation[] {
  const { near, isFix = false } = nearValue(errors)
  const instead = near[0] as string | number | boolean
  const isGood = isFix && accepts({ pointer, at: 'value', instead })
  return errors.flatMap((error) => {
    if (isGood) return ofValue(error, pointer, near).map((each) => ({ ...each, instead }))
    const because = near.length > 0 ? '' : becauseOf([error])
    const said = ofValue(error, pointer, isFix ? [] : near)
    return said.map((each) => ({ ...each, message: each.message + because }))
  })
}

/** Names the keys that make the schema demand something; none if it demands that anyway. */
function becauseOf(demands: readonly SchemaError[]): string {
  const keys = demands.map(({ deciding, schemaPath }) => {
    const [, key = ''] = /(?<!properties)\/dependentSchemas(\/[^/]+)\/[^/]+$/.exec(schemaPath) ?? []
    return deciding ?? parsePointer(decodeURIComponent(key)).map(String)
  })
  return sayDeciding(keys.every(({ length }) => length > 0) ? [...new Set(keys.flat())] : [])
}

/** Says what is wrong with a value. */
export function ofValue(
  error: SchemaError,
  pointer: Pointer,
  near: readonly unknown[] = [],
): Violation[] {
  const { propertyName, ...inner } = error
  const { keyword, data, params, message = '' } = inner
  if (propertyName !== undefined) {
    const place = [...pointer, propertyName]
    const faults = ofValue(inner as SchemaError, place)
    return faults.map(({ message }) => ({ ...fault('schema.key-name', place, message), at: 'key' }))
  }
  if (pointer.at(-1) === 'contentHtml' && keyword === 'pattern' && typeof data === 'string') {
    const marked = checkMarkup(data)
    const faults = marked.length > 0 || near.length !== 1 ? marked : findAmpersand(data)
    if (faults.length > 0) return faults.map((each) => ({ ...each, pointer }))
  }
  switch (keyword) {
    case 'enum':
      return [fault('schema.enum', pointer, params.allowedValues, data, near)]
    case 'type':
    case 'anyOf':
    case 'oneOf':
      return [ofKinds(error, pointer, near)]
    case 'false schema':
      return /[pP]roperties\/[^/]+\/false schema$/.test(error.schemaPath)
        ? [{ ...fault('schema.excluded-key', pointer, String(pointer.at(-1))), at: 'key' }]
        : [fault('schema.not-allowed', pointer)]
    case 'pattern':
    case 'format':
      return [fault(`schema.${keyword}`, pointer, [mustOf(error)], data, near)]
    case 'uniqueItems':
      return findRepeated(data as unknown[]).map(({ item, earlier }) => {
        return fault('schema.unique-items', [...pointer, item], earlier, (data as unknown[])[item])
      })
    default: {
      const isLimit = /^(?:min|max|exclusive|items$)/.test(keyword)
      const said = isLimit
        ? fault('schema.limit', pointer, keyword, params.limit, data)
        : fault('schema.keyword', pointer, message, data)
      return [{ ...said, about: keyword }]
    }
  }
}

function ofKinds(error: SchemaError, pointer: Pointer, near: readonly unknown[]): Violation {
  const { alternatives, params, schema, data } = error
  const passing: number[] | undefined = params.passingSchemas
  const kinds = kindsOf(error)
  if (kinds) return fault('schema.type', pointer, kinds, data, near)
  if (alternatives?.every(isText))
    return fault('schema.pattern', pointer, alternatives.map(mustOf), data, near)
  if (params.keys) return fault('schema.one-key', pointer, params.keys)
  const all = schema as { required?: string[] }[]
  if (!passing) return fault('schema.any-of', pointer, all.length, data, near)
  const demanded = passing.map((at) => all[at]?.required?.join(' and ') ?? '')
  return new Set(demanded).size === demanded.length && !demanded.includes('')
    ? fault('schema.too-many-keys', pointer, demanded)
    : fault('schema.one-of', pointer, all.length, passing.length)
}

/** What a pattern or a format demands. */
function mustOf({ keyword, params, parentSchema }: SchemaError): string {
  const says: string | undefined = parentSchema?.patternErrorMessage
  if (keyword === 'format') return says ?? mustHaveFormat(params.format)
  return says ?? `must match the pattern ${params.pattern} of the schema`
}
