/** Explains keys that an object may not have: which keys they may mean, or certainly are. */

import { type Fault, keyFault } from '../../fault/fault.ts'
import { isDeclared, type Known, type Place } from '../../schema/known.ts'
import { nearest } from '../../text/nearest.ts'
import { isPosition, type Pointer } from '../../text/pointer.ts'
import { isSameWord } from '../../text/same-word.ts'
import { type Errors, unknownKey } from './errors.ts'
import type { Repair } from './repair.ts'

interface KeyFaults {
  faults: Fault[]
  /** The missing keys that no unknown key was taken for. */
  stillMissing: Set<string>
}

/** One object, and what is known about its keys. */
interface Keys {
  pointer: Pointer
  object: Record<string, unknown>
  /** What the schema declares for it. */
  here: Place
  known: Known
  /** The required keys that it lacks. */
  missing: ReadonlySet<string>
  /** Those that no key of the object is taken for so far. */
  stillMissing: Set<string>
  accepts: (repair: Repair) => boolean
}

/**
 * @param pointer the place of the object
 * @param errors about its unknown keys
 * @param missing the required keys that it lacks
 */
export function keyFaults(
  pointer: Pointer,
  object: Record<string, unknown>,
  errors: Errors,
  missing: ReadonlySet<string>,
  known: Known,
  accepts: (repair: Repair) => boolean,
): KeyFaults {
  const stillMissing = new Set(missing)
  if (errors.length === 0 && missing.size === 0) return { faults: [], stillMissing }

  const way = known(pointer)
  const here = way.at(-1) as Place
  const keys: Keys = { pointer, object, here, known, missing, stillMissing, accepts }

  const faults: Fault[] = []
  const refused = errors.map((error) => String(unknownKey(error)))
  const unknown: string[] = []
  for (const key of refused) {
    const elsewhere = faultOfKeyOnTheWay(pointer, key, way)
    if (elsewhere) faults.push(elsewhere)
    else unknown.push(key)
  }

  faults.push(...faultsOfUnknownKeys(keys, unknown))
  faults.push(...faultsOfAllowedKeys(keys, new Set(refused)))
  return { faults, stillMissing }
}

/** Explains keys that the schema doesn't know here, nor anywhere on the way. */
function faultsOfUnknownKeys(keys: Keys, unknown: readonly string[]): Fault[] {
  const { pointer, object, here, known, missing, stillMissing, accepts } = keys
  const only = unknown.length === 1 && missing.size === 1 ? [...missing] : []
  const meanings = unknown.map((key) => meaningOf(key, here, object))

  return meanings.map((meaning) => {
    const { key, same } = meaning
    const isAccepted = (instead: string) =>
      accepts({ pointer: [...pointer, key], at: 'key', instead })

    // Two keys can't become one.
    const isOnly = meanings.filter((other) => other.same === same).length === 1
    const isCertain = same !== undefined && isOnly && isAccepted(same)

    const nearKey = same ?? nearest(key, [...stillMissing])[0]
    const meant = nearKey ?? only.find(isAccepted)
    let explained = unknownKeyFault(pointer, meaning, here, known)
    if (meant !== undefined && stillMissing.has(meant)) {
      stillMissing.delete(meant)
      const facts = { key, missing: meant, isNear: meant === nearKey, isAllowed: false }
      explained = keyFault('schema.misspelled-key', [...pointer, key], facts)
    }
    return isCertain ? { ...explained, instead: same } : explained
  })
}

/** Explains keys that are allowed but not declared, if a missing key is near to them. */
function faultsOfAllowedKeys(keys: Keys, refused: ReadonlySet<string>): Fault[] {
  const { pointer, object, here, stillMissing } = keys
  const faults: Fault[] = []

  for (const key of Object.keys(object)) {
    if (refused.has(key) || isDeclared(here, key)) continue

    const [meant, ...others] = nearest(key, [...stillMissing])
    if (meant === undefined || others.length > 0) continue
    stillMissing.delete(meant)

    const place = [...pointer, key]
    const facts = { key, missing: meant, isNear: true, isAllowed: true }
    faults.push(keyFault('schema.misspelled-key', place, facts))
  }
  return faults
}

/** Explains a key that isn't known here: it may be known one level deeper, or be near to another one. */
function unknownKeyFault(
  pointer: Pointer,
  { key, near }: Meaning,
  here: Place,
  known: Known,
): Fault {
  const place = [...pointer, key]
  const { keys, patterns } = here
  const inside = near.length === 0 ? keysBelow(pointer, here, known).get(key) : undefined
  if (inside === undefined)
    return keyFault('schema.unknown-key', place, { key, known: keys, patterns, near })

  return keyFault('schema.misplaced-key', place, { key, levels: 1, inside, known: keys })
}

/** Explains a key that the schema knows further out, or here, though not beside what is here. */
function faultOfKeyOnTheWay(
  pointer: Pointer,
  key: string,
  way: readonly Place[],
): Fault | undefined {
  const place = [...pointer, key]
  const depth = way.findLastIndex(({ keys }, at) => {
    const step = pointer[at]
    // Not in a list, nor where it is on the way already, as in { "owner": { "owner": … } }.
    return keys.includes(key) && !isPosition(step) && step !== key
  })
  if (depth < 0) return undefined

  const here = way.at(-1) as Place
  if (depth === pointer.length)
    return keyFault('schema.excluded-key', place, { key, isBeside: true })

  // A list isn't a level of its own.
  const levels = pointer.slice(depth).filter((step) => !isPosition(step)).length
  const beside = String(pointer[depth])
  return keyFault('schema.misplaced-key', place, { key, levels, beside, known: here.keys })
}

/** What an unknown key may mean. */
interface Meaning {
  key: string
  /** The known keys that it is near to. */
  near: readonly string[]
  /** The known key that it certainly is. */
  same?: string
}

function meaningOf(key: string, here: Place, object: Record<string, unknown>): Meaning {
  const near = nearest(key, here.keys)
  const isThereToo = near.some((known) => Object.hasOwn(object, known))
  if (isThereToo) return { key, near: [] }

  const [known] = near
  if (known === undefined || near.length > 1) return { key, near }

  const isSame = isSameWord(key, known)
  return isSame ? { key, near, same: known } : { key, near }
}

/** What `keysBelow` returns, by places. */
const KEYS_BELOW = new WeakMap<Place, ReadonlyMap<string, string>>()

/** Returns the keys that are declared one level deeper, each with the key that leads there. */
function keysBelow(pointer: Pointer, here: Place, known: Known): ReadonlyMap<string, string> {
  const remembered = KEYS_BELOW.get(here)
  if (remembered) return remembered

  const below = new Map<string, string>()
  for (const step of here.keys) {
    const inner = known([...pointer, step]).at(-1)
    for (const key of inner?.keys ?? []) below.set(key, step)
  }

  KEYS_BELOW.set(here, below)
  return below
}
