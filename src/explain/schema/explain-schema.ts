/** Turns ajv's errors into faults: what each value must be, what is near, and what certainly fixes it. */

import type { FactsOf, Reason } from '../../fault/facts.ts'
import { type Fault, fault } from '../../fault/fault.ts'
import { groupBy } from '../../machine/group-by.ts'
import type { Known } from '../../schema/known.ts'
import { asObject } from '../../text/as-object.ts'
import { formatPointer, type Pointer, parsePointer } from '../../text/pointer.ts'
import { demandsIn } from './demands.ts'
import { type Errors, isMissingKey, type SchemaError, unknownKey } from './errors.ts'
import { keyFaults } from './keys.ts'
import { recheckOf } from './recheck.ts'
import { faultyPlaces, reduce } from './reduce.ts'
import { type Repair, repaired } from './repair.ts'
import { becauseOf, valueFaults } from './values.ts'

type KeyDemands = FactsOf['schema.missing-key']['values'][number]

/** Whether a repair is one that the schema accepts. */
type Accepts = (repair: Repair) => boolean

/** Returns how values are written in the file. */
export type WrittenOf = (pointers: readonly Pointer[]) => string[]

/**
 * Explains what a schema refuses in a batch.
 *
 * @param batch the value of a delivered file
 * @param writtenOf if the format of the file takes text for a number when it looks like one
 * @returns faults in the order of ajv's errors; none if the schema accepts the batch
 */
export function explainSchema(batch: unknown, schema: object, writtenOf?: WrittenOf): Fault[] {
  const recheck = recheckOf(schema)
  const { known } = recheck
  const errors = withWritten(reduce(recheck.errorsOf(batch), recheck), writtenOf)

  // First, every repair counts as accepted, so that all are known.
  const repairs: Repair[] = []
  const collect = (repair: Repair) => {
    repairs.push(repair)
    return true
  }
  const faults = describe(errors, known, collect)
  if (repairs.length === 0) return faults

  const remaining = recheck.errorsOf(repaired(batch, repairs))
  if (remaining.length === 0) return faults

  const accepts = acceptedRepairs(repairs, errors, reduce(remaining, recheck))
  return describe(errors, known, accepts)
}

/** Adds to the errors of numbers, true and false how these are written. */
function withWritten(
  errorsByPlace: readonly Errors[],
  writtenOf: WrittenOf | undefined,
): readonly Errors[] {
  const guessed = errorsByPlace.filter(([error]) => GUESSED_TYPES.includes(typeof error?.data))
  if (!writtenOf || guessed.length === 0) return errorsByPlace

  const pointers = guessed.map(([error]) => parsePointer(error?.instancePath ?? ''))
  const texts = writtenOf(pointers)
  const written = new Map(guessed.map((errors, index) => [errors, texts[index]]))
  return errorsByPlace.map((errors) => {
    const text = written.get(errors)
    return text === undefined ? errors : errors.map((error) => ({ ...error, written: text }))
  })
}

const GUESSED_TYPES: readonly string[] = ['number', 'boolean']

/**
 * Returns which repairs the schema accepts, judged after all of them were made. A right one may uncover
 * another fault of the value around it; a wrong one only shows its own.
 */
function acceptedRepairs(
  repairs: readonly Repair[],
  before: readonly Errors[],
  after: readonly Errors[],
): Accepts {
  const remaining = after.flat()
  const faulty = faultyPlaces(remaining)

  const placeAndKeyword = ({ instancePath, keyword }: SchemaError) => `${instancePath} ${keyword}`
  const known = new Set(before.flat().map(placeAndKeyword))
  const repairedPlaces = new Set(repairs.map(placeAfter))
  const isNew = (error: SchemaError) => {
    return !known.has(placeAndKeyword(error)) && !repairedPlaces.has(error.instancePath)
  }
  const newlyFaulty = faultyPlaces(remaining.filter(isNew))

  return (repair) => {
    const outer = formatPointer(repair.pointer.slice(0, -1))
    return !faulty.has(placeAfter(repair)) && !newlyFaulty.has(outer)
  }
}

/** Where a repaired value is: a repaired key moves it. */
function placeAfter({ pointer, at, instead }: Repair): string {
  const place = at === 'key' ? [...pointer.slice(0, -1), String(instead)] : pointer
  return formatPointer(place)
}

/** @param errorsByPlace the errors of each place */
function describe(errorsByPlace: readonly Errors[], known: Known, accepts: Accepts): Fault[] {
  const faults: Fault[] = []
  for (const errors of errorsByPlace) {
    for (const placeFault of describePlace(errors, known, accepts)) faults.push(placeFault)
  }
  return faults
}

/** @param errors those of one place */
function describePlace(errors: Errors, known: Known, accepts: Accepts): Fault[] {
  const pointer = parsePointer(errors[0]?.instancePath ?? '')
  const unknown = errors.filter((error) => unknownKey(error) !== undefined)
  const lacks = errors.filter(isMissingKey)
  const ofValue = errors.filter((error) => !isMissingKey(error) && unknownKey(error) === undefined)

  const missing = new Set(lacks.map(({ params }) => String(params.missingProperty)))
  const object = asObject(errors[0]?.data)
  const { faults, stillMissing } = keyFaults(pointer, object, unknown, missing, known, accepts)
  return [
    ...faults,
    ...missingFaults(pointer, lacks, stillMissing, known),
    ...valueFaults(pointer, ofValue, accepts),
  ]
}

/** Reports missing keys: one fault for all that are demanded for the same reason. */
function missingFaults(
  pointer: Fault['pointer'],
  lacks: Errors,
  missing: ReadonlySet<string>,
  known: Known,
): Fault[] {
  const demandsByKey = groupBy(lacks, ({ params }) => String(params.missingProperty))
  const keysByReason = new Map<string, { keys: string[]; because: Reason[] }>()

  for (const [key, demands] of demandsByKey) {
    if (!missing.has(key)) continue
    const because = becauseOf(demands)
    const reason = JSON.stringify(because)
    const group = keysByReason.get(reason) ?? { keys: [], because }
    group.keys.push(key)
    keysByReason.set(reason, group)
  }

  return Array.from(keysByReason.values(), ({ keys, because }) => {
    const facts = { keys, values: demandsOfKeys(pointer, keys, known) }
    return { ...fault('schema.missing-key', pointer, facts), about: keys.join(' '), because }
  })
}

/** The most missing keys whose values are described. */
const MOST_KEYS = 3

/** Describes the values of missing keys, if a single part of the schema does. */
function demandsOfKeys(pointer: Pointer, keys: readonly string[], known: Known): KeyDemands[] {
  if (keys.length > MOST_KEYS) return []

  return keys.flatMap((key) => {
    const { nodes = [] } = known([...pointer, key]).at(-1) ?? {}
    const [node, ...others] = nodes.filter(({ $ref }) => $ref === undefined)
    if (!node || others.length > 0) return []

    const { type } = node
    const all = demandsIn(node) ?? demandsIn(type === undefined ? {} : { type }) ?? []
    // The owner's sentence is about a text that is there.
    const demands = all.filter(({ kind }) => kind !== 'sentence')
    return demands.length === 0 ? [] : { key, demands }
  })
}
