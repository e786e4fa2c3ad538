/**
 * Remembers the batches of a large delivery that have no problem. An entry is named by the digest of
 * everything that it was made from, and begins with the digest of its own content: one that is torn
 * or edited is read anew, and one that no build uses any more is removed by the next.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import v8 from 'node:v8'
import { remove, temporaryName } from '../machine/files.ts'
import { sha256Of } from '../text/digest.ts'
import type { BuildOptions, RememberedBatches } from './build.ts'
import { codeDigest } from './code-digest.ts'
import type { Read } from './reader.ts'

/** In bytes: smaller deliveries are read as fast as their entries. */
const LARGE = 64_000_000

const PREFIX = 'batch-'
const DIGEST_LENGTH = 32
/** Of the digest of the manifest of the last build, and of the code that made it. */
const LAST = 'last-build'

type Settings = Pick<BuildOptions, 'isCheck' | 'largeFrom'>

type Remembered = Omit<Read, 'name' | 'bytes' | 'sha256'>

export class BatchCache {
  readonly isOn: boolean
  readonly #folder: string
  /** New entries stay here until the build has succeeded. */
  readonly #work: string
  readonly #schema: string
  readonly #used = new Set<string>()
  readonly #made = new Set<string>()
  readonly #isDry: boolean
  #isFull: boolean

  /**
   * @param out the dataset folder
   * @param schema its SHA-256
   * @param size of the delivery, in bytes
   */
  constructor(out: string, schema: string, size: number, { isCheck, largeFrom }: Settings) {
    this.isOn = size >= (largeFrom ?? LARGE)
    this.#isDry = isCheck ?? false
    this.#folder = path.join(out, '.cache')
    this.#work = path.join(out, temporaryName())
    this.#schema = schema
    // A cache must not take the room of the dataset, which is seldom larger than the delivery.
    this.#isFull = freeBytes(out) < 3 * size
  }

  #nameOf(batch: string): string {
    const machine = `${process.version} ${process.arch}`
    return PREFIX + sha256Of([batch, this.#schema, codeDigest(), machine].join())
  }

  /** @param batch its SHA-256 */
  get(batch: string): Remembered | undefined {
    if (!this.isOn) return undefined
    const name = this.#nameOf(batch)
    try {
      const file = fs.readFileSync(path.join(this.#folder, name))
      const content = file.subarray(DIGEST_LENGTH)
      const digest = createHash('sha256').update(content).digest()
      if (!digest.equals(file.subarray(0, DIGEST_LENGTH))) return undefined
      const end = 4 + content.readUInt32LE()
      const { pages, ...facts } = v8.deserialize(content.subarray(4, end))
      this.#used.add(name)
      return { ...facts, pages: { ...pages, bytes: content.subarray(end) } }
    } catch {
      return undefined
    }
  }

  /** Writes an entry. If that fails, the next build is only slower. */
  add(batch: string, { pages: { bytes, ...pages }, ...facts }: Remembered): void {
    if (!this.isOn || this.#isDry || this.#isFull) return
    const head = v8.serialize({ ...facts, pages })
    const length = Buffer.alloc(4)
    length.writeUInt32LE(head.length)
    const hash = createHash('sha256').update(length).update(head).update(bytes)
    const name = this.#nameOf(batch)
    try {
      fs.mkdirSync(this.#work, { recursive: true })
      const file = fs.openSync(path.join(this.#work, name), 'w')
      try {
        fs.writevSync(file, [hash.digest(), length, head, bytes])
      } finally {
        fs.closeSync(file)
      }
      this.#made.add(name)
    } catch {
      this.#isFull = true
    }
  }

  /**
   * Puts new entries into place, and removes those that were not used.
   *
   * @param manifest the SHA-256 of the one just written; undefined if it does not tell everything
   */
  save(manifest: string | undefined): void {
    if (this.#isDry) return
    const ignore = (work: () => void) => {
      try {
        work()
      } catch {
        // The next build is only slower.
      }
    }
    const placeOf = (name: string) => path.join(this.#folder, name)
    if (this.isOn) ignore(() => fs.mkdirSync(this.#folder, { recursive: true }))
    for (const name of this.#made) {
      ignore(() => fs.renameSync(path.join(this.#work, name), placeOf(name)))
    }
    for (const name of this.#entries()) {
      const isUsed = this.#used.has(name) || this.#made.has(name)
      if (!isUsed) ignore(() => remove(placeOf(name)))
    }
    ignore(() => {
      if (this.isOn && manifest) fs.writeFileSync(placeOf(LAST), sealOf(manifest))
      else remove(placeOf(LAST))
    })
  }

  /** Whether the last build wrote this manifest, and the code is the same. */
  vouchesFor(manifest: string): boolean {
    try {
      return fs.readFileSync(path.join(this.#folder, LAST), 'utf8') === sealOf(manifest)
    } catch {
      return false
    }
  }

  /** What the entries take on the disk; undefined for a small delivery. */
  describe(isAll: boolean): RememberedBatches | undefined {
    if (!this.isOn) return undefined
    const sizeOf = (name: string) =>
      fs.statSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0
    return { bytes: this.#entries().reduce((sum, name) => sum + sizeOf(name), 0), isAll }
  }

  #entries(): string[] {
    try {
      return fs.readdirSync(this.#folder).filter((name) => name.startsWith(PREFIX))
    } catch {
      return []
    }
  }

  /** Removes entries that were not saved. */
  discard(): void {
    if (this.isOn && !this.#isDry) remove(this.#work)
  }
}

function sealOf(manifest: string): string {
  return sha256Of(`${manifest}; ${codeDigest()}`)
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
