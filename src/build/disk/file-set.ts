/**
 * Replaces the files of a dataset: each by one rename, the manifest last. A reader finds every file
 * complete, the old one or the new one, even if a build is killed.
 *
 * The manifest has the SHA-256 of the others. A build that is killed between two renames leaves a
 * set that does not match its manifest; the next build writes whatever differs.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { FileEntry } from '../../dataset/format.ts'
import { BuildError, onDisk, toBuildError } from '../../machine/errors.ts'
import {
  digestFile,
  makeFolder,
  makeTemporaryFolder,
  remove,
  renameWithRetry,
  sweep,
  syncFolder,
  temporaryName,
} from '../../machine/files.ts'
import { type Digest, writeFile } from '../../machine/growing-file.ts'
import { takeTurn } from './lock.ts'

/** A set of files being written, in a hidden folder next to those that it replaces. */
export class FileSet {
  /** The hidden folder. What is not put into place is removed with it. */
  readonly work: string
  readonly #folder: string
  /** Whether the folder was created for the set. */
  readonly #isNew: boolean
  /** By file, in the order in which they are put into place. */
  readonly #digests = new Map<string, Digest>()

  /**
   * @param folder where the files go; created if it does not exist
   * @param isDry whether to only compare: nothing is written there, not even the folder
   */
  constructor(folder: string, isDry: boolean) {
    this.#folder = path.resolve(folder)
    this.#isNew = !isDry && !fs.existsSync(folder)
    this.work = isDry ? makeTemporaryFolder() : makeWorkFolder(this.#folder)
  }

  /** Adds a file that is complete: in `work`, or one that must be in place already. */
  add(file: string, digest: Digest): FileEntry {
    this.#digests.set(file, digest)
    return { file, ...digest }
  }

  /** Adds one file, and flushes it to the disk. */
  write(name: string, pieces: Iterable<string>): FileEntry {
    return this.add(name, writeFile(path.join(this.work, name), pieces))
  }

  /** @returns the names of the files that `commit` would write */
  outdated(): string[] {
    return onDisk(`read ${this.#folder}`, () => {
      const outdated = [...this.#digests].filter(([name, digest]) => !this.#holds(name, digest))
      return outdated.map(([name]) => name)
    })
  }

  /** Whether a plain file in the folder has exactly these bytes. */
  #holds(name: string, { bytes, sha256 }: Digest): boolean {
    const file = path.join(this.#folder, name)
    const status = fs.lstatSync(file, { throwIfNoEntry: false })
    if (status?.isDirectory())
      throw new BuildError(`${file} must be a file, but is a folder; remove it`)

    const isSameSize = status?.isFile() && status.size === bytes
    return Boolean(isSameSize) && digestFile(file) === sha256
  }

  /**
   * Puts the files into place in the order in which they were added, except those that are current
   * already. Waits for another build that is doing the same.
   *
   * @returns the names of the files that it wrote
   */
  async commit(): Promise<string[]> {
    const replaced: string[] = []
    const endTurn = await takeTurn(this.#folder)

    try {
      for (const name of this.outdated()) {
        renameWithRetry(path.join(this.work, name), path.join(this.#folder, name))
        replaced.push(name)
      }
      if (replaced.length > 0) syncFolder(this.#folder)
      return replaced
    } catch (error) {
      if (replaced.length === 0) throw error

      const doing = `write all of ${this.#folder}; ${replaced.join(', ')} is new, and the next build writes the rest`
      throw toBuildError(doing, error)
    } finally {
      endTurn()
    }
  }

  /** Renames the set's work folder to `folder`. Throws if that has files, and leaves it as it is. */
  commitAs(folder: string): void {
    syncFolder(this.work)
    renameWithRetry(this.work, folder)
    syncFolder(this.#folder)
  }

  /** Removes everything that was not put into place, and the folder if it is new and empty. */
  discard(): void {
    remove(this.work)
    if (!this.#isNew) return

    try {
      fs.rmdirSync(this.#folder)
    } catch {
      // It has files, or another build uses it.
    }
  }
}

/** Creates the hidden folder in the folder of the set, and that one if it doesn't exist. */
function makeWorkFolder(folder: string): string {
  makeFolder(folder)
  sweep(folder)

  const work = path.join(folder, temporaryName())
  fs.mkdirSync(work)
  return work
}
