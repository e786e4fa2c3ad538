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
import { CODE_DIGEST } from '../../machine/code-digest.ts'
import { remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

const DIGEST_LENGTH = 32

export type Cache = ReturnType<typeof openCache>

/**
 * @param out the dataset folder
 * @param digest that of `content.ts`, or '' for the one in `src`, which is a part of the code
 * @param work where new entries stay until the build has succeeded; without it, there are none
 * @param room how many bytes of the disk to leave for the dataset
 */
export function openCache(out: string, digest = '', work?: string, room = 0) {
  const folder = path.join(out, '.cache')
  const used = new Set<string>()
  const nameOf = (kind: string, madeOf: string) => {
    const all = `${madeOf} ${digest} ${CODE_DIGEST}`
    return `${kind}-${sha256Of(all)}`
  }

  return {
    /**
     * Returns a value of an earlier build.
     *
     * @param kind one word
     * @param madeOf everything that determines the value, besides the code
     */
    get<T>(kind: string, madeOf: string): T | undefined {
      const name = nameOf(kind, madeOf)
      try {
        const entry = fs.readFileSync(path.join(folder, name))
        const written = entry.subarray(0, DIGEST_LENGTH)
        const content = entry.subarray(DIGEST_LENGTH)
        if (!digestOf(name, content).equals(written)) return undefined
        used.add(name)
        return v8.deserialize(content)
      } catch {
        return undefined
      }
    },

    /**
     * Adds an entry. If it cannot be written, the next build is only slower.
     *
     * @returns the value
     */
    add<T>(kind: string, madeOf: string, value: T): T {
      if (work === undefined || CODE_DIGEST === undefined) return value
      try {
        const { bavail, bsize } = fs.statfsSync(work)
        if (bavail * bsize < room) return value
        const name = nameOf(kind, madeOf)
        const content = v8.serialize(value)
        const entry = Buffer.concat([digestOf(name, content), content])
        fs.writeFileSync(path.join(work, name), entry)
        used.add(name)
      } catch {
        // It is not used.
      }
      return value
    },

    /** Puts new entries into place, and removes those that were not used. */
    save(): void {
      try {
        fs.mkdirSync(folder, { recursive: true })
        for (const name of used) {
          const made = path.join(work ?? '', name)
          if (!fs.existsSync(made)) continue
          remove(path.join(folder, name))
          fs.renameSync(made, path.join(folder, name))
        }
        for (const name of fs.readdirSync(folder))
          if (!used.has(name)) remove(path.join(folder, name))
      } catch {
        // The next build is only slower.
      }
    },
  }
}

/** With its name, so that an entry is not taken for another one. */
function digestOf(name: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(content).digest()
}
