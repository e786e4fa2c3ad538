/** Where batches come from: a folder, single files, or the files that a pattern matches. */
import { constants } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import type { Collection } from '../collections/collection.ts'
import { compareBatches } from '../dataset/precedence.ts'
import type { ReaderWords } from '../explain/words.ts'
import { NOT_READ } from '../fault/codes.ts'
import { type FileFault, fault } from '../fault/fault.ts'
import { ALL_FORMATS, EXTENSIONS, type FormatChoice, formatOf } from '../formats/formats.ts'
import { BuildError, codeOf, describeSystemError, onDisk } from '../machine/errors.ts'
import { placeIn } from '../machine/place-in.ts'
import { printable } from '../text/printable.ts'
import { show } from '../text/wording.ts'
import { type BatchPlace, type Part, patternFrom, patternsOf, statOf } from './place.ts'

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

/** A collection, where its batches are, and the words for who reads about it. */
export interface CollectionToBuild {
  collection: Collection
  source: Source
  words: ReaderWords
}

/** A collection with its batches, in the order of precedence. */
export interface CollectionSource extends CollectionToBuild {
  delivery: Delivery
}

interface Delivery {
  /** The names of all batches, in any order. */
  all: string[]
  /** The files and folders that are not read, and are batches or may hold some. */
  missed: FileFault[]
  /** The other files that are not read. */
  ignored: FileFault[]
  /** The exclusions that match nothing, as the user has written them. */
  unmatched: string[]
}

/**
 * The batches of a place: every file that is not hidden and whose name ends as a format says
 * (case-insensitive), but no README in Markdown. Skips hidden folders, `node_modules`, and links to folders.
 *
 * @param choice with a format, every file is a batch, whatever its name says
 */
export function batchSource(place: BatchPlace, choice: FormatChoice = {}): Source {
  const { folder, root } = place
  /** The way from the root to each batch, as the disk spells it. */
  let ways: ReadonlyMap<string, string> = new Map()

  const fileOf = (name: string) => {
    const way = ways.get(name)
    return way === undefined ? path.join(folder, name) : path.join(root, way)
  }

  return {
    fileOf,

    async list() {
      const listing = new Listing(place, choice)
      for (const { path: way, dirent } of await entriesOf(place)) {
        const target = dirent.isSymbolicLink() ? statOf(path.join(root, way)) : undefined
        listing.add(way, dirent, target?.isDirectory() ?? false)
      }
      if (listing.isEmpty()) throw new BuildError(describeEmpty(place, listing.ignored))

      ways = listing.ways
      const all = [...listing.ways.keys()]
      const ignored = listing.ignored.sort((a, b) => compareBatches(a.file, b.file))
      const unmatched = await unmatchedExclusions(place)
      return { all, missed: listing.missed, ignored, unmatched }
    },

    async read(name) {
      const file = fileOf(name)
      const descriptor = openBatch(file)
      try {
        return readWhole(descriptor)
      } finally {
        fs.closeSync(descriptor)
      }
    },
  }
}

/** Opening a pipe would wait for a writer. Windows has no such flag, and no such pipes. */
const WITHOUT_WAITING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)

/** Of a pipe, a device or a socket; only a socket can't be opened. */
const NOT_REGULAR = 'it is not a regular file'

function openBatch(file: string): number {
  try {
    return fs.openSync(file, WITHOUT_WAITING)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Error(describeMissing(file))
    if (codeOf(error) === 'ENXIO') throw new Error(NOT_REGULAR)
    throw error
  }
}

function readWhole(descriptor: number): Buffer {
  const status = fs.fstatSync(descriptor)
  // Reading a pipe or a device would never end.
  if (!status.isFile()) throw new Error(NOT_REGULAR)
  if (status.size > constants.MAX_STRING_LENGTH) throw new Error(TOO_LARGE)

  return fs.readFileSync(descriptor)
}

/** Says why a file that was listed isn't there. */
function describeMissing(file: string): string {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (!isLink) return 'it was there, but has been removed'
  return `it is a link to ${show(fs.readlinkSync(file))}, which doesn't exist`
}

/** The content of a place: its batches, and the files that aren't read. */
class Listing {
  /** The way from the root to each batch, as the disk spells it. */
  readonly ways = new Map<string, string>()
  /** Files that look like batches and can't be any. */
  readonly missed: FileFault[] = []
  /** Other files. */
  readonly ignored: FileFault[] = []
  readonly #nameOf: (way: string) => string
  readonly #choice: FormatChoice

  constructor(place: BatchPlace, choice: FormatChoice) {
    this.#nameOf = namesFrom(place)
    this.#choice = choice
  }

  isEmpty(): boolean {
    return this.ways.size === 0 && this.missed.length === 0
  }

  /** Adds a file or a folder. @param way to it from the root, as the disk spells it */
  add(way: string, dirent: Pick<fs.Dirent, 'name' | 'isDirectory'>, isLinkToFolder: boolean): void {
    const isFolder = dirent.isDirectory()
    const isOdd = ODD.test(dirent.name)
    if (isFolder && !isOdd) return

    const name = this.#nameOf(way).normalize('NFC') + (isFolder ? '/' : '')
    if (isOdd && (isFolder || isBatch(name, this.#choice))) {
      this.missed.push(notRead(name, ODD_NAME))
      return
    }

    if (this.ways.has(name)) {
      this.missed.push(notRead(name, SAME_NAME))
      return
    }

    const why = isLinkToFolder ? 'a link to a folder' : whyUnread(name, this.#choice)
    if (why !== undefined) {
      if (!README.test(name)) this.ignored.push(notRead(name, why))
      return
    }

    this.ways.set(name, way)
  }
}

/** Returns a function that turns a way from the root of a place into a name, which begins at its folder. */
function namesFrom({ folder, root }: BatchPlace): (way: string) => string {
  const toName = (file: string) => file.split(path.sep).join('/')
  const start = toName(path.relative(folder, root))

  const isAbove = start.split('/')[0] === '..'
  if (isAbove) return (way) => toName(path.relative(folder, path.join(root, way)))

  // The root of another drive, such as D:/, ends with a slash.
  const prefix = start === '' || start.endsWith('/') ? start : `${start}/`
  return (way) => prefix + way
}

/** How many unread files are named if there's no batch. */
const NAMED_UNREAD = 9

function describeEmpty(place: BatchPlace, ignored: readonly FileFault[]): string {
  const none = `${place.words.nothing}: ${describePlace(place)} no file whose name ends in ${ENDINGS}`
  const unread = ignored.map(({ file, fault }) => `${printable(file)} (${fault.about})`)
  if (unread.length === 0) return none
  return `${none}; not read: ${unread.sort().slice(0, NAMED_UNREAD).join(', ')}`
}

function describePlace({ parts, named }: BatchPlace): string {
  const [part] = parts
  const isOneFolder = part !== undefined && parts.length === 1 && part.pattern === undefined
  return isOneFolder ? `${placeIn(part.folder, '')} holds` : `${named.join(', ')} matches`
}

/** Returns every file and folder in a place, at any depth, by their ways from its root. */
async function entriesOf(place: BatchPlace): Promise<Iterable<glob.Entry>> {
  const { root, parts, exclusions, leftOut } = place
  const excluded = [...exclusions.map(({ pattern }) => pattern), ...leftOut]
  const entries = new Map<string, glob.Entry>()

  for (const part of parts) {
    refuseMissingFolder(place, part)
    const partEntries = await find(root, patternsOf(root, part), excluded)
    if (partEntries.length === 0) await refuseUnmatched(place, part)
    refuseFolders(place, part, partEntries)

    for (const entry of partEntries) entries.set(entry.path, entry)
  }
  return entries.values()
}

function refuseMissingFolder({ words }: BatchPlace, { folder }: Part): void {
  const place = placeIn(folder, '')
  const status = onDisk(`read ${place}`, () => fs.statSync(folder, { throwIfNoEntry: false }))
  if (!status) throw new BuildError(`there is no ${words.folder} ${place}; ${words.hint}`)
}

/** Refuses a pattern that matches nothing: a misspelled one must not leave out batches. */
async function refuseUnmatched({ root, words }: BatchPlace, part: Part): Promise<void> {
  const { folder, pattern } = part
  // All of a folder may be nothing.
  if (pattern === undefined || (await matchesSomething(root, patternFrom(root, part)))) return

  const name = placeIn(folder, pattern.replaceAll('\\', ''))
  throw new BuildError(`there is no file ${name}; ${words.hint}`)
}

/** Refuses a pattern that matches only folders, whose files would be missing: `lists/*` for `lists/a/b.json`. */
function refuseFolders({ words }: BatchPlace, part: Part, entries: readonly glob.Entry[]): void {
  const { folder, pattern } = part
  // All in a folder may be empty folders.
  if (pattern === undefined || pattern.endsWith('**') || entries.length === 0) return

  const isFile = ({ dirent }: glob.Entry) => !dirent.isDirectory()
  if (entries.some(isFile)) return

  const name = placeIn(folder, pattern.replaceAll('\\', ''))
  throw new BuildError(`${words.nothing}: ${name} only matches folders; write /** at its end`)
}

/** Returns the exclusions that match nothing: a misspelled one leaves nothing out. */
async function unmatchedExclusions({ root, exclusions }: BatchPlace): Promise<string[]> {
  const unmatched: string[] = []
  for (const { text, pattern } of exclusions) {
    if (!(await matchesSomething(root, pattern))) unmatched.push(text)
  }
  return unmatched
}

async function matchesSomething(root: string, pattern: string): Promise<boolean> {
  for await (const _ of glob.stream(pattern, optionsOf(root, []))) return true
  return false
}

function optionsOf(root: string, leftOut: readonly string[]) {
  return {
    cwd: root,
    ignore: ['**/node_modules', '**/node_modules/**', ...leftOut],
    // Links count as files: a broken one is reported as unreadable, not skipped.
    onlyFiles: false,
    // Links to folders could form a cycle.
    followSymbolicLinks: false,
  }
}

function find(root: string, patterns: readonly string[], leftOut: readonly string[]) {
  const options = { ...optionsOf(root, leftOut), objectMode: true as const }
  return glob([...patterns], options).catch((error) => {
    const place = (error as NodeJS.ErrnoException).path ?? root
    throw new BuildError(`cannot read ${place}: ${describeSystemError(error)}`)
  })
}

function notRead(file: string, reason: string): FileFault {
  const kind = file.endsWith('/') ? 'folder' : 'file'
  return { file, fault: { ...fault(NOT_READ, [], { kind, reason }), about: reason } }
}

/** Why a file is refused by its size: reading it would take several times as much memory. */
const TOO_LARGE = `it is larger than the ${Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)} MiB that can be read at once; split it into several files`

/**
 * A name that fast-glob or Node may not find again: with a line break, or with U+FFFD, which Node puts
 * where a name isn't valid Unicode.
 */
const ODD = /[\n\r\u2028\u2029\ufffd]/
const ODD_NAME = "its name has a line break or isn't valid Unicode; rename it"
const SAME_NAME = 'another file has the same name, spelled with other code points; rename one'

/** For example `.json, .yaml or .md`. */
const ENDINGS = `${EXTENSIONS.slice(0, -1).join(', ')} or ${EXTENSIONS.at(-1)}`

const LANGUAGES = [...new Set(ALL_FORMATS.map(({ language }) => language))]

/** For example `neither JSON, YAML nor Markdown`. */
const OTHER_LANGUAGE = `neither ${LANGUAGES.slice(0, -1).join(', ')} nor ${LANGUAGES.at(-1)}`

/** A file that nobody takes for a batch, if it isn't data. */
const README = /(?:^|\/)readme[^/]*$/i

/** Whether a file is read: one of the chosen format, or by its name. */
function isBatch(name: string, choice: FormatChoice): boolean {
  const ofName = formatOf(name)?.name
  const isText = ofName === undefined || ofName === 'front matter'
  return formatOf(name, choice) !== undefined && !(isText && README.test(name))
}

/** Returns why a file is not read; undefined if it is a batch. */
function whyUnread(name: string, choice: FormatChoice): string | undefined {
  if (isBatch(name, choice)) return undefined
  if (/\.(?:gz|zip|bz2|xz|zst|7z|tgz|tar)$/i.test(name)) return 'compressed; unpack it'
  if (/\.json/i.test(name)) return `its name does not end in ${ENDINGS}`
  return OTHER_LANGUAGE
}
