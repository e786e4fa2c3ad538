/**
 * Unions of objects that one key tells apart, such as blocks by their "kind". ajv reports the errors
 * of all branches. With its keyword `discriminator`, it reports only those of the branch that was
 * meant.
 */

type Schema = Record<string, unknown>

/** Their values are data, whatever they look like. */
const DATA = ['const', 'enum', 'default', 'examples']

/** The keys of their values are names. */
const NAMED = ['properties', 'patternProperties', '$defs', 'dependentSchemas']

/**
 * Returns the schema with discriminators. It refuses the same values as before. A key tells branches
 * apart if each is an object, or refers to one in `$defs`, and requires the key to be one of its
 * own texts (`const` or `enum`).
 *
 * @throws Error if there is a discriminator already, which is not in JSON Schema
 */
export function withDiscriminators(schema: object): object {
  const text = JSON.stringify({ ...schema, $id: undefined })
  // References to a branch would lead elsewhere. Those below another `$id` do not start at the root.
  const isFixed = /"\$ref":"[^"]*(?:Of\/\d|%)|"\$id":/.test(text)
  const rewrite = (node: unknown, isNamed: boolean): unknown => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((each) => rewrite(each, false))
    const isObject = (node as Schema).type === 'object'
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (isNamed) return [key, rewrite(value, false)]
        if (key === 'discriminator') throw new Error(`unknown keyword: "${key}"`)
        // Of contains, only its own error is reported.
        if (DATA.includes(key) || key === 'contains') return [key, value]
        const inner = rewrite(value, NAMED.includes(key))
        const isUnion = (key === 'anyOf' || key === 'oneOf') && Array.isArray(inner) && !isFixed
        return [key, isUnion ? discriminate(inner, schema, isObject) : inner]
      }),
    )
  }
  return rewrite(schema, false) as object
}

/**
 * Puts the branches that a key tells apart into one branch with a discriminator.
 *
 * @param isObject whether the value of the union can only be an object
 */
function discriminate(branches: Schema[], root: object, isObject: boolean): Schema[] {
  const tagged = branches.flatMap((branch) => {
    const { type = isObject ? 'object' : undefined, nullable, ...rest } = resolve(branch, root)
    return type === 'object' && nullable !== true ? [{ branch, tags: tagsOf(rest) }] : []
  })
  const [first, ...others] = tagged.map(({ tags }) => tags)
  const key = [...(first?.keys() ?? [])].find((key) => others.every((tags) => tags.has(key)))
  if (key === undefined || others.length === 0) return branches
  const tags = tagged.flatMap((each) => each.tags.get(key) ?? [])
  if (new Set(tags).size < tags.length) return branches
  const oneOf = tagged.map(({ branch }) => branch)
  const union = { type: 'object', discriminator: { propertyName: key, tags }, oneOf }
  return [...branches.filter((branch) => !oneOf.includes(branch)), union]
}

/** Follows a `$ref` to a place in the same schema, as ajv does for a discriminator. */
function resolve(branch: Schema, root: object): Schema {
  const { $ref } = branch
  if (typeof $ref !== 'string' || !/^#(?:\/[\w$-]+)+$/.test($ref)) return branch
  const [, ...keys] = $ref.split('/')
  const found = keys.reduce<unknown>((node, key) => Object(node)[key], root)
  return Object.keys(branch).length > 1 ? branch : Object(found)
}

/** The texts that each required key of a branch may have. ajv knows no other tags. */
function tagsOf({ properties, required }: Schema): Map<string, string[]> {
  const entries = Object.entries(Object(properties)).flatMap(([key, property]) => {
    const { const: only, enum: some } = Object(property)
    const tags: unknown = only === undefined ? some : [only]
    const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && !(tag in {})
    const isRequired = Array.isArray(required) && required.includes(key)
    return isRequired && Array.isArray(tags) && tags.every(isTag) ? [[key, tags] as const] : []
  })
  return new Map(entries)
}
