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
      // fast-glob passes over names with a line break, for the dot of its patterns matches none.
      const hasBreak = (name: string) => /[\n\r\u2028\u2029]/.test(name) && /\.json$/i.test(name)
      const broken = onDisk(`read ${folder}`, () =>
        fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(hasBreak),
      )
      if (broken) {
        throw new BuildError(`the name ${JSON.stringify(broken)} has a line break in it; rename it`)
      }
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
