/**
 * The keyword `pagePath`: `"pagePath": true` beside `"type": "string"` says that a text is the path
 * of a page. It marks a place: a key that one kind of a union marks is a reference in every kind.
 */
import { formatPointer, type Pointer, parsePointer } from '../violation.ts'

/** A schema that has the keyword. */
export type Marked = Readonly<Record<string, unknown>>

/** A text that names a page. */
export interface Reference {
  pointer: Pointer
  path: string
}

/** Keywords whose schemas say more of the same value. */
const SAME = ['allOf', 'anyOf', 'oneOf', 'then', 'else']
/** Keywords whose values are no schemas, or are reached by `$ref`. */
const NOT_WALKED = ['const', 'enum', 'default', 'examples', '$defs', 'definitions']

/**
 * Returns the schema if it marks references.
 *
 * @throws Error with a message of one line if the keyword is where {@link findReferences} cannot see it
 */
export function markedSchema(schema: object): Marked | undefined {
  if (!JSON.stringify(schema).includes('"pagePath":')) return undefined
  const root = schema as Marked
  const seen = { true: new Set<unknown>(), false: new Set<unknown>() }
  const walk = (node: unknown, at: Pointer, isSeen: boolean) => {
    const known = seen[`${isSeen}`]
    if (Object(node) !== node || known.has(node)) return
    known.add(node)
    const { pagePath, type = 'string' } = node as Marked
    const isOfText = [type].flat().includes('string')
    if (pagePath !== undefined && !(isSeen && isOfText && pagePath === true)) {
      const place = formatPointer([...at, 'pagePath'])
      const ways = `properties, items, $ref, ${SAME.join(', ')}`
      throw new Error(`at ${place} it must be true, for a text to which only ${ways} lead`)
    }
    for (const [key, value] of Object.entries(node as Marked)) {
      const inner = [...at, key]
      if (NOT_WALKED.includes(key)) continue
      if (key === '$ref') walk(resolve(root, value, inner), parsePointer(String(value)), isSeen)
      else if (key === 'properties' || (SAME.includes(key) && Array.isArray(value))) {
        for (const [name, each] of Object.entries(value as object)) {
          walk(each, [...inner, name], isSeen)
        }
      } else walk(value, inner, isSeen && (key === 'items' || SAME.includes(key)))
    }
  }
  walk(root, [], true)
  return root
}

/** Returns the schema that a `$ref` leads to. */
function resolve(root: Marked, ref: unknown, at: Pointer): unknown {
  const target = parsePointer(String(ref)).reduce<unknown>((node, step) => {
    return Object(node)[decodeURIComponent(String(step))]
  }, root)
  if (/^#(?:\/|$)/.test(String(ref)) && target !== undefined) return target
  throw new Error(`at ${formatPointer(at)}: beside "pagePath", it must begin with "#/"`)
}

/**
 * Finds the references in a value.
 *
 * @param root what {@link markedSchema} returned
 */
export function* findReferences(
  root: Marked,
  value: unknown,
  schema: unknown = root,
  pointer: Pointer = [],
): Generator<Reference> {
  const { $ref, properties, items, pagePath, ...others } = Object(schema)
  if (pagePath && typeof value === 'string') yield { pointer, path: value }
  const same = SAME.flatMap((key) => others[key] ?? [])
  if ($ref !== undefined) same.push(resolve(root, $ref, []))
  for (const each of same) yield* findReferences(root, value, each, pointer)
  if (Array.isArray(value)) {
    if (!items) return
    for (const [at, item] of value.entries())
      yield* findReferences(root, item, items, [...pointer, at])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (Object.hasOwn(properties ?? {}, key))
        yield* findReferences(root, inner, properties[key], [...pointer, key])
    }
  }
}
