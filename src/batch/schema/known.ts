/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */
import { type Pointer, parsePointer } from '../../page/violation.ts'
import { asObject, isObject } from '../../text/as-object.ts'
import { schemasIn } from './vet.ts'

type Node = Record<string, unknown>

export type Known = ReturnType<typeof createKnown>

/** The schemas that may be about one value, and those about what is in it. */
interface Schemas {
  nodes: readonly Node[]
  keys: readonly string[]
  /** By the key or position that leads to them; null for all that no schema names. */
  inner: Map<string | null, Schemas>
}

/** What is declared in a schema. */
export function createKnown(root: Node) {
  const placeOf = (schemas: readonly unknown[]): Schemas => {
    const nodes = [...spread(schemas, root)]
    const keys = nodes.flatMap(({ properties }) => Object.keys(asObject(properties)))
    return { nodes, keys: [...new Set(keys)], inner: new Map() }
  }
  const enter = (place: Schemas, step: string): Schemas => {
    let inner = place.inner.get(step)
    if (inner) return inner
    const named = place.nodes.map((node) => ofStep(node, step))
    const key = named.some(({ length }) => length > 0) ? step : null
    const schemas = place.nodes.flatMap((node, at) =>
      named[at]?.length ? named[at] : OTHERS.map((keyword) => node[keyword]),
    )
    inner = place.inner.get(key) ?? placeOf(schemas)
    place.inner.set(key, inner).set(step, inner)
    return inner
  }
  const whole = placeOf([root])
  return {
    /** The keys that are declared for each object on the way to a place: one list for like places. */
    keysTo(pointer: Pointer): (readonly string[])[] {
      const places = [whole]
      for (const step of pointer) places.push(enter(places.at(-1) ?? whole, String(step)))
      return places.map(({ keys }) => keys)
    },
    /** Returns the texts that some of the schemas of one object demand of a key. */
    textsOf(schemas: readonly unknown[], key: string): unknown[] {
      const nodes = [...spread(schemas, root)].map(({ properties }) => asObject(properties)[key])
      return nodes.map(asObject).flatMap((node) => node.enum ?? node.const ?? [])
    },
  }
}

/** The keywords whose schemas are about all keys or items that a schema does not name. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems']
/** The keywords whose schemas are about the same value. */
const GROUPS = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']
const CASES = ['if', 'then', 'else']

/** Adds to schemas all others that are about the same value. */
function spread(from: readonly unknown[], root: Node): ReadonlySet<Node> {
  const all = new Set<Node>()
  const add = (schema: unknown) => {
    if (!isObject(schema) || all.has(schema)) return
    const node: Node = schema
    all.add(node)
    if (typeof node.$ref === 'string') add(referred(node.$ref.slice(1), root))
    for (const keyword of GROUPS) Object.values(asObject(node[keyword])).forEach(add)
    for (const keyword of CASES) add(node[keyword])
  }
  from.forEach(add)
  return all
}

/** @param to a pointer, or an anchor */
function referred(to: string, root: Node): unknown {
  if (to !== '' && !to.startsWith('/'))
    return [...schemasIn(root)].find(([, { $anchor }]) => $anchor === to)?.[1]
  const steps = parsePointer(decodeURI(to))
  return steps.reduce<unknown>((inner, step) => asObject(inner)[step], root)
}

/** The schemas for a key or an item that a schema names. */
function ofStep({ properties, patternProperties, prefixItems }: Node, step: string): unknown[] {
  for (const named of [properties, prefixItems])
    if (Object.hasOwn(asObject(named), step)) return [asObject(named)[step]]
  const patterns = Object.entries(asObject(patternProperties))
  return patterns.flatMap(([pattern, schema]) =>
    new RegExp(pattern, 'u').test(step) ? schema : [],
  )
}
