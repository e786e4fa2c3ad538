/** Reads a schema from the disk, with the files that it refers to. Nothing is read from the network. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseBatch } from '../accept/parse-batch.ts'
import type { Collection } from '../collections/collection.ts'
import type { Fault } from '../fault/fault.ts'
import { onDisk } from '../machine/errors.ts'
import { draftNamed } from '../schema/drafts.ts'
import { standardMetaSchema } from '../schema/meta-schema.ts'
import type { SchemaDocument } from '../schema/resources.ts'
import { type MissingDocument, type UpgradedSchema, upgradeSchema } from '../schema/upgrade.ts'
import { sha256Of } from '../text/digest.ts'

/** One of the files of a schema. */
export interface SchemaFile {
  document: SchemaDocument
  bytes: Buffer
  /** The faults of its text. */
  faults: Fault[]
}

export interface ReadSchema {
  /** Digests all files; of a single one, it's the digest of its bytes. */
  sha256: string
  /** The schema itself, then the others. */
  files: [SchemaFile, ...SchemaFile[]]
  upgraded: UpgradedSchema
}

/** A schema has no records. */
const NO_RECORDS: Pick<Collection, 'records'> = { records: { kind: 'function', find: () => [] } }

/** @throws BuildError if there is no such file */
export function readSchemaFiles(file: string): ReadSchema {
  const uri = pathToFileURL(file).href
  const whole = onDisk(`read the schema ${file}`, () => {
    return readSchemaFile(file, file, uri)
  })

  const files: ReadSchema['files'] = [whole]
  const standards: SchemaDocument[] = []
  const tried = new Set<string>()
  for (;;) {
    const others = files.slice(1).map(({ document }) => document)
    const upgraded = upgradeSchema([whole.document, ...others, ...standards])
    const missing = upgraded.missing.filter(({ uri }) => !tried.has(uri))
    if (missing.length === 0) return { sha256: digestOf(files, file), files, upgraded }

    for (const document of missing) {
      tried.add(document.uri)
      const standard = standardDocument(document.uri)
      if (standard) standards.push(standard)
      const neighbour = standard ? undefined : readNeighbour(document, file)
      if (neighbour) files.push(neighbour)
    }
  }
}

/** Returns the standard's schema of schemas, if that is what an address names. */
function standardDocument(uri: string): SchemaDocument | undefined {
  const draft = draftNamed(uri)
  if (draft === undefined || draft === '04') return undefined
  const value = { ...standardMetaSchema(draft), $schema: uri }
  return { name: uri, file: uri, uri, value }
}

/** @returns undefined if there is no such file */
function readNeighbour({ uri, file }: MissingDocument, main: string): SchemaFile | undefined {
  if (file === undefined) return undefined

  // Addresses such as https://json.schemastore.org/feed-1 name a file without its ending.
  const places = [file, `${file}.json`].map((address) => fileURLToPath(address))
  const above = foldersAbove(main).flatMap((folder) => {
    return places.map((place) => path.join(folder, withoutRoot(place)))
  })
  const found = [...places, ...above].find((place) => {
    return fs.statSync(place, { throwIfNoEntry: false })?.isFile()
  })
  if (found === undefined) return undefined

  const folder = path.dirname(main)
  const name = path.join(folder, path.relative(folder, found))
  return onDisk(`read the schema ${name}`, () => {
    return readSchemaFile(name.split(path.sep).join('/'), path.resolve(found), uri)
  })
}

/**
 * Returns the folders that a schema is in, as far as that of the configuration, which its name begins
 * with: `"$ref": "/schema/name.json"` is meant from one of them.
 */
function foldersAbove(main: string): string[] {
  const folders: string[] = []
  let folder = path.dirname(path.isAbsolute(main) ? path.relative('', main) : main)
  while (!UPWARD.test(folder) && folder !== path.dirname(folder)) {
    folders.push(folder)
    folder = path.dirname(folder)
  }
  return [...folders, folder]
}

/** The folder of the configuration from where a command runs: `.`, `..`, `../..`. */
const UPWARD = /(?:^|[/\\])\.\.?$/

/** Returns `schema/name.json` for `/schema/name.json`. */
function withoutRoot(place: string): string {
  return path.relative(path.parse(place).root, place)
}

function readSchemaFile(name: string, place: string, uri: string): SchemaFile {
  const bytes = fs.readFileSync(place)
  const { value, faults } = parseBatch({ name, bytes }, NO_RECORDS)
  const document = { name, file: pathToFileURL(place).href, uri, value }
  // A limit such as 9223372036854775807 is meant as "very large".
  return { document, bytes, faults: faults.filter(({ code }) => code !== 'loss.number') }
}

function digestOf(files: readonly SchemaFile[], main: string): string {
  const digests = files.map(({ document, bytes }) => {
    return [wayTo(document.name, main), sha256Of(bytes)]
  })
  const [[, alone = ''] = []] = digests
  return files.length === 1 ? alone : sha256Of(JSON.stringify(digests))
}

/** Returns the way from the main file of a schema to another one: the same text on every system. */
export function wayTo(file: string, main: string, paths: typeof path.posix = path): string {
  return paths.relative(paths.dirname(main), file).split(paths.sep).join('/')
}
