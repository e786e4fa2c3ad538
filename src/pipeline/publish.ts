/**
 * Hides how a set of files replaces another in one instant. A folder cannot be swapped for another
 * atomically, but a symbolic link can. So the folder holds, as Kubernetes lays out its volumes
 * (`AtomicWriter`):
 *
 *     dataset.json  -> .data/dataset.json     one link per file, made once
 *     .data         -> .set-1f0c…             the commit point: replaced by rename(2)
 *     .set-1f0c…/dataset.json                 a whole set, named by its content, never changed
 *     .tmp-4711-a1b2/                         a set in the making, named by its process
 *
 * Killed at any instant, every name leads to the old set or every name to the new one.
 */
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Allocator } from '../dataset/allocator.ts'
import type { Background } from './background.ts'
import { BuildError, onDisk } from './errors.ts'
import { type Digest, GrowingFile } from './growing-file.ts'

const CURRENT = '.data'
const PIECE = 2 ** 20

// Only what has a name of ours is ours to remove.
const WORK = /^\.tmp-\d+-[0-9a-f]{8}$/
const SET = /^\.set-(?:[0-9a-f]{16}\+*|adopted-\d+-[0-9a-f]{8})$/

/** A set of files in the making. */
export class FileSet {
  readonly isDry: boolean
  readonly #folder: string
  readonly #work: string
  /** The outermost folder that was made for the set, if any was. */
  readonly #made: string | undefined
  readonly #digests = new Map<string, Digest>()

  /**
   * @param folder what the set is to become current in; made when it does not exist
   * @param isDry compares only: nothing is written there, not even the folder
   */
  constructor(folder: string, isDry: boolean) {
    this.isDry = isDry
    this.#folder = path.resolve(folder)
    const name = `.tmp-${process.pid}-${randomBytes(4).toString('hex')}`
    if (isDry) {
      this.#work = fs.mkdtempSync(path.join(os.tmpdir(), 'dataset-'))
    } else {
      this.#work = path.join(this.#folder, name)
      this.#made = makeFolder(this.#folder)
      this.#sweep()
      fs.mkdirSync(this.#work)
    }
    fs.mkdirSync(path.join(this.#work, 'set'))
  }

  /** Begins a file that is to be read while it grows; `add` ends it. */
  async grow(name: string, background: Background, allocator: Allocator): Promise<GrowingFile> {
    const file = path.join(this.#work, 'set', name)
    const growing = await GrowingFile.create(file, background, allocator)
    // An open file lives without a name, and so leaves nothing when the process is killed.
    if (this.isDry) this.discard()
    return growing
  }

  /** Adds a file that has grown to its end. */
  add(name: string, digest: Digest): void {
    this.#digests.set(name, digest)
  }

  /** Adds one file, durably. */
  write(name: string, pieces: Iterable<string>): Digest {
    const hash = createHash('sha256')
    const file = this.isDry ? undefined : fs.openSync(path.join(this.#work, 'set', name), 'wx')
    let bytes = 0
    const buffer = Buffer.allocUnsafe(PIECE)
    let filled = 0
    const put = (content: Buffer) => {
      bytes += content.length
      hash.update(content)
      if (file === undefined) return
      for (let at = 0; at < content.length; ) at += fs.writeSync(file, content, at)
    }
    const flush = () => {
      put(buffer.subarray(0, filled))
      filled = 0
    }
    try {
      for (const piece of pieces) {
        // UTF-8 needs three bytes at most for what is one unit of a string.
        const most = piece.length * 3
        if (filled + most > PIECE) flush()
        if (most > PIECE) put(Buffer.from(piece))
        else filled += buffer.write(piece, filled)
      }
      flush()
      if (file !== undefined) fs.fsyncSync(file)
    } finally {
      if (file !== undefined) fs.closeSync(file)
    }
    const digest = { sha256: hash.digest('hex'), bytes }
    this.#digests.set(name, digest)
    return digest
  }

  /** Whether the current set has just these files with just these bytes. */
  isCurrent(): boolean {
    return onDisk(`read ${this.#folder}`, () => this.#isAt(this.#folder))
  }

  /** Makes this set the current one, unless it is already. @returns whether anything changed */
  commit(): boolean {
    if (this.isDry) throw new Error('a dry set cannot be committed')
    for (const name of [CURRENT, ...this.#digests.keys()]) {
      const file = path.join(this.#folder, name)
      if (fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) {
        throw new BuildError(`${file} is a folder, in the place of a file; remove it`)
      }
    }
    if (this.isCurrent()) {
      this.discard()
      return false
    }
    const before = this.#readCurrent()
    const name = this.#settle(before)
    const adopted = this.#adoptFiles()
    this.#link(name, CURRENT)
    syncFolder(this.#folder)
    for (const old of [before, adopted]) {
      if (old !== undefined && old !== name) remove(path.join(this.#folder, old))
    }
    this.discard()
    return true
  }

  /** Forgets the set and leaves no trace of it. */
  discard(): void {
    remove(this.#work)
    if (this.#made === undefined || fs.readdirSync(this.#folder).length > 0) return
    for (let folder = this.#folder; ; folder = path.dirname(folder)) {
      fs.rmdirSync(folder)
      if (folder === this.#made) return
    }
  }

  /** Gives the set the name of its content. @returns the name */
  #settle(replaced: string | undefined): string {
    const names = createHash('sha256')
      .update(JSON.stringify([...this.#digests]))
      .digest('hex')
    syncFolder(path.join(this.#work, 'set'))
    for (let name = `.set-${names.slice(0, 16)}`; ; name += '+') {
      const target = path.join(this.#folder, name)
      // A set of this name that has not its content was changed by hand: it is not ours to use.
      if (name === replaced) continue
      if (!fs.existsSync(target)) {
        fs.renameSync(path.join(this.#work, 'set'), target)
        return name
      }
      if (this.#isAt(target)) return name
    }
  }

  /**
   * Makes a link for every file of the set. Where plain files stand in their place (a copy that
   * followed the links), all become a set of their own first, so that nothing is seen to change.
   *
   * @returns the name of that set
   */
  #adoptFiles(): string | undefined {
    const names = [...this.#digests.keys()]
    const inFolder = (name: string) => path.join(this.#folder, name)
    const isPlain = (name: string) =>
      fs.lstatSync(inFolder(name), { throwIfNoEntry: false })?.isFile() ?? false
    let adopted: string | undefined
    if (names.some(isPlain)) {
      adopted = `.set-adopted-${path.basename(this.#work).slice('.tmp-'.length)}`
      fs.mkdirSync(inFolder(adopted))
      for (const name of names.filter((name) => fs.existsSync(inFolder(name)))) {
        fs.copyFileSync(inFolder(name), path.join(inFolder(adopted), name))
      }
      this.#link(adopted, CURRENT)
    }
    for (const name of names) {
      const target = `${CURRENT}/${name}`
      if (readLink(inFolder(name)) !== target) this.#link(target, name)
    }
    return adopted
  }

  /** Points a name in the folder elsewhere, in one instant. */
  #link(target: string, name: string): void {
    const temporary = path.join(this.#work, 'link')
    fs.symlinkSync(target, temporary)
    fs.renameSync(temporary, path.join(this.#folder, name))
  }

  #readCurrent(): string | undefined {
    return readLink(path.join(this.#folder, CURRENT))
  }

  #isAt(folder: string): boolean {
    return [...this.#digests].every(([name, { sha256, bytes }]) => {
      const file = path.join(folder, name)
      if (fs.statSync(file, { throwIfNoEntry: false })?.size !== bytes) return false
      return digestFile(file) === sha256
    })
  }

  /** Removes what killed processes left. A set that a living process is about to link stays. */
  #sweep(): void {
    const entries = fs.readdirSync(this.#folder)
    const works = entries.filter((entry) => WORK.test(entry))
    const dead = works.filter((entry) => !isAlive(Number(entry.split('-')[1])))
    for (const entry of dead) remove(path.join(this.#folder, entry))
    if (dead.length < works.length) return
    const current = this.#readCurrent()
    for (const entry of entries) {
      if (SET.test(entry) && entry !== current) remove(path.join(this.#folder, entry))
    }
  }
}

/**
 * Makes a folder and those above it. Node's own way tells of a read-only disk as of a missing folder,
 * and has no end where the system makes none, as in /proc.
 *
 * @returns the outermost folder that was made, if any was
 */
function makeFolder(folder: string): string | undefined {
  if (isFolder(folder)) return undefined
  const parent = path.dirname(folder)
  const made = parent === folder ? undefined : makeFolder(parent)
  try {
    fs.mkdirSync(folder)
    return made ?? folder
  } catch (error) {
    // Another process may have made it just now.
    if (isFolder(folder)) return made
    throw error
  }
}

function isFolder(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function readLink(file: string): string | undefined {
  try {
    return fs.readlinkSync(file)
  } catch {
    return undefined
  }
}

function digestFile(file: string): string {
  const hash = createHash('sha256')
  const descriptor = fs.openSync(file, 'r')
  try {
    const buffer = Buffer.allocUnsafe(PIECE)
    for (;;) {
      const length = fs.readSync(descriptor, buffer)
      if (length === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, length))
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Makes renames in a folder outlive a power cut. */
function syncFolder(folder: string): void {
  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function remove(file: string): void {
  fs.rmSync(file, { recursive: true, force: true })
}
