/**
 * Keeps what makes the next build faster and changes no byte: compiled checks and types. An entry is
 * named by the digest of all that it was made from, the code included, and begins with the digest of
 * its name and value: one that is torn or edited is not used. A build removes the entries that it did
 * not use.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import v8 from 'node:v8'
import { CODE_DIGEST } from '../../machine/code-digest.ts'
import { remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

/** In bytes: of a SHA-256. */
const DIGEST_LENGTH = 32

type Kind = 'check' | 'types'

/** The name of an entry, such as `check-9f86…`. Other programs have a folder `.cache` of their own. */
const ENTRY = /^(?:check|types)-[0-9a-f]{64}$/

export class Cache {
  readonly #folder: string
  /** The names of the entries that this build has used or made. */
  readonly #used = new Set<string>()
  /** The entries that this build has made, by their names. */
  readonly #made = new Map<string, Buffer>()

  /** @param out the dataset folder */
  constructor(out: string) {
    this.#folder = path.join(out, '.cache')
  }

  /**
   * Returns a value of an earlier build.
   *
   * @param madeOf everything that determines the value, besides the code
   */
  get<T>(kind: Kind, madeOf: string): T | undefined {
    const name = entryNameOf(kind, madeOf)

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

  /** Adds an entry, which `save` writes. @returns the value */
  add<T>(kind: Kind, madeOf: string, value: T): T {
    if (CODE_DIGEST === undefined) return value

    const name = entryNameOf(kind, madeOf)
    const bytes = v8.serialize(value)
    this.#used.add(name)
    this.#made.set(name, Buffer.concat([digestOf(name, bytes), bytes]))
    return value
  }

  /** Writes new entries, and removes those that were not used. */
  save(): void {
    try {
      fs.mkdirSync(this.#folder, { recursive: true })
      keepOutOfGit(this.#folder)

      for (const [name, entry] of this.#made) {
        const place = path.join(this.#folder, name)
        // Whatever has this name couldn't be used.
        remove(place)
        fs.writeFileSync(place, entry)
      }

      for (const name of fs.readdirSync(this.#folder)) {
        const isUnused = ENTRY.test(name) && !this.#used.has(name)
        if (isUnused) remove(path.join(this.#folder, name))
      }
    } catch {
      // The next build is only slower.
    }
  }
}

/** A dataset may be committed, but not what speeds up the next build on this machine. */
function keepOutOfGit(folder: string): void {
  const file = path.join(folder, '.gitignore')
  if (!fs.existsSync(file)) fs.writeFileSync(file, '*\n')
}

function entryNameOf(kind: Kind, madeOf: string): string {
  return `${kind}-${sha256Of(`${madeOf} ${CODE_DIGEST}`)}`
}

/** With its name, so that an entry is not taken for another one. */
function digestOf(name: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(bytes).digest()
}
