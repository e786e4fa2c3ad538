/** Selects what is shown of a repository: all, or what the command line names. */
import fs from 'node:fs'
import path from 'node:path'
import type { CollectionToBuild } from '../build/source.ts'
import type { Collection } from '../collections/collection.ts'
import type { Problem } from '../explain/problem.ts'
import { areaOf, NOT_CHECKED, OF_CONFIG } from '../fault/codes.ts'
import type { AnyCode } from '../fault/facts.ts'
import { BuildError } from '../machine/errors.ts'
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'
import { namesOf } from './load-config.ts'
import type { Options } from './options.ts'

/**
 * Returns the collections to read: with --records one, for a build all, and otherwise those that are
 * named. If one of them refers to others, or a file is named, all are read.
 *
 * @throws BuildError unless one collection is meant with --records
 */
export function collectionsToRead(
  collections: readonly Collection[],
  { named, records, task }: Pick<Options, 'named' | 'records' | 'task'>,
): readonly Collection[] {
  if (records !== undefined) return [collectionOfRecords(collections, named)]
  if (task === 'build' || named.length === 0) return collections

  const wanted = collections.filter(({ name }) => named.includes(name))
  const isOther = (name: string) => !collections.some((collection) => collection.name === name)
  const refersToOthers = wanted.some(({ references }) => references !== undefined)
  return named.some(isOther) || refersToOthers ? collections : wanted
}

/** Returns the named collection; without a name, the pages or the only one. */
function collectionOfRecords(
  collections: readonly Collection[],
  [named]: readonly string[],
): Collection {
  const [only] = collections
  const pages = collections.find((collection) => collection.pages !== undefined)
  const meant = pages ?? (collections.length === 1 ? only : undefined)
  if (named === undefined && meant) return meant

  const collection = collections.find(({ name }) => name === named)
  if (collection) return collection

  const names = collections.map(({ name }) => show(name)).join(', ')
  throw new BuildError(`--records needs the name of a collection: ${names}`)
}

/** Some collections, and what is in some files of any collection. Undefined means all. */
export type Selection = NamedSelection | undefined

export interface NamedSelection {
  collections: ReadonlySet<string>
  /** Files of any collection, by their names relative to the configuration. */
  files: ReadonlySet<string>
  /** The other arguments, which match no file of a collection. */
  foreign: ReadonlySet<string>
}

/**
 * Finds out which collections and files are meant.
 *
 * @param named what was typed: names of collections, and paths of files and folders
 * @param folder of the configuration
 * @throws BuildError if a name is neither a collection nor a file
 */
export async function selectionOf(
  named: readonly string[],
  sources: readonly CollectionToBuild[],
  folder: string,
): Promise<Selection> {
  if (named.length === 0) return undefined

  const names = sources.map(({ collection }) => collection.name)
  const collections = new Set(named.filter((name) => names.includes(name)))
  const others = named.filter((name) => !names.includes(name))

  const missing = others.find((name) => !fs.existsSync(name))
  if (missing !== undefined) throw unknownName(missing, names)

  const files = new Set<string>()
  const foreign = new Set<string>()
  const delivered = others.length > 0 ? await allNames(sources) : []
  for (const name of others) {
    const place = nameOfFile(name, folder)
    const within = delivered.filter((file) => isWithin(file, place))
    if (within.length === 0) foreign.add(name)

    for (const file of within) files.add(file)
  }
  return { collections, files, foreign }
}

function unknownName(name: string, known: readonly string[]): BuildError {
  const [near] = nearest(name, known)
  const hint =
    near === undefined
      ? `the collections are ${known.map(show).join(', ')}`
      : `do you mean ${show(near)}?`

  return new BuildError(`there is no collection and no file ${show(name)}; ${hint}`)
}

/** Returns the names of all files of some collections. */
async function allNames(sources: readonly CollectionToBuild[]): Promise<string[]> {
  const names = await Promise.all(sources.map(({ source }) => namesOf(source)))
  return names.flat()
}

/** Whether a file is a place, or is in it. The folder of the configuration is ''. */
function isWithin(file: string, place: string): boolean {
  return place === '' || file === place || file.startsWith(`${place}/`)
}

/** Names a file or a folder as collections name their files. */
function nameOfFile(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).join('/').normalize('NFC')
}

/** Whether somebody has named a file or a folder, of a collection or not. */
export function namesFiles({ files, foreign }: NamedSelection): boolean {
  return files.size > 0 || foreign.size > 0
}

/** Whether everything of a collection is shown. */
export function isShown(selection: Selection, collection: string): boolean {
  return selection === undefined || selection.collections.has(collection)
}

/**
 * Returns the problems that are shown: those with a place in a named file and, for a collection with
 * such a file, what is wrong in its configuration, and what its schema and its references don't check.
 *
 * @param read the files of the collection
 */
export function shownProblems(
  problems: readonly Problem[],
  selection: Selection,
  collection: string,
  read: readonly { file: string }[],
): readonly Problem[] {
  if (!selection || isShown(selection, collection)) return problems

  const { files } = selection
  const hasNamed = read.some(({ file }) => files.has(file))
  return problems.filter(({ batch, other, code }) => {
    const isOfFile = files.has(batch) || (other !== undefined && files.has(other.batch))
    return isOfFile || (hasNamed && isOfCollection(code))
  })
}

/** Whether a code is about a whole collection or its schema, not about one file. */
function isOfCollection(code: AnyCode): boolean {
  return [...NOT_CHECKED, ...OF_CONFIG].includes(code) || areaOf(code) === 'schema-file'
}
