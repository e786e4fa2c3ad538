/**
 * Finds the part of a schema that describes records, for their type. Only `records` of `content.ts`
 * knows where they are in a file. Pure.
 */

import { createKnown, targetsOf } from '../schema/known.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { isPlainObject } from '../text/as-object.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'

/** A schema that refers to parts of another one, such as `{ "$ref": "#/$defs/app" }`. */
export type TypeSchema = Node

/** Where the records of all batches are. */
export class RecordPlaces {
  readonly #accepted = new Map<string, Pointer>()
  readonly #refused = new Map<string, Pointer>()

  /** @param places of the records of one batch; of those in a list, one is enough */
  add(places: readonly Pointer[], isAccepted: boolean): void {
    const knownPlaces = isAccepted ? this.#accepted : this.#refused
    for (const place of places) {
      if (knownPlaces.size === MOST_PLACES) return
      knownPlaces.set(formatPointer(place), place)
    }
  }

  /** Those of accepted batches. Without any record, the place that one has where a file is a list. */
  get accepted(): readonly Pointer[] {
    const isEmpty = this.#accepted.size + this.#refused.size === 0
    return isEmpty ? [[0]] : [...this.#accepted.values()]
  }

  get refused(): readonly Pointer[] {
    return [...this.#refused.values()]
  }
}

/** The most kinds of records. */
const MOST_PLACES = 10_000

/**
 * Returns the schema of the records at some places of a file. Where a batch was refused, a record may be
 * where none belongs.
 *
 * @param schema as `upgradeSchema` returns it
 * @returns undefined if the schema doesn't say what a record is
 */
export function recordSchema(
  schema: Node,
  { accepted, refused }: Pick<RecordPlaces, 'accepted' | 'refused'>,
): TypeSchema | undefined {
  const findObjects = createFinder(schema)
  const kinds = new Map<string, TypeSchema>()

  for (const place of accepted) {
    const kindsHere = findObjects(place)
    // Nothing is known about this record.
    if (!kindsHere) return undefined
    for (const kind of kindsHere) kinds.set(JSON.stringify(kind), kind)
  }

  for (const place of refused) {
    for (const kind of findObjects(place) ?? []) kinds.set(JSON.stringify(kind), kind)
  }

  const [first, ...others] = kinds.values()
  return others.length === 0 ? first : { anyOf: [...kinds.values()] }
}

/** Schemas, at least one of which a value fits. */
type Alternatives = readonly TypeSchema[]

/** Returns how to find the schemas of an object at a place; undefined if nothing is known of it. */
function createFinder(root: Node): (pointer: Pointer) => Alternatives | undefined {
  const known = createKnown(root)
  const places = new Map<Node, string>()
  for (const [place, node] of schemasIn(root)) places.set(node, place)

  return (pointer) => {
    const nodes = (known(pointer).at(-1)?.schemas ?? []).filter(isPlainObject)
    const objects = nodes.flatMap((node) => objectKinds(node, root, new Set()))
    if (objects.length === 0) return undefined
    return objects.map((node) => ({ $ref: `#${encodeURI(places.get(node) ?? '')}` }))
  }
}

/** The parts of a union that an object may fit: a record is one. */
function objectKinds(node: Node, root: Node, seen: Set<Node>): Node[] {
  if (seen.has(node)) return []
  seen.add(node)

  const [target] = targetsOf(root, node)
  const isOnlyReference = target && Object.keys(node).every(isOfNoType)
  if (isOnlyReference) return objectKinds(target, root, seen)

  if (!mayBeObject(node)) return []
  const union = [node.anyOf, node.oneOf].find(Array.isArray)
  const isOnlyUnion = union && Object.keys(node).every((key) => isOfNoType(key) || UNIONS.has(key))
  if (!isOnlyUnion) return [node]
  return union.filter(isPlainObject).flatMap((branch) => objectKinds(branch, root, seen))
}

/** Keywords of a schema that is only a union. */
const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'type', 'discriminator'])

/** Keywords without effect on the type of a value. */
const WITHOUT_TYPE: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'title', 'description', 'default', 'examples', '$comment', 'deprecated'],
  ...['markdownDescription'],
])

function isOfNoType(keyword: string): boolean {
  return WITHOUT_TYPE.has(keyword)
}

function mayBeObject({ type }: Node): boolean {
  return type === undefined || [type].flat().includes('object')
}
