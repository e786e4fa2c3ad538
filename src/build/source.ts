/** Where batches come from: a folder, single files, or the files that a pattern matches. */
import { constants } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import glob from 'fast-glob'
import { NOT_READ } from '../accept/codes.ts'
import { compareBatches } from '../dataset/precedence.ts'
import { EXTENSIONS, formatOf } from '../formats/formats.ts'
import { BuildError, describeSystemError, onDisk } from '../machine/errors.ts'
import { fault } from '../page/fault.ts'
import { placeIn } from '../text/place-in.ts'
import { printable } from '../text/printable.ts'
import type { FileFault } from './explainer.ts'

/**
 * A place that holds batches. Names are relative to it, with `/` as the separator, and in Unicode's
 * form NFC: disks spell é in two ways, but precedence must not depend on the disk.
 */
export interface Source {
  list(): Promise<Delivery>
  read(name: string): Promise<Buffer>
  /** The file of a batch, as the disk spells it. */
  fileOf(name: string): string
}

export interface Delivery {
  /** All batches, in any order. */
  all: Listed[]
  /** Of all batches, in bytes. */
  size: number
  /** The files and folders that are not read, and are batches or may hold some. */
  missed: FileFault[]
  /** The other files that are not read. */
  others: FileFault[]
}

interface Listed {
  name: string
  /** In bytes. */
  size: number
  /** When its content or its name last changed, in milliseconds since 1970. */
  changed: number
}

/** Where batches are: all of a folder, or some files in it. */
export interface BatchPlace {
  /** The names of batches are relative to it. As the user spells it, without a slash at its end. */
  folder: string
  /** Patterns of fast-glob, relative to the folder; undefined for all that is in it. */
  patterns: readonly string[] | undefined
  /** Patterns of what is left out, relative to the folder. */
  leftOut: readonly string[]
  /** The folders that are read as a whole. */
  folders: readonly string[]
  /** What the user has named, for messages. */
  named: readonly string[]
}

/**
 * Finds out where batches are.
 *
 * @param named files, folders and patterns (globs); what begins with `!` is left out: `*.json`,
 *   `!package*.json`
 * @param base the folder that they are relative to, as messages spell it
 * @throws BuildError in one line if there is none, or only such that are left out
 */
export function findPlace(named: readonly string[], base = '.'): BatchPlace {
  const isExclusion = (text: string) => text.startsWith('!')
  const inclusions = named.filter((text) => !isExclusion(text)).map((text) => join(base, text))
  const exclusions = named.filter(isExclusion).map((text) => join(base, text.slice(1)))
  if (inclusions.length === 0)
    throw new BuildError(
      'no batches are named; use --batches to name a file, a folder or a pattern',
    )

  const parts = inclusions.map(splitPlace)
  const folder = commonFolder(parts.map((part) => part.folder))
  const within = (folderOfPart: string, pattern: string) => {
    const way = path.relative(folder, folderOfPart)
    return way === '' ? pattern : `${toPattern(way)}/${pattern}`
  }

  const isOneFolder = parts.length === 1 && parts[0]?.pattern === undefined
  const patterns = parts.flatMap((part) => {
    const wanted = part.pattern === undefined ? ALL : [part.pattern]
    return wanted.map((pattern) => within(part.folder, pattern))
  })
  const leftOut = exclusions.map((exclusion) => {
    const part = splitPlace(exclusion)
    return within(part.folder, part.pattern ?? '**')
  })
  const wholes = parts.filter(({ pattern }) => pattern === undefined)
  return {
    folder,
    patterns: isOneFolder ? undefined : patterns,
    leftOut,
    folders: wholes.map((part) => part.folder),
    named,
  }
}

function join(base: string, text: string): string {
  // A name with a `..` after a `**` must stay as it is.
  const place = base === '.' || path.isAbsolute(text) ? text : path.join(base, text)
  return place.replace(/(?<=.)[/\\]+$/, '')
}

/** The signs of a pattern, such as `*.json` or `{a,b}.json`. */
const PATTERN_SIGN = /[*?{}[\]]|[@!+]\(/

/** Divides a place into its folder and the pattern of the files in it; undefined for all of them. */
function splitPlace(place: string): { folder: string; pattern: string | undefined } {
  const status = statOf(place)
  if (status?.isDirectory()) return { folder: path.normalize(place), pattern: undefined }

  const isPattern = !status && PATTERN_SIGN.test(place)
  if (!isPattern) {
    const isFile = status !== undefined || isBatch(place)
    if (isFile) return { folder: path.dirname(place), pattern: toPattern(path.basename(place)) }
    return { folder: path.normalize(place), pattern: undefined }
  }

  const steps = place.replaceAll('\\', path.sep === '\\' ? '/' : '\\').split('/')
  const first = steps.findIndex((step) => PATTERN_SIGN.test(step))
  const folder = path.normalize(steps.slice(0, first).join('/') || (place[0] === '/' ? '/' : '.'))
  return { folder, pattern: steps.slice(first).join('/') }
}

/** Returns a name as a pattern that matches only this name. */
function toPattern(name: string): string {
  return glob.convertPathToPattern(name)
}

/** Returns the folder that all folders are in, or are. */
function commonFolder([first = '.', ...rest]: readonly string[]): string {
  let common = first
  for (const folder of rest) {
    while (isOutside(path.relative(common, folder))) common = path.join(common, '..')
  }
  return common
}

/** Whether a way leads out of a folder. */
function isOutside(way: string): boolean {
  return path.isAbsolute(way) || way.split(path.sep)[0] === '..'
}

/**
 * The batches of a place: every file that is not hidden and whose name ends as a format says
 * (case-insensitive), but no README in Markdown. Skips hidden folders, `node_modules`, and links to folders.
 */
export function batchSource(place: BatchPlace): Source {
  const { folder } = place
  /** How the disk spells the name of each batch. */
  let spellings: ReadonlyMap<string, string> = new Map()
  const fileOf = (name: string) => path.join(folder, spellings.get(name) ?? name)
  return {
    fileOf,
    async list() {
      const listing = new Listing()
      for (const { path: spelled, dirent } of await entriesOf(place)) {
        const status = dirent.isDirectory() ? undefined : statOf(path.join(folder, spelled))
        listing.add(spelled, dirent, status)
      }
      if (listing.isEmpty()) throw new BuildError(describeEmpty(place, listing.others))

      spellings = listing.spellings
      const all = [...listing.batches.values()]
      const size = all.reduce((sum, batch) => sum + batch.size, 0)
      const others = listing.others.sort((a, b) => compareBatches(a.file, b.file))
      return { all, size, missed: listing.missed, others }
    },
    async read(name) {
      // Between two batches, a signal can stop the build.
      await setImmediate()
      const file = fileOf(name)
      const status = fs.statSync(file)
      // Reading a pipe or a device would never end.
      if (!status.isFile()) throw new Error('it is not a regular file')
      if (status.size > constants.MAX_STRING_LENGTH) throw new Error(TOO_LARGE)
      return fs.readFileSync(file)
    },
  }
}

/** What a place holds: its batches, and the files that aren't read. */
class Listing {
  readonly batches = new Map<string, Listed>()
  /** How the disk spells the name of each batch. */
  readonly spellings = new Map<string, string>()
  /** What looks like a batch and can't be one. */
  readonly missed: FileFault[] = []
  /** What isn't a batch. */
  readonly others: FileFault[] = []

  isEmpty(): boolean {
    return this.batches.size === 0 && this.missed.length === 0
  }

  /** Adds a file or a folder. `spelled` is its name as the disk spells it. */
  add(
    spelled: string,
    dirent: Pick<fs.Dirent, 'name' | 'isDirectory'>,
    status: fs.Stats | undefined,
  ): void {
    const isFolder = dirent.isDirectory()
    const isOdd = ODD.test(dirent.name)
    if (isFolder && !isOdd) return

    const name = spelled.normalize('NFC') + (isFolder ? '/' : '')
    if (isOdd && (isFolder || isBatch(name))) {
      this.missed.push(notRead(name, ODD_NAME))
      return
    }
    if (isEvicted(name)) {
      this.missed.push(notRead(name, EVICTED))
      return
    }
    if (this.batches.has(name)) {
      this.missed.push(notRead(name, SAME_NAME))
      return
    }

    const why = status?.isDirectory() ? 'a link to a folder' : whyUnread(name)
    if (why !== undefined) {
      if (!README.test(name)) this.others.push(notRead(name, why))
      return
    }

    const { size = 0, ctimeMs: changed = 0 } = status ?? {}
    this.batches.set(name, { name, size, changed })
    this.spellings.set(name, spelled)
  }
}

/** How many files that aren't read are named where there is no batch. */
const NAMED_UNREAD = 9

function describeEmpty(place: BatchPlace, others: readonly FileFault[]): string {
  const none = `no batches found: ${describePlace(place)} no file whose name ends in ${ENDINGS}`
  const unread = others.map(({ file, fault }) => `${printable(file)} (${fault.about})`)
  if (unread.length === 0) return none
  return `${none}; not read: ${unread.sort().slice(0, NAMED_UNREAD).join(', ')}`
}

function describePlace({ folder, patterns, named }: BatchPlace): string {
  return patterns === undefined ? `${folder} holds` : `${named.join(', ')} matches`
}

/** Returns every file and folder in a place, at any depth. */
async function entriesOf({ folder, patterns, leftOut }: BatchPlace) {
  const status = onDisk(`read ${folder}`, () => fs.statSync(folder, { throwIfNoEntry: false }))
  if (!status)
    throw new BuildError(`there is no batch folder ${folder}; name another one with --batches`)

  const wanted = patterns ?? ALL
  const entries = await find(folder, [...wanted, ...wanted.map(evictedPattern)], leftOut)
  for (const pattern of patterns ?? []) await refuseUnmatched(folder, pattern)
  return entries
}

/** Refuses a pattern that matches nothing: a misspelled one must not leave out batches. */
async function refuseUnmatched(folder: string, pattern: string): Promise<void> {
  // All of a folder may be nothing.
  if (ALL.some((all) => pattern.endsWith(all))) return

  const entries = await find(folder, [pattern, evictedPattern(pattern)], [])
  if (entries.length > 0) return

  const name = placeIn(folder, pattern.replaceAll('\\', ''))
  throw new BuildError(`there is no file ${name}; name another one with --batches`)
}

function find(folder: string, patterns: readonly string[], leftOut: readonly string[]) {
  return glob([...patterns], {
    cwd: folder,
    objectMode: true,
    ignore: ['**/node_modules', '**/node_modules/**', ...leftOut, ...leftOut.map(evictedPattern)],
    // Links count as files: a broken one is reported as unreadable, not skipped.
    onlyFiles: false,
    // Links to folders could form a cycle.
    followSymbolicLinks: false,
  }).catch((error) => {
    const place = (error as NodeJS.ErrnoException).path ?? folder
    throw new BuildError(`cannot read ${place}: ${describeSystemError(error)}`)
  })
}

/** What iCloud leaves of a file that it has moved away, such as `2026/.apps.json.icloud`. */
const EVICTED_NAME = /(?:^|\/)\.([^/]+)\.icloud$/
const EVICTED =
  'iCloud has moved it away from this machine; download it (in the Finder: Download Now), and run the command again'

/** Whether a file stands for a batch that iCloud has moved away. */
function isEvicted(name: string): boolean {
  const [, original] = EVICTED_NAME.exec(name) ?? []
  return original !== undefined && isBatch(original)
}

/** Returns the pattern of what iCloud leaves of the files that a pattern matches. */
function evictedPattern(pattern: string): string {
  const [name = '', ...folders] = pattern.split('/').reverse()
  const anyDepth = name === '**' ? ['**'] : []
  const evicted = name === '**' ? '.*.icloud' : `.${name}.icloud`
  return [...folders.reverse(), ...anyDepth, evicted].join('/')
}

function notRead(file: string, reason: string): FileFault {
  const kind = file.endsWith('/') ? 'folder' : 'file'
  return { file, fault: { ...fault(NOT_READ, [], { kind, reason }), about: reason } }
}

/** @returns undefined for a broken link; reading it reports why */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file)
  } catch {
    return undefined
  }
}

/** Why a file is refused by its size: reading it would take several times as much memory. */
const TOO_LARGE = `it is larger than the ${Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)} MiB that can be read at once; split it into several batches`

/** Every file and folder. The `*` of fast-glob matches a name only if no line break begins it. */
const ALL = ['**/*', '**/[\n\r\u2028\u2029]*']

/**
 * A name that fast-glob or Node may not find again: with a line break, or with U+FFFD, which Node puts
 * where a name isn't valid Unicode.
 */
const ODD = /[\n\r\u2028\u2029\ufffd]/
const ODD_NAME = "its name has a line break or isn't valid Unicode; rename it"
const SAME_NAME = 'another file has the same name, spelled with other code points; rename one'

/** For example `.json, .yaml or .md`. */
const ENDINGS = `${EXTENSIONS.slice(0, -1).join(', ')} or ${EXTENSIONS.at(-1)}`

/** A file that nobody takes for a batch, if it isn't data. */
const README = /(?:^|\/)readme[^/]*$/i

/** Whether a file is read, by its name. */
function isBatch(name: string): boolean {
  const format = formatOf(name)
  const isReadme = format?.name === 'front matter' && README.test(name)
  return format !== undefined && !isReadme
}

/** Returns why a file is not read; undefined if it is a batch. */
function whyUnread(name: string): string | undefined {
  if (isBatch(name)) return undefined
  if (/\.(?:gz|zip|bz2|xz|zst|7z|tgz|tar)$/i.test(name)) return 'compressed; unpack it'
  if (/\.json/i.test(name)) return `its name does not end in ${ENDINGS}`
  return 'neither JSON, YAML nor Markdown'
}
