/** Which keys a schema declares for an object, in all that it may refer to for its place. */
import { type Pointer, parsePointer } from '../../page/violation.ts'
import { asObject, isObject } from '../../text/as-object.ts'

type Node = Record<string, unknown>

/** The keywords whose schemas are about the same value. */
const GROUPS = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']
const CASES = ['if', 'then', 'else']

/** The schemas that may be about one value, and what is known of them so far. */
interface Place {
  schemas: ReadonlySet<Node>
  keys?: readonly string[]
  /** The places in the value, by their steps; null for all that no schema names. */
  inner: Map<string | null, Place>
}

/** Returns a function that tells the declared keys of the object at a place. */
export function createKnownKeys(root: object): (pointer: Pointer) => readonly string[] {
  const named = new Map<unknown, Node>()
  for (const node of nodesOf(root as Node)) {
    for (const name of [node.$anchor, node.$dynamicAnchor])
      if (name !== undefined) named.set(`#${name}`, node)
    if (node.$id !== undefined) named.set(node.$id, node)
  }
  const placeOf = (schemas: readonly unknown[]): Place => {
    return { schemas: spread(schemas, root, named), inner: new Map() }
  }
  const whole = placeOf([root])
  const enter = (place: Place, step: string): Place => {
    const nodes = [...place.schemas]
    const key = nodes.some((node) => names(node, step)) ? step : null
    const inner = place.inner.get(key) ?? placeOf(nodes.flatMap((node) => inside(node, step)))
    place.inner.set(key, inner)
    return inner
  }
  return (pointer) => {
    const place = pointer.reduce<Place>((outer, step) => enter(outer, String(step)), whole)
    place.keys ??= [
      ...new Set([...place.schemas].flatMap(({ properties }) => Object.keys(asObject(properties)))),
    ]
    return place.keys
  }
}

/** All objects in a schema. */
function* nodesOf(node: Node): Generator<Node> {
  if (!Array.isArray(node)) yield node
  for (const inner of Object.values(node)) if (isObject(inner)) yield* nodesOf(inner)
}

/** Adds to schemas all others that are about the same value. */
function spread(
  from: readonly unknown[],
  root: object,
  named: ReadonlyMap<unknown, Node>,
): ReadonlySet<Node> {
  const all = new Set<Node>()
  const add = (schema: unknown) => {
    if (!isObject(schema) || all.has(schema)) return
    const node: Node = schema
    all.add(node)
    for (const ref of [node.$ref, node.$dynamicRef]) {
      if (typeof ref !== 'string') continue
      const steps = ref === '#' || ref.startsWith('#/') ? parsePointer(decodeURI(ref.slice(1))) : []
      add(named.get(ref) ?? valueAt(root, steps))
    }
    for (const keyword of GROUPS) Object.values(asObject(node[keyword])).forEach(add)
    for (const keyword of CASES) add(node[keyword])
  }
  from.forEach(add)
  return all
}

/** Whether a schema says of a key or an item what it does not say of others. */
function names({ properties, patternProperties, prefixItems }: Node, step: string): boolean {
  const isNamed =
    Object.hasOwn(asObject(properties), step) || Object.hasOwn(asObject(prefixItems), step)
  return isNamed || matching(patternProperties, step).length > 0
}

/** The schemas for a key or an item of a value. */
function inside(node: Node, step: string): unknown[] {
  const { properties, patternProperties, prefixItems, items } = node
  if (Object.hasOwn(asObject(properties), step)) return [asObject(properties)[step]]
  const matched = matching(patternProperties, step)
  if (matched.length > 0) return matched
  const others = [node.additionalProperties, node.unevaluatedProperties, node.unevaluatedItems]
  return [...others, asObject(prefixItems)[step] ?? items]
}

function matching(patterns: unknown, step: string): unknown[] {
  const matching = Object.entries(asObject(patterns)).filter(([pattern]) => {
    return new RegExp(pattern, 'u').test(step)
  })
  return matching.map(([, schema]) => schema)
}

function valueAt(value: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((inner, step) => asObject(inner)[step], value)
}
