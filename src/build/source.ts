/** Where batches come from: a folder of JSON files. */
import { constants } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import glob from 'fast-glob'
import { NOT_READ } from '../accept/codes.ts'
import { compareBatches } from '../dataset/precedence.ts'
import { formatOf } from '../formats/formats.ts'
import { BuildError, describeSystemError, onDisk } from '../machine/errors.ts'
import { fault } from '../page/fault.ts'
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

/**
 * The batches of a folder: every file below it that is not hidden and whose name ends in `.json`,
 * `.jsonl` or `.ndjson` (case-insensitive). Skips hidden folders, and links to folders.
 */
export function folderSource(folder: string): Source {
  /** How the disk spells the name of each batch. */
  const spellings = new Map<string, string>()
  const fileOf = (name: string) => path.join(folder, spellings.get(name) ?? name)
  return {
    fileOf,
    async list() {
      const batches = new Map<string, Listed>()
      const missed: FileFault[] = []
      const others: FileFault[] = []
      const unread: string[] = []
      for (const { path: spelled, dirent } of await entriesOf(folder)) {
        const isFolder = dirent.isDirectory()
        const isOdd = ODD.test(dirent.name)
        if (isFolder && !isOdd) continue
        const name = spelled.normalize('NFC') + (isFolder ? '/' : '')
        const status = statOf(path.join(folder, spelled))
        const why = status?.isDirectory() ? 'a link to a folder' : whyUnread(name)
        if (isOdd && (isFolder || isBatch(name))) missed.push(notRead(name, ODD_NAME))
        else if (batches.has(name)) missed.push(notRead(name, SAME_NAME))
        else if (why === undefined) {
          const { size = 0, ctimeMs: changed = 0 } = status ?? {}
          batches.set(name, { name, size, changed })
          spellings.set(name, spelled)
        } else if (!README.test(name)) {
          others.push(notRead(name, why))
          unread.push(`${printable(name)} (${why})`)
        }
      }
      if (batches.size === 0 && missed.length === 0) {
        const none = `no batches found: ${folder} holds no file whose name ends in .json, .jsonl or .ndjson`
        const some = unread.sort().slice(0, 9).join(', ')
        throw new BuildError(some === '' ? none : `${none}; not read: ${some}`)
      }
      const all = [...batches.values()]
      const size = all.reduce((sum, { size }) => sum + size, 0)
      others.sort((a, b) => compareBatches(a.file, b.file))
      return { all, size, missed, others }
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

/** Returns every file and folder in a folder, at any depth. */
async function entriesOf(folder: string) {
  const status = onDisk(`read ${folder}`, () => fs.statSync(folder, { throwIfNoEntry: false }))
  if (!status) throw new BuildError(`there is no batch folder ${folder}; name one by --batches`)
  if (!status.isDirectory()) throw new BuildError(`${folder} is a file; --batches names a folder`)
  return glob(ALL, {
    cwd: folder,
    objectMode: true,
    // Links count as files: a broken one is reported as unreadable, not skipped.
    onlyFiles: false,
    // Links to folders could form a cycle.
    followSymbolicLinks: false,
  }).catch((error) => {
    const place = (error as NodeJS.ErrnoException).path ?? folder
    throw new BuildError(`cannot read ${place}: ${describeSystemError(error)}`)
  })
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
 * where a name is no valid Unicode.
 */
const ODD = /[\n\r\u2028\u2029\ufffd]/
const ODD_NAME = 'its name has a line break or is no valid Unicode; rename it'
const SAME_NAME = 'another file has the same name, spelled with other code points; rename one'

/** A file that nobody takes for a batch. */
const README = /(?:^|\/)readme[^/]*$/i

/** Whether a file is read, by its name. */
function isBatch(name: string): boolean {
  return formatOf(name) !== undefined
}

/** Returns why a file is not read; undefined if it is a batch. */
function whyUnread(name: string): string | undefined {
  if (isBatch(name)) return undefined
  if (/\.(?:gz|zip|bz2|xz|zst|7z|tgz|tar)$/i.test(name)) return 'compressed; unpack it'
  if (/\.json/i.test(name)) return 'its name does not end in .json, .jsonl or .ndjson'
  return 'not JSON'
}
