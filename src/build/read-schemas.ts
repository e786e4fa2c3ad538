/** Reads the schemas of a collection: one, several that its files name, or none. */
import path from 'node:path'
import glob from 'fast-glob'
import type { NamedSchema, SchemaChoice } from '../accept/schema-choice.ts'
import type { SchemaUse } from '../collections/collection.ts'
import type { Problem } from '../explain/problem.ts'
import { BuildError } from '../machine/errors.ts'
import type { Node } from '../schema/schemas-in.ts'
import { sha256Of } from '../text/digest.ts'
import type { Schema, SchemaReader } from './read-schema.ts'

export interface Schemas {
  choice: SchemaChoice
  /** Digests all of them; null if there are none. */
  sha256: string | null
  /** The schemas themselves, for types. */
  roots: readonly Node[]
  warnings: Problem[]
}

/** @throws BuildError if a file isn't there, SchemaError if it can't be used */
export async function readSchemas(use: SchemaUse, reader: SchemaReader): Promise<Schemas> {
  if (use.kind === 'none') return { choice: use, sha256: null, roots: [], warnings: [] }
  if (use.kind === 'named') return readNamed(use, reader)

  const schema = await reader(use.file)
  const { sha256, root, warnings } = schema
  return { choice: { kind: use.kind, schema }, sha256, roots: [root], warnings }
}

/** Returns the files of the schemas, without those that they refer to. */
export async function schemaFilesOf(use: SchemaUse): Promise<string[]> {
  if (use.kind === 'none') return []
  if (use.kind !== 'named') return [use.file]

  const names = await findSchemas(use.files, use.folder)
  return names.map((name) => path.join(use.folder, name))
}

async function readNamed(
  { files, folder }: Extract<SchemaUse, { kind: 'named' }>,
  reader: SchemaReader,
): Promise<Schemas> {
  const names = await findSchemas(files, folder)

  const schemas: (NamedSchema & { schema: Schema })[] = []
  for (const name of names) {
    const schema = await reader(path.join(folder, name))
    schemas.push({ name, id: schema.id, schema })
  }

  const digests = schemas.map(({ name, schema }) => [name, schema.sha256])
  return {
    choice: { kind: 'named', schemas },
    sha256: sha256Of(JSON.stringify(digests)),
    roots: schemas.map(({ schema }) => schema.root),
    warnings: schemas.flatMap(({ schema }) => schema.warnings),
  }
}

/** Returns the names of schemas from a folder, in order. */
async function findSchemas(files: readonly string[], folder: string): Promise<string[]> {
  const ignore = ['**/node_modules/**']
  for (const file of files) {
    const isThere = file.startsWith('!') || (await glob(file, { cwd: folder, ignore })).length > 0
    if (!isThere) throw new BuildError(`there is no schema ${path.join(folder, file)}`)
  }
  const names = await glob([...files], { cwd: folder, ignore })
  return names.sort()
}
