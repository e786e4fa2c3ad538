/** Says which keys an object may not have, what they may mean, and what they certainly are. */
import { type Fault, formatPointer, keyFault, type Pointer } from '../../page/fault.ts'
import { asObject } from '../../text/as-object.ts'
import { nearest } from '../../text/nearest.ts'
import { isSameWord, spellingsOf } from '../../text/same-word.ts'
import { type Errors, unknownKey } from './errors.ts'
import type { Known, Place } from './known.ts'
import type { Repair } from './repair.ts'

/** How many near keys are named. */
const MOST_NEAR = 3

interface KeyFaults {
  faults: Fault[]
  /** The missing keys that no unknown key was taken for. */
  stillMissing: Set<string>
}

/**
 * @param pointer the place of the object
 * @param errors about its unknown keys
 * @param missing the keys that it must have and has not
 */
export function keyFaults(
  pointer: Pointer,
  errors: Errors,
  missing: ReadonlySet<string>,
  known: Known,
  accepts: (repair: Repair) => boolean,
): KeyFaults {
  const stillMissing = new Set(missing)
  if (errors.length === 0) return { faults: [], stillMissing }

  const faults: Fault[] = []
  const way = known(pointer)
  const here = way.at(-1) as Place
  const unknown: string[] = []
  for (const error of errors) {
    const key = String(unknownKey(error))
    const elsewhere = faultOfKeyOnTheWay(pointer, key, way)
    if (elsewhere) faults.push(elsewhere)
    else unknown.push(key)
  }

  const object = asObject(errors[0]?.data)
  const only = unknown.length === 1 && missing.size === 1 ? [...missing] : []
  const meanings = unknown.map((key) => meaningOf(key, here, object, missing))

  for (const meaning of meanings) {
    const { key, same } = meaning
    const isAccepted = (instead: string) =>
      accepts({ pointer: [...pointer, key], at: 'key', instead })

    // Two keys can't become one.
    const isOnly = meanings.filter((other) => other.same === same).length === 1
    const isCertain = same !== undefined && isOnly && isAccepted(same)

    const meant = same ?? nearest(key, [...stillMissing])[0] ?? only.find(isAccepted)
    let explained = unknownKeyFault(pointer, meaning, here, known)
    if (meant !== undefined && stillMissing.has(meant)) {
      stillMissing.delete(meant)
      explained = keyFault('schema.misspelled-key', [...pointer, key], { key, missing: meant })
    }
    faults.push(isCertain ? { ...explained, instead: same } : explained)
  }
  return { faults, stillMissing }
}

/** Explains a key that isn't known here: it may be known one level deeper, or be near to another one. */
function unknownKeyFault(
  pointer: Pointer,
  { key, near }: Meaning,
  here: Place,
  known: Known,
): Fault {
  const place = [...pointer, key]
  const below = near.length === 0 ? keysBelow(pointer, here, known).get(key) : undefined
  if (below === undefined)
    return keyFault('schema.unknown-key', place, { key, known: here.keys, near })

  const inside = formatPointer([...pointer, below])
  return keyFault('schema.misplaced-key', place, { key, place: inside, known: here.keys })
}

/** Explains a key that the schema knows further out, or here, though not beside what is here. */
function faultOfKeyOnTheWay(
  pointer: Pointer,
  key: string,
  way: readonly Place[],
): Fault | undefined {
  const place = [...pointer, key]
  const depth = way.findLastIndex(({ keys }, at) => {
    // Not where it is on the way already, as in { "owner": { "owner": … } }.
    return keys.includes(key) && pointer[at] !== key
  })
  if (depth < 0) return undefined
  if (depth === pointer.length) return keyFault('schema.excluded-key', place, { key })

  const outer = formatPointer(pointer.slice(0, depth))
  const known = way.at(-1)?.keys ?? []
  return keyFault('schema.misplaced-key', place, { key, place: outer, known })
}

/** What an unknown key may mean. */
interface Meaning {
  key: string
  /** The known keys that it is near to. */
  near: readonly string[]
  /** The known key that it certainly is. */
  same?: string
}

function meaningOf(
  key: string,
  here: Place,
  object: Record<string, unknown>,
  missing: ReadonlySet<string>,
): Meaning {
  const near = nearKeys(key, here)
  const isThereToo = near.some((known) => Object.hasOwn(object, known))
  if (isThereToo) return { key, near: [] }

  const [known] = near
  if (known === undefined || near.length > 1) return { key, near: near.slice(0, MOST_NEAR) }

  const isSame = isSameWord(key, known, missing.has(known))
  return isSame ? { key, near, same: known } : { key, near }
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

/** Returns the keys that are declared one level deeper, each with the key that leads there. */
function keysBelow(pointer: Pointer, here: Place, known: Known): ReadonlyMap<string, string> {
  if (here.below) return here.below

  const below = new Map<string, string>()
  for (const step of here.keys) {
    const inner = known([...pointer, step]).at(-1)
    for (const key of inner?.keys ?? []) below.set(key, step)
  }
  here.below = below
  return below
}
