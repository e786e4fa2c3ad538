/**
 * Writes the valid records for an engine that dedupes them, on one machine or many: one JSON Lines
 * file per batch, in a folder that appears complete or not at all.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { WrittenItem } from '../../accept/items.ts'
import { KeptIds } from '../../dataset/precedence.ts'
import type { Fault } from '../../fault/fault.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { sha256Of } from '../../text/digest.ts'
import { FileSet } from '../disk/file-set.ts'
import type { CollectionSource } from '../source.ts'
import { claimantsOf, duplicateRulesOf, isWritten } from './collection-dataset.ts'
import type { CollectionOutput, Output } from './output.ts'

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
 * Creates the output of a build that writes records: it leaves to the engine which record keeps an id.
 *
 * @param folder where the files go: a new one
 * @param shards how many shards there are
 */
export function writeRecords(folder: string, shards: number): Output<WrittenRecords> {
  const target = path.resolve(folder)
  refuseExisting(target)

  const parent = path.dirname(target)
  const doing = `write into ${parent}, the parent folder of ${path.basename(target)}`
  const fileSet = onDisk(doing, () => new FileSet(parent, false))

  return {
    open: (source) => openRecords(source, fileSet.work, shards),

    async commit() {
      refuseExisting(target)
      fileSet.commitAs(target)
      return []
    },

    discard: () => fileSet.discard(),
  }
}

/**
 * @param source the collection: its `duplicates` is about the records of this shard; and all its batches,
 *   in the order of precedence
 * @param folder in which the files are written
 */
function openRecords(
  { collection, delivery: { all } }: CollectionSource,
  folder: string,
  shards: number,
): CollectionOutput<WrittenRecords> {
  const ranks = new Map(all.map((name, rank) => [name, rank]))
  const keptIds = new KeptIds(duplicateRulesOf(collection))
  const names = sha256Of(JSON.stringify([shards, all]))
  const written: WrittenRecords = { batches: 0, of: all.length, records: 0, bytes: 0, names }

  return {
    duplicates: [],

    claim({ name, items, refused }) {
      // The engine decides which records are dropped, so there's no need to remember millions of ids.
      const claimants = claimantsOf({ items, refused }, collection)
      const losers = collection.duplicates === 'refuse' ? keptIds.claim(name, claimants) : []
      const lost = losers.filter(({ item }) => isWritten(item))
      const faults = losers.flatMap(({ item, refusal }): Fault[] => {
        return refusal ? [{ ...refusal, page: item.index }] : []
      })

      const rank = ranks.get(name) as number
      const lines = Buffer.concat(items.flatMap((item) => lineOf(item, rank, name)))
      fs.writeFileSync(path.join(folder, fileName(rank)), lines, { flag: 'wx', flush: true })
      written.bytes += lines.length
      return { dropped: 0, refused: lost.length, faults }
    },

    async finish({ batches }) {
      const records = batches.reduce((sum, batch) => sum + batch.records, 0)
      const kept = batches.reduce((sum, batch) => sum + batch.kept, 0)
      if (kept !== records)
        throw new Error(`the books do not balance: ${records} read, ${kept} kept`)

      written.batches = batches.length
      written.records = records
    },

    published: () => written,
  }
}

/** By rank, because engines don't accept every name that a batch may have. */
function fileName(rank: number): string {
  return `records-${String(rank).padStart(6, '0')}.jsonl`
}

/** For example `{"rank":1,"batch":"b.json","position":0,"id":"/a","record":{…}}`. */
function lineOf({ id, index, json }: WrittenItem, rank: number, batch: string): Buffer[] {
  const place = JSON.stringify({ rank, batch, position: index, id })
  const withoutBracket = place.slice(0, -1)
  return [Buffer.from(`${withoutBracket},"record":`), json, END]
}

/** @throws BuildError if there is anything at the path: nothing is ever replaced */
function refuseExisting(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return
  throw new BuildError(`${folder} exists; name a new folder`)
}
