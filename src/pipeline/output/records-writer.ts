/**
 * Writes the valid records for an engine that dedupes them, on one machine or many: one JSON Lines
 * file per batch, in a folder that appears complete or not at all.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { BatchEntry } from '../../dataset/format.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { sha256Of } from '../../text/digest.ts'
import type { Shard } from '../delivery.ts'
import type { Cache } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import type { ReadBatch } from '../read-batches.ts'

const END = Buffer.from('}\n')

export class RecordsWriter {
  readonly cache: Cache
  readonly #folder: string
  readonly #set: FileSet
  readonly #ranks: ReadonlyMap<string, number>
  readonly #shard: Shard
  #bytes = 0

  /**
   * @param folder where the files go: a new one
   * @param all the batches of all shards, in the order of precedence
   * @param cache of a build; nothing is added to it
   */
  constructor(folder: string, all: readonly { name: string }[], shard: Shard, cache: Cache) {
    this.cache = cache
    this.#shard = shard
    this.#ranks = new Map(all.map(({ name }, rank) => [name, rank]))
    this.#folder = path.resolve(folder)
    refuseExisting(this.#folder)
    const parent = path.dirname(this.#folder)
    const doing = `write into ${parent}, the parent folder of ${path.basename(this.#folder)}`
    this.#set = onDisk(doing, () => new FileSet(parent, false))
  }

  /** Writes the records of a batch. None is dropped: the engine decides which one keeps a path. */
  claim({ name: batch, pages }: ReadBatch): { dropped: 0; faults: [] } {
    const { paths, indexes, starts, ends, bytes } = pages
    const rank = this.#ranks.get(batch)
    const lines: Uint8Array[] = []
    for (const [at, path] of paths.entries()) {
      const place = JSON.stringify({ rank, batch, position: indexes[at], path })
      lines.push(Buffer.from(`${place.slice(0, -1)},"record":`))
      lines.push(bytes.subarray(starts[at], ends[at]), END)
    }
    // Named by rank, because engines do not accept every name that a batch may have.
    const file = this.#set.grow(`records-${String(rank).padStart(6, '0')}.jsonl`)
    try {
      file.add(Buffer.concat(lines))
      this.#bytes += file.seal().bytes
    } finally {
      file.close()
    }
    return { dropped: 0, faults: [] }
  }

  /** @returns totals: `of` counts the batches of all shards, `names` hashes their names and N of K/N */
  async publish(batches: readonly BatchEntry[]) {
    const records = batches.reduce((sum, { records }) => sum + records, 0)
    const kept = batches.reduce((sum, { kept }) => sum + kept, 0)
    if (kept !== records) throw new Error(`the books do not balance: ${records} read, ${kept} kept`)
    refuseExisting(this.#folder)
    this.#set.commitAs(this.#folder)
    const names = sha256Of(JSON.stringify([this.#shard.of, [...this.#ranks.keys()]]))
    return { batches: batches.length, of: this.#ranks.size, records, bytes: this.#bytes, names }
  }

  discard(): void {
    this.#set.discard()
  }
}

/** @throws BuildError if there is anything at the path: nothing is ever replaced */
function refuseExisting(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return
  throw new BuildError(`${folder} exists; name a new folder`)
}
