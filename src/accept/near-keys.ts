/**
 * Finds keys that may be misspelled, though the schema accepts them: of an object that may have any
 * keys, those that are near to one that the schema declares and that nearly all others have. Pure.
 */
import { type Fault, keyFault, type Pointer } from '../page/fault.ts'
import { createPlaces, isDeclared, type Place, type Places } from '../schema/known.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { isObject } from '../text/as-object.ts'
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

    const search = new NearKeySearch()
    const searching = new Walk(places, (object, place, pointer) =>
      search.look(object, place, pointer),
    )
    for (const { value, pointer } of values) searching.visit(value, pointer)
    if (search.candidates.length === 0) return []

    const count = new KeyCount(search.candidates)
    const counting = new Walk(places, (object, place) => count.add(object, place))
    for (const { value, pointer } of values) counting.visit(value, pointer)
    return search.candidates.filter((candidate) => count.isUsual(candidate)).map(toFault)
  }
}

/** A key that may be misspelled, the declared one that it's near to, and the first object that has it. */
interface Candidate {
  key: string
  near: string
  place: Place
  pointer: Pointer
}

function toFault({ key, near, pointer }: Candidate): Fault {
  return keyFault('schema.near-key', [...pointer, key], { key, near: [near] })
}

function mayHaveOnlyDeclared(node: Node): boolean {
  if (node.properties === undefined) return true
  return node.additionalProperties === false || node.unevaluatedProperties === false
}

type VisitObject = (object: object, place: Place, pointer: Pointer) => void

/** Visits all objects in values, each with its place in the schema. */
class Walk {
  readonly #places: Places
  readonly #visitObject: VisitObject

  constructor(places: Places, visitObject: VisitObject) {
    this.#places = places
    this.#visitObject = visitObject
  }

  visit(value: unknown, pointer: Pointer, place = this.#places.root): void {
    if (!isObject(value) || place.nodes.length === 0) return
    if (Array.isArray(value)) {
      this.#visitItems(value, pointer, place)
      return
    }

    this.#visitObject(value, place, pointer)
    for (const [key, inner] of Object.entries(value)) {
      if (!isObject(inner)) continue
      this.visit(inner, [...pointer, key], this.#places.within(place, key))
    }
  }

  #visitItems(items: readonly unknown[], pointer: Pointer, place: Place): void {
    const isTuple = place.nodes.some(({ prefixItems }) => prefixItems !== undefined)

    for (const [position, item] of items.entries()) {
      if (!isObject(item)) continue
      const inner = this.#places.within(place, isTuple ? String(position) : '0')
      this.visit(item, [...pointer, position], inner)
    }
  }
}

/** Finds each key that is near to a declared one: once for each kind of object. */
class NearKeySearch {
  readonly candidates: Candidate[] = []
  readonly #seen = new Map<Place, Set<string>>()

  look(object: object, place: Place, pointer: Pointer): void {
    const seen = this.#seen.get(place) ?? new Set<string>()
    this.#seen.set(place, seen)

    for (const key of Object.keys(object)) {
      if (seen.has(key)) continue

      const near = isDeclared(place, key) ? undefined : nearKey(key, place.keys)
      // With both of them, nobody knows whether one is misspelled.
      if (near !== undefined && Object.hasOwn(object, near)) continue

      seen.add(key)
      if (near !== undefined) this.candidates.push({ key, near, place, pointer })
    }
  }
}

/** So many objects must have the declared key, and such a part of those without the near one. */
const LEAST_USUAL = 2
const USUAL_PART = 0.9

/** Counts how many objects have a near key, and how many of the others have the declared one. */
class KeyCount {
  readonly #counts: Map<Candidate, { others: number; usual: number }>

  constructor(candidates: readonly Candidate[]) {
    this.#counts = new Map(candidates.map((candidate) => [candidate, { others: 0, usual: 0 }]))
  }

  add(object: object, place: Place): void {
    for (const [candidate, count] of this.#counts) {
      if (candidate.place !== place || Object.hasOwn(object, candidate.key)) continue

      count.others++
      if (Object.hasOwn(object, candidate.near)) count.usual++
    }
  }

  /** Whether nearly all other objects have the declared key: then the near one is hardly another key. */
  isUsual(candidate: Candidate): boolean {
    const { others = 0, usual = 0 } = this.#counts.get(candidate) ?? {}
    return usual >= LEAST_USUAL && usual >= USUAL_PART * others
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
