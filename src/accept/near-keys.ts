/**
 * Finds keys that may be misspelled, though the schema accepts them: those near to a declared key that
 * is usual. That's known once all files of a collection were read. Pure.
 */
import { type FileFault, keyFault } from '../fault/fault.ts'
import { createPlaces, declaresAll, isDeclared, type Place, type Places } from '../schema/known.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { isObject } from '../text/as-object.ts'
import { isOneLetterOff } from '../text/nearest.ts'
import type { Pointer } from '../text/pointer.ts'
import { isSameWord, spellingsOf } from '../text/same-word.ts'

/** A value that a schema checks, and its place in the file. */
export interface Part {
  value: unknown
  pointer: Pointer
}

/** The parts of a file that a schema accepts. */
export interface AcceptedParts {
  /** The whole schema, as `upgradeSchema` returns it. */
  root: Node
  /** Only called if a key may be misspelled. */
  parts: () => readonly Part[]
  /** The refused values in these parts, such as records, which are left out. */
  refused: ReadonlySet<unknown>
  /** The objects in these parts with a fault of their own, whose keys are left out. */
  faulty: ReadonlySet<unknown>
}

/** Searches all files of a collection, one after the other. */
export class KeySearch {
  /** A search for each schema; undefined if its objects may only have the keys that it declares. */
  readonly #searches = new Map<Node, SchemaSearch | undefined>()

  /** Adds what a schema accepts of a file. */
  add(file: string, accepted: AcceptedParts): void {
    const { root } = accepted
    if (!this.#searches.has(root)) {
      this.#searches.set(root, isClosed(root) ? undefined : new SchemaSearch(root))
    }
    this.#searches.get(root)?.add(file, accepted)
  }

  /** Returns a fault for each key that may be misspelled, in the order in which they were added. */
  findFaults(): FileFault[] {
    return Array.from(this.#searches.values()).flatMap((search) => search?.findFaults() ?? [])
  }
}

/** Whether no object may have a key that the schema doesn't declare. */
function isClosed(root: Node): boolean {
  return Array.from(schemasIn(root)).every(([, node]) => mayHaveOnlyDeclared(node))
}

function mayHaveOnlyDeclared(node: Node): boolean {
  if (node.properties === undefined) return true
  return node.additionalProperties === false || node.unevaluatedProperties === false
}

/** How the objects of one place in a schema use keys. */
interface ObjectUse {
  objects: number
  /** The keys that are declared, and those that are near to one. */
  keys: Map<string, KeyUse>
  /** All other keys. */
  others: Set<string>
}

interface KeyUse {
  /** How many objects have it. */
  count: number
  /** The declared key that it's near to; undefined if it's declared itself. */
  near?: string
  /** How many objects have both. With both, nobody knows whether one is misspelled. */
  withBoth: number
}

/** A key that is near to a declared one, in an object that lacks that one. */
interface Candidate {
  file: string
  pointer: Pointer
  key: string
  near: string
  /** How objects like this one use keys. */
  use: ObjectUse
}

/** The most places reported for one key, because memory holds them. */
const MOST_PLACES = 1000

/** Searches what one schema accepts. */
class SchemaSearch {
  readonly #places: Places
  readonly #uses = new Map<Place, ObjectUse | undefined>()
  readonly #candidates: Candidate[] = []
  #file = ''
  #refused: ReadonlySet<unknown> = new Set()
  #faulty: ReadonlySet<unknown> = new Set()
  /** The way to the value that is visited. */
  #way: (string | number)[] = []

  constructor(root: Node) {
    this.#places = createPlaces(root)
  }

  add(file: string, { parts, refused, faulty }: AcceptedParts): void {
    this.#file = file
    this.#refused = refused
    this.#faulty = faulty

    for (const { value, pointer } of parts()) {
      this.#way = [...pointer]
      this.#visit(value, this.#places.root)
    }
  }

  findFaults(): FileFault[] {
    const misspelled = this.#candidates.filter(isMisspelled)
    return misspelled.map(({ file, pointer, key, near }) => {
      return { file, fault: keyFault('schema.near-key', pointer, { key, near: [near] }) }
    })
  }

  #visit(value: unknown, place: Place): void {
    if (!isObject(value) || place.nodes.length === 0) return
    if (this.#refused.size > 0 && this.#refused.has(value)) return

    if (Array.isArray(value)) this.#visitItems(value, place)
    else this.#visitObject(value, place)
  }

  #visitItems(items: readonly unknown[], place: Place): void {
    const isTuple = place.nodes.some(({ prefixItems }) => prefixItems !== undefined)

    for (const [position, item] of items.entries()) {
      if (!isObject(item)) continue

      this.#way.push(position)
      this.#visit(item, this.#places.within(place, isTuple ? String(position) : '0'))
      this.#way.pop()
    }
  }

  #visitObject(object: Record<string, unknown>, place: Place): void {
    const use = this.#faulty.has(object) ? undefined : this.#usageOf(place)
    if (use) use.objects++

    for (const key of Object.keys(object)) {
      if (use) this.#count(key, object, place, use)

      const inner = object[key]
      if (!isObject(inner)) continue

      this.#way.push(key)
      this.#visit(inner, this.#places.within(place, key))
      this.#way.pop()
    }
  }

  /** Returns how the objects of a place use keys; undefined if none of their keys can be misspelled. */
  #usageOf(place: Place): ObjectUse | undefined {
    const known = this.#uses.get(place)
    if (known || this.#uses.has(place)) return known

    const isOpen = place.keys.length > 0 && !declaresAll(place)
    const use = isOpen ? { objects: 0, keys: new Map(), others: new Set<string>() } : undefined
    this.#uses.set(place, use)
    return use
  }

  #count(key: string, object: object, place: Place, use: ObjectUse): void {
    const keyUse = use.keys.get(key) ?? addKey(key, place, use)
    if (!keyUse) return

    keyUse.count++
    const { near } = keyUse
    if (near === undefined) return

    if (Object.hasOwn(object, near)) {
      keyUse.withBoth++
    } else if (keyUse.count - keyUse.withBoth <= MOST_PLACES) {
      this.#candidates.push({ file: this.#file, pointer: [...this.#way, key], key, near, use })
    }
  }
}

/** Begins to count a key, if it's declared or near to a declared one. */
function addKey(key: string, place: Place, { keys, others }: ObjectUse): KeyUse | undefined {
  if (others.has(key)) return undefined

  const near = isDeclared(place, key) ? undefined : nearKey(key, place.keys)
  const isCounted = near !== undefined || place.keys.includes(key)
  if (!isCounted) {
    others.add(key)
    return undefined
  }

  const use: KeyUse = { count: 0, withBoth: 0, ...(near !== undefined && { near }) }
  keys.set(key, use)
  return use
}

/** How many objects must have the declared key. */
const LEAST_USUAL = 2

/** Which share of the objects without the near key must have the declared one. */
const USUAL_PART = 0.9

/** How many times as many objects must have the declared key as have the near one. */
const TIMES_AS_MANY = 10

/** Whether a key is probably a mistake, because the declared one that it's near to is usual. */
function isMisspelled({ key, near, use: { objects, keys } }: Candidate): boolean {
  const { count = 0, withBoth = 0 } = keys.get(key) ?? {}
  const usual = (keys.get(near)?.count ?? 0) - withBoth
  if (usual < LEAST_USUAL) return false
  if (isSameWord(key, near)) return true

  const isInNearlyAll = usual >= USUAL_PART * (objects - count)
  const isFarMoreFrequent = usual >= TIMES_AS_MANY * (count - withBoth)
  return isInNearlyAll || isFarMoreFrequent
}

/** Returns the only declared key that another key spells differently, or differs from in one letter. */
function nearKey(key: string, declared: readonly string[]): string | undefined {
  const spellings = spellingsOf(key, declared)
  const near =
    spellings.length > 0 ? spellings : declared.filter((known) => isOneLetterOff(key, known))

  const [only, ...others] = near
  return others.length === 0 ? only : undefined
}
