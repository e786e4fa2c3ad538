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

export type Cache = ReturnType<typeof openCache>

/** @param out the dataset folder */
export function openCache(out: string, { digestContent, work, room = 0 }: CacheOptions = {}) {
  const folder = path.join(out, '.cache')
  const used = new Set<string>()
  const contentDigest = digestContent?.()

  const nameOf = (kind: Kind, madeOf: string) => {
    const made = `${madeOf} ${CODE_DIGEST}`
    if (!OF_CONTENT.test(`${kind}-`)) return `${kind}-${sha256Of(made)}`
    return `${kind}-${sha256Of(`${made} ${contentDigest}`)}`
  }

  return {
    /**
     * Returns a value of an earlier build.
     *
     * @param madeOf everything that determines the value, besides the code and `content.ts`
     */
    get<T>(kind: Kind, madeOf: string): T | undefined {
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
    add<T>(kind: Kind, madeOf: string, value: T): T {
      if (work === undefined || CODE_DIGEST === undefined) return value
      const name = nameOf(kind, madeOf)
      if (OF_CONTENT.test(name) && contentDigest === undefined) return value
      try {
        const { bavail, bsize } = fs.statfsSync(work)
        if (bavail * bsize < room) return value
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
      // Its functions may have loaded something, which the names of the entries do not tell.
      const hasContentChanged = digestContent?.() !== contentDigest
      try {
        fs.mkdirSync(folder, { recursive: true })
        for (const name of used) {
          if (hasContentChanged && OF_CONTENT.test(name)) continue
          const made = path.join(work ?? '', name)
          if (!fs.existsSync(made)) continue
          remove(path.join(folder, name))
          fs.renameSync(made, path.join(folder, name))
        }
        for (const name of fs.readdirSync(folder))
          if (ENTRY.test(name) && !used.has(name)) remove(path.join(folder, name))
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
