/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */
import type { Pointer } from '../../page/violation.ts'
import { asObject, isObject } from '../../text/as-object.ts'
import { type Node, schemasIn } from './vet.ts'

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
  /** What was looked for in it so far: one for all that have the same schemas, such as items. */
  inner: Place[]
}

/** @param root the whole schema */
export function createKnown(root: Node): Known {
  // By their places and anchors, as references name them.
  const targets = new Map<unknown, Node>()
  for (const [at, node] of schemasIn(root)) targets.set(at, node).set(node.$anchor, node)
  const placeOf = (schemas: readonly unknown[]): Place => {
    const nodes = [...sameValue(schemas, targets)]
    const keys = nodes.flatMap(({ properties }) => Object.keys(asObject(properties)))
    return { schemas, nodes, keys: [...new Set(keys)], near: new Map(), inner: [] }
  }
  const enter = (place: Place, step: string): Place => {
    const schemas = place.nodes.flatMap((node) => ofStep(node, step))
    const isSame = (each: Place) => schemas.every((schema, at) => schema === each.schemas[at])
    const known = place.inner.find((each) => each.schemas.length === schemas.length && isSame(each))
    if (known) return known
    const inner = placeOf(schemas)
    place.inner.push(inner)
    return inner
  }
  const whole = placeOf([root])
  return (pointer) => {
    const places = [whole]
    for (const step of pointer) places.push(enter(places.at(-1) ?? whole, String(step)))
    return places
  }
}

/** The keywords whose schemas are about all keys or items that a schema does not name. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems']
/** The keywords whose schemas are about the same value. */
const GROUPS = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']
const CASES = ['if', 'then', 'else']

/** Adds to schemas all others that are about the same value. */
function sameValue(from: readonly unknown[], targets: ReadonlyMap<unknown, Node>) {
  const all = new Set<Node>()
  const add = (schema: unknown) => {
    if (!isObject(schema) || all.has(schema)) return
    all.add(schema)
    if (typeof schema.$ref === 'string') add(targets.get(decodeURI(schema.$ref.slice(1))))
    for (const keyword of GROUPS) Object.values(asObject(schema[keyword])).forEach(add)
    for (const keyword of CASES) add(schema[keyword])
  }
  from.forEach(add)
  return all
}

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
