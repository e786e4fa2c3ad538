/**
 * Finds the part of a schema that describes records, for their type. Only `records` of `content.ts`
 * knows where they are in a file. Pure.
 */

import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { targetOf } from '../schema/upgrade.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
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
  const reader = new TypeReader(schema)
  const kinds = new Map<string, TypeSchema>()

  for (const place of accepted) {
    const kindsHere = reader.objectAt(place)
    // Nothing is known about this record.
    if (!kindsHere) return undefined
    for (const kind of kindsHere) kinds.set(JSON.stringify(kind), kind)
  }

  for (const place of refused) {
    for (const kind of reader.objectAt(place) ?? []) kinds.set(JSON.stringify(kind), kind)
  }

  const [first, ...others] = kinds.values()
  return others.length === 0 ? first : { anyOf: [...kinds.values()] }
}

/** Schemas, at least one of which a value fits. */
type Alternatives = readonly TypeSchema[]

class TypeReader {
  readonly #root: Node
  readonly #places = new Map<unknown, string>()

  constructor(root: Node) {
    this.#root = root
    for (const [place, node] of schemasIn(root)) this.#places.set(node, place)
  }

  /** Returns the schemas of an object at a place; undefined if nothing is known of it. */
  objectAt(pointer: Pointer): Alternatives | undefined {
    let nodes: readonly Node[] = [this.#root]
    for (const step of pointer) {
      nodes = nodes.flatMap((node) => this.#step(node, step, new Set()))
      if (nodes.length === 0) return undefined
    }

    const objects = nodes.flatMap((node) => this.#objectKinds(node, new Set()))
    return objects.length === 0 ? undefined : objects.map((node) => this.#reference(node))
  }

  /** The schemas of a key or an item of what a schema describes. */
  #step(node: Node, step: string | number, seen: Set<Node>): Node[] {
    if (seen.has(node)) return []
    seen.add(node)

    const inner = [schemaOfStep(node, step), this.#target(node)]
    const direct = isNode(inner[0]) ? [inner[0]] : []
    const target = isNode(inner[1]) ? this.#step(inner[1], step, seen) : []
    const parts = PARTS.flatMap((keyword) => [node[keyword]].flat())
      .filter(isNode)
      .flatMap((part) => this.#step(part, step, seen))
    return [...new Set([...direct, ...target, ...parts])]
  }

  /** The parts of a union that an object may fit: a record is one. */
  #objectKinds(node: Node, seen: Set<Node>): Node[] {
    if (seen.has(node)) return []
    seen.add(node)

    const target = this.#target(node)
    const isOnlyReference = isNode(target) && Object.keys(node).every(isOfNoType)
    if (isOnlyReference) return this.#objectKinds(target, seen)

    if (!mayBeObject(node)) return []
    const union = [node.anyOf, node.oneOf].find(Array.isArray)
    const isOnlyUnion =
      union && Object.keys(node).every((key) => isOfNoType(key) || UNIONS.has(key))
    if (!isOnlyUnion) return [node]
    return union.filter(isNode).flatMap((branch) => this.#objectKinds(branch, seen))
  }

  #target({ $ref }: Node): unknown {
    return typeof $ref === 'string' ? targetOf(this.#root, $ref) : undefined
  }

  #reference(node: Node): TypeSchema {
    return { $ref: `#${encodeURI(this.#places.get(node) ?? '')}` }
  }
}

/** Keywords whose schemas are about the same value, and that types know. */
const PARTS = ['allOf', 'anyOf', 'oneOf', 'then', 'else']
const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'type', 'discriminator'])

/** Keywords without effect on the type of a value. */
const WITHOUT_TYPE: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'title', 'description', 'default', 'examples', '$comment', 'deprecated'],
  ...['markdownDescription'],
])

function isOfNoType(keyword: string): boolean {
  return WITHOUT_TYPE.has(keyword)
}

function isNode(value: unknown): value is Node {
  return isPlainObject(value)
}

function mayBeObject({ type }: Node): boolean {
  return type === undefined || [type].flat().includes('object')
}

/** The schema of a node for a key or an item: the one that names it, or the one for all others. */
function schemaOfStep(node: Node, step: string | number): unknown {
  if (typeof step === 'number') {
    const items = Array.isArray(node.prefixItems) ? node.prefixItems[step] : undefined
    return items ?? node.items ?? node.unevaluatedItems
  }

  const properties = asObject(node.properties)
  if (Object.hasOwn(properties, step)) return properties[step]

  const patterns = Object.entries(asObject(node.patternProperties))
  const matching = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(step))
  if (matching) return matching[1]
  return node.additionalProperties ?? node.unevaluatedProperties
}
