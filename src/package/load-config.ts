/** Loads `manyurls.config.ts`, and finds the files of its collections. */
import fs from 'node:fs'
import path from 'node:path'
import { type BatchPlace, findPlace, patternFrom } from '../build/place.ts'
import { batchSource, type CollectionToBuild, type Source, sourceBelow } from '../build/source.ts'
import type { Collection } from '../collections/collection.ts'
import { takeConfig } from '../collections/take-config.ts'
import type { Terminal } from '../command/terminal.ts'
import { wordsOfCollection } from '../explain/words.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { reasonOf } from '../text/thrown.ts'
import { show } from '../text/wording.ts'

/** What is said of an import that is neither a relative nor an absolute path: `Cannot find module '@/rules'`. */
const MISSING_BY_NAME = /^Cannot find (?:module|package) '[^./]/

/** An alias looks like the name of a package, so both are possible. */
const HINT_OF_NAME =
  'A package must be installed. An alias from "paths" in a tsconfig.json isn\'t read: import the file by its relative path'

export interface Config {
  /** The folder of the file, as messages spell it: names of files are relative to it. */
  folder: string
  /** The name of the file in its folder. */
  name: string
  collections: Collection[]
}

/**
 * @param file of the configuration
 * @throws BuildError in one line
 */
export async function loadConfig(file: string, { load }: Pick<Terminal, 'load'>): Promise<Config> {
  const name = path.relative('', file)
  const folder = path.dirname(name)
  onDisk(`read ${name}`, () => fs.readFileSync(file))

  const exported = await load(file).catch((error) => {
    const reason = reasonOf(error)
    if (!MISSING_BY_NAME.test(reason)) throw new BuildError(`${name} cannot be loaded: ${reason}`)

    const [missing] = reason.split(' Require stack:')
    throw new BuildError(`${name} cannot be loaded: ${missing}. ${HINT_OF_NAME}`)
  })

  try {
    return { folder, name: path.basename(file), collections: takeConfig(exported, folder) }
  } catch (error) {
    if (error instanceof BuildError) throw new BuildError(`${name} ${error.message}`)
    throw error
  }
}

/**
 * Finds the files of a collection.
 *
 * @param out the folder of the datasets, which nobody delivers
 * @param config the name of the configuration
 * @param fix the command that fixes files, as people type it
 * @throws BuildError in one line if there are none
 */
export function sourceOf(
  collection: Collection,
  { folder, config, out, fix }: { folder: string; config: string; out: string; fix: string },
): CollectionToBuild {
  const { name, files } = collection
  const placeWords = {
    folder: 'folder',
    nothing: `no files found for ${show(name)}`,
    hint: `correct the "files" of ${show(name)}`,
  }
  const place = withoutFolder(findPlace(files, folder, placeWords), out)
  const way = path.relative(folder, place.folder).split(path.sep).join('/')

  const source = sourceBelow(batchSource(place, collection), way)
  return { collection, source, words: wordsOfCollection(collection, { fix, config }) }
}

/** Leaves out a folder, if it is in a place. */
function withoutFolder(place: BatchPlace, folder: string): BatchPlace {
  const way = path.relative(place.root, folder)
  const isOutside = way === '' || way.split(path.sep)[0] === '..' || path.isAbsolute(way)
  if (isOutside) return place

  const pattern = patternFrom(place.root, { folder, pattern: '**' })
  return { ...place, leftOut: [...place.leftOut, pattern] }
}

/** @throws BuildError if two collections read the same records of one file */
export async function refuseSameRecords(collections: readonly CollectionToBuild[]): Promise<void> {
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
