/** Makes violations of ajv's errors: what each value must be, what is near, and what surely mends it. */
import type { AnySchemaObject, ValidateFunction } from 'ajv'
import { formatPointer, type Pointer, parsePointer, type Violation } from '../../page/violation.ts'
import { asObject } from '../../text/as-object.ts'
import { isTypo, nearestOf, nearWords } from '../../text/nearest.ts'
import { checkMarkup } from '../markup.ts'
import { fault, mustHaveFormat } from '../sentences.ts'
import { findRepeated } from './keywords.ts'
import { createKnown, type Known } from './known.ts'
import { faultyPlaces, kindsOf, reduce, type SchemaError, unknownKey } from './reduce.ts'
import { AMPERSAND, nearValue, type Repair, repaired } from './repair.ts'

/** The compiled check of a schema, and the schema. */
export type Validate = ValidateFunction & { root: AnySchemaObject }

/** A fault, and the repair that may mend it. */
interface Finding {
  repair?: Repair | undefined
  /** @param isGood whether the schema accepts the repair */
  say(isGood: boolean): Violation[]
}

/** @param validate has just refused the batch */
export function explain(batch: unknown, validate: Validate): Violation[] {
  const known = createKnown(validate.root)
  const told = reduce(validate.errors ?? [], known)
  const faults = [...told].flatMap(([at, errors]): Finding[] => {
    const pointer = parsePointer(at)
    const unknown = errors.filter((error) => unknownKey(error) !== undefined)
    const required = errors.filter(({ keyword }) => keyword === 'required')
    const lacking = new Set(required.map(({ params }) => String(params.missingProperty)))
    const others = errors.filter((error) => {
      return error.keyword !== 'required' && unknownKey(error) === undefined
    })
    const missing: Finding = {
      say: () => (lacking.size > 0 ? [fault('schema.missing-key', pointer, [...lacking])] : []),
    }
    return [...ofKeys(pointer, unknown, lacking, known), missing, ...ofValues(pointer, others)]
  })
  const repairs = [...new Set(faults.flatMap(({ repair }) => repair ?? []))]
  if (repairs.length === 0 || validate(repaired(batch, repairs)))
    return faults.flatMap(({ repair, say }) => say(repair !== undefined))
  const left = [...reduce(validate.errors ?? [], known).values()].flat()
  const faulty = faultyPlaces(left)
  const nameOf = ({ instancePath, keyword }: SchemaError) => `${instancePath} ${keyword}`
  const names = new Set([...told.values()].flat().map(nameOf))
  const placeOf = ({ pointer, at, instead }: Repair) =>
    formatPointer(at === 'key' ? [...pointer.slice(0, -1), instead] : pointer)
  const tried = new Set(repairs.map(placeOf))
  // What is right by itself may show another fault of what it is in; what is not shows only its own.
  const fresh = faultyPlaces(
    left.filter((error) => !names.has(nameOf(error)) && !tried.has(error.instancePath)),
  )
  const isGood = (repair: Repair) =>
    !faulty.has(placeOf(repair)) && !fresh.has(formatPointer(repair.pointer.slice(0, -1)))
  return faults.flatMap(({ repair, say }) => say(repair !== undefined && isGood(repair)))
}

/** By the list of known keys: most records have the same mistakes. */
const NEAR = new WeakMap<readonly string[], Map<string, ReturnType<typeof findNear>>>()

function nearTo(key: string, known: readonly string[]) {
  const all = NEAR.get(known) ?? new Map<string, ReturnType<typeof findNear>>()
  const found = all.get(key) ?? findNear(key, known)
  NEAR.set(known, all.set(key, found))
  return found
}

/** Returns the known keys that may be meant, the nearest, and those that a key surely is. */
function findNear(key: string, known: readonly string[]) {
  const alike = nearWords(key, known)
  const near = nearestOf(alike)
  return { alike, near, typos: near.filter((each) => isTypo(key, each)) }
}

/** The faults of keys that their object may not have. */
function ofKeys(
  pointer: Pointer,
  errors: readonly SchemaError[],
  lacking: Set<string>,
  known: Known,
): Finding[] {
  if (errors.length === 0) return []
  const keys = errors.map((error) => String(unknownKey(error)))
  const outside = known.keysTo(pointer)
  const here = outside.pop() ?? []
  const object = asObject(errors[0]?.data)
  const missing = [...lacking]
  const meant: string[] = []
  return keys.map((key): Finding => {
    const place = [...pointer, key]
    if (here.includes(key)) return only(fault('schema.excluded-key', place, key))
    const depth = outside.findLastIndex((keys) => keys.includes(key))
    const outer = formatPointer(pointer.slice(0, depth))
    if (depth >= 0) return only(fault('schema.misplaced-key', place, key, outer, here))
    const { alike, near, typos } = nearTo(key, here)
    const isThere = near.some((each) => Object.hasOwn(object, each))
    const isSure = typos.length === 1 && !isThere
    const lacks = isSure ? typos : nearestOf(alike.filter(({ known }) => lacking.has(known)))
    const isPair = keys.length === 1 && missing.length === 1
    const instead = lacks[0] ?? (isPair ? missing[0] : undefined)
    const unknown = () =>
      fault('schema.unknown-key', place, key, here, isThere ? [] : near.slice(0, 3))
    if (instead === undefined) return only(unknown())
    meant.push(instead)
    return {
      repair: { pointer: place, at: 'key', instead },
      say(isAccepted) {
        // Two keys cannot become one.
        const isGood = isAccepted && meant.indexOf(instead) === meant.lastIndexOf(instead)
        const said =
          (isGood || lacks.length > 0) && lacking.delete(instead)
            ? fault('schema.misspelled-key', place, key, instead)
            : unknown()
        said.at = 'key'
        if (isGood && isSure) said.instead = instead
        return [said]
      },
    }
  })
}

/** The fault of a key that no repair can mend. */
function only(violation: Violation): Finding {
  return { say: () => [{ ...violation, at: 'key' }] }
}

/** The faults of a value itself. */
function ofValues(pointer: Pointer, errors: readonly SchemaError[]): Finding[] {
  const own = errors.filter(({ propertyName }) => propertyName === undefined)
  const { near, isFix = false } = nearValue(own)
  const instead = near[0] as string | number
  const repair = isFix ? { pointer, at: 'value' as const, instead } : undefined
  return errors.map((error) => ({
    repair: own.includes(error) ? repair : undefined,
    say(isGood) {
      const said = ofValue(error, pointer, isFix && !isGood ? [] : near, isGood)
      return isGood ? said.map((each) => ({ ...each, instead })) : said
    },
  }))
}

/** Says what is wrong with a value. */
export function ofValue(
  error: SchemaError,
  pointer: Pointer,
  near: readonly unknown[] = [],
  isFix = false,
): Violation[] {
  const { propertyName, ...inner } = error
  const { keyword, data, params, message = '' } = inner
  if (propertyName !== undefined) {
    const place = [...pointer, propertyName]
    const faults = ofValue(inner as SchemaError, place)
    return faults.map(({ message }) => ({ ...fault('schema.key-name', place, message), at: 'key' }))
  }
  if (pointer.at(-1) === 'contentHtml' && keyword === 'pattern' && typeof data === 'string') {
    const faults = ofBody(data, isFix)
    if (faults.length > 0) return faults.map((each) => ({ ...each, pointer }))
  }
  switch (keyword) {
    case 'enum':
      return [fault('schema.enum', pointer, params.allowedValues, data, near)]
    case 'type':
      return [fault('schema.type', pointer, kindsOf(error) ?? [], data, near)]
    case 'anyOf':
    case 'oneOf':
      return [ofUnion(error, pointer, near)]
    case 'dependentRequired':
      return [fault('schema.dependent-key', pointer, params.missingProperty, params.property)]
    case 'false schema':
      return [fault('schema.not-allowed', pointer)]
    case 'pattern':
    case 'format':
      return [fault(`schema.${keyword}`, pointer, [mustOf(error)], data, near)]
    case 'uniqueItems':
      return findRepeated(data as unknown[]).map(({ item, earlier }) => {
        return fault('schema.unique-items', [...pointer, item], earlier, (data as unknown[])[item])
      })
    default: {
      const isLimit = /^(?:min|max|exclusive)/.test(keyword)
      const said = isLimit
        ? fault('schema.limit', pointer, keyword, params.limit, data)
        : fault('schema.keyword', pointer, message, data)
      return [{ ...said, about: keyword }]
    }
  }
}

function ofUnion(
  { kinds, keys, texts, params, schema, data }: SchemaError,
  pointer: Pointer,
  near: readonly unknown[],
): Violation {
  const passing: number[] | undefined = params.passingSchemas
  if (kinds) return fault('schema.type', pointer, kinds, data, near)
  if (keys) return fault('schema.one-key', pointer, keys)
  if (texts) return fault('schema.pattern', pointer, texts.map(mustOf), data, near)
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

/** Names what is wrong in a refused body: tags that no body may have, or each & that is a text. */
function ofBody(html: string, isFix: boolean): Violation[] {
  const marked = checkMarkup(html)
  if (marked.length > 0) return marked
  const [first, ...others] = html.matchAll(AMPERSAND)
  if (!isFix || !first) return []
  const within = { start: first.index, end: first.index + 1 }
  const shown = html.slice(Math.max(0, first.index - 10), first.index + 10)
  return [{ ...fault('html.ampersand', [], shown, others.length), within }]
}
