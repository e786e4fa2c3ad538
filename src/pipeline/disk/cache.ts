/**
 * Keeps what makes the next build faster and changes no byte: compiled checks, types, and of a large
 * delivery each batch as it was read, and what was published. An entry is named by the digest of all
 * that it was made from, the code included, and begins with the digest of its name and content: one
 * that is torn or edited is not used. A build removes the entries that it did not use.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import v8 from 'node:v8'
import { codeDigest } from '../../machine/code-digest.ts'
import { remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

const DIGEST_LENGTH = 32

export class Cache {
  /** Inside the dataset folder. */
  readonly #folder: string
  readonly #content: string
  #work: string | undefined
  readonly #room: number
  readonly #used = new Set<string>()

  /**
   * @param out the dataset folder
   * @param content the digest of `content.ts`, or '' for that in `src`, which is a part of the code
   * @param work where new entries stay until the build has succeeded; without it, there are none
   * @param room how many bytes of the disk to leave for the dataset
   */
  constructor(out: string, content: string, work?: string, room = 0) {
    this.#content = content
    this.#folder = path.join(out, '.cache')
    this.#work = work
    this.#room = room
  }

  /**
   * Returns a value of an earlier build.
   *
   * @param kind one word
   * @param madeOf everything that determines the value, besides the code
   */
  get<T>(kind: string, madeOf: string): T | undefined {
    const name = this.#nameOf(kind, madeOf)
    if (name === undefined) return undefined
    try {
      const entry = fs.readFileSync(path.join(this.#folder, name))
      const content = entry.subarray(DIGEST_LENGTH)
      if (!digestOf(name, content).equals(entry.subarray(0, DIGEST_LENGTH))) return undefined
      this.#used.add(name)
      return v8.deserialize(content)
    } catch {
      return undefined
    }
  }

  /**
   * Adds an entry. If one cannot be written, none is, and the next build is only slower.
   *
   * @returns the value
   */
  add<T>(kind: string, madeOf: string, value: T): T {
    const name = this.#nameOf(kind, madeOf)
    if (name === undefined || this.#work === undefined) return value
    try {
      const content = v8.serialize(value)
      const { bavail, bsize } = fs.statfsSync(this.#work)
      if (bavail * bsize < this.#room) return value
      fs.writeFileSync(
        path.join(this.#work, name),
        Buffer.concat([digestOf(name, content), content]),
      )
      this.#used.add(name)
    } catch {
      this.#work = undefined
    }
    return value
  }

  /** Puts new entries into place, and removes those that were not used. */
  save(): void {
    try {
      fs.mkdirSync(this.#folder, { recursive: true })
      for (const name of this.#used) {
        const made = path.join(this.#work ?? '', name)
        if (this.#work === undefined || !fs.existsSync(made)) continue
        remove(path.join(this.#folder, name))
        fs.renameSync(made, path.join(this.#folder, name))
      }
      for (const name of fs.readdirSync(this.#folder))
        if (!this.#used.has(name)) remove(path.join(this.#folder, name))
    } catch {
      // The next build is only slower.
    }
  }

  #nameOf(kind: string, madeOf: string): string | undefined {
    const code = codeDigest()
    return code && `${kind}-${sha256Of(`${madeOf} ${this.#content} ${code}`)}`
  }
}

/** With its name, so that an entry is not taken for another one. */
function digestOf(name: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(content).digest()
}
