/**
 * The valid records for an engine that dedupes them, on one machine or many: a file of JSON Lines for
 * each batch, in a folder that appears whole or not at all.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { BatchEntry } from '../dataset/emit.ts'
import type { ReadPage } from '../dataset/validate.ts'
import type { BuildOptions } from './build.ts'
import { BuildError, onDisk } from './errors.ts'
import type { GrowingFile } from './growing-file.ts'
import { FileSet } from './publish.ts'

/** Named by the rank: a batch may have a name that no engine takes. */
const FILE = /^records-(\d{6,})\.jsonl$/
const END = Buffer.from('}\n')

type Shard = NonNullable<BuildOptions['shard']>

export class Records {
  readonly #folder: string
  readonly #set: FileSet
  readonly #ranks: ReadonlyMap<string, number>
  readonly #shard: Shard
  #batch: string | undefined
  #file: GrowingFile | undefined
  #bytes = 0

  /**
   * @param folder where the files go; those of an earlier run are replaced
   * @param names the batches of all shards, in the order of precedence
   */
  constructor(folder: string, names: readonly string[], shard: Shard) {
    this.#shard = shard
    // A link stays, and what it leads to is replaced.
    const isLink = fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()
    this.#folder = isLink ? fs.realpathSync(folder) : path.resolve(folder)
    this.#isThere()
    this.#ranks = new Map(names.map((name, rank) => [name, rank]))
    const parent = path.dirname(this.#folder)
    const doing = `write into ${parent}, which is to hold ${path.basename(this.#folder)}; name a folder elsewhere`
    this.#set = onDisk(doing, () => new FileSet(parent, false))
  }

  /** Writes a record. All claim their paths; the engine decides. */
  claim(page: ReadPage, batch: string): undefined {
    if (batch !== this.#batch) this.#begin(batch)
    const place = { rank: this.#ranks.get(batch), batch, position: page.index, path: page.path }
    this.#file?.add(Buffer.from(`${JSON.stringify(place).slice(0, -1)},"record":`))
    this.#file?.add(page.bytes)
    this.#file?.add(END)
  }

  #begin(batch: string): void {
    this.#end()
    const rank = String(this.#ranks.get(batch)).padStart(6, '0')
    this.#file = this.#set.grow(`records-${rank}.jsonl`)
    this.#batch = batch
  }

  #end(): void {
    this.#bytes += this.#file?.seal().bytes ?? 0
    this.#file?.close()
    this.#file = undefined
  }

  /** @returns `of` how many batches, and the SHA-256 of their names and of how many shards there are */
  async publish(batches: readonly BatchEntry[]) {
    const records = batches.reduce((sum, { records }) => sum + records, 0)
    const kept = batches.reduce((sum, { kept }) => sum + kept, 0)
    if (kept !== records) throw new Error(`${kept} of ${records} records were written`)
    for (const { file, records } of batches) if (records === 0) this.#begin(file)
    this.#end()
    await this.#set
      .commitAs(this.#folder, () => this.#isThere())
      .catch((error) => {
        // A mount point in the file system of its parent.
        throw error.code === 'EBUSY' ? this.#cannotReplace() : error
      })
    const [names, bytes] = [[...this.#ranks.keys()], this.#bytes]
    const digest = createHash('sha256')
      .update(JSON.stringify([this.#shard.of, names]))
      .digest('hex')
    return { batches: batches.length, of: names.length, records, bytes, names: digest }
  }

  discard(): void {
    this.#file?.close()
    this.#set.discard()
  }

  #cannotReplace(): BuildError {
    return new BuildError(
      `cannot replace ${this.#folder}, a mount point or a folder in use; name a folder inside it`,
    )
  }

  /** @throws BuildError when there is anything in it but what an earlier run of this shard wrote */
  #isThere(): boolean {
    let entries: fs.Dirent[]
    try {
      entries = fs.readdirSync(this.#folder, { withFileTypes: true })
      if (fs.statSync(this.#folder).dev !== fs.statSync(path.dirname(this.#folder)).dev) {
        throw this.#cannotReplace()
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
    const foreign = entries.find((entry) => !entry.isFile() || !FILE.test(entry.name))?.name
    if (foreign !== undefined) {
      const holds = `${this.#folder} holds ${JSON.stringify(foreign)}`
      throw new BuildError(`${holds}, which is no file of --records; name another folder`)
    }
    const { number, of } = this.#shard
    if (entries.every(({ name }) => Number(FILE.exec(name)?.[1]) % of === number - 1)) return true
    throw new BuildError(
      `${this.#folder} holds records of another shard; give each shard a folder of its own`,
    )
  }
}
