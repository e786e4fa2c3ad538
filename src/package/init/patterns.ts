/** Writes a set of files as the shortest patterns that match them, and nothing else. Pure. */
import glob from 'fast-glob'
import { groupBy } from '../../machine/group-by.ts'

/** How many files are named one by one. */
const MOST_NAMED = 12

/** How many files are left out by name. */
const MOST_LEFT_OUT = 5

/**
 * Returns what `files` of a collection says.
 *
 * @param wanted the names of files, at least one
 * @param names of all files that a pattern could match
 * @returns none if they are mixed with too many others
 */
export function patternsOf(wanted: readonly string[], names: readonly string[]): string[] {
  const [first = ''] = wanted
  if (wanted.length === 1) return [first]

  const byExtension = groupBy(wanted, extensionOf)
  if (byExtension.size > 1) {
    return [...byExtension.values()].flatMap((group) => patternsOf(group, names))
  }

  const isWanted = new Set(wanted)
  const others = names.filter((name) => !isWanted.has(name))
  const candidates = candidatesFor(wanted).map((pattern) => {
    return { pattern, unwanted: others.filter((name) => matches(name, pattern)) }
  })
  const exact = candidates.find(({ unwanted }) => unwanted.length === 0)
  if (exact) return [toGlob(exact.pattern)]

  for (const { pattern, unwanted } of candidates) {
    if (unwanted.length <= MOST_LEFT_OUT)
      return [toGlob(pattern), ...unwanted.map((name) => `!${name}`)]
  }
  return wanted.length <= MOST_NAMED ? [...wanted] : []
}

/** A pattern of file names, such as `data/*` + `/` + `*.json`. */
interface Pattern {
  /** The folder that all files are in, with a slash at its end; empty for the root. */
  folder: string
  /** Whether the files are in the folder, in those right in it, or at any depth. */
  below: '' | '*/' | '**/'
  /** The beginning and the end of their names; the whole name if `end` is undefined. */
  start: string
  end: string | undefined
}

/** Returns the patterns that match all wanted files, the narrowest first. */
function candidatesFor(wanted: readonly string[]): Pattern[] {
  const folder = commonFolder(wanted)
  const depths = new Set(wanted.map((name) => name.slice(folder.length).split('/').length))
  const [depth = 1] = depths
  let below: Pattern['below'] = '**/'
  if (depths.size === 1 && depth === 1) below = ''
  if (depths.size === 1 && depth === 2) below = '*/'

  const baseNames = new Set(wanted.map(baseName))
  const [only = ''] = baseNames
  if (baseNames.size === 1) return [{ folder, below, start: only, end: undefined }]

  const whole: Pattern = { folder, below, start: '', end: extensionOf(only) }
  const start = commonStart([...baseNames])
  const end = commonEnd([...baseNames])
  return [whole, { ...whole, start }, { ...whole, end }]
}

function matches(name: string, { folder, below, start, end }: Pattern): boolean {
  if (!name.startsWith(folder)) return false

  const steps = name.slice(folder.length).split('/')
  const isAtDepth = below === '**/' || steps.length === (below === '' ? 1 : 2)
  const base = steps.at(-1) ?? ''
  if (end === undefined) return isAtDepth && base === start
  return isAtDepth && base.startsWith(start) && base.endsWith(end)
}

function toGlob({ folder, below, start, end }: Pattern): string {
  const base = end === undefined ? escapeName(start) : `${escapeName(start)}*${escapeName(end)}`
  return `${escapeName(folder)}${below}${base}`
}

function escapeName(name: string): string {
  return name === '' ? '' : glob.escapePath(name)
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Returns the folder of a file, with a slash at its end; empty for the root. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

/** Returns the end of a name, from its last dot. */
export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.'))
}

/** Returns the folder that all files are in, with a slash at its end; empty for the root. */
export function commonFolder(names: readonly string[]): string {
  const [first = ''] = names
  let folder = folderOf(first)
  while (!names.every((name) => name.startsWith(folder))) folder = folderOf(folder.slice(0, -1))
  return folder
}

/** What ends a word of a name, such as the dash in `batch-01.json`. */
const WORD_END = /^.*[-_.]/

/** Returns the words that all names begin with, such as `batch-`. */
function commonStart(names: readonly string[]): string {
  const [first = ''] = names
  let length = first.length
  while (!names.every((name) => name.startsWith(first.slice(0, length)))) length--
  return WORD_END.exec(first.slice(0, length))?.[0] ?? ''
}

/** What begins a word at the end of a name, such as the dot in `fr.names.json`. */
const WORD_START = /[-_.].*$/

/** Returns the words that all names end with, such as `.names.json`. */
function commonEnd(names: readonly string[]): string {
  const [first = ''] = names
  let length = first.length
  while (!names.every((name) => name.endsWith(first.slice(first.length - length)))) length--
  return WORD_START.exec(first.slice(first.length - length))?.[0] ?? ''
}
