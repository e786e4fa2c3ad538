/** Makes violations of ajv's errors: what each value must be, what is near, and what surely mends it. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { ELEMENTS, refusedMarkup } from '../../page/html.ts'
import { formatPointer, type Pointer, parsePointer, type Violation } from '../../page/violation.ts'
import { nearestOf } from '../../text/nearest.ts'
import { checkMarkup } from '../markup.ts'
import { fault, mustHaveFormat } from '../sentences.ts'
import { findRepeated } from './keywords.ts'
import { kindsOf, reduce, type SchemaFacts, unknownKey } from './reduce.ts'
import { AMPERSAND, type Near, nearKey, nearValue, type Repair, repaired } from './repair.ts'

/** The errors of one value, and what may be written instead. */
interface Place {
  pointer: Pointer
  errors: readonly ErrorObject[]
  /** The keys that are missing in it. */
  missing: readonly string[]
  unknown: readonly UnknownKey[]
  near: Near
  /** Of the value itself. */
  repair: Repair | undefined
}

/** A key that its object may not have. */
interface UnknownKey {
  key: string
  known: readonly string[]
  /** The nearest object around that may have it, by its pointer. */
  outer: string | undefined
  near: readonly string[]
  /** Whether the key that is meant is at most a letter away, or near. */
  isSure: boolean
  isNear: boolean
  repair: Repair | undefined
}

/** @param found ajv's errors of the batch */
export function explain(
  batch: unknown,
  found: readonly ErrorObject[],
  facts: SchemaFacts,
): Violation[] {
  const { errorsOf, knownKeys } = facts
  const byPlace = (errors: readonly ErrorObject[]) =>
    groupBy(reduce(errors, facts), ({ instancePath }) => instancePath)
  const places = [...byPlace(found)].map(([at, errors]) => readPlace(at, errors, knownKeys))
  const repairs = places.flatMap(({ repair, unknown }) => {
    return [repair, ...unknown.map((each) => each.repair)].filter((each) => each !== undefined)
  })
  const left = repairs.length === 0 ? [] : errorsOf(repaired(batch, repairs))
  const faulty = placesOf([...byPlace(left).values()].flat())
  const isAccepted = (repair: Repair | undefined) => {
    if (!repair) return false
    const { pointer, at, instead } = repair
    return !faulty.has(formatPointer(at === 'value' ? pointer : [...pointer.slice(0, -1), instead]))
  }
  return places.flatMap((place) => violationsOf(place, isAccepted))
}

/** The places of errors, and of all that they are in. */
function placesOf(errors: readonly ErrorObject[]): Set<string> {
  const places = new Set<string>()
  for (const error of errors) {
    const key = unknownKey(error)
    let at = error.instancePath + (key === undefined ? '' : formatPointer([key]))
    for (; at !== '' && !places.has(at); at = at.slice(0, at.lastIndexOf('/'))) places.add(at)
  }
  return places
}

function readPlace(
  at: string,
  errors: readonly ErrorObject[],
  knownKeys: SchemaFacts['knownKeys'],
): Place {
  const pointer = parsePointer(at)
  const data = errors[0]?.data
  const keys = errors.flatMap((error) => unknownKey(error) ?? [])
  const others = errors.filter((error) => unknownKey(error) === undefined)
  const missing = others.flatMap(({ keyword, params }) => {
    return keyword === 'required' ? (params.missing as string[]) : []
  })
  const near = nearValue(data, others)
  const [instead] = near.near
  const repair = near.isFix
    ? { pointer, at: 'value' as const, instead: instead as string }
    : undefined
  const unknown = keys.map((key) => readKey(key, pointer, data, keys, missing, knownKeys))
  // Two keys cannot become one.
  const counts = groupBy(unknown, (each) => String(each.repair?.instead))
  const single = unknown.map((each) => {
    const isOnly = counts.get(String(each.repair?.instead))?.length === 1
    return isOnly ? each : { ...each, repair: undefined }
  })
  return { pointer, errors: others, missing, unknown: single, near, repair }
}

/** @param keys all unknown ones of the object */
function readKey(
  key: string,
  pointer: Pointer,
  object: unknown,
  keys: readonly string[],
  missing: readonly string[],
  knownKeys: SchemaFacts['knownKeys'],
): UnknownKey {
  const known = knownKeys(pointer)
  const depth = pointer.findLastIndex((_, depth) =>
    knownKeys(pointer.slice(0, depth)).includes(key),
  )
  const outer = depth < 0 ? undefined : formatPointer(pointer.slice(0, depth))
  const none = { key, known, outer, near: [], isSure: false, isNear: false, repair: undefined }
  if (known.includes(key) || outer !== undefined) return none
  const { near, isFix: isSure = false } = nearKey(key, Object(object), known)
  const lacking = isSure ? near : nearestOf(key, missing)
  const [only, ...others] = missing
  const isPair = keys.length === 1 && others.length === 0
  const instead = lacking[0] ?? (isPair ? only : undefined)
  const repair =
    instead === undefined ? undefined : { pointer: [...pointer, key], at: 'key' as const, instead }
  return { ...none, near, isSure, isNear: lacking.length > 0, repair }
}

function violationsOf(
  { pointer, errors, missing, unknown, near, repair }: Place,
  isAccepted: (repair: Repair | undefined) => boolean,
): Violation[] {
  const lacking = new Set(missing)
  const ofKeys = unknown.map((each): Violation => {
    const { key, known, outer } = each
    const to = [...pointer, key]
    const isGood = isAccepted(each.repair)
    const meant = String(each.repair?.instead)
    const say = () => {
      if ((isGood || (each.repair && each.isNear)) && lacking.delete(meant))
        return fault('schema.misspelled-key', to, key, meant)
      if (known.includes(key)) return fault('schema.excluded-key', to, key)
      if (outer !== undefined) return fault('schema.misplaced-key', to, key, outer, known)
      return fault('schema.unknown-key', to, key, known, each.near)
    }
    return { ...say(), at: 'key', ...(isGood && each.isSure && { instead: meant }) }
  })
  const isFix = isAccepted(repair)
  const shown = near.isFix && !isFix ? [] : near.near
  const others = errors.flatMap((error) => {
    if (error.keyword !== 'required')
      return ofValue(error, pointer, shown, isFix).map((each) => {
        return repair && isFix ? { ...each, instead: repair.instead } : each
      })
    return lacking.size > 0 ? fault('schema.missing-key', pointer, [...lacking]) : []
  })
  return [...ofKeys, ...others]
}

/** Says what is wrong with a value. */
export function ofValue(
  error: ErrorObject,
  pointer: Pointer,
  near: readonly unknown[] = [],
  isFix = false,
): Violation[] {
  const { keyword, data, params, schema, parentSchema } = error
  const { length } =
    typeof data === 'object' || typeof data === 'string' ? Array.from(Object(data)) : []
  const says: string | undefined = parentSchema?.patternErrorMessage
  const kinds = kindsOf(error)
  const one = (violation: Violation) => [violation]
  if (error.propertyName !== undefined) {
    const place = [...pointer, error.propertyName]
    const { propertyName, ...inner } = error
    const faults = ofValue(inner as ErrorObject, place)
    return faults.map(({ message }) => ({ ...fault('schema.key-name', place, message), at: 'key' }))
  }
  if (pointer.at(-1) === 'contentHtml' && keyword === 'pattern' && typeof data === 'string') {
    const faults = ofBody(data, isFix)
    if (faults.length > 0) return faults.map((each) => ({ ...each, pointer }))
  }
  switch (keyword) {
    case 'const':
      return one(fault('schema.enum', pointer, [params.allowedValue], data, near))
    case 'enum':
      return one(fault('schema.enum', pointer, params.allowedValues, data, near))
    case 'type':
      return one(fault('schema.type', pointer, kinds ?? [], data, near))
    case 'anyOf':
    case 'oneOf': {
      if (kinds) return one(fault('schema.type', pointer, kinds, data, near))
      if (params.keys) return one(fault('schema.one-key', pointer, params.keys))
      if (params.musts)
        return one(
          fault('schema.pattern', pointer, params.musts.map(mustOf).join(', or '), data, near),
        )
      const all = schema as { required?: string[] }[]
      const passing: number[] = params.passingSchemas ?? []
      const keys = passing.map((index) => all[index]?.required?.join(' and ') ?? '')
      if (passing.length === 0) return one(fault('schema.any-of', pointer, all.length, data, near))
      const isOfKeys = new Set(keys).size === keys.length && !keys.includes('')
      if (isOfKeys) return one(fault('schema.too-many-keys', pointer, keys))
      return one(fault('schema.one-of', pointer, all.length, passing.length))
    }
    case 'dependentRequired':
      return one(fault('schema.dependent-key', pointer, params.missingProperty, params.property))
    case 'false schema':
      return one(fault('schema.not-allowed', pointer))
    case 'uniqueItems':
      return findRepeated(data as unknown[]).map(({ item, earlier }) => {
        return fault('schema.unique-items', [...pointer, item], earlier, (data as unknown[])[item])
      })
    case 'pattern':
      return one(fault('schema.pattern', pointer, mustOf(error), data, near))
    case 'format':
      return one(fault('schema.format', pointer, says ?? mustOf(error), data, near))
    case 'minLength':
      return one(fault('schema.min-length', pointer, params.limit, length))
    case 'maxLength':
      return one(fault('schema.max-length', pointer, params.limit, length))
    case 'minItems':
      return one(fault('schema.min-items', pointer, params.limit, length))
    case 'maxItems':
      return one(fault('schema.max-items', pointer, params.limit, length))
    case 'minimum':
      return one(fault('schema.minimum', pointer, params.limit, data))
    case 'maximum':
      return one(fault('schema.maximum', pointer, params.limit, data))
    case 'exclusiveMinimum':
      return one(fault('schema.exclusive-minimum', pointer, params.limit, data))
    case 'exclusiveMaximum':
      return one(fault('schema.exclusive-maximum', pointer, params.limit, data))
    default:
      return one({ ...fault('schema.keyword', pointer, error.message ?? '', data), about: keyword })
  }
}

function mustOf({ keyword, params, parentSchema }: ErrorObject): string {
  const says: string | undefined = parentSchema?.patternErrorMessage
  if (keyword === 'format') return says ?? mustHaveFormat(params.format)
  return says ?? `must match the pattern ${params.pattern} of the schema`
}

let refused: RegExp | undefined

/** Names what is wrong in a refused body: tags that no body may have, or each & that is a text. */
function ofBody(html: string, isFix: boolean): Violation[] {
  refused ??= refusedMarkup(ELEMENTS)
  const marked = checkMarkup(html, refused, ELEMENTS)
  if (marked.length > 0) return marked
  const [first, ...others] = html.matchAll(AMPERSAND)
  if (!isFix || !first) return []
  const within = { start: first.index, end: first.index + 1 }
  const shown = html.slice(Math.max(0, first.index - 10), first.index + 10)
  return [{ ...fault('html.ampersand', [], shown, others.length), within }]
}
