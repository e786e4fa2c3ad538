/**
 * Finds the tags of a schema: the keys for which it allows only listed values, such as
 * `"type": { "const": "text" }`. Most unions have a tag by which their branches differ. Pure.
 */
import { asObject, isObject, isPlainObject } from '../text/as-object.ts'
import { withParts } from './known.ts'
import type { Node } from './schemas-in.ts'

/** A key that an object may only have with one of some values. */
export interface Tag {
  key: string
  values: readonly unknown[]
  /** Whether an object must have the key. */
  isRequired: boolean
}

/**
 * Returns the tags of each branch of a union, except for those that all branches have alike. An object that
 * lacks one is refused by the branch, or by `required` beside the union.
 *
 * @param node the schema with the union
 * @param root the whole schema, as `upgradeSchema` returns it
 */
export function tagsOfBranches(node: Node, keyword: 'anyOf' | 'oneOf', root: Node): Tag[][] {
  const branches = [node[keyword]].flat()
  const required = [node.required].flat()
  const tagsByBranch = branches.map((branch) => tagsOf(partsOf(branch, root), required, root))

  const isInAll = (tag: Tag) => {
    return tagsByBranch.every((tags) => tags.some((other) => isSameTag(tag, other)))
  }
  return tagsByBranch.map((tags) => tags.filter((tag) => !isInAll(tag)))
}

function isSameTag(tag: Tag, other: Tag): boolean {
  return JSON.stringify(tag) === JSON.stringify(other)
}

/**
 * @param parts the schema, and all others that hold wherever it holds
 * @param requiredBeside the keys that an object must have anyway
 */
function tagsOf(parts: readonly Node[], requiredBeside: readonly unknown[], root: Node): Tag[] {
  const required = new Set([...requiredBeside, ...parts.flatMap((part) => part.required)])
  const tags: Tag[] = []

  for (const { properties } of parts) {
    for (const [key, schema] of Object.entries(asObject(properties))) {
      for (const values of partsOf(schema, root).map(listedValues)) {
        if (values) tags.push({ key, values, isRequired: required.has(key) })
      }
    }
  }
  return tags
}

/** Whether a value has all tags. A value that isn't an object has no keys, so tags don't matter to it. */
export function hasTags(value: unknown, tags: readonly Tag[]): boolean {
  if (!isPlainObject(value)) return true

  return tags.every(({ key, values, isRequired }) => {
    return Object.hasOwn(value, key) ? values.includes(value[key]) : !isRequired
  })
}

/** Returns a schema and all others that hold wherever it holds: what it refers to, and its `allOf`. */
function partsOf(schema: unknown, root: Node): Node[] {
  return [...withParts([schema], root, ({ allOf }) => [allOf].flat())]
}

/** Returns the values that a schema lists, if none of them is an object or a list. */
function listedValues(schema: Node): readonly unknown[] | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (!Array.isArray(values) || values.some(isObject)) return undefined
  return values
}
