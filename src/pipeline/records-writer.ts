/**
 * Writes the valid records for an engine that dedupes them, on one machine or many: one JSON Lines
 * file per batch, in a folder that appears complete or not at all.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Pages } from '../batch/read.ts'
import type { BatchEntry } from '../dataset/output.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import type { GrowingFile } from '../machine/growing-file.ts'
import { sha256Of } from '../text/digest.ts'
import type { Cache } from './cache/cache.ts'
import { FileSet } from './disk/file-set.ts'
import type { Shard } from './source.ts'

const END = Buffer.from('}\n')

export class RecordsWriter {
  readonly cache: Cache
  readonly #folder: string
  readonly #set: FileSet
  readonly #ranks: ReadonlyMap<string, number>
  readonly #shard: Shard
  #file: GrowingFile | undefined
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
  claim(batch: string, { paths, indexes, starts, ends, bytes }: Pages): [] {
    const file = this.#begin(batch)
    for (const [at, path] of paths.entries()) {
      const place = { rank: this.#ranks.get(batch), batch, position: indexes[at], path }
      file.add(Buffer.from(`${JSON.stringify(place).slice(0, -1)},"record":`))
      file.add(bytes.subarray(starts[at], ends[at]))
      file.add(END)
    }
    return []
  }

  /** Files are named by rank: a batch may have a name that engines do not accept. */
  #begin(batch: string): GrowingFile {
    this.#end()
    const rank = String(this.#ranks.get(batch)).padStart(6, '0')
    this.#file = this.#set.grow(`records-${rank}.jsonl`)
    return this.#file
  }

  #end(): void {
    this.#bytes += this.#file?.seal().bytes ?? 0
    this.#file?.close()
    this.#file = undefined
  }

  /** @returns totals; `of` counts all batches, and `names` hashes their names and shard count */
  async publish(batches: readonly BatchEntry[]) {
    const records = batches.reduce((sum, { records }) => sum + records, 0)
    const kept = batches.reduce((sum, { kept }) => sum + kept, 0)
    if (kept !== records) throw new Error(`the books do not balance: ${records} read, ${kept} kept`)
    this.#end()
    refuseExisting(this.#folder)
    this.#set.commitAs(this.#folder)
    const [names, bytes] = [[...this.#ranks.keys()], this.#bytes]
    const digest = sha256Of(JSON.stringify([this.#shard.of, names]))
    return { batches: batches.length, of: names.length, records, bytes, names: digest }
  }

  discard(): void {
    this.#file?.close()
    this.#set.discard()
  }
}

/** @throws BuildError if there is anything at the path: nothing is ever replaced */
function refuseExisting(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return
  throw new BuildError(`${folder} exists; name a new folder`)
}
