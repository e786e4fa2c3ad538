/** Finds the keys and values that a schema declares for a place, wherever in it they stand. Pure. */

import { asObject, isObject } from '../text/as-object.ts'
import { isPosition, type Pointer } from '../text/pointer.ts'
import type { Node } from './schemas-in.ts'
import { targetOf } from './upgrade.ts'

/** Returns what is declared on the way to a place: for the root first, last for the place. */
export type Known = (pointer: Pointer) => Place[]

/** The schemas of a value, all others that are about it, and what they declare. */
export interface Place {
  schemas: readonly unknown[]
  nodes: readonly Node[]
  keys: readonly string[]
  /** The patterns of other keys that are declared. */
  patterns: readonly string[]
  /** The places of its keys and items, as far as somebody has asked for them. */
  inner: Map<string, Place>
}

/** All places of a schema. */
export interface Places {
  root: Place
  /** Returns the place of a key or an item. */
  within(place: Place, step: string): Place
}

/** @param root the whole schema, as `upgradeSchema` returns it */
export function createPlaces(root: Node): Places {
  // One place for all pointers that have the same schemas, such as those of items.
  const places: Place[] = []

  const placeOf = (schemas: readonly unknown[]): Place => {
    const earlier = places.find((place) => hasSchemas(place, schemas))
    if (earlier) return earlier

    const place = declaredBy(schemas, root)
    places.push(place)
    return place
  }

  return {
    root: placeOf([root]),
    within(place, step) {
      const remembered = place.inner.get(step)
      if (remembered) return remembered

      const inner = placeOf(place.nodes.flatMap((node) => schemasOfStep(node, step)))
      place.inner.set(step, inner)
      return inner
    },
  }
}

/** @param root the whole schema, as `upgradeSchema` returns it */
export function createKnown(root: Node): Known {
  const places = createPlaces(root)

  return (pointer) => {
    let place = places.root
    const way = [place]
    for (const step of pointer) {
      place = places.within(place, String(step))
      way.push(place)
    }
    return way
  }
}

/** Returns what a schema refers to: one schema, or nothing. */
function targetsOf(root: Node, { $ref }: Node): Node[] {
  const target = typeof $ref === 'string' ? targetOf(root, $ref) : undefined
  return isObject(target) ? [target] : []
}

/**
 * Returns schemas with all others that are about the same value.
 *
 * @param partsOf returns those in a schema, besides what it refers to
 */
export function withParts(
  schemas: readonly unknown[],
  root: Node,
  partsOf: (schema: Node) => readonly unknown[],
): Set<Node> {
  const nodes = new Set<Node>()

  const add = (schema: unknown) => {
    if (!isObject(schema) || nodes.has(schema)) return
    nodes.add(schema)

    for (const part of [...targetsOf(root, schema), ...partsOf(schema)]) add(part)
  }
  for (const schema of schemas) add(schema)
  return nodes
}

function hasSchemas(place: Place, schemas: readonly unknown[]): boolean {
  if (place.schemas.length !== schemas.length) return false
  return schemas.every((schema, index) => schema === place.schemas[index])
}

/** The keywords whose schemas are about the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/** Finds what schemas declare, with all others that are about the same value. */
function declaredBy(schemas: readonly unknown[], root: Node): Place {
  const nodes = withParts(schemas, root, (schema) => [
    ...Object.values(asObject(schema.dependentSchemas)),
    ...SAME_VALUE.flatMap((keyword) => schema[keyword]),
  ])

  const keys = new Set<string>()
  const patterns = new Set<string>()
  for (const { properties, patternProperties } of nodes) {
    for (const [key, schema] of Object.entries(asObject(properties))) {
      // What is only forbidden is not known.
      if (schema !== false) keys.add(key)
    }
    for (const pattern of Object.keys(asObject(patternProperties))) patterns.add(pattern)
  }
  return {
    schemas,
    nodes: [...nodes],
    keys: [...keys],
    patterns: [...patterns],
    inner: new Map(),
  }
}

/** The keywords whose schemas are about all keys that a schema does not name, and about all such items. */
const UNNAMED_KEYS = ['additionalProperties', 'unevaluatedProperties']
const UNNAMED_ITEMS = ['items', 'unevaluatedItems']

/** The schemas of a node for a key or an item: those that name it, or those of all others. */
function schemasOfStep(node: Node, step: string): unknown[] {
  for (const schemas of [node.properties, node.prefixItems].map(asObject)) {
    if (Object.hasOwn(schemas, step)) return [schemas[step]]
  }

  const matching = Object.entries(asObject(node.patternProperties))
    .filter(([pattern]) => new RegExp(pattern, 'u').test(step))
    .map(([, schema]) => schema)
  if (matching.length > 0) return matching

  const unnamed = isPosition(step) ? [...UNNAMED_KEYS, ...UNNAMED_ITEMS] : UNNAMED_KEYS
  return unnamed.map((keyword) => node[keyword])
}

/**
 * Whether schemas have one for a key, or for an item, of their value.
 *
 * @param root the whole schema, as `upgradeSchema` returns it
 */
export function haveSchemaOf(step: string, schemas: readonly unknown[], root: Node): boolean {
  const { nodes } = declaredBy(schemas, root)
  return nodes.some((node) => schemasOfStep(node, step).some(isObject))
}

/** Whether a schema checks a key: by its name, by a pattern, or as one of all keys. */
export function isDeclared(place: Place, key: string): boolean {
  const { keys, patterns } = place
  if (keys.includes(key) || patterns.some((pattern) => new RegExp(pattern, 'u').test(key)))
    return true

  return declaresAll(place)
}

/** Whether a schema checks all keys that it doesn't name. */
export function declaresAll({ nodes }: Place): boolean {
  return nodes.some(({ additionalProperties, unevaluatedProperties }) => {
    return isObject(additionalProperties) || isObject(unevaluatedProperties)
  })
}
