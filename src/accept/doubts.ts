/** Finds the values that aren't what their author sees, if that matters to the schema. */

import { OLD_YAML, REPEATED_BY_SCHEMA } from '../fault/codes.ts'
import type { Fault } from '../fault/fault.ts'
import type { Doubt } from '../formats/format.ts'
import { groupBy } from '../machine/group-by.ts'
import { formatPointer, type Pointer, replaceAt } from '../text/pointer.ts'
import type { Checked, SchemaCheck } from './check.ts'
import type { Part } from './near-keys.ts'

type Refusals = Pick<Checked, 'faults' | 'undecided'>

const NO_REFUSALS: Refusals = { faults: [], undecided: [] }

/**
 * Returns the damages that the schema doesn't settle. If it names the key `on`, the programs that use it
 * read text there. If it refuses a number or null, the message about that says what is written there.
 *
 * @param declares whether the schema names the key that a pointer ends with
 */
export function findDamages(
  damages: readonly Fault[],
  refusals: Refusals,
  declares: (pointer: Pointer) => boolean,
): Fault[] {
  if (damages.length === 0) return []

  const isRefused = refuses(refusals)
  return damages.filter(({ code, pointer }) => {
    if (code === OLD_YAML) return !declares(pointer)
    return !REPEATED_BY_SCHEMA.includes(code) || !isRefused(pointer)
  })
}

/**
 * @param parts what the schema checks: the file, or each record
 * @param doubts of these parts, without those in records that are refused
 * @param checked what the schema says of the parts, if it doesn't accept them
 * @returns the faults of the doubts that matter: the schema refuses what other programs read, and not
 *   what we read
 */
export function findDoubts(
  parts: readonly Part[],
  doubts: readonly Doubt[],
  check: SchemaCheck,
  checked: Refusals = NO_REFUSALS,
): Fault[] {
  if (doubts.length === 0) return []

  const partsByPlace = new Map(parts.map((part) => [formatPointer(part.pointer), part]))
  const doubtsByPlace = groupBy(doubts, ({ fault }) => placeOfPart(fault.pointer, partsByPlace))
  return Array.from(doubtsByPlace).flatMap(([place, doubtsInPart]) => {
    const part = partsByPlace.get(place)
    return part ? findInPart(part, doubtsInPart, check, checked) : []
  })
}

/** Returns the place of the part that a value is in, or of the value if it's in none. */
function placeOfPart(pointer: Pointer, parts: ReadonlyMap<string, Part>): string {
  const places = pointer.map((_, length) => formatPointer(pointer.slice(0, length)))
  return places.find((place) => parts.has(place)) ?? formatPointer(pointer)
}

function findInPart(
  part: Part,
  doubts: readonly Doubt[],
  check: SchemaCheck,
  checked: Refusals,
): Fault[] {
  const readElsewhere = structuredClone(part.value)
  const withinPart = ({ pointer }: Fault) => pointer.slice(part.pointer.length)
  for (const { fault, otherwise } of doubts) {
    // It may be in an object that was merged into another one: then nothing is there.
    replaceAt(readElsewhere, withinPart(fault), otherwise)
  }

  const isRefusedElsewhere = refuses(check(readElsewhere))
  const isRefusedHere = refuses(checked)
  const mattering = doubts.filter(({ fault }) => {
    const place = withinPart(fault)
    return isRefusedElsewhere(place) && !isRefusedHere(place)
  })
  return mattering.map(({ fault }) => fault)
}

/** Returns whether the value at a place is refused; it may be if something around it is. */
function refuses({ faults, undecided }: Refusals): (place: Pointer) => boolean {
  const refused = new Set(faults.map(({ pointer }) => formatPointer(pointer)))
  const undecidedPlaces = new Set(undecided.map(formatPointer))

  return (place) => {
    if (refused.has(formatPointer(place))) return true
    return place.some((_, depth) => undecidedPlaces.has(formatPointer(place.slice(0, depth))))
  }
}
