/**
 * Remembers the batches of a large delivery that have no problem. An entry is named by the digest of
 * everything that it was made from, and begins with the digest of its name and content: one that is
 * torn or edited is read anew, and one that is not used is removed by the next build.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import v8 from 'node:v8'
import type { ReadResult } from '../batch/read.ts'
import type { Violation } from '../batch/violation.ts'
import { remove } from '../machine/files.ts'
import { sha256Of } from '../text/digest.ts'
import { codeDigest } from './code-digest.ts'

const PREFIX = 'batch-'
const DIGEST_LENGTH = 32

/** What is known of a batch by its bytes alone. */
export interface Remembered extends ReadResult {
  /** Its texts that have lost a character; warnings unless the build is strict. */
  lost: Violation[]
}

export class BatchCache {
  readonly isOn: boolean
  readonly #folder: string
  readonly #work: string
  readonly #schema: string
  readonly #used = new Set<string>()
  #isWritten: boolean

  /**
   * @param out the dataset folder
   * @param work where new entries stay until the build has succeeded
   * @param schema its SHA-256
   * @param isOn whether the delivery is large; otherwise every entry is unused
   * @param isWritten whether to write new entries
   */
  constructor(out: string, work: string, schema: string, isOn: boolean, isWritten: boolean) {
    this.isOn = isOn
    this.#folder = path.join(out, '.cache')
    this.#work = work
    this.#schema = schema
    this.#isWritten = isOn && isWritten
  }

  #nameOf(batch: string): string {
    return PREFIX + sha256Of(`${batch} ${this.#schema} ${codeDigest()}`)
  }

  /** @param batch its SHA-256 */
  get(batch: string): Remembered | undefined {
    if (!this.isOn) return undefined
    const name = this.#nameOf(batch)
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

  /** Writes an entry. If that fails, the next build is only slower. */
  add(batch: string, result: Remembered): void {
    if (!this.#isWritten) return
    const name = this.#nameOf(batch)
    const content = v8.serialize(result)
    try {
      fs.writeFileSync(
        path.join(this.#work, name),
        Buffer.concat([digestOf(name, content), content]),
      )
      this.#used.add(name)
    } catch {
      this.#isWritten = false
    }
  }

  /** Puts new entries into place, and removes those that were not used. */
  save(): void {
    try {
      for (const name of entriesOf(this.#work)) {
        fs.mkdirSync(this.#folder, { recursive: true })
        remove(path.join(this.#folder, name))
        fs.renameSync(path.join(this.#work, name), path.join(this.#folder, name))
      }
      for (const name of entriesOf(this.#folder)) {
        if (!this.#used.has(name)) remove(path.join(this.#folder, name))
      }
    } catch {
      // The next build is only slower.
    }
  }

  /** How many bytes the entries take; undefined for a small delivery. */
  size(): number | undefined {
    if (!this.isOn) return undefined
    const sizes = entriesOf(this.#folder).map((name) => {
      return fs.statSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0
    })
    return sizes.reduce((sum, size) => sum + size, 0)
  }
}

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => name.startsWith(PREFIX))
  } catch {
    return []
  }
}

/** With its name, so that an entry is not taken for another one. */
function digestOf(name: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(content).digest()
}
