/**
 * Generates the declaration of a dataset from the schema. TypeScript reads `dataset.d.json.ts` for an
 * import of `dataset.json`, so it never infers a type from the data.
 */
import { schemasIn } from '../accept/schema/vet.ts'
import { FIELD_TYPES } from '../page/form-fields.ts'
import { asObject } from '../text/as-object.ts'
import { show } from '../text/wording.ts'

/**
 * @param madeOf the schema and what makes the pages, as the file names them
 * @param isMade whether `page` in `content.ts` makes pages of the records
 */
export async function generateTypes(
  schema: object,
  madeOf: string,
  isMade: boolean,
): Promise<string> {
  const { compile } = await import('json-schema-to-typescript').catch((error) => {
    if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error
    throw new Error('its types need a development dependency that is not installed; run "npm ci"')
  })
  const hasRecord = JSON.stringify(schema).includes('"title":"Delivered"')
  // One record a file: the batch is a record.
  const isRecord = /^(?:Delivered|Page)$/.test(String(asObject(schema).title))
  const root = isRecord ? 'Delivered' : 'Batch'
  const types = await compile({ ...inItsWords(schema), title: root }, root, {
    bannerComment: '',
    // A tuple for every length that minItems and maxItems allow helps nobody.
    ignoreMinAndMaxItems: true,
    // A schema may call a record a page, which is what becomes of it.
    customName: ({ title, $id }, key) => {
      if (!/^page$/i.test(title ?? $id ?? key ?? '')) return undefined
      return hasRecord ? 'Page1' : 'Delivered'
    },
  })
  const isNamed = /^export (?:interface|type) Delivered\b/m.test(types)
  if (!isNamed && /^export interface Batch\b/m.test(types)) throw new Error(NO_RECORD)
  const other = isRecord ? 'Batch = Delivered' : 'Delivered = Batch[number]'
  const all = isNamed && !isRecord ? types : `${types}\nexport type ${other}`
  return `// Made by \`npm run build-data\`. Do not edit; edit the schema of a batch instead.
// ${madeOf}

${all.trim()}

${isMade ? MADE : 'export type Page = Delivered'}

declare const pages: readonly Page[]
export default pages
`
}

/** Says in other words what the generator takes no notice of: `prefixItems` and `$anchor`. */
function inItsWords(schema: object): object {
  const places = new Map<unknown, string>()
  for (const [at, { $anchor }] of schemasIn(schema))
    if ($anchor !== undefined) places.set(`#${$anchor}`, `#${encodeURI(at)}`)
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const { $ref, prefixItems, items = true } = asObject(value)
    if (places.has($ref)) return { ...value, $ref: places.get($ref) }
    if (!Array.isArray(prefixItems) || items === true) return value
    return { ...value, items: { anyOf: items === false ? prefixItems : [...prefixItems, items] } }
  })
}

const NO_RECORD =
  'it does not say what a record is; the schema of a record must have the title "Delivered", and not stand in "then" or "else"'

/** Repeats the type `SitePage`: the declaration of a dataset imports nothing. */
const MADE = `/** What \`page\` in src/content.ts makes of a record. */
export interface Made {
  path: string
  title: string
  contentHtml: string
  form?: { fields: Field[] } | null
  language?: string
  updatedAt?: string
}
interface Field {
  name: string
  label: string
  type: ${Object.keys(FIELD_TYPES).map(show).join(' | ')}
  placeholder?: string
  required: boolean
  options?: string[]
}
/** A record with what was made of it. Each kind of a union keeps its own keys. */
type With<Record> = Record extends unknown
  ? { [Key in keyof Record as Key extends keyof Made ? never : Key]: Record[Key] } & Made
  : never
export type Page = With<Delivered>`
