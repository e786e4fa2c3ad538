/**
 * Unions of objects that one key tells apart, such as blocks by their "kind". ajv reports the errors
 * of all branches, but only those of the branch that was meant beside its keyword `discriminator`.
 */

type Schema = Record<string, unknown>

/** Their values are data, whatever they look like. */
const DATA = ['const', 'enum', 'default', 'examples']

/** Returns the schema with discriminators. It refuses the same values as before. */
export function withDiscriminators(schema: object): object {
  // A reference to a branch would lead elsewhere; one below another `$id` is not from the root.
  const text = JSON.stringify({ ...schema, $id: undefined })
  if (/"\$ref":"[^"]*Of\/\d|"\$id":/.test(text)) return schema
  const rewrite = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map(rewrite)
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (DATA.includes(key)) return [key, value]
        const inner = rewrite(value)
        const isUnion = (key === 'anyOf' || key === 'oneOf') && Array.isArray(inner)
        return [key, isUnion ? discriminate(inner, schema) : inner]
      }),
    )
  }
  return rewrite(schema) as object
}

/** Puts the branches that a key tells apart into one branch with a discriminator. */
function discriminate(branches: Schema[], root: object): Schema[] {
  const objects = branches.filter((branch) => resolve(branch, root).type === 'object')
  const [first, ...others] = objects.map((branch) => tagsOf(resolve(branch, root)))
  const key = Object.keys(first ?? {}).find((key) => others.every((tags) => tags[key]))
  const tags = objects.flatMap((branch) => tagsOf(resolve(branch, root))[key ?? ''] ?? [])
  if (key === undefined || others.length === 0 || new Set(tags).size < tags.length) return branches
  const properties = { [key]: { enum: tags } }
  const discriminator = { propertyName: key }
  const union = { type: 'object', required: [key], properties, discriminator, oneOf: objects }
  return [...branches.filter((branch) => !objects.includes(branch)), union]
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
function tagsOf({ properties, required }: Schema): Record<string, string[]> {
  const entries = Object.entries(Object(properties)).flatMap(([key, property]) => {
    const { const: only, enum: some } = Object(property)
    const tags: unknown = only === undefined ? some : [only]
    const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && !(tag in {})
    const isRequired = Array.isArray(required) && required.includes(key)
    return isRequired && Array.isArray(tags) && tags.every(isTag) ? [[key, tags]] : []
  })
  return Object.fromEntries(entries)
}
