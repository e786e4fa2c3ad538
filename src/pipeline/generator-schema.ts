/**
 * Writes a schema in the words that the generator of types knows: it would fetch the address of an
 * `$id` to which a reference leads, and it takes no notice of `$anchor` and `prefixItems`.
 */
import { formatPointer } from '../page/violation.ts'

interface Node {
  node: Record<string, unknown>
  /** The URI against which its references are resolved. */
  base: string
  /** Its place, as a reference. */
  at: string
}

/** @param schema of JSON Schema 2020-12, already compiled: every reference leads somewhere in it */
export function forGenerator(schema: object): object {
  const copy = structuredClone(schema)
  const nodes = [...nodesOf(copy, 'schema:///', '#')]
  const places = new Map([['schema:///', '#']])
  for (const { node, base, at } of nodes) {
    if (typeof node.$id === 'string') places.set(base, at)
    if (typeof node.$anchor === 'string') places.set(resolve(`#${node.$anchor}`, base), at)
  }
  for (const { node, base } of nodes) {
    const { $ref, prefixItems, items } = node
    if (typeof $ref === 'string') {
      const uri = resolve($ref, base)
      const [resource = '', pointer = ''] = uri.split('#')
      const place = places.get(resource)
      node.$ref = places.get(uri) ?? (place === undefined ? $ref : place + pointer)
    }
    if (Array.isArray(prefixItems) && (items ?? true) !== true)
      node.items = { anyOf: items === false ? prefixItems : [...prefixItems, items] }
  }
  return copy
}

function* nodesOf(node: object, outer: string, at: string): Generator<Node> {
  const { $id } = node as Node['node']
  const base = typeof $id === 'string' ? resolve($id, outer) : outer
  yield { node: node as Node['node'], base, at }
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue
    const step = encodeURI(formatPointer([key])).replaceAll('#', '%23')
    yield* nodesOf(value, base, at + step)
  }
}

function resolve(uri: string, base: string): string {
  return URL.canParse(uri, base) ? new URL(uri, base).href.replace(/#$/, '') : uri
}
