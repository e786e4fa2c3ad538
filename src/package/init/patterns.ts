/** Writes the files of a kind as a folder or a pattern, which takes those of tomorrow, too. Pure. */
import glob from 'fast-glob'
import type { Kind } from './kinds.ts'
import { endingOf, folderOf } from './paths.ts'

/**
 * Returns what `files` of a collection says. What lies among the files and is of another kind is left out
 * by its name.
 *
 * @param readable the names of all files that a command reads
 */
export function patternsOf({ folder, naming, files }: Kind, readable: readonly string[]): string[] {
  const [first = ''] = files.map(({ name }) => name)
  const wanted = new Set(files.map(({ name }) => name))
  const place = escapeName(folder)

  switch (naming.kind) {
    case 'one file':
      return [first]
    case 'same name': {
      const among = readable.filter((name) => {
        const rest = name.slice(folder.length)
        return name.startsWith(folder) && rest.slice(rest.indexOf('/') + 1) === naming.tail
      })
      return [
        `${place}*/${escapeName(naming.tail)}`,
        ...exclusionsOfName(folder, naming.tail, among, wanted),
      ]
    }
    case 'same end': {
      const isDeep = files.some(({ name }) => folderOf(name) !== folder)
      const below = isDeep ? '**/' : ''
      const isAmong = (name: string) => {
        return isDeep ? name.startsWith(folder) : folderOf(name) === folder
      }
      const among = readable.filter((name) => isAmong(name) && name.endsWith(naming.end))
      return [`${place}${below}*${escapeName(naming.end)}`, ...exclusions(among, wanted)]
    }
    case 'folder':
      return patternsOfFolder(folder, wanted, readable)
  }
}

function patternsOfFolder(
  folder: string,
  wanted: ReadonlySet<string>,
  readable: readonly string[],
): string[] {
  const endings = new Set([...wanted].map(endingOf))
  const among = readable.filter((name) => name.startsWith(folder))
  const isOfAll = folder !== '' && among.every((name) => endings.has(endingOf(name)))
  if (isOfAll) return [folder.slice(0, -1), ...exclusions(among, wanted, folder)]

  const ofEnding = among.filter((name) => endings.has(endingOf(name)))
  const isDeep = [...wanted].some((name) => folderOf(name) !== folder)
  const isEmptyBelow = ofEnding.every((name) => wanted.has(name) || folderOf(name) === folder)
  const below = folder !== '' && (isDeep || isEmptyBelow) ? '**/' : ''
  const matched = below === '' ? ofEnding.filter((name) => folderOf(name) === folder) : ofEnding
  return [
    `${escapeName(folder)}${below}*${anyOf([...endings])}`,
    ...exclusions(matched, wanted, folder),
  ]
}

/** Writes `.json`, or `.{yaml,yml}`. */
function anyOf(endings: readonly string[]): string {
  const [first = '', ...others] = endings
  return others.length === 0 ? first : `.{${endings.map((end) => end.slice(1)).join(',')}}`
}

/** A name that means itself in a pattern, also between braces. */
const PLAIN = /^[\w.-]+$/

/** Returns what leaves out some of the folders that have a name: `!charts/{ants,bees}/values.yaml`. */
function exclusionsOfName(
  folder: string,
  tail: string,
  among: readonly string[],
  wanted: ReadonlySet<string>,
): string[] {
  const left = among.filter((name) => !wanted.has(name))
  const steps = left.map((name) => name.slice(folder.length, -tail.length - 1))
  const arePlain = steps.length > 1 && steps.every((step) => PLAIN.test(step))
  if (!arePlain) return exclusions(among, wanted)

  return [`!${escapeName(folder)}{${steps.join(',')}}/${escapeName(tail)}`]
}

/**
 * Returns what leaves out the files that aren't wanted: each folder of which none is, and each other file.
 *
 * @param folder that they are in
 */
function exclusions(
  names: readonly string[],
  wanted: ReadonlySet<string>,
  folder?: string,
): string[] {
  const left = new Set<string>()
  const kept = new Set([...wanted].flatMap(foldersOf))
  for (const name of names) {
    if (wanted.has(name)) continue

    const outer =
      folder === undefined
        ? undefined
        : foldersOf(name).find((above) => {
            return above.startsWith(folder) && above !== folder && !kept.has(above)
          })
    left.add(`!${outer?.slice(0, -1) ?? name}`)
  }
  return [...left]
}

/** Returns the folders of a file, the outermost first. */
function foldersOf(name: string): string[] {
  const steps = folderOf(name).split('/').slice(0, -1)
  return steps.map((_, at) => `${steps.slice(0, at + 1).join('/')}/`)
}

function escapeName(name: string): string {
  return name === '' ? '' : glob.escapePath(name)
}
