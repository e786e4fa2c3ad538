/**
 * Lets pages claim their paths, writes those that are kept, and publishes the dataset. Kept pages go
 * straight to the file: memory holds the claimed paths, but no pages.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Problem } from '../batch/problem.ts'
import type { Pages } from '../batch/read.ts'
import {
  type Changes,
  comparePages,
  countChanges,
  findTakeovers,
  LARGEST_COMPARED,
  type PageChanges,
  type Takeover,
} from '../dataset/changes.ts'
import {
  type BatchEntry,
  DATASET,
  emitManifest,
  FILES,
  findForeign,
  type Manifest,
  makeManifest,
} from '../dataset/output.ts'
import { differingFields, type KeptPaths, type Provenance } from '../dataset/precedence.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { readStart } from '../machine/files.ts'
import type { GrowingFile } from '../machine/growing-file.ts'
import { formatNumber } from '../text/wording.ts'
import { Cache } from './cache/cache.ts'
import { findLastBuild } from './cache/last-build.ts'
import { FileSet } from './disk/file-set.ts'
import type { SchemaFiles } from './schema-files.ts'
import type { Listed, Source } from './source.ts'

/** The outcome for a record that lost its path. */
export interface Drop {
  /** Its position in its batch. */
  index: number
  kept: Provenance
  /** The keys in which it differs from the kept page; empty when it is identical. */
  fields: readonly string[]
  /** What both are about, if that is not the same: they are no duplicates. */
  identities?: { own: string | number; kept: string | number }
}

export interface Published {
  manifest: Manifest
  /** Whether all files were already up to date. */
  wasCurrent: boolean
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: Changes | boolean
  /** The new, changed and gone pages, if the datasets were compared. */
  pages: PageChanges | undefined
  /** The pages that a new batch took from earlier ones. */
  takeovers: Takeover[]
  /** Of a large delivery: how many bytes its cache takes. */
  remembered: number | undefined
  /** Whether nothing was new, so that nothing was done. */
  isLast: boolean
}

/** In bytes: more than the marks of the files take. */
const MARK_LENGTH = 200

/** A Map of V8 has no more entries. */
const MOST_PAGES = 2 ** 24

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export class DatasetWriter {
  readonly #out: string
  readonly #set: FileSet
  readonly #file: GrowingFile
  readonly #keptPaths: KeptPaths
  readonly #isLarge: boolean
  readonly cache: Cache
  /** The offset of each kept page in the file. */
  readonly #starts: number[] = []
  #withForms = 0
  /** There are few distinct lists of fields; each is stored once. */
  readonly #fields = new Map<string, readonly string[]>()

  /**
   * @param out the dataset folder
   * @param isDry whether to only compare
   * @param keptPaths where the pages claim their paths; still empty
   * @param size of the delivery, in bytes
   * @param isLarge whether its batches are remembered
   * @param content see `Cache`
   * @throws BuildError if the folder has a file of the same name that is not of a dataset
   */
  constructor(
    out: string,
    isDry: boolean,
    keptPaths: KeptPaths,
    size: number,
    isLarge: boolean,
    content: string,
  ) {
    this.#keptPaths = keptPaths
    const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
    const foreign = onDisk(`read ${out}`, () => findForeign(startOf))
    if (foreign !== undefined) {
      throw new BuildError(
        `${path.join(out, foreign)} was not made by build-data, so it is not replaced; name another folder by --out`,
      )
    }
    this.#out = out
    this.#isLarge = isLarge
    this.#set = new FileSet(out, isDry)
    this.cache = new Cache(out, content, isDry ? undefined : this.#set.work, 2 * size)
    this.#file = this.#set.grow(FILES.dataset)
  }

  /**
   * Lets the pages of a batch claim their paths. The first record to claim a path keeps it.
   *
   * @param batch its name; batches come in the order of precedence
   * @returns the records that lost their paths
   */
  claim(batch: string, pages: Pages): Drop[] {
    const { paths, indexes, identities, hasForm, starts, ends, bytes } = pages
    const lost: { at: number; winner: number }[] = []
    let next = 0
    for (const [at, path] of paths.entries()) {
      const { kept } = this.#keptPaths
      if (kept === MOST_PAGES && !this.#keptPaths.keeper(path)) {
        throw new BuildError(
          `more than ${formatNumber(kept)} pages are too many for one build; see "Beyond one machine" in src/pipeline/README.md`,
        )
      }
      const winner = this.#keptPaths.claim(path, batch, indexes[at] as number, identities[at])
      if (winner === kept) {
        if (hasForm[at]) this.#withForms++
      } else {
        this.#keep(pages, next, at)
        next = at + 1
        lost.push({ at, winner })
      }
    }
    this.#keep(pages, next, paths.length)
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return lost.map(({ at, winner }) => {
      const index = indexes[at] as number
      const dropped = whole.subarray(starts[at], ends[at])
      const fields = this.#differingFields(this.#read(winner), dropped)
      this.#keptPaths.drop(winner, paths[at] as string, { batch, index }, fields)
      const drop = { index, kept: this.#keptPaths.provenance(winner), fields }
      const [own, kept] = [identities[at], this.#keptPaths.identity(winner)]
      if (own === undefined || kept === undefined || own === kept) return drop
      return { ...drop, identities: { own, kept } }
    })
  }

  /** Writes neighboring pages in one piece. */
  #keep({ starts, ends, bytes }: Pages, first: number, end: number): void {
    if (first === end) return
    this.#file.add(this.#starts.length === 0 ? START : BETWEEN)
    const start = starts[first] as number
    const moved = this.#file.size - start
    for (let at = first; at < end; at++) this.#starts.push((starts[at] as number) + moved)
    this.#file.add(bytes.subarray(start, ends[end - 1]))
  }

  /** The bytes of a kept page. */
  #read(number: number): Buffer {
    const start = this.#starts[number] as number
    const next = this.#starts[number + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length
    return this.#file.read(start, end - start)
  }

  #differingFields(kept: Buffer, dropped: Buffer): readonly string[] {
    if (kept.equals(dropped)) return []
    const fields = differingFields(JSON.parse(kept.toString()), JSON.parse(dropped.toString()))
    const key = JSON.stringify(fields)
    const known = this.#fields.get(key) ?? fields
    this.#fields.set(key, known)
    return known
  }

  /** Returns what the last build published, if this one would publish the same. */
  async findCurrent(
    schema: SchemaFiles,
    source: Source,
    batches: readonly Listed[],
    signal?: AbortSignal,
  ): Promise<Published | undefined> {
    if (!this.#isLarge) return undefined
    const manifest = await findLastBuild(this.#out, this.cache, schema, source, batches, signal)
    if (!manifest) return undefined
    this.#set.add(FILES.dataset, manifest.dataset)
    if (manifest.types) this.#set.add(FILES.types, manifest.types)
    else this.#set.remove(FILES.types)
    if (this.#set.outdated().length > 0) return undefined
    const nothing = { changes: false, pages: undefined, takeovers: [] }
    return { manifest, wasCurrent: true, ...nothing, remembered: this.cache.size(), isLast: true }
  }

  /** Whether no page is left of a dataset that has some. */
  isEmptied(): boolean {
    return this.#keptPaths.kept === 0 && this.#sizeBefore() > DATASET.empty.length
  }

  #sizeBefore(): number {
    const file = path.join(this.#out, FILES.dataset)
    return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  }

  /**
   * Puts the dataset, its types and its manifest into place, or only compares them.
   *
   * @param leftOut what refuses the records that are left out
   * @param hasLostText whether a build says more than the manifest
   * @param signal stops waiting for another build
   */
  async publish(
    batches: BatchEntry[],
    schema: SchemaFiles,
    leftOut: readonly Problem[],
    hasLostText: boolean,
    signal?: AbortSignal,
  ): Promise<Published> {
    this.#file.add(Buffer.from(this.#keptPaths.kept === 0 ? DATASET.empty : DATASET.end))
    const dataset = this.#file.seal()
    this.#set.add(FILES.dataset, dataset)
    const types =
      schema.types === undefined ? undefined : this.#set.write(FILES.types, [schema.types])
    if (!types) this.#set.remove(FILES.types)
    const { kept, duplicates } = this.#keptPaths
    const manifest = makeManifest(
      {
        dataset: { file: FILES.dataset, ...dataset },
        ...(types && { types: { file: FILES.types, ...types } }),
        schema: { sha256: schema.sha256 },
        batches,
        refused: leftOut.map(({ batch, record, pointer, code }) => {
          return { batch, index: record as number, pointer, code }
        }),
        duplicates,
      },
      { kept, withForms: this.#withForms },
    )
    const { sha256 } = this.#set.write(FILES.manifest, emitManifest(manifest))
    const file = path.join(this.#out, FILES.dataset)
    const sizeBefore = this.#sizeBefore()
    const isLarge = Math.max(sizeBefore, dataset.bytes) > LARGEST_COMPARED
    const before = isLarge ? '' : readStart(file)
    const takeovers = findTakeovers(readStart(path.join(this.#out, FILES.manifest)), manifest)
    const replaced = this.#set.isDry ? this.#set.outdated() : await this.#set.commit(signal)
    if (!this.#set.isDry) {
      // With nothing left out, for the next build may have to refuse it. The manifest lists no lost text.
      if (this.#isLarge && !hasLostText && leftOut.length === 0)
        this.cache.add('build', sha256, true)
      this.cache.save()
    }
    const hasChanged = replaced.includes(FILES.dataset)
    const isCompared = hasChanged && !isLarge
    const after = isCompared ? this.#file.read(0, dataset.bytes).toString() : ''
    const pages = isCompared ? comparePages(before, after) : undefined
    const isFirst = hasChanged && sizeBefore === 0
    const allNew = { new: kept, changed: 0, gone: 0, fields: [] }
    const changes = pages ? countChanges(pages) : isFirst ? allNew : hasChanged
    const remembered = this.#isLarge ? this.cache.size() : undefined
    const wasCurrent = replaced.length === 0
    return { manifest, wasCurrent, changes, pages, takeovers, remembered, isLast: false }
  }

  /** Removes everything that was not published. */
  discard(): void {
    this.#file.close()
    this.#set.discard()
  }
}
