/**
 * Replaces the files of a dataset: each by one rename, the manifest last. A reader finds every file
 * complete, the old one or the new one, even if a build is killed.
 *
 * The manifest has the SHA-256 of the others. A build that is killed between two renames leaves a
 * set that does not match its manifest; the next build writes whatever differs.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { BuildError, onDisk, toBuildError } from '../../machine/errors.ts'
import {
  digestFile,
  makeFolder,
  remove,
  sweep,
  syncFolder,
  temporaryName,
} from '../../machine/files.ts'
import { type Digest, GrowingFile, writeFile } from '../../machine/growing-file.ts'
import { takeTurn } from './lock.ts'

/** A set of files being written, in a hidden folder next to those that it replaces. */
export class FileSet {
  /** The hidden folder. What is not put into place is removed with it. */
  readonly work: string
  readonly #folder: string
  /** The outermost folder that was created for the set, if any. */
  readonly #made: string | undefined
  /** By file, in the order in which they are put into place; undefined for one left out. */
  readonly #digests = new Map<string, Digest | undefined>()

  /**
   * @param folder where the files go; created if it does not exist
   * @param isDry whether to only compare: nothing is written there, not even the folder
   */
  constructor(folder: string, isDry: boolean) {
    this.#folder = path.resolve(folder)
    if (isDry) {
      this.work = fs.mkdtempSync(path.join(os.tmpdir(), 'dataset-'))
    } else {
      this.#made = makeFolder(this.#folder)
      sweep(this.#folder)
      this.work = path.join(this.#folder, temporaryName())
      fs.mkdirSync(this.work)
    }
  }

  /** Begins a file that can be read while it grows; `add` completes it. */
  grow(name: string): GrowingFile {
    return new GrowingFile(path.join(this.work, name))
  }

  /** Adds a file of `grow` that is complete. */
  add(name: string, digest: Digest): void {
    this.#digests.set(name, digest)
  }

  /** Adds one file, and flushes it to the disk. */
  write(name: string, pieces: Iterable<string>): Digest {
    const digest = writeFile(path.join(this.work, name), pieces)
    this.#digests.set(name, digest)
    return digest
  }

  /** The set has no such file: `commit` removes it. */
  remove(name: string): void {
    this.#digests.set(name, undefined)
  }

  /** @returns the names of the files that `commit` would write or remove */
  outdated(): string[] {
    const names = [...this.#digests.keys()]
    return onDisk(`read ${this.#folder}`, () => names.filter((name) => !this.#isThere(name)))
  }

  #isThere(name: string): boolean {
    return holds(path.join(this.#folder, name), this.#digests.get(name))
  }

  /**
   * Puts the files into place in the order in which they were added, except those that are current
   * already. Waits for another build that is doing the same.
   *
   * @returns the names of the files that it wrote or removed
   */
  async commit(signal?: AbortSignal): Promise<string[]> {
    for (const name of this.#digests.keys()) {
      const file = path.join(this.#folder, name)
      if (fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) {
        throw new BuildError(`${file} must be a file, but is a folder; remove it`)
      }
    }
    const replaced: string[] = []
    const endTurn = await takeTurn(this.#folder, { signal })
    try {
      for (const [name, digest] of this.#digests) {
        if (this.#isThere(name)) continue
        const file = path.join(this.#folder, name)
        const made = path.join(this.work, name)
        if (digest) fs.renameSync(made, file)
        else fs.rmSync(file)
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
    fs.renameSync(this.work, folder)
    syncFolder(this.#folder)
  }

  /** Removes everything that was not put into place. */
  discard(): void {
    remove(this.work)
    if (this.#made === undefined) return
    try {
      for (let folder = this.#folder; ; folder = path.dirname(folder)) {
        fs.rmdirSync(folder)
        if (folder === this.#made) return
      }
    } catch {
      // Another build uses it.
    }
  }
}

/** Whether a plain file has exactly these bytes; without a digest, whether nothing is there. */
function holds(file: string, digest: Digest | undefined): boolean {
  const status = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!status || !digest) return !status && !digest
  return status.isFile() && status.size === digest.bytes && digestFile(file) === digest.sha256
}
