/**
 * The folder that a build writes. What the last build made from the same, and nobody has changed
 * since, is taken over: a list in the built site says what each file was made from.
 */
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

/** The name of this list. If it is deleted, the next build makes all files anew. */
export const MADE_FILE = '.made.json'

/** A file and its compressed copies, by what their names end with. */
export type Pieces = Record<string, Buffer>

/** The digests of what a file was made from and of its pieces, and what their names end with. */
interface Made {
  from: string
  digest: string
  ends: readonly string[]
}

/** @param last the folder of the last build, if there was one */
export function openOutput(folder: string, last: string) {
  const known = readMade(last)
  const made = new Map<string, Made>()

  function placeOf(file: string): string {
    const place = join(folder, file)
    mkdirSync(dirname(place), { recursive: true })
    return place
  }

  function write(file: string, content: string | Buffer): void {
    writeFileSync(placeOf(file), content)
  }

  /** Takes over what the last build has made, if it is still there. */
  function take(file: string, from: string): Pieces | undefined {
    const before = known[file]
    if (before?.from !== from) return undefined
    try {
      // A link takes a fifth of the time of a copy. It is read here, where no other build replaces it.
      for (const end of before.ends) linkSync(join(last, file + end), placeOf(file + end))
      const read = (end: string) => [end, readFileSync(join(folder, file + end))]
      const pieces = Object.fromEntries(before.ends.map(read))
      if (digestOf(pieces) === before.digest) return pieces
    } catch {
      // It is gone, or the disk has no links.
    }
    for (const end of before.ends) remove(join(folder, file + end))
    return undefined
  }

  return {
    write,
    /** Writes a file, which it takes over or else makes. `from` is the digest of what it is made from. */
    put(file: string, from: string, make: () => Pieces): Pieces {
      const taken = take(file, from)
      const pieces = taken ?? make()
      if (!taken) for (const [end, content] of Object.entries(pieces)) write(file + end, content)
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
