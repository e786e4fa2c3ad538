/**
 * Hides how a dataset comes to be while its batches are still being read: kept records go straight
 * to the file, so that memory holds the claimed paths and no page.
 */
import { Claims } from '../dataset/dedupe.ts'
import {
  type BatchEntry,
  DATASET,
  emitManifest,
  FILES,
  type Manifest,
  makeManifest,
} from '../dataset/emit.ts'
import type { RecordReader, Records } from '../dataset/records.ts'
import type { Background } from './background.ts'
import type { GrowingFile } from './growing-file.ts'
import { FileSet } from './publish.ts'
import type { SchemaFiles } from './schema-files.ts'

/** A record of the present batch that lost its path to a page with other content. */
export interface Conflict {
  index: number
  fields: string[]
  /** The number of the batch of the page, and its position there. */
  kept: { batch: number; index: number }
}

/** A dropped record that waits. */
interface Rival {
  /** The number of the drop, and of the page that beat the record. */
  drop: number
  page: number
  /** The position of the record in its batch. */
  index: number
  /** Where its bytes are. */
  start: number
  end: number
}

/** For how many bytes of dropped records there is room at first, and how many may wait. */
const LEAST_WAITING = 2 ** 16
const MOST_WAITING = 2 ** 23
/** Pages that stand closer than this are read together, so many bytes at a time. */
const CLOSE = 2 ** 15
const WINDOW = 2 ** 19

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export class Draft {
  readonly #claims: Claims
  readonly #set: FileSet
  readonly #file: GrowingFile
  readonly #reader: RecordReader
  /** How many pages are in the file. */
  #written = 0
  /** By kept page, where it begins in the file. */
  #starts = new Float64Array(1024)
  #withForms = 0
  /** The bytes of dropped records that wait to be compared. */
  #lost: Buffer
  #lostEnd = 0
  #rivals: Rival[] = []

  private constructor(set: FileSet, file: GrowingFile, reader: RecordReader) {
    this.#set = set
    this.#file = file
    this.#reader = reader
    this.#claims = new Claims(reader.makePathSet())
    this.#lost = reader.allocator.allocate(LEAST_WAITING)
  }

  /**
   * @param out the folder of the dataset
   * @param isDry whether it is to be compared only
   */
  static async begin(
    out: string,
    isDry: boolean,
    reader: RecordReader,
    background: Background,
  ): Promise<Draft> {
    const set = new FileSet(out, isDry)
    try {
      return new Draft(set, await set.grow(FILES.dataset, background, reader.allocator), reader)
    } catch (error) {
      set.discard()
      throw error
    }
  }

  /**
   * Lets the valid records of a batch claim their paths.
   *
   * @param batch the number of the batch in the order of precedence
   * @param isStrict whether to find its conflicts at once
   * @throws the system's error when what was kept cannot be written
   */
  async claim(
    records: Records,
    batch: number,
    isStrict: boolean,
  ): Promise<{ kept: number; dropped: number; conflicts: Conflict[] }> {
    const conflicts: Conflict[] = []
    const compare = () => this.#compare(isStrict ? conflicts : undefined)
    const { kept, dropped } = this.#claims
    while (this.#claimSome(records, batch)) {
      if (this.#lostEnd > MOST_WAITING) compare()
      await this.#file.ready()
    }
    await this.#file.ready()
    if (isStrict) compare()
    conflicts.sort((a, b) => a.index - b.index)
    return { kept: this.#claims.kept - kept, dropped: this.#claims.dropped - dropped, conflicts }
  }

  /** @returns whether there may be more when the disk has kept up, or what waits is compared */
  #claimSome(records: Records, batch: number): boolean {
    while (records.next()) {
      const { index, pathBytes, pathStart, pathEnd } = records
      const page = this.#claims.claim(pathBytes, pathStart, pathEnd, batch, index)
      if (page === this.#written) {
        this.#keep(records)
        if (this.#file.isBusy) return true
      } else {
        this.#lose(records, page, this.#claims.drop(page, batch, index))
        if (this.#lostEnd > MOST_WAITING) return true
      }
    }
    return false
  }

  #keep(records: Records): void {
    const file = this.#file
    file.add(this.#written === 0 ? START : BETWEEN)
    if (this.#written === this.#starts.length) {
      const larger = new Float64Array(this.#written * 2)
      larger.set(this.#starts)
      this.#starts = larger
    }
    this.#starts[this.#written++] = file.size
    file.reserve(records.size)
    file.at = records.write(file.target, file.at)
    if (records.hasForm) this.#withForms++
  }

  #lose(records: Records, page: number, drop: number): void {
    const start = this.#lostEnd
    if (start + records.size > this.#lost.length) {
      const { allocator } = this.#reader
      const larger = allocator.allocate((start + records.size) * 2)
      this.#lost.copy(larger, 0, 0, start)
      allocator.free(this.#lost)
      this.#lost = larger
    }
    this.#lostEnd = records.write(this.#lost, start)
    this.#rivals.push({ drop, page, index: records.index, start, end: this.#lostEnd })
  }

  /**
   * Compares dropped records with the pages that beat them, which are on the disk by then. To read
   * one page takes as long as to read a hundred that stand together, so records wait until there
   * are many, and are compared in the order of the pages.
   *
   * @param conflicts is given those that have other content, where it is there
   */
  #compare(conflicts?: Conflict[]): void {
    const rivals = this.#rivals.sort((a, b) => a.page - b.page || a.drop - b.drop)
    const [first, last] = [rivals[0], rivals.at(-1)]
    if (!first || !last) return
    const startOf = (page: number) => this.#starts[page] as number
    const gap = (startOf(last.page) - startOf(first.page)) / rivals.length
    for (const { drop, page, index, start, end } of rivals) {
      const isLast = page === this.#written - 1
      const position = startOf(page)
      const length = (isLast ? this.#file.size : startOf(page + 1) - BETWEEN.length) - position
      const { bytes, from } = this.#file.read(position, length, gap < CLOSE ? WINDOW : 0)
      const fields = this.#reader.differingFields(
        bytes,
        from,
        from + length,
        this.#lost,
        start,
        end,
      )
      if (fields.length === 0) continue
      this.#claims.setFields(drop, fields)
      conflicts?.push({ index, fields, kept: this.#claims.provenance(page) })
    }
    this.#rivals = []
    this.#lostEnd = 0
  }

  /** Makes the dataset, its types and its manifest the current ones, all or none of them. */
  async publish(
    batches: BatchEntry[],
    schema: SchemaFiles,
  ): Promise<{ manifest: Manifest; wasCurrent: boolean }> {
    const set = this.#set
    this.#compare()
    this.#file.add(Buffer.from(this.#written === 0 ? DATASET.empty : DATASET.end))
    const dataset = await this.#file.seal()
    set.add(FILES.dataset, dataset)
    const synced = this.#file.sync()
    // Told when all else is written.
    synced.catch(() => {})
    for (const [name, text] of Object.entries(schema.files)) set.write(name, [text])
    const manifest = makeManifest(
      {
        dataset: { file: FILES.dataset, ...dataset },
        schema: { sha256: schema.sha256 },
        batches,
        duplicates: this.#claims.duplicates(batches.map(({ file }) => file)),
      },
      {
        kept: this.#written,
        withForms: this.#withForms,
        dropped: this.#claims.dropped,
        identical: this.#claims.dropped - this.#claims.conflicting,
      },
    )
    set.write(FILES.manifest, emitManifest(manifest))
    await synced
    return { manifest, wasCurrent: set.isDry ? set.isCurrent() : !set.commit() }
  }

  /** Ends all work, and leaves no trace of what was not published. */
  async discard(): Promise<void> {
    await this.#file.close()
    this.#set.discard()
  }
}
