/** Hides where batches come from: a folder of JSON files. */
import fs from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import glob from 'fast-glob'
import { BuildError, describeSystemError, onDisk } from './errors.ts'

/** A place that holds batches. Names are relative to it, with `/` as the separator. */
export interface Source {
  /** The names of all batches, in any order. */
  list(): Promise<string[]>
  read(name: string): Promise<Buffer>
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
    async read(name) {
      const file = path.join(folder, name)
      // A pipe or a device would be read for ever.
      if (!(await stat(file)).isFile()) throw new Error('it is no regular file')
      return readFile(file)
    },
  }
}
