/** Finds texts in a file that a pattern accepts, as examples for one that it refuses. Pure. */
import type { ParsedBatch } from '../../accept/parse-batch.ts'
import type { Fault, FaultOf } from '../../fault/fault.ts'
import { asObject } from '../../text/as-object.ts'
import { formatPlace, type Pointer } from '../../text/pointer.ts'

/** In characters: a longer text would be cut. */
const LONGEST_EXAMPLE = 60

/**
 * Adds an example to the faults of patterns that have none: a text at the same place of another record, or in
 * another item of a list.
 */
export function withExamples({ records, value }: ParsedBatch, faults: readonly Fault[]): Fault[] {
  const known = new Map<string, string | undefined>()

  return faults.map((fault) => {
    if (fault.code !== 'schema.pattern') return fault

    const pattern = patternWithoutExample(fault)
    if (pattern === undefined) return fault

    const record = records.at(fault.pointer)
    const [objects, way] = record ? [records.all, record.within] : [[value], fault.pointer]
    const place = `${formatPlace(way)} ${pattern}`
    if (!known.has(place)) known.set(place, findText(objects, way, new RegExp(pattern, 'u')))

    const text = known.get(place)
    return text === undefined ? fault : { ...fault, facts: { ...fault.facts, examples: [text] } }
  })
}

/** Returns the pattern that a fault is about, if its sentence would show nothing that fits it. */
function patternWithoutExample({ facts }: FaultOf<'schema.pattern'>): string | undefined {
  const { demands, near, examples } = facts
  const [demand, ...others] = demands
  if (demand?.kind !== 'pattern' || others.length > 0) return undefined
  return near.length + examples.length > 0 ? undefined : demand.pattern
}

/** Returns the first text that fits at a place of any object, whatever the positions in its lists. */
function findText(objects: readonly unknown[], way: Pointer, pattern: RegExp): string | undefined {
  for (const object of objects) {
    const text = findIn(object, way, pattern)
    if (text !== undefined) return text
  }
  return undefined
}

function findIn(value: unknown, way: Pointer, pattern: RegExp): string | undefined {
  const [step, ...rest] = way
  if (step === undefined) {
    return isExample(value, pattern) ? value : undefined
  }
  if (Array.isArray(value)) return findText(value, rest, pattern)
  return Object.hasOwn(asObject(value), step)
    ? findIn(asObject(value)[step], rest, pattern)
    : undefined
}

function isExample(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && value.length <= LONGEST_EXAMPLE && pattern.test(value)
}
