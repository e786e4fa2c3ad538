/** Makes violations of ajv's errors: what each value must be, what is near, and what surely mends it. */
import type { ErrorObject } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import { ELEMENTS, refusedMarkup } from '../../page/html.ts'
import { formatPointer, type Pointer, parsePointer, type Violation } from '../../page/violation.ts'
import { asObject } from '../../text/as-object.ts'
import { nearestOf } from '../../text/nearest.ts'
import { checkMarkup } from '../markup.ts'
import { fault, mustHaveFormat } from '../sentences.ts'
import { findRepeated } from './keywords.ts'
import { kindsOf, reduce, type SchemaFacts, unknownKey, valuesOf } from './reduce.ts'
import { AMPERSAND, type Near, nearKey, nearValue, type Repair, repaired } from './repair.ts'

/** The errors of one value, and what may be written instead. */
interface Place {
  pointer: Pointer
  /** Without those of unknown keys. */
  errors: readonly ErrorObject[]
  /** The keys that are missing in it. */
  missing: readonly string[]
  known: readonly string[]
  unknown: readonly UnknownKey[]
  near: Near
  /** Of the value itself. */
  repair: Repair | undefined
}

/** A key that its object may not have. */
interface UnknownKey {
  key: string
  /** The nearest object around that may have it, by its pointer. */
  outer?: string
  near?: readonly string[]
  /** Whether the key that is meant is at most a letter away, or near. */
  isSure?: boolean
  isNear?: boolean
  repair?: Repair | undefined
}

/** @param found ajv's errors of the batch */
export function explain(
  batch: unknown,
  found: readonly ErrorObject[],
  facts: SchemaFacts,
): Violation[] {
  const byPlace = groupBy(reduce(found, facts), ({ instancePath }) => instancePath)
  const places = [...byPlace].map(([at, errors]) => readPlace(at, errors, facts))
  const repairs = places.flatMap(({ repair, unknown }) => {
    return [repair, ...unknown.map((each) => each.repair)].filter((each) => each !== undefined)
  })
  const left = repairs.length === 0 ? [] : facts.errorsOf(repaired(batch, repairs))
  const faulty = placesOf(reduce(left, facts))
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
  all: readonly ErrorObject[],
  { knownKeys }: Pick<SchemaFacts, 'knownKeys'>,
): Place {
  const pointer = parsePointer(at)
  const data = all[0]?.data
  const keys = all.flatMap((error) => unknownKey(error) ?? [])
  const errors = all.filter((error) => unknownKey(error) === undefined)
  const missing = errors.flatMap(({ params }): string[] => params.missing ?? [])
  const near = nearValue(data, errors)
  const instead = near.near[0] as string
  const repair = near.isFix ? { pointer, at: 'value' as const, instead } : undefined
  const around = keys.length === 0 ? [] : pointer.map((_, depth) => pointer.slice(0, depth))
  const known = keys.length === 0 ? [] : knownKeys(pointer)
  const unknown = keys.map((key): UnknownKey => {
    if (known.includes(key)) return { key }
    const outer = around.findLast((each) => knownKeys(each).includes(key))
    if (outer) return { key, outer: formatPointer(outer) }
    const { near, isFix: isSure = false } = nearKey(key, asObject(data), known)
    const lacking = isSure ? near : nearestOf(key, missing)
    const isPair = keys.length === 1 && missing.length === 1
    const instead = lacking[0] ?? (isPair ? missing[0] : undefined)
    const isNear = lacking.length > 0
    const repair = instead && { pointer: [...pointer, key], at: 'key' as const, instead }
    return { key, near, isSure, isNear, repair: repair || undefined }
  })
  // Two keys cannot become one.
  const byMeant = groupBy(unknown, (each) => String(each.repair?.instead))
  for (const same of byMeant.values())
    if (same.length > 1) for (const each of same) each.repair = undefined
  return { pointer, errors, missing, known, unknown, near, repair }
}

function violationsOf(
  { pointer, errors, missing, known, unknown, near, repair }: Place,
  isAccepted: (repair: Repair | undefined) => boolean,
): Violation[] {
  const lacking = new Set(missing)
  const ofKeys = unknown.map(({ key, outer, near = [], isSure, isNear, repair }): Violation => {
    const to = [...pointer, key]
    const isGood = isAccepted(repair)
    const meant = String(repair?.instead)
    const say = () => {
      if ((isGood || (repair && isNear)) && lacking.delete(meant))
        return fault('schema.misspelled-key', to, key, meant)
      if (known.includes(key)) return fault('schema.excluded-key', to, key)
      if (outer !== undefined) return fault('schema.misplaced-key', to, key, outer, known)
      return fault('schema.unknown-key', to, key, known, near)
    }
    return { ...say(), at: 'key', ...(isGood && isSure && { instead: meant }) }
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
  const { propertyName, ...inner } = error
  const { keyword, data, params, message = '' } = inner
  if (propertyName !== undefined) {
    const place = [...pointer, propertyName]
    const faults = ofValue(inner as ErrorObject, place)
    return faults.map(({ message }) => ({ ...fault('schema.key-name', place, message), at: 'key' }))
  }
  if (pointer.at(-1) === 'contentHtml' && keyword === 'pattern' && typeof data === 'string') {
    const faults = ofBody(data, isFix)
    if (faults.length > 0) return faults.map((each) => ({ ...each, pointer }))
  }
  if (keyword === 'uniqueItems')
    return findRepeated(data as unknown[]).map(({ item, earlier }) => {
      return fault('schema.unique-items', [...pointer, item], earlier, (data as unknown[])[item])
    })
  const say = (): Violation => {
    switch (keyword) {
      case 'const':
      case 'enum':
        return fault('schema.enum', pointer, valuesOf(error) ?? [], data, near)
      case 'type':
        return fault('schema.type', pointer, kindsOf(error) ?? [], data, near)
      case 'anyOf':
      case 'oneOf':
        return ofUnion(error, pointer, near)
      case 'dependentRequired':
        return fault('schema.dependent-key', pointer, params.missingProperty, params.property)
      case 'false schema':
        return fault('schema.not-allowed', pointer)
      case 'pattern':
      case 'format':
        return fault(`schema.${keyword}`, pointer, [mustOf(error)], data, near)
      default: {
        const isLimit = /^(?:min|max|exclusive)/.test(keyword)
        const said = isLimit
          ? fault('schema.limit', pointer, keyword, params.limit, data)
          : fault('schema.keyword', pointer, message, data)
        return { ...said, about: keyword }
      }
    }
  }
  return [say()]
}

function ofUnion(
  { params, schema, data }: ErrorObject,
  pointer: Pointer,
  near: readonly unknown[],
): Violation {
  const { kinds, keys, musts, passingSchemas: passing } = params
  if (kinds) return fault('schema.type', pointer, kinds, data, near)
  if (keys) return fault('schema.one-key', pointer, keys)
  if (musts) return fault('schema.pattern', pointer, musts.map(mustOf), data, near)
  const all = schema as { required?: string[] }[]
  if (!passing) return fault('schema.any-of', pointer, all.length, data, near)
  const demanded: string[] = passing.map((at: number) => all[at]?.required?.join(' and ') ?? '')
  return new Set(demanded).size === demanded.length && !demanded.includes('')
    ? fault('schema.too-many-keys', pointer, demanded)
    : fault('schema.one-of', pointer, all.length, passing.length)
}

/** What a pattern or a format demands. */
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
