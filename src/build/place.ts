/** Finds out where batches are: what a user names becomes a folder and patterns. */
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { formatOf } from '../formats/formats.ts'
import { BuildError } from '../machine/errors.ts'

/** Where batches are: all of a folder, or some files in it. */
export interface BatchPlace {
  /** The names of batches are relative to it. As the user spells it, without a slash at its end. */
  folder: string
  /** The folder that all patterns are relative to: `folder`, or one above it that an exclusion needs. */
  root: string
  /** Patterns of fast-glob; undefined for all that is in the folder. */
  patterns: readonly string[] | undefined
  /** What the user leaves out, as text and as a pattern. */
  exclusions: readonly { text: string; pattern: string }[]
  /** Patterns of what is left out besides. */
  leftOut: readonly string[]
  /** The folders that are read as a whole. */
  folders: readonly string[]
  /** What the user has named, for messages. */
  named: readonly string[]
  words: PlaceWords
}

/** What messages say of a place. */
export interface PlaceWords {
  /** What a folder of it is called. */
  folder: string
  /** What is said if nothing is there. */
  nothing: string
  /** What to do if there is no such file. */
  hint: string
}

/** Every file and folder. The `*` of fast-glob matches a name only if no line break begins it. */
export const ALL = ['**/*', '**/[\n\r\u2028\u2029]*']

/**
 * Finds out where batches are.
 *
 * @param named files, folders and patterns (globs); what begins with `!` is left out: `*.json`,
 *   `!package*.json`
 * @param base the folder that they are relative to, as messages spell it
 * @throws BuildError in one line if there is none, or only such that are left out
 */
export function findPlace(
  named: readonly string[],
  base = '.',
  words: PlaceWords = OF_A_SITE,
): BatchPlace {
  const parts = named.filter((text) => !isExclusion(text)).map((text) => partOf(text, base))
  if (parts.length === 0)
    throw new BuildError(
      'no batches are named; use --batches to name a file, a folder or a pattern',
    )

  const excluded = named.filter(isExclusion).map((text) => ({
    text,
    part: partOf(text.slice(1), base),
  }))
  const folder = commonFolder(parts.map((part) => part.folder))
  const root = commonFolder([folder, ...excluded.map(({ part }) => part.folder)])

  const isOneFolder = parts.length === 1 && parts[0]?.pattern === undefined
  const patterns = parts.flatMap((part) => {
    const wanted = part.pattern === undefined ? ALL : [part.pattern]
    return wanted.map((pattern) => patternFrom(root, { ...part, pattern }))
  })

  return {
    folder,
    root,
    patterns: isOneFolder ? undefined : patterns,
    exclusions: excluded.map(({ text, part }) => ({ text, pattern: patternFrom(root, part) })),
    leftOut: [],
    folders: parts.filter(({ pattern }) => pattern === undefined).map((part) => part.folder),
    named,
    words,
  }
}

const OF_A_SITE: PlaceWords = {
  folder: 'batch folder',
  nothing: 'no batches found',
  hint: 'name another one with --batches',
}

function isExclusion(text: string): boolean {
  return text.startsWith('!')
}

/** A folder and the pattern of the files in it; undefined for all of them. */
interface Part {
  folder: string
  pattern: string | undefined
}

/** Returns the pattern of a part from a folder that it's in. */
export function patternFrom(root: string, { folder, pattern = '**' }: Part): string {
  const way = path.relative(root, folder)
  return way === '' ? pattern : `${toPattern(way)}/${pattern}`
}

function partOf(text: string, base: string): Part {
  // A name with a `..` after a `**` must stay as it is.
  const place = base === '.' || path.isAbsolute(text) ? text : path.join(base, text)
  return splitPlace(withoutEndSlash(place))
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

/** Divides a place, as somebody names it. */
function splitPlace(place: string): Part {
  const status = statOf(place)
  if (status?.isDirectory()) return { folder: path.normalize(place), pattern: undefined }

  const isPattern = !status && PATTERN_SIGN.test(place)
  if (isPattern) return splitPattern(place)

  const isFile = status !== undefined || formatOf(place) !== undefined
  if (isFile) return { folder: path.dirname(place), pattern: toPattern(path.basename(place)) }
  return { folder: path.normalize(place), pattern: undefined }
}

/** Divides a pattern: `data` and `20*.json` of `data/20*.json`. */
export function splitPattern(place: string, paths: typeof path.posix = path): Part {
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

/** Whether a relative way leads out of a folder. */
function isOutside(way: string, { sep }: Pick<typeof path, 'sep'>): boolean {
  return way.split(sep)[0] === '..'
}
