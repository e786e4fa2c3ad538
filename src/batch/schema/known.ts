/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */
import { type Pointer, parsePointer } from '../../page/violation.ts'
import { asObject, isObject } from '../../text/as-object.ts'
import { type Node, schemasIn } from './vet.ts'

/** Returns the keys that a schema declares for each object on the way to a place. */
export function keysTo(pointer: Pointer, root: Node): string[][] {
  let nodes = sameValue([root], root)
  const places = [nodes]
  for (const step of pointer) {
    const inner = [...nodes].flatMap((node) => ofStep(node, String(step)))
    nodes = sameValue(inner, root)
    places.push(nodes)
  }
  return places.map((each) => {
    const keys = [...each].flatMap(({ properties }) => Object.keys(asObject(properties)))
    return [...new Set(keys)]
  })
}

/** The keywords whose schemas are about all keys or items that a schema does not name. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems']
/** The keywords whose schemas are about the same value. */
const GROUPS = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']
const CASES = ['if', 'then', 'else']

/** Adds to schemas all others that are about the same value. */
export function sameValue(from: readonly unknown[], root: Node): ReadonlySet<Node> {
  const all = new Set<Node>()
  const add = (schema: unknown) => {
    if (!isObject(schema) || all.has(schema)) return
    all.add(schema)
    if (typeof schema.$ref === 'string') add(referred(schema.$ref.slice(1), root))
    for (const keyword of GROUPS) Object.values(asObject(schema[keyword])).forEach(add)
    for (const keyword of CASES) add(schema[keyword])
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
