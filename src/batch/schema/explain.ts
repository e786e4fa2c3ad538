/** Makes violations of ajv's errors: what each value must be, what is near, and what surely mends it. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { ELEMENTS, refusedMarkup } from '../../page/html.ts'
import { formatPointer, type Pointer, parsePointer, type Violation } from '../../page/violation.ts'
import { nearestOf } from '../../text/nearest.ts'
import { checkMarkup } from '../markup.ts'
import { fault, mustHaveFormat } from '../sentences.ts'
import { findRepeated } from './keywords.ts'
import { kindsOf, reduce, unknownKey } from './reduce.ts'
import { AMPERSAND, type Near, nearKey, nearValue, type Repair, repaired } from './repair.ts'

/** What is known of a schema. */
export interface SchemaFacts {
  /** Returns ajv's errors of a batch. */
  errorsOf(batch: unknown): readonly ErrorObject[]
  /** The keys that the schema declares for the object at a place. */
  knownKeys(pointer: Pointer): readonly string[]
}

/** The errors of one value, and what may be written instead. */
interface Place {
  pointer: Pointer
  errors: readonly ErrorObject[]
  /** Of the value; what is near an unknown key is in its repair. */
  near: Near
  repairs: readonly KeyRepair[]
}

/** How an unknown key may be mended. */
interface KeyRepair extends Repair {
  /** Whether it is at most a letter away. */
  isSure: boolean
  isNear: boolean
}

/** @param found ajv's errors of the batch */
export function explain(
  batch: unknown,
  found: readonly ErrorObject[],
  { errorsOf, knownKeys }: SchemaFacts,
): Violation[] {
  const reduced = (errors: readonly ErrorObject[]) =>
    reduce(errors, (place, key) => knownKeys(parsePointer(place)).includes(key))
  const places = [...groupBy(reduced(found), ({ instancePath }) => instancePath)].map(
    ([at, errors]): Place => {
      const pointer = parsePointer(at)
      const near = nearValue(
        errors[0]?.data,
        errors.filter((each) => unknownKey(each) === undefined),
      )
      const value = near.isFix
        ? [
            {
              pointer,
              at: 'value' as const,
              instead: near.near[0] as string,
              isSure: true,
              isNear: true,
            },
          ]
        : []
      return {
        pointer,
        errors,
        near,
        repairs: [...value, ...keyRepairs(pointer, errors, knownKeys)],
      }
    },
  )
  const repairs = places.flatMap((place) => place.repairs)
  const faulty =
    repairs.length === 0 ? new Set() : placesOf(reduced(errorsOf(repaired(batch, repairs))))
  const isAccepted = ({ pointer, at, instead }: Repair) => {
    return !faulty.has(formatPointer(at === 'value' ? pointer : [...pointer.slice(0, -1), instead]))
  }
  return places.flatMap((place) => violationsOf(place, isAccepted, knownKeys))
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

/** What each unknown key of an object may be: a known one that is near, or the only missing one. */
function keyRepairs(
  pointer: Pointer,
  errors: readonly ErrorObject[],
  knownKeys: SchemaFacts['knownKeys'],
): KeyRepair[] {
  const unknown = errors.filter((error) => unknownKey(error) !== undefined)
  const missing = missingOf(errors)
  const repairs = unknown.flatMap((error): KeyRepair[] => {
    const key = unknownKey(error) as string
    const known = knownKeys(pointer)
    if (known.includes(key) || outerPlace(pointer, key, knownKeys) !== undefined) return []
    const { near, isFix: isSure = false } = nearKey(key, error.data as object, known)
    const isOnly = unknown.length === 1 && missing.length === 1
    const meant = nearestOf(key, missing)[0] ?? (isOnly ? missing[0] : undefined)
    const instead = isSure ? near[0] : meant
    if (instead === undefined) return []
    const isNear = near.includes(instead) || nearestOf(key, missing).includes(String(instead))
    return [{ pointer: [...pointer, key], at: 'key', instead: String(instead), isSure, isNear }]
  })
  // Two keys cannot become one.
  const counts = groupBy(repairs, ({ instead }) => String(instead))
  return repairs.filter(({ instead }) => counts.get(String(instead))?.length === 1)
}

function missingOf(errors: readonly ErrorObject[]): string[] {
  return errors.flatMap(({ keyword, params }) => (keyword === 'required' ? params.missing : []))
}

/** The nearest object around that has a key, by its pointer. */
function outerPlace(pointer: Pointer, key: string, knownKeys: SchemaFacts['knownKeys']) {
  for (let depth = pointer.length - 1; depth >= 0; depth--) {
    const outer = pointer.slice(0, depth)
    if (knownKeys(outer).includes(key)) return formatPointer(outer)
  }
  return undefined
}

function violationsOf(
  place: Place,
  isAccepted: (repair: Repair) => boolean,
  knownKeys: SchemaFacts['knownKeys'],
): Violation[] {
  const { pointer, errors, near, repairs } = place
  const missing = new Set(missingOf(errors))
  const ofKeys = errors.flatMap((error) => {
    const key = unknownKey(error)
    const repair = repairs.find((each) => each.at === 'key' && each.pointer.at(-1) === key)
    return key === undefined ? [] : ofKey(key, error, place, missing, knownKeys, repair, isAccepted)
  })
  const isFix = repairs.some((each) => each.at === 'value' && isAccepted(each))
  const shown = near.isFix && !isFix ? [] : near.near
  const fix = isFix ? { instead: near.near[0] as string | number } : {}
  const others = errors.flatMap((error) => {
    if (unknownKey(error) !== undefined) return []
    if (error.keyword !== 'required')
      return ofValue(error, pointer, shown, isFix).map((each) => ({ ...each, ...fix }))
    return missing.size > 0 ? fault('schema.missing-key', pointer, [...missing]) : []
  })
  return [...ofKeys, ...others]
}

/** @param missing the keys that are missing beside it; loses the one that is meant */
function ofKey(
  key: string,
  error: ErrorObject,
  { pointer }: Place,
  missing: Set<string>,
  knownKeys: SchemaFacts['knownKeys'],
  repair: KeyRepair | undefined,
  isAccepted: (repair: Repair) => boolean,
): Violation {
  const to = [...pointer, key]
  const known = knownKeys(pointer)
  const isGood = repair !== undefined && isAccepted(repair)
  const fix = isGood && repair.isSure ? { instead: repair.instead } : {}
  const meant = String(repair?.instead)
  const outer = outerPlace(pointer, key, knownKeys)
  const say = () => {
    if ((isGood || repair?.isNear) && missing.delete(meant))
      return fault('schema.misspelled-key', to, key, meant)
    if (known.includes(key)) return fault('schema.excluded-key', to, key)
    if (outer !== undefined) return fault('schema.misplaced-key', to, key, outer, known)
    const { near } = nearKey(key, Object(error.data), known)
    return fault('schema.unknown-key', to, key, known, near)
  }
  return { ...say(), at: 'key', ...fix }
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
    case 'discriminator':
      return params.missing
        ? one(fault('schema.kind', pointer, params.missing[0]))
        : one(fault('schema.keyword', pointer, 'must be a kind that the schema names', data))
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
