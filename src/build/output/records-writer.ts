/**
 * Writes the valid records for an engine that dedupes them, on one machine or many: one JSON Lines
 * file per batch, in a folder that appears complete or not at all.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Pages } from '../../accept/emit.ts'
import { KeptPaths } from '../../dataset/precedence.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import type { Content } from '../../page/content.ts'
import type { Fault } from '../../page/fault.ts'
import { sha256Of } from '../../text/digest.ts'
import { FileSet } from '../disk/file-set.ts'
import type { Output } from './output.ts'

/** The end of a line, after the record. */
const END = Buffer.from('}\n')

export interface WrittenRecords {
  /** How many batches this shard has. */
  batches: number
  /** How many all shards have. */
  of: number
  records: number
  bytes: number
  /** The digest of the names of the batches of all shards, and of N of K/N. */
  names: string
}

/**
 * Creates the output of a build that writes records: it leaves to the engine which record keeps a path.
 *
 * @param folder where the files go: a new one
 * @param all the batches of all shards, in the order of precedence
 * @param shards how many shards there are
 * @param duplicates whether a second record of a path is a problem; that of another shard isn't seen
 */
export function writeRecords(
  folder: string,
  all: readonly { name: string }[],
  shards: number,
  duplicates: Content['duplicates'],
): Output<WrittenRecords> {
  const target = path.resolve(folder)
  refuseExisting(target)

  const parent = path.dirname(target)
  const doing = `write into ${parent}, the parent folder of ${path.basename(target)}`
  const fileSet = onDisk(doing, () => new FileSet(parent, false))

  const ranks = new Map(all.map(({ name }, rank) => [name, rank]))
  const keptPaths = new KeptPaths({ duplicates })
  let size = 0

  return {
    claim({ name, pages }) {
      // What is dropped, the engine decides, so there's no need to remember millions of paths.
      const losers = duplicates === 'refuse' ? keptPaths.claim(name, pages) : []
      const faults = losers.map(
        ({ at, refusal }) => ({ ...refusal, page: pages.indexes[at] }) as Fault,
      )
      const rank = ranks.get(name) as number
      const lines = linesOf(rank, name, pages)
      fs.writeFileSync(path.join(fileSet.work, fileName(rank)), lines, { flag: 'wx', flush: true })
      size += lines.length
      return { dropped: 0, refused: losers.length, faults }
    },

    async publish(batches) {
      const records = batches.reduce((sum, batch) => sum + batch.records, 0)
      const kept = batches.reduce((sum, batch) => sum + batch.kept, 0)
      if (kept !== records)
        throw new Error(`the books do not balance: ${records} read, ${kept} kept`)

      refuseExisting(target)
      fileSet.commitAs(target)

      const names = sha256Of(JSON.stringify([shards, [...ranks.keys()]]))
      return { batches: batches.length, of: ranks.size, records, bytes: size, names }
    },

    discard: () => fileSet.discard(),
  }
}

/** By rank, because engines don't accept every name that a batch may have. */
function fileName(rank: number): string {
  return `records-${String(rank).padStart(6, '0')}.jsonl`
}

/** For example `{"rank":1,"batch":"b.json","position":0,"path":"/a","record":{…}}`, for each page. */
function linesOf(rank: number, batch: string, pages: Pages): Buffer {
  const { paths, indexes, starts, ends, bytes } = pages
  const parts: Uint8Array[] = []

  for (const [at, path] of paths.entries()) {
    const place = JSON.stringify({ rank, batch, position: indexes[at], path })
    const withoutBracket = place.slice(0, -1)
    parts.push(Buffer.from(`${withoutBracket},"record":`))
    parts.push(bytes.subarray(starts[at], ends[at]), END)
  }
  return Buffer.concat(parts)
}

/** @throws BuildError if there is anything at the path: nothing is ever replaced */
function refuseExisting(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return
  throw new BuildError(`${folder} exists; name a new folder`)
}
