/** Applies the owner's rules to records, and takes the faults that they return, which may be anything. Pure. */

import type { PartOfFault } from '../fault/facts.ts'
import { type Fault, fault, type RuleFault } from '../fault/fault.ts'
import type { Rule, Where } from '../page/content.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { type Pointer, valueAt } from '../text/pointer.ts'
import { callOwner, takeList } from './owner-calls.ts'

/**
 * Applies the owner's rules to a record that the schema accepts.
 *
 * @returns faults with pointers from the record. If a rule throws, or returns something else than
 *   faults, one at the record says so
 */
export function checkRecord<Item>(
  record: Item,
  rules: readonly Rule<Item>[],
  where: Where,
): Fault[] {
  const faults: Fault[] = []
  for (const [position, rule] of rules.entries()) {
    const name = rule.name || `rules[${position}]`
    const checked = callOwner(name, () => {
      return takeList(name, rule(record, where)).map((item) => takeFault(item, name, record))
    })

    if (checked.fault) faults.push(checked.fault)
    for (const ruleFault of checked.value ?? []) faults.push(ruleFault)
  }
  return faults
}

/**
 * Takes a fault that a rule returns; one that isn't as it must be is replaced by one that says so.
 *
 * @param item anything: what the rule has put into its list
 * @param name the name of the rule
 */
function takeFault(item: unknown, name: string, record: unknown): Fault {
  if (!isObject(item)) return { ...fault('content.no-fault', [], { name, item }), about: name }

  // Read once, because it may have getters.
  const { pointer, message, code, about, at, within, instead } = item
  const parts = { pointer, message, code, about, at, within, instead }
  for (const { key, isRight } of PARTS) {
    const value = parts[key]
    if (isRight(value, parts, record)) continue

    const odd = fault('content.odd-fault', [], { name, key, value, message })
    return { ...odd, about: name }
  }

  const finding = { pointer, message, ownCode: code, about, at, within, instead }
  const defined = Object.entries(finding).filter(([, value]) => value !== undefined)
  const start: RuleFault = { code: `rule.${name}`, pointer: [], at: 'value', message: '' }
  return Object.assign(start, Object.fromEntries(defined))
}

type Parts = Record<PartOfFault, unknown>

interface Part {
  key: PartOfFault
  isRight: (value: unknown, parts: Parts, record: unknown) => boolean
}

/** What each part of a fault must be. All but the first two may be missing. */
const PARTS: readonly Part[] = [
  { key: 'pointer', isRight: isPointer },
  { key: 'message', isRight: isText },
  { key: 'code', isRight: isTextOrMissing },
  { key: 'about', isRight: isTextOrMissing },
  { key: 'at', isRight: isPlaceOrMissing },
  { key: 'within', isRight: isWithinOrMissing },
  { key: 'instead', isRight: isScalarOrMissing },
]

function isPointer(value: unknown): value is Pointer {
  const isStep = (step: unknown) => typeof step === 'string' || isCount(step)
  return Array.isArray(value) && Array.from(value).every(isStep)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isPlaceOrMissing(value: unknown): boolean {
  return value === undefined || value === 'key' || value === 'value'
}

function isWithinOrMissing(value: unknown, { pointer, at }: Parts, record: unknown): boolean {
  if (value === undefined) return true
  if (!isPointer(pointer)) return false

  const { start, end } = asObject(value)
  const text = at === 'key' ? pointer.at(-1) : valueAt(record, pointer)
  return isCount(start) && isCount(end) && start <= end && end <= String(text).length
}

function isScalarOrMissing(value: unknown): boolean {
  if (value === undefined || typeof value === 'string' || typeof value === 'boolean') return true
  return Number.isFinite(value)
}
