/** Finds the schema of a kind by its name. Pure. */
import { type Kind, namesOf } from './kind.ts'
import {
  isGeneral,
  isMirrored,
  isNamedAfter,
  normalize,
  type SchemaFile,
  schemaNamed,
} from './schema-names.ts'

/** A schema that is found for a kind, and why. */
export type FoundSchema =
  | { kind: 'none' }
  /** Files name one that isn't there. */
  | { kind: 'missing'; address: string }
  | { kind: 'one'; schema: SchemaFile; reason: Reason }
  /** Each file names its own. */
  | { kind: 'named'; schemas: readonly SchemaFile[] }
  /** Perhaps one of these, which only people know. */
  | { kind: 'unclear'; schemas: readonly SchemaFile[] }

type Reason = 'named' | 'same name' | 'mirrored' | 'of the folder'

const NONE: FoundSchema = { kind: 'none' }

/** Finds the schema of each kind. */
export function schemasOf(
  kinds: readonly Kind[],
  schemas: readonly SchemaFile[],
): Map<Kind, FoundSchema> {
  return new Map(kinds.map((kind) => [kind, schemaOf(kind, kinds, schemas)]))
}

function schemaOf(kind: Kind, kinds: readonly Kind[], schemas: readonly SchemaFile[]): FoundSchema {
  const byName = schemaByName(kind, schemas)
  if (byName.kind !== 'none') return byName

  const ofFolder = schemaOfFolder(kind, kinds, schemas)
  return ofFolder.kind === 'none' ? missingSchemaOf(kind) : ofFolder
}

/** An address on the web, or of any other scheme, such as `https://example.org/app.json`. */
const ADDRESS = /^[a-z][a-z\d+.-]*:/i

/** Returns what the first file names as its schema, if that is a path. */
function missingSchemaOf({ files }: Kind): FoundSchema {
  const addresses = files.flatMap(({ look }) => look?.schemaName ?? [])
  const address = addresses.find((name) => !ADDRESS.test(name))
  return address === undefined ? NONE : { kind: 'missing', address }
}

function schemaByName(kind: Kind, schemas: readonly SchemaFile[]): FoundSchema {
  const named = schemasNamedIn(kind, schemas)
  if (named.kind !== 'none') return named

  for (const name of namesOf(kind)) {
    const subject = normalize(name)
    const related = schemas.filter((schema) => isNamedAfter(schema, subject, kind.folder))
    if (related.length > 0) return closestOf(related, kind.folder, 'same name')

    const elsewhere = schemaElsewhere(name, schemas)
    if (elsewhere.kind !== 'none') return elsewhere
  }

  const mirrors = schemas.filter((schema) => {
    return kind.files.every(({ name }) => isMirrored(schema, name))
  })
  return closestOf(mirrors, kind.folder, 'mirrored')
}

/** Finds a schema of the same name in any folder of schemas, such as `lib/schemas/`. The exact name goes first. */
function schemaElsewhere(name: string, schemas: readonly SchemaFile[]): FoundSchema {
  const subject = normalize(name)
  const related = schemas.filter((schema) => {
    return schema.isInFolder && schema.subject === subject && !isGeneral(subject)
  })
  const exact = related.filter(({ word }) => word === name.toLowerCase())
  return onlyOf(exact.length > 0 ? exact : related, 'same name')
}

/** Returns the only schema; of several, only people know which is meant. */
function onlyOf(schemas: readonly SchemaFile[], reason: Reason): FoundSchema {
  const [schema] = schemas
  if (!schema) return NONE
  if (schemas.length > 1) return { kind: 'unclear', schemas }
  return { kind: 'one', schema, reason }
}

/** Returns the schemas that files name in `$schema`. */
function schemasNamedIn({ files }: Kind, schemas: readonly SchemaFile[]): FoundSchema {
  const naming = files.flatMap(({ name, look }) => {
    const address = look?.schemaName
    if (address === undefined) return []

    return schemaNamed(address, name, schemas) ?? []
  })
  const named = [...new Set(naming)]
  const [first] = named
  if (!first) return NONE

  const isUsual = 2 * naming.length > files.length
  if (!isUsual) return { kind: 'unclear', schemas: named }
  if (named.length === 1) return { kind: 'one', schema: first, reason: 'named' }

  // A comment in YAML may name a schema, but `{ named: … }` reads only data.
  const isData = files.every(({ format }) => format !== 'YAML')
  return { kind: isData ? 'named' : 'unclear', schemas: named }
}

/**
 * Returns the schema whose folder is the closest, if it's one. Of several in folders of schemas, it's the
 * one in the same folder there: `schema/v2/card.json` for `v2/cards/`, and not `schema/v1/card.json`.
 */
function closestOf(schemas: readonly SchemaFile[], folder: string, reason: Reason): FoundSchema {
  const longest = longestBy(schemas, ({ place }) => place)
  const within = longest.filter(({ place, inner }) => folder.slice(place.length).startsWith(inner))
  return onlyOf(within.length > 0 ? longestBy(within, ({ inner }) => inner) : longest, reason)
}

/** Returns the schemas of which a folder is the longest. */
function longestBy(
  schemas: readonly SchemaFile[],
  folderIn: (schema: SchemaFile) => string,
): SchemaFile[] {
  const longest = Math.max(...schemas.map((schema) => folderIn(schema).length))
  return schemas.filter((schema) => folderIn(schema).length === longest)
}

/** Returns the schema of the folder of the only kind there, if it has no name of its own: `schema.json`. */
function schemaOfFolder(
  { folder }: Kind,
  kinds: readonly Kind[],
  schemas: readonly SchemaFile[],
): FoundSchema {
  const [schema, ...more] = schemas.filter(({ place, inner, subject }) => {
    return place === folder && inner === '' && isGeneral(subject)
  })
  const isAlone = kinds.filter((other) => other.folder === folder).length === 1
  if (!schema || more.length > 0 || !isAlone) return NONE

  return { kind: 'one', schema, reason: 'of the folder' }
}
