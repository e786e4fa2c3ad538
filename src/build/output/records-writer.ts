/**
 * Writes the valid records for an engine that dedupes them, on one machine or many: one JSON Lines
 * file per batch, in a folder that appears complete or not at all.
 */
import fs from 'node:fs'
import path from 'node:path'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { sha256Of } from '../../text/digest.ts'
import { FileSet } from '../disk/file-set.ts'
import type { Output } from './output.ts'

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
 * @param folder where the files go: a new one
 * @param all the batches of all shards, in the order of precedence
 * @param of how many shards there are
 */
export function writeRecords(
  folder: string,
  all: readonly { name: string }[],
  of: number,
): Output<WrittenRecords> {
  const whole = path.resolve(folder)
  refuseExisting(whole)
  const parent = path.dirname(whole)
  const doing = `write into ${parent}, the parent folder of ${path.basename(whole)}`
  const set = onDisk(doing, () => new FileSet(parent, false))
  const ranks = new Map(all.map(({ name }, rank) => [name, rank]))
  let size = 0

  return {
    // None is dropped: the engine decides which one keeps a path.
    claim({ name: batch, pages }) {
      const { paths, indexes, starts, ends, bytes } = pages
      const rank = ranks.get(batch)
      const lines: Uint8Array[] = []
      for (const [at, path] of paths.entries()) {
        const place = JSON.stringify({ rank, batch, position: indexes[at], path })
        lines.push(Buffer.from(`${place.slice(0, -1)},"record":`))
        lines.push(bytes.subarray(starts[at], ends[at]), END)
      }
      // Named by rank, because engines do not accept every name that a batch may have.
      const name = `records-${String(rank).padStart(6, '0')}.jsonl`
      const content = Buffer.concat(lines)
      fs.writeFileSync(path.join(set.work, name), content, { flag: 'wx', flush: true })
      size += content.length
      return { dropped: 0, faults: [] }
    },

    async publish(batches) {
      const records = batches.reduce((sum, { records }) => sum + records, 0)
      const kept = batches.reduce((sum, { kept }) => sum + kept, 0)
      if (kept !== records)
        throw new Error(`the books do not balance: ${records} read, ${kept} kept`)
      refuseExisting(whole)
      set.commitAs(whole)
      const names = sha256Of(JSON.stringify([of, [...ranks.keys()]]))
      return { batches: batches.length, of: ranks.size, records, bytes: size, names }
    },

    discard: () => set.discard(),
  }
}

/** @throws BuildError if there is anything at the path: nothing is ever replaced */
function refuseExisting(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return
  throw new BuildError(`${folder} exists; name a new folder`)
}
