/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */

import { type Node, schemasIn } from '../../accept/schema/vet.ts'
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

/** @param root the whole schema */
export function createKnown(root: Node): Known {
  // By their places and anchors, as references name them.
  const targets = new Map<unknown, Node>()
  for (const [at, node] of schemasIn(root)) targets.set(at, node).set(node.$anchor, node)
  // One for all places that have the same schemas, such as items.
  const known: Place[] = []
  const placeOf = (schemas: readonly unknown[]): Place => {
    const isSame = (each: Place) => schemas.every((schema, at) => schema === each.schemas[at])
    const found = known.find((each) => each.schemas.length === schemas.length && isSame(each))
    if (found) return found
    // With all others that are about the same value.
    const all = new Set<Node>()
    const add = (schema: unknown) => {
      if (!isObject(schema) || all.has(schema)) return
      all.add(schema)
      if (typeof schema.$ref === 'string')
        add(targets.get(decodeURIComponent(schema.$ref.slice(1))))
      Object.values(asObject(schema.dependentSchemas)).forEach(add)
      for (const keyword of SAME) [schema[keyword]].flat().forEach(add)
    }
    schemas.forEach(add)
    const nodes = [...all]
    const keys = nodes.flatMap(({ properties }) => Object.keys(asObject(properties)))
    const place: Place = { schemas, nodes, keys: [...new Set(keys)], near: new Map() }
    known.push(place)
    return place
  }
  return (pointer) => {
    const places = [placeOf([root])]
    for (const step of pointer) {
      const schemas = places.at(-1)?.nodes.flatMap((node) => ofStep(node, String(step))) ?? []
      places.push(placeOf(schemas))
    }
    return places
  }
}

/** The keywords whose schemas are about all keys or items that a schema does not name. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems']
/** The keywords whose schemas are about the same value. */
const SAME = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/** The schemas of a node for a key or an item: those that name it, or those of all others. */
function ofStep(node: Node, step: string): unknown[] {
  for (const named of [node.properties, node.prefixItems])
    if (Object.hasOwn(asObject(named), step)) return [asObject(named)[step]]
  const patterns = Object.entries(asObject(node.patternProperties))
  const found = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(step))
  return found.length > 0
    ? found.map(([, schema]) => schema)
    : OTHERS.map((keyword) => node[keyword])
}
