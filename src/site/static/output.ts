/**
 * The folder that a build writes. What the last build made from the same, and nobody has changed
 * since, is taken over: a list in the built site says what each file was made from.
 */
import { copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { remove } from '../../machine/files.ts'
import { sha256Of } from '../../text/digest.ts'

/** Not one of the files of the site. It may be deleted: then the next build makes all of them. */
const MADE_FILE = '.made.json'

/** A file and its compressed copies, by what their names end with. */
export type Pieces = Record<string, Buffer>

/** The digest of what a file was made from, and those of its pieces. */
interface Made {
  from: string
  pieces: Record<string, string>
}

/** @param last the folder of the last build, if there was one */
export function openOutput(folder: string, last: string) {
  const known = readMade(last)
  const made: Record<string, Made> = {}
  const folders = new Set<string>()

  function placeOf(file: string): string {
    const place = join(folder, file)
    if (!folders.has(dirname(place))) mkdirSync(dirname(place), { recursive: true })
    folders.add(dirname(place))
    return place
  }

  function write(file: string, content: string | Buffer): void {
    writeFileSync(placeOf(file), content)
  }

  /** Takes over a file. It is checked where it is now: another build may replace the last one. */
  function take(file: string, digest: string): Buffer {
    const [old, place] = [join(last, file), placeOf(file)]
    try {
      // Takes a fifth of the time of a copy, also when the last folder is removed.
      linkSync(old, place)
    } catch {
      copyFileSync(old, place)
    }
    const content = readFileSync(place)
    if (sha256Of(content) !== digest) throw new Error(`${file} has changed`)
    return content
  }

  function takeAll(file: string, { pieces }: Made): Pieces | undefined {
    try {
      const taken = Object.entries(pieces).map(([end, digest]) => [end, take(file + end, digest)])
      return Object.fromEntries(taken)
    } catch {
      return undefined
    }
  }

  return {
    write,
    /**
     * Takes over a file, or else makes and writes it.
     *
     * @param from the digest of all that it is made from
     */
    async put(file: string, from: string, make: () => Promise<Pieces>): Promise<Pieces> {
      const before = known[file]
      const taken = before?.from === from ? takeAll(file, before) : undefined
      if (before && taken) {
        made[file] = before
        return taken
      }
      const pieces = await make()
      const digests: Made['pieces'] = {}
      for (const [end, content] of Object.entries(pieces)) {
        // It may be a link, and to write into that would change the last build.
        if (before) remove(join(folder, file + end))
        write(file + end, content)
        digests[end] = sha256Of(content)
      }
      made[file] = { from, pieces: digests }
      return pieces
    },
    /** Writes the list of what was made. */
    finish(): void {
      const inOrder = Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1))
      write(MADE_FILE, JSON.stringify(Object.fromEntries(inOrder)))
    },
  }
}

function readMade(folder: string): Record<string, Made> {
  try {
    return JSON.parse(readFileSync(join(folder, MADE_FILE), 'utf8')) ?? {}
  } catch {
    return {}
  }
}
