/** Loads the configuration, and finds the files of its collections. */
import fs from 'node:fs'
import path from 'node:path'
import { type BatchPlace, findNamedPlace, findPlace } from '../build/place.ts'
import { batchSource, type CollectionToBuild, type Source } from '../build/source.ts'
import type { Collection } from '../collections/collection.ts'
import { takeConfig, takeSite } from '../collections/take-config.ts'
import { wordsOf } from '../explain/words.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { reasonOf } from '../text/thrown.ts'
import { show } from '../text/wording.ts'
import type { Options } from './options.ts'
import type { Command, Terminal } from './terminal.ts'

/** The error for an import that is neither a relative nor an absolute path: `Cannot find module '@/rules'`. */
const MISSING_BY_NAME = /^Cannot find (?:module|package) '[^./]/

/** An alias looks like the name of a package, so both are possible. */
const HINT_OF_NAME =
  'A package must be installed. An alias from "paths" in a tsconfig.json isn\'t read: import the file by its relative path'

export interface Config {
  /** The file, as messages spell it. */
  file: string
  /** The folder that names of files are relative to, as messages spell it. */
  folder: string
  collections: Collection[]
}

/**
 * @param named what `--config` names
 * @throws BuildError in one line
 */
export async function loadConfig(
  named: string | undefined,
  { command, load }: Pick<Terminal, 'command' | 'load'>,
): Promise<Config> {
  const whole = named ?? command.config
  if (whole === undefined) throw new BuildError(command.withoutConfig)

  const file = path.relative('', whole)
  onDisk(`read ${file} (--config names another)`, () => fs.readFileSync(file))

  const exported = await load(path.resolve(file)).catch((error) => {
    throw new BuildError(`${file} cannot be loaded: ${explainLoading(error)}`)
  })

  // A site is in the folder in which npm runs its scripts.
  const folder = command.isSite ? '.' : path.dirname(file)
  const take = command.isSite ? takeSite : takeConfig
  try {
    return { file, folder, collections: take(exported, folder) }
  } catch (error) {
    if (error instanceof BuildError) throw new BuildError(`${file} ${error.message}`)
    throw error
  }
}

function explainLoading(error: unknown): string {
  const reason = reasonOf(error)
  if (!MISSING_BY_NAME.test(reason)) return reason

  const [missing] = reason.split(' Require stack:')
  return `${missing}. ${HINT_OF_NAME}`
}

/** Collections, and where they are. */
export interface OpenCollections {
  /** The folder that names of files are relative to, as messages spell it. */
  folder: string
  /** The folder of the datasets. */
  out: string
  collections: readonly CollectionToBuild[]
}

/** The options that name files instead of the configuration. */
type Places = Partial<Pick<Options, 'batches' | 'schema' | 'out' | 'records'>>

/**
 * Finds the files of collections.
 *
 * @param wanted some collections of the configuration, or all
 * @throws BuildError in one line if there are none, or if an option is about another number of collections
 */
export async function openCollections(
  config: Config,
  wanted: readonly Collection[],
  places: Places,
  command: Command,
): Promise<OpenCollections> {
  const { batches, schema, records } = places
  if (batches !== undefined) refuseSeveral(wanted, '--batches')
  if (schema !== undefined) refuseSeveral(wanted, '--schema')

  const out = places.out ?? path.join(config.folder, command.out)
  const leftOut = records === undefined ? [out] : [out, records]
  const collections = wanted.map((collection) => {
    const place =
      batches === undefined
        ? placeOfConfig(collection, config, leftOut)
        : findNamedPlace(batches, { leftOut })
    return open(withSchema(collection, schema), place, { config, fix: command.fix })
  })

  await refuseSameRecords(collections)
  const folder = collections[0]?.folder ?? config.folder
  return { folder: folder === '.' ? '' : folder, out, collections }
}

/** Where the configuration says that the files of a collection are. */
function placeOfConfig(
  { name, files }: Collection,
  { folder }: Config,
  leftOut: readonly string[],
): BatchPlace {
  const words = {
    folder: 'folder',
    nothing: `no files found for ${show(name)}`,
    hint: `correct the "files" of ${show(name)}`,
  }
  return findPlace(files, { base: folder, words, leftOut })
}

/** @throws BuildError unless there is only one collection, which an option is about */
function refuseSeveral(collections: readonly Collection[], option: string): void {
  if (collections.length === 1) return

  const names = collections.map(({ name }) => show(name)).join(', ')
  throw new BuildError(`${option} is about one collection, but there are ${names}`)
}

/** Returns a collection with the schema that an option names, if it does. */
function withSchema(collection: Collection, file: string | undefined): Collection {
  if (file === undefined) return collection

  const kind = collection.schema.kind === 'record' ? 'record' : 'file'
  return { ...collection, schema: { kind, file } }
}

/** What is needed to open a collection, besides its files. */
interface Opening {
  config: Config
  /** The command that makes the fixes, as messages name it. */
  fix: string
}

function open(
  collection: Collection,
  place: BatchPlace,
  { config, fix }: Opening,
): CollectionToBuild & { folder: string } {
  const { folder } = place
  const way = path.relative(folder, place.commonFolder).split(path.sep).join('/').normalize('NFC')
  const hiddenPrefix = collection.pages && way !== '' ? `${way}/` : ''

  return {
    folder,
    collection: { ...collection, hiddenPrefix },
    source: batchSource(place, collection),
    words: wordsOf(collection, { fix, config: path.relative(folder, config.file) }),
  }
}

/** @throws BuildError if two collections read the same records of one file */
async function refuseSameRecords(collections: readonly CollectionToBuild[]): Promise<void> {
  const readers = new Map<string, string>()

  for (const { collection, source } of collections) {
    const place = placeOfRecords(collection)

    for (const file of await namesOf(source)) {
      const key = JSON.stringify([file, place])
      const other = readers.get(key)
      if (other !== undefined) {
        throw new BuildError(
          `the collections ${show(other)} and ${show(collection.name)} both read the records of ${file}; correct "files" or "records" of one of them`,
        )
      }
      readers.set(key, collection.name)
    }
  }
}

export async function namesOf(source: Source): Promise<string[]> {
  const { all } = await source.list()
  return all
}

/** Names the place of the records in a file. What a function finds is only known when it's called. */
function placeOfRecords({ name, records }: Collection): string {
  if (records.kind === 'key') return `under ${records.key}`
  return records.kind === 'file' ? 'the file' : `by a function of ${name}`
}
