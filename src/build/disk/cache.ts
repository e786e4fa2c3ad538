/**
 * Keeps what makes the next build faster and changes no byte: compiled checks, types, and of a large
 * delivery each batch as it was read, and what was published. An entry is named by the digest of all
 * that it was made from, the code included, and begins with the digest of its name and value: one
 * that is torn or edited is not used. A build removes the entries that it did not use.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import v8 from 'node:v8'
import { CODE_DIGEST } from '../../machine/code-digest.ts'
import { moveFile, remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

/** In bytes: of a SHA-256. */
const DIGEST_LENGTH = 32

/** The compiled check and the types are made of the schema; the others also of what `content.ts` says. */
type Kind = 'check' | 'types' | 'batch' | 'build'

/**
 * For example `check-9f86…`: the name of an entry, also of an earlier version. Other programs have a
 * folder `.cache`, too.
 */
const ENTRY = /^(?:check|types|batch|build)-[0-9a-f]{16,64}$/

/** For example `batch-4e07…`: the name of an entry that `content.ts` has a part in. */
const OF_CONTENT = /^(?:batch|build)-/

/** Digests all modules that `content.ts` has loaded so far; undefined if not all are known. */
export type DigestContent = () => string | undefined

interface CacheOptions {
  /** Without it, nothing is known of `content.ts`. */
  digestContent?: DigestContent | undefined
  /** Where new entries stay until the build has succeeded; without it, there are none. */
  work?: string | undefined
  /** How many bytes of the disk to leave for the dataset. */
  room?: number
}

export class Cache {
  readonly #folder: string
  readonly #work: string | undefined
  readonly #room: number
  readonly #digestContent: DigestContent | undefined
  /** The digest of what `content.ts` had loaded before the build. */
  readonly #contentDigest: string | undefined
  /** The names of the entries that this build has used or made. */
  readonly #used = new Set<string>()

  /** @param out the dataset folder */
  constructor(out: string, { digestContent, work, room = 0 }: CacheOptions = {}) {
    this.#folder = path.join(out, '.cache')
    this.#work = work
    this.#room = room
    this.#digestContent = digestContent
    this.#contentDigest = digestContent?.()
  }

  /**
   * Returns a value of an earlier build.
   *
   * @param madeOf everything that determines the value, besides the code and `content.ts`
   */
  get<T>(kind: Kind, madeOf: string): T | undefined {
    const name = this.#nameOf(kind, madeOf)
    try {
      const entry = fs.readFileSync(path.join(this.#folder, name))
      const digest = entry.subarray(0, DIGEST_LENGTH)
      const bytes = entry.subarray(DIGEST_LENGTH)
      if (!digestOf(name, bytes).equals(digest)) return undefined

      this.#used.add(name)
      return v8.deserialize(bytes)
    } catch {
      return undefined
    }
  }

  /**
   * Adds an entry. If it can't be written, the next build is only slower.
   *
   * @returns the value
   */
  add<T>(kind: Kind, madeOf: string, value: T): T {
    if (this.#work === undefined || CODE_DIGEST === undefined) return value

    const name = this.#nameOf(kind, madeOf)
    if (OF_CONTENT.test(name) && this.#contentDigest === undefined) return value

    try {
      const { bavail, bsize } = fs.statfsSync(this.#work)
      if (bavail * bsize < this.#room) return value

      const bytes = v8.serialize(value)
      const entry = Buffer.concat([digestOf(name, bytes), bytes])
      fs.writeFileSync(path.join(this.#work, name), entry)
      this.#used.add(name)
    } catch {
      // It isn't used.
    }
    return value
  }

  /** Puts new entries into place, and removes those that were not used. */
  save(): void {
    try {
      fs.mkdirSync(this.#folder, { recursive: true })

      // A function of `content.ts` may have loaded something that the names of its entries don't tell.
      const hasContentChanged = this.#digestContent?.() !== this.#contentDigest
      for (const name of this.#used) {
        const isStale = hasContentChanged && OF_CONTENT.test(name)
        if (!isStale) this.#place(name)
      }

      for (const name of fs.readdirSync(this.#folder)) {
        const isUnused = ENTRY.test(name) && !this.#used.has(name)
        if (isUnused) remove(path.join(this.#folder, name))
      }
    } catch {
      // The next build is only slower.
    }
  }

  /** Puts an entry into place, if it is new. */
  #place(name: string): void {
    const entry = path.join(this.#work ?? '', name)
    if (!fs.existsSync(entry)) return

    const place = path.join(this.#folder, name)
    remove(place)
    moveFile(entry, place)
  }

  #nameOf(kind: Kind, madeOf: string): string {
    const all = OF_CONTENT.test(`${kind}-`)
      ? `${madeOf} ${CODE_DIGEST} ${this.#contentDigest}`
      : `${madeOf} ${CODE_DIGEST}`
    return `${kind}-${sha256Of(all)}`
  }
}

/** With its name, so that an entry is not taken for another one. */
function digestOf(name: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(bytes).digest()
}
