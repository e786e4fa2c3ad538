/**
 * Finds keys that may be misspelled, though the schema accepts them: of an object that may have any
 * keys, those that are near to one that the schema declares. Pure.
 */
import { type Fault, keyFault, type Pointer } from '../page/fault.ts'
import { createPlaces, isDeclared, type Place, type Places } from '../schema/known.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { isOneLetterOff } from '../text/nearest.ts'
import { spellingsOf } from '../text/same-word.ts'

/**
 * @param values what the schema accepts: a delivered file, or its records, and where they are in it
 * @returns for each key that may be misspelled, and each kind of object that has it, the first place
 */
export type KeyCheck = (values: readonly { value: unknown; pointer: Pointer }[]) => Fault[]

/** @param root the whole schema, as `upgradeSchema` returns it */
export function createKeyCheck(root: Node): KeyCheck {
  const isClosed = Array.from(schemasIn(root)).every(([, node]) => mayHaveOnlyDeclared(node))
  if (isClosed) return () => []

  let places: Places | undefined
  return (values) => {
    places ??= createPlaces(root)
    const walk = new KeyWalk(places)
    for (const { value, pointer } of values) walk.visit(value, places.root, pointer)
    return walk.faults
  }
}

function mayHaveOnlyDeclared(node: Node): boolean {
  if (node.properties === undefined) return true
  return node.additionalProperties === false || node.unevaluatedProperties === false
}

/** One walk through the value of a file. */
class KeyWalk {
  readonly faults: Fault[] = []
  readonly #places: Places
  readonly #seen = new Map<Place, Set<string>>()

  constructor(places: Places) {
    this.#places = places
  }

  visit(value: unknown, place: Place, pointer: Pointer): void {
    if (!isObject(value) || place.nodes.length === 0) return

    if (Array.isArray(value)) {
      const isTuple = place.nodes.some(({ prefixItems }) => prefixItems !== undefined)
      for (const [position, item] of value.entries()) {
        if (!isObject(item)) continue
        const inner = this.#places.within(place, isTuple ? String(position) : '0')
        this.visit(item, inner, [...pointer, position])
      }
      return
    }

    for (const key of Object.keys(value)) {
      this.#look(key, value, place, pointer)
      const inner = asObject(value)[key]
      if (isObject(inner)) this.visit(inner, this.#places.within(place, key), [...pointer, key])
    }
  }

  /** Looks at a key: once for each kind of object. */
  #look(key: string, object: object, place: Place, pointer: Pointer): void {
    const seen = this.#seen.get(place) ?? new Set<string>()
    this.#seen.set(place, seen)
    if (seen.has(key)) return

    const near = isDeclared(place, key) ? undefined : nearKey(key, place.keys)
    // With both of them, nobody knows whether one is misspelled.
    if (near !== undefined && Object.hasOwn(object, near)) return

    seen.add(key)
    if (near !== undefined)
      this.faults.push(keyFault('schema.near-key', [...pointer, key], { key, near: [near] }))
  }
}

/** Returns the only declared key of which another one is a spelling, or from which it differs in one letter. */
function nearKey(key: string, declared: readonly string[]): string | undefined {
  const spellings = spellingsOf(key, declared)
  const near =
    spellings.length > 0 ? spellings : declared.filter((known) => isOneLetterOff(key, known))

  const [only, ...others] = near
  return others.length === 0 ? only : undefined
}
