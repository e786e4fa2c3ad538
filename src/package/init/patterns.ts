/** Writes the files of a kind as a folder or a pattern, which takes those of tomorrow, too. Pure. */
import glob from 'fast-glob'
import { groupBy } from '../../machine/group-by.ts'
import type { Kind } from './kind.ts'
import { baseName, depthOf, endingOf, folderOf, foldersFrom } from './paths.ts'

/**
 * Returns what `files` of a collection says: a pattern, and what leaves out the files of other kinds that
 * it matches.
 *
 * @param kinds all of them
 * @param readable the names of all files that a command reads
 */
export function patternsOf(
  kind: Kind,
  kinds: readonly Kind[],
  readable: readonly string[],
): string[] {
  const wanted = new Set(kind.files.map(({ name }) => name))
  const { pattern, matches } = patternOf(kind, readable)
  let others = readable.filter((name) => matches(name) && !wanted.has(name))

  // A pattern that leaves out a kind leaves out its files of tomorrow, too.
  const left: string[] = []
  for (const other of kinds) {
    if (other === kind || other.naming.kind === 'one file') continue
    const otherPattern = patternOf(other, readable)
    const isApart = !kind.files.some(({ name }) => otherPattern.matches(name))
    const inOther = others.filter(otherPattern.matches)
    if (!isApart || inOther.length === 0) continue

    left.push(`!${otherPattern.pattern}`)
    others = others.filter((name) => !otherPattern.matches(name))
  }
  // A few files among many kinds are clearer by their names.
  left.push(...exclusions(others, wanted))
  return left.length < kind.files.length ? [pattern, ...left] : [...wanted]
}

interface Pattern {
  pattern: string
  matches(name: string): boolean
}

function patternOf({ folder, naming, files }: Kind, readable: readonly string[]): Pattern {
  const [first = ''] = files.map(({ name }) => name)
  const place = escapeName(folder)
  const below = folder === '' ? '' : '**/'
  const isWithin = (name: string) =>
    folder === '' ? folderOf(name) === '' : name.startsWith(folder)

  switch (naming.kind) {
    case 'one file':
      return { pattern: first, matches: (name) => name === first }
    case 'same name': {
      const depths = new Set(files.map(({ name }) => depthOf(name)))
      const isSameDepth = depths.size === 1
      const between = isSameDepth ? '*/'.repeat(Math.max(...depths) - depthOf(folder)) : '**/'
      const matches = (name: string) => {
        const isBelow = name.startsWith(folder) && baseName(name) === naming.name
        return isBelow && (!isSameDepth || depths.has(depthOf(name)))
      }
      return { pattern: `${place}${between}${escapeName(naming.name)}`, matches }
    }
    case 'same folder': {
      const endings = [...new Set(files.map(({ name }) => endingOf(name)))]
      const matches = (name: string) => {
        const [, inner] = name.slice(folder.length).split('/')
        return name.startsWith(folder) && inner === naming.inner && endings.includes(endingOf(name))
      }
      const pattern = `${place}*/${escapeName(naming.inner)}/**/*${anyOf(endings)}`
      return { pattern, matches }
    }
    case 'same end': {
      const matches = (name: string) => isWithin(name) && name.endsWith(naming.end)
      return { pattern: `${place}${below}*${escapeName(naming.end)}`, matches }
    }
    case 'folder': {
      const endings = new Set(files.map(({ name }) => endingOf(name)))
      const isOfEnding = (name: string) => endings.has(endingOf(name))
      const isOfAll = folder !== '' && readable.filter(isWithin).every(isOfEnding)
      const pattern = isOfAll ? place.slice(0, -1) : `${place}${below}*${anyOf([...endings])}`
      return { pattern, matches: (name) => isWithin(name) && isOfEnding(name) }
    }
  }
}

/** Writes `.json`, or `.{yaml,yml}`. */
function anyOf(endings: readonly string[]): string {
  return `.${inBraces(endings.map((end) => end.slice(1)))}`
}

function inBraces(parts: readonly string[]): string {
  return parts.length === 1 ? String(parts[0]) : `{${parts.join(',')}}`
}

/** Leaves out files, and folders in which none is wanted: `!charts/{ants,bees}`. */
function exclusions(names: readonly string[], wanted: ReadonlySet<string>): string[] {
  const kept = new Set([...wanted].flatMap((name) => ['', ...foldersFrom(folderOf(name))]))
  const left = names.map((name) => {
    const folder = foldersFrom(folderOf(name)).findLast((outer) => !kept.has(outer))
    return folder?.slice(0, -1) ?? name
  })

  return [...groupBy(new Set(left), folderOf)].map(([folder, inFolder]) => {
    const parts = inFolder.map((name) => escapeName(baseName(name)))
    return `!${escapeName(folder)}${inBraces(parts)}`
  })
}

/** Escapes a name; a comma, too, which divides what is in braces. */
function escapeName(name: string): string {
  return name === '' ? '' : glob.escapePath(name).replaceAll(',', '\\,')
}
