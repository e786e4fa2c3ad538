/**
 * The folder that a build writes. What the last build made from the same, and nobody has changed
 * since, is taken over: a list in the built site says what each file was made from.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Of } from '../../text/digest.ts'

/** The name of this list. If it is deleted, the next build makes all files anew. */
export const MADE_FILE = '.made.json'

/** A file and its compressed copies, by what their names end with. */
export type Pieces = Record<string, Buffer>

interface Made {
  /** The digest of what a file was made from. */
  from: string
  /** What the names of its pieces end with. */
  ends: readonly string[]
  /** The digest of its pieces. */
  digest: string
}

/** @param last the folder of the last build, if there was one */
export function openOutput(folder: string, last: string) {
  const known = readMade(last)
  const made = new Map<string, Made>()

  function write(file: string, content: string | Buffer): void {
    const place = join(folder, file)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content)
  }

  /** Returns what the last build has made, if it is still there. */
  function take(file: string, from: string): Pieces | undefined {
    const before = known[file]
    if (before?.from !== from) return undefined
    try {
      const read = (end: string) => [end, readFileSync(join(last, file + end))]
      const pieces = Object.fromEntries(before.ends.map(read))
      return digestOf(pieces) === before.digest ? pieces : undefined
    } catch {
      return undefined
    }
  }

  return {
    write,
    /**
     * Writes a file, which it takes over or else makes.
     *
     * @param from the digest of all that it is made from
     */
    put(file: string, from: string, make: () => Pieces): Pieces {
      const pieces = take(file, from) ?? make()
      for (const [end, content] of Object.entries(pieces)) write(file + end, content)
      made.set(file, { from, ends: Object.keys(pieces), digest: digestOf(pieces) })
      return pieces
    },
    /** Writes the list of what was made. */
    finish(): void {
      write(MADE_FILE, JSON.stringify(Object.fromEntries(made)))
    },
  }
}

const digestOf = (pieces: Pieces) => sha256Of(Buffer.concat(Object.values(pieces)))

function readMade(folder: string): Record<string, Made> {
  try {
    return JSON.parse(readFileSync(join(folder, MADE_FILE), 'utf8')) ?? {}
  } catch {
    return {}
  }
}
