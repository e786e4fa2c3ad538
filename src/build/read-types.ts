/**
 * Makes the types of a dataset, or reuses those of the last build. They are in two files:
 *
 * - `things.d.ts` has the types of the items. Any module of TypeScript can import them, as `./things.js`.
 * - `things.d.json.ts` is what TypeScript reads for an import of `things.json`, so that it never infers a
 *   type from the data. With Node's own settings, a module may not import named types from there.
 */
import path from 'node:path'
import type { Collection } from '../collections/collection.ts'
import { BuildError, messageOf, missingPackage } from '../machine/errors.ts'
import { FIELD_TYPES } from '../page/form-fields.ts'
import { type Node, schemasIn } from '../schema/schemas-in.ts'
import { show } from '../text/wording.ts'
import type { Cache } from './disk/cache.ts'
import { type Declaration, generateTypes } from './generate-types.ts'
import type { Schemas } from './read-schemas.ts'
import { type RecordPlaces, recordSchema, type TypeSchema } from './record-type.ts'

/**
 * Returns the types of the items. What a record is, the schema says at the places where
 * records were found, or it's the schema of a record. If no batch has a record, one is an object with
 * any keys; but where a file must be a list of records, the schema says it without any.
 */
export async function readTypes(
  schemas: Schemas,
  places: RecordPlaces,
  collection: Collection,
  cache: Cache,
): Promise<string> {
  const schema = joinedSchema(schemas.roots)
  const record = recordOf(schema, places, collection)
  const declaration = declarationOf(collection, schemas)

  const key = `${declaration.head} ${declaration.rest} ${JSON.stringify(record)}`
  const types = cache.get<string>('types', key)
  if (types !== undefined) return types

  try {
    return cache.add('types', key, await generateTypes(schema, record, declaration))
  } catch (error) {
    if (missingPackage(error) !== undefined) throw error
    const reason = messageOf(error).replaceAll('\n', ' ')
    throw new BuildError(`the types of the dataset cannot be made: ${reason}`)
  }
}

/**
 * Returns the types of an import of a dataset.
 *
 * @param dataset the name of its file, such as "things.json"
 */
export function importTypesOf({ id, pages }: Collection, dataset: string): string {
  const item = pages ? 'Page' : 'Item'
  const items = 'key' in id ? `readonly ${item}[]` : `{ readonly [id: string]: ${item} }`
  const module = `'./${path.basename(dataset, '.json')}.js'`

  return `${MADE_BY} Do not edit. TypeScript reads this file for an import of ${dataset}.
import type { ${item} } from ${module}

export type * from ${module}
declare const items: ${items}
export default items
`
}

/** Returns the schema of a file: the only one, or a choice of several. */
function joinedSchema(roots: readonly Node[]): Node {
  const [only, ...others] = roots
  if (only === undefined) return {}
  if (others.length === 0) return only

  const schemas = roots.map((root, at) => movedTo(`schema${at}`, root))
  return {
    anyOf: schemas.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(schemas),
  }
}

/** Returns a schema whose references lead to where it is among the definitions of another one. */
function movedTo(name: string, root: Node): [name: string, schema: Node] {
  const schema = structuredClone(root)
  for (const [, node] of schemasIn(schema)) {
    if (typeof node.$ref === 'string') node.$ref = `#/$defs/${name}${node.$ref.slice(1)}`
  }
  return [name, schema]
}

/** Returns the schema of a record; undefined if it isn't known. */
function recordOf(
  schema: Node,
  places: RecordPlaces,
  { schema: use }: Collection,
): TypeSchema | undefined {
  if (use.kind === 'none') return undefined
  if (use.kind === 'record') return recordSchema(schema, { accepted: [[]], refused: [] })

  return recordSchema(schema, places)
}

function declarationOf({ name, pages }: Collection, { sha256 }: Schemas): Declaration {
  const digest = sha256 === null ? 'There is no schema.' : `Schema: sha256 ${sha256}`
  const toEdit =
    sha256 === null ? '' : `; edit the schema of ${pages ? 'a batch' : show(name)} instead`
  const head = `${MADE_BY} Do not edit${toEdit}.\n// ${digest}`
  if (!pages) {
    return {
      head: `${head}\n`,
      names: { file: 'File', record: 'Item' },
      rest: '',
    }
  }

  const isMade = pages.page !== undefined
  return {
    head: `${head}${isMade ? '; pages by content.ts' : ''}\n`,
    names: { file: 'Batch', record: 'Delivered' },
    rest: isMade ? MADE_PAGE : 'export type Page = Delivered',
  }
}

/** How the types of a dataset begin: see `findForeign`. */
const MADE_BY = '// Made by ManyURLs.'

/** Repeats the type `SitePage`: the types of a dataset import nothing. */
const MADE_PAGE = `/** What \`content.page\` makes of a record. */
export interface Made {
  path: string
  title: string
  contentHtml: string
  form?: {
    fields: {
      name: string
      label: string
      type: ${Object.keys(FIELD_TYPES).map(show).join(' | ')}
      placeholder?: string
      required: boolean
      options?: string[]
    }[]
  } | null
  language?: string
  updatedAt?: string
}
/** A record with what was made of it. Each kind of a union keeps its own keys. */
type WithMade<T> = T extends unknown
  ? { [Key in keyof T as Key extends keyof Made ? never : Key]: T[Key] } & Made
  : never
export type Page = WithMade<Delivered>`
