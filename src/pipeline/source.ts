/** Where batches come from: a folder of JSON files. */
import fs from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import glob from 'fast-glob'
import { printable } from '../dataset/problem.ts'
import { BuildError, describeSystemError, onDisk } from './errors.ts'

/** A place that holds batches. Names are relative to it, with `/` as the separator. */
export interface Source {
  /** All batches, in any order, with their size in bytes. */
  list(): Promise<{ name: string; size: number }[]>
  read(name: string): Promise<Buffer>
}

/**
 * The batches of a folder: every file below it that is not hidden and whose name ends in `.json`
 * (case-insensitive). Skips hidden folders, and links to folders, because these could form a cycle.
 *
 * @param onNotice called for each file that may have been meant as a batch, such as `a.json.txt`
 */
export function folderSource(folder: string, onNotice?: (notice: string) => void): Source {
  return {
    async list() {
      const status = onDisk(`read ${folder}`, () => fs.statSync(folder, { throwIfNoEntry: false }))
      if (!status) throw new BuildError(`there is no batch folder ${folder}; name one by --batches`)
      if (!status.isDirectory())
        throw new BuildError(`${folder} is a file; --batches names a folder`)
      for (const name of walk(folder)) {
        refuseUnreadableName(folder, name)
        if (/\.json(?:\.txt|c|5|l)$/i.test(name)) {
          onNotice?.(`${folder}/${printable(name)} is not read: its name does not end in .json`)
        }
      }
      const found = glob('**/*.json', {
        cwd: folder,
        // A broken link is not a file. It is reported as unreadable, not skipped.
        onlyFiles: false,
        followSymbolicLinks: false,
        caseSensitiveMatch: false,
      })
      const names = await found.catch((error) => {
        throw new BuildError(`cannot read ${folder}: ${describeSystemError(error)}`)
      })
      const batches = names.flatMap((name) => {
        const status = statusOf(path.join(folder, name))
        return status?.isDirectory() ? [] : { name, size: status?.size ?? 0 }
      })
      if (batches.length === 0) {
        throw new BuildError(`no batches found: ${folder} holds no file whose name ends in .json`)
      }
      return batches
    },
    async read(name) {
      const file = path.join(folder, name)
      const status = await stat(file)
      // Reading a pipe or a device would never end.
      if (!status.isFile()) throw new Error('it is not a regular file')
      if (status.size > MOST)
        throw new Error('it is larger than 2 GB; split it into several batches')
      return readFile(file)
    },
  }
}

/** @returns undefined for a broken link; reading it reports why */
function statusOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file)
  } catch {
    return undefined
  }
}

/** The most bytes that Node reads at once. */
const MOST = 2 ** 31 - 2

/**
 * Yields the names of all files below a folder, including links, except hidden files and those in
 * hidden folders. Node's `recursive: true` would follow links to folders, forever if they are
 * cyclic, and could not say which folder cannot be read.
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

/** Refuses batch names that fast-glob or Node would lose. */
function refuseUnreadableName(folder: string, name: string): void {
  if (!/\.json$/i.test(name)) return
  const refuse = (reason: string) => {
    throw new BuildError(`the name ${JSON.stringify(name)} ${reason}; rename it`)
  }
  // The dot of fast-glob's patterns matches no line break.
  if (/[\n\r\u2028\u2029]/.test(name)) refuse('has a line break in it')
  // Node replaces bytes that are not UTF-8 by this character, and no file has the resulting name.
  const isMissing = () => !fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
  if (name.includes('\ufffd') && isMissing()) refuse('is not UTF-8')
}
