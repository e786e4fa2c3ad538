/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */
import { type Node, schemasIn } from '../../accept/schema/schemas-in.ts'
import type { Pointer } from '../../page/fault.ts'
import { asObject, isObject } from '../../text/as-object.ts'

/** Returns what is declared on the way to a place: for the root first, last for the place. */
export type Known = (pointer: Pointer) => Place[]

/** The schemas of a value, all others that are about it, and what they declare. */
export interface Place {
  schemas: readonly unknown[]
  nodes: readonly Node[]
  keys: readonly string[]
  /** Keys of records, and the declared ones that are nearest to each: most records have the same. */
  near: Map<string, readonly string[]>
  /** The keys that are declared for the value of one of its keys, and that one. */
  below?: ReadonlyMap<string, string>
}

/** @param root the whole schema, as `upgradeSchema` returns it */
export function createKnown(root: Node): Known {
  const targets = targetsIn(root)
  // One place for all pointers that have the same schemas, such as those of items.
  const places: Place[] = []

  const placeOf = (schemas: readonly unknown[]): Place => {
    const earlier = places.find((place) => hasSchemas(place, schemas))
    if (earlier) return earlier

    const place = declaredBy(schemas, targets)
    places.push(place)
    return place
  }

  return (pointer) => {
    let place = placeOf([root])
    const way = [place]
    for (const step of pointer) {
      place = placeOf(place.nodes.flatMap((node) => schemasOfStep(node, String(step))))
      way.push(place)
    }
    return way
  }
}

/** All schemas of a schema by their places, as references name them. */
function targetsIn(root: Node): Map<unknown, Node> {
  return new Map<unknown, Node>(schemasIn(root))
}

function hasSchemas(place: Place, schemas: readonly unknown[]): boolean {
  if (place.schemas.length !== schemas.length) return false
  return schemas.every((schema, index) => schema === place.schemas[index])
}

/** The keywords whose schemas are about the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/** Finds what schemas declare, with all others that are about the same value. */
function declaredBy(schemas: readonly unknown[], targets: ReadonlyMap<unknown, Node>): Place {
  const nodes = new Set<Node>()

  const add = (schema: unknown) => {
    if (!isObject(schema) || nodes.has(schema)) return
    nodes.add(schema)

    if (typeof schema.$ref === 'string') add(targets.get(decodeURI(schema.$ref.slice(1))))
    for (const inner of Object.values(asObject(schema.dependentSchemas))) add(inner)
    for (const keyword of SAME_VALUE) {
      for (const inner of [schema[keyword]].flat()) add(inner)
    }
  }
  for (const schema of schemas) add(schema)

  const keys = new Set<string>()
  for (const { properties } of nodes) {
    for (const key of Object.keys(asObject(properties))) keys.add(key)
  }
  return { schemas, nodes: [...nodes], keys: [...keys], near: new Map() }
}

/** The keywords whose schemas are about all keys or items that a schema does not name. */
const UNNAMED = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems']

/** The schemas of a node for a key or an item: those that name it, or those of all others. */
function schemasOfStep(node: Node, step: string): unknown[] {
  for (const named of [node.properties, node.prefixItems]) {
    if (Object.hasOwn(asObject(named), step)) return [asObject(named)[step]]
  }

  const matching = Object.entries(asObject(node.patternProperties))
    .filter(([pattern]) => new RegExp(pattern, 'u').test(step))
    .map(([, schema]) => schema)
  return matching.length > 0 ? matching : UNNAMED.map((keyword) => node[keyword])
}
