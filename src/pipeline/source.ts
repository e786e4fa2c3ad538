/** Hides where batches come from: a folder of JSON files. */
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import glob from 'fast-glob'
import { BuildError, describeSystemError, onDisk } from './errors.ts'

/** A place that holds batches. Names are relative to it, with `/` as the separator. */
export interface Source {
  /** The names of all batches, in any order. */
  list(): Promise<string[]>
  /** @param allocate allocates so many bytes, into which it may be read */
  read(name: string, allocate: (bytes: number) => Buffer): Promise<Buffer>
}

/**
 * The batches of a folder: every file below it whose name ends in `.json`, whatever its case,
 * except in hidden folders. A link to a folder is not followed, for it could lead round in circles.
 */
export function folderSource(folder: string): Source {
  return {
    async list() {
      const status = onDisk(`read ${folder}`, () => fs.statSync(folder, { throwIfNoEntry: false }))
      if (!status) throw new BuildError(`there is no batch folder ${folder}; name one by --batches`)
      if (!status.isDirectory())
        throw new BuildError(`${folder} is a file; --batches names a folder`)
      for (const name of walk(folder)) refuseUnreadableName(folder, name)
      const found = glob('**/*.json', {
        cwd: folder,
        // A broken link is no file; it must be told of as unreadable, not passed over.
        onlyFiles: false,
        objectMode: true,
        followSymbolicLinks: false,
        caseSensitiveMatch: false,
      })
      const entries = await found.catch((error) => {
        throw new BuildError(`cannot read ${folder}: ${describeSystemError(error)}`)
      })
      const names = entries.filter(({ dirent }) => !dirent.isDirectory()).map(({ path }) => path)
      if (names.length === 0) {
        throw new BuildError(`no batches found: ${folder} holds no file whose name ends in .json`)
      }
      return names
    },
    async read(name, allocate) {
      const file = path.join(folder, name)
      const { size } = statRegular(file)
      const descriptor = fs.openSync(file, 'r')
      try {
        // A byte more than there are, to see where a file ends that is being written to, too.
        let bytes = allocate(size + 1)
        for (let length = 0; ; ) {
          const rest = [bytes, length, bytes.length - length, length] as const
          // What most often is the end is seen at once.
          const count =
            length < size
              ? (await read(descriptor, ...rest)).bytesRead
              : fs.readSync(descriptor, ...rest)
          if (count === 0) return bytes.subarray(0, length)
          length += count
          if (length < bytes.length) continue
          const larger = allocate(length * 2)
          bytes.copy(larger)
          bytes = larger
        }
      } finally {
        fs.closeSync(descriptor)
      }
    },
  }
}

/**
 * The names of all files below a folder, links among them, except hidden ones and those in hidden
 * folders. Written as `recursive: true` of Node it would follow links to folders, for ever if they
 * lead back, and could not say which folder cannot be read.
 */
function* walk(folder: string, within = ''): Generator<string> {
  const place = path.join(folder, within)
  const entries = onDisk(`read ${place}`, () => fs.readdirSync(place, { withFileTypes: true }))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* walk(folder, `${within}${entry.name}/`)
    else yield within + entry.name
  }
}

/** Refuses the names of batches that fast-glob or Node would lose. */
function refuseUnreadableName(folder: string, name: string): void {
  if (!/\.json$/i.test(name)) return
  const refuse = (reason: string) => {
    throw new BuildError(`the name ${JSON.stringify(name)} ${reason}; rename it`)
  }
  // The dot of fast-glob's patterns matches no line break.
  if (/[\n\r\u2028\u2029]/.test(name)) refuse('has a line break in it')
  // Node puts this character for bytes that are no UTF-8, and no file has the name that comes of it.
  const isMissing = () => !fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
  if (name.includes('\ufffd') && isMissing()) refuse('is not UTF-8')
}

const read = promisify(fs.read)

/** A pipe or a device would be read for ever. */
function statRegular(file: string): fs.Stats {
  const status = fs.statSync(file)
  if (!status.isFile()) throw new Error('it is no regular file')
  if (status.size > MOST) throw new Error('it has more than 2 GB; deliver it as several batches')
  return status
}

/** What Node reads at once. */
const MOST = 2 ** 31 - 2
