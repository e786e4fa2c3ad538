/** Finds out where batches are: turns what a user names into a folder and patterns. */
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { formatOf } from '../formats/formats.ts'
import { BuildError } from '../machine/errors.ts'

/** Where batches are: files, folders and patterns, and what is left out of them. */
export interface BatchPlace {
  /** The names of batches are relative to it. As the user spells it, without a slash at its end. */
  folder: string
  /** The folder that all batches are in. */
  commonFolder: string
  /** The `cwd` of fast-glob: the folder that everything named is in, so that no pattern has a `..`. */
  root: string
  /** The parts that are read. */
  parts: readonly Part[]
  /** The exclusions of the user, as text and as patterns. */
  exclusions: readonly { text: string; pattern: string }[]
  /** Patterns of what the command writes. */
  leftOut: readonly string[]
  /** The places as the user typed them, for messages. */
  named: readonly string[]
  words: PlaceWords
}

/** The words of messages about a place. */
interface PlaceWords {
  /** The word for a folder. */
  folder: string
  /** The message if nothing is there. */
  nothing: string
  /** The advice if a file isn't there. */
  hint: string
}

interface PlaceOptions {
  /** The folder that files and the names of batches are relative to, as messages spell it. */
  base: string
  words: PlaceWords
  /** The folders that the command writes, as somebody typed them. */
  leftOut: readonly string[]
}

/**
 * Finds out where batches are.
 *
 * @param files files, folders and patterns (globs); what begins with `!` is left out: `*.json`,
 *   `!package*.json`
 * @throws BuildError in one line if there is none, or only such that are left out
 */
export function findPlace(
  files: readonly string[],
  { base, words, leftOut }: PlaceOptions,
): BatchPlace {
  const parts = files.filter((text) => !isExclusion(text)).map((text) => partOf(text, base))
  if (parts.length === 0)
    throw new BuildError(`${words.nothing}: all that is named is left out; ${words.hint}`)

  const excluded = files.filter(isExclusion).map((text) => ({
    text,
    part: partOf(text.slice(1), base),
  }))
  const root = commonFolder([...parts, ...excluded.map(({ part }) => part)].map(folderOf))

  return {
    folder: base,
    commonFolder: commonFolder(parts.map(folderOf)),
    root,
    parts,
    exclusions: excluded.map(({ text, part }) => ({ text, pattern: patternFrom(root, part) })),
    leftOut: foldersWithin(parts, leftOut).map((folder) => patternFrom(root, { folder })),
    named: files,
    words,
  }
}

const OF_A_SITE: PlaceWords = {
  folder: 'batch folder',
  nothing: 'no batches found',
  hint: 'name another one with --batches',
}

/**
 * Finds out where the batches are that a command line names. Their names are relative to the folder
 * that all of them are in, wherever that is: a manifest must not depend on where a machine has its files.
 */
export function findNamedPlace(
  named: readonly string[],
  { words = OF_A_SITE, leftOut = [] }: Partial<Pick<PlaceOptions, 'words' | 'leftOut'>> = {},
): BatchPlace {
  const place = findPlace(named, { base: '.', words, leftOut })
  return { ...place, folder: place.commonFolder }
}

function isExclusion(text: string): boolean {
  return text.startsWith('!')
}

/** A folder and the pattern of the files in it; without a pattern, all of them. */
export interface Part {
  folder: string
  pattern?: string
}

function folderOf({ folder }: Part): string {
  return folder
}

/** Returns the pattern of a part from a folder that it's in. */
export function patternFrom(root: string, { folder, pattern = '**' }: Part): string {
  const way = path.relative(root, folder)
  return way === '' ? pattern : `${toPattern(way)}/${pattern}`
}

/** Every file and folder. The `*` of fast-glob matches a name only if no line break begins it. */
const ALL = ['**/*', '**/[\n\r\u2028\u2029]*']

/** Returns the patterns of what a part reads, from a folder that it's in. */
export function patternsOf(root: string, { folder, pattern }: Part): string[] {
  const patterns = pattern === undefined ? ALL : [pattern]
  return patterns.map((wanted) => patternFrom(root, { folder, pattern: wanted }))
}

/** Divides a file, a folder or a pattern, as somebody names it from a folder. */
function partOf(text: string, base: string): Part {
  const place = withoutEndSlash(text)
  const whole = fileFrom(base, place)
  const status = statOf(whole)
  if (status?.isDirectory()) return { folder: whole }

  const isPattern = !status && PATTERN_SIGN.test(place)
  if (isPattern) {
    // A `..` after a `**` stays as it is.
    const { folder, pattern } = splitPattern(place)
    return { folder: fileFrom(base, folder), pattern }
  }

  const isFile = status !== undefined || formatOf(place) !== undefined
  if (isFile) return { folder: path.dirname(whole), pattern: toPattern(path.basename(whole)) }
  return { folder: whole }
}

function fileFrom(base: string, file: string): string {
  return path.isAbsolute(file) ? path.normalize(file) : path.join(base, file)
}

/** One or more slashes at the end, such as those of `data//`. */
const END_SLASH = /[/\\]+$/

/** `data` of `data/`. The root of a disk, such as `/` or `C:\`, keeps its slash. */
export function withoutEndSlash(place: string, paths: Pick<typeof path, 'parse'> = path): string {
  const { root } = paths.parse(place)
  return root + place.slice(root.length).replace(END_SLASH, '')
}

/** The signs of a pattern, such as `*.json` or `{a,b}.json`. */
const PATTERN_SIGN = /[*?{}[\]]|[@!+]\(/

/** Divides a pattern: `data` and `20*.json` of `data/20*.json`. */
export function splitPattern(place: string, paths: typeof path.posix = path): Required<Part> {
  const isWindows = paths.sep === '\\'
  const { root } = paths.parse(place)
  const steps = place
    .slice(root.length)
    .replaceAll('\\', isWindows ? '/' : '\\')
    .split('/')
  const first = steps.findIndex((step) => PATTERN_SIGN.test(step))

  const folder = paths.normalize(root + steps.slice(0, first).join('/'))
  return { folder, pattern: steps.slice(first).join('/') }
}

/** @returns undefined for what isn't there, and for a broken link; reading it reports why */
export function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file)
  } catch {
    return undefined
  }
}

/** Returns a name as a pattern that matches only this name. */
function toPattern(name: string): string {
  return glob.convertPathToPattern(name)
}

/**
 * Returns the folder that all folders are in, or are.
 *
 * @throws BuildError if they are on different drives
 */
export function commonFolder(
  [first = '.', ...rest]: readonly string[],
  paths: typeof path.posix = path,
): string {
  let common = first

  for (const folder of rest) {
    const way = paths.relative(common, folder)
    // Only Windows has several roots, and no way from one to another.
    if (paths.isAbsolute(way)) {
      throw new BuildError(
        `${first} and ${folder} are on different drives; name files of one drive`,
      )
    }

    while (isOutside(paths.relative(common, folder), paths)) common = paths.join(common, '..')
  }
  return common
}

/**
 * Returns the folders that a command writes and a pattern may match, as they're spelled from the parts.
 *
 * @throws BuildError in one line if a command would write where the files of a part are
 */
function foldersWithin(parts: readonly Part[], written: readonly string[]): string[] {
  const within: string[] = []

  for (const { folder } of parts) {
    for (const other of written) {
      // Both as it's spelled and where its links lead.
      for (const resolve of [path.resolve, resolveLinks]) {
        const way = path.relative(resolve(folder), resolve(other))
        if (way === '') {
          throw new BuildError(
            `what is written into ${other} would be read as data; name another folder`,
          )
        }
        if (!isOutside(way, path)) within.push(path.join(folder, way))
      }
    }
  }
  return within
}

/** Returns the absolute path, without links as far as it exists. */
function resolveLinks(file: string): string {
  const whole = path.resolve(file)
  try {
    return fs.realpathSync.native(whole)
  } catch {
    const parent = path.dirname(whole)
    return parent === whole ? whole : path.join(resolveLinks(parent), path.basename(whole))
  }
}

/** Whether a relative way leads out of a folder, or to another drive. */
function isOutside(way: string, paths: typeof path.posix): boolean {
  return way.split(paths.sep)[0] === '..' || paths.isAbsolute(way)
}
