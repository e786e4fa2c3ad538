/** Publishes the dataset: its pages, types and manifest, compared with those of the build before. */
import fs from 'node:fs'
import path from 'node:path'
import type { Problem } from '../../batch/problem.ts'
import type { Pages } from '../../batch/read.ts'
import {
  type Changes,
  comparePages,
  countChanges,
  findTakeovers,
  LARGEST_COMPARED,
  type PageChanges,
  type Takeover,
} from '../../dataset/changes.ts'
import {
  type BatchEntry,
  DATASET,
  emitManifest,
  FILES,
  findForeign,
  type Manifest,
  makeManifest,
} from '../../dataset/output.ts'
import type { KeptPaths } from '../../dataset/precedence.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import { Cache } from '../cache/cache.ts'
import { findLastBuild } from '../cache/last-build.ts'
import { FileSet } from '../disk/file-set.ts'
import type { SchemaFiles } from '../schema-files.ts'
import type { Listed, Source } from '../source.ts'
import { type Drop, KeptPages } from './kept-pages.ts'

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
  /** Whether nothing was new, so that nothing was done. */
  isLast: boolean
}

/** In bytes: more than the marks of the files take. */
const MARK_LENGTH = 200

export class DatasetWriter {
  readonly #out: string
  readonly #set: FileSet
  readonly #pages: KeptPages
  readonly #keptPaths: KeptPaths
  readonly #isDry: boolean
  readonly #isLarge: boolean
  readonly cache: Cache

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
    this.#isDry = isDry
    this.#isLarge = isLarge
    this.#set = new FileSet(out, isDry)
    this.cache = new Cache(out, content, isDry ? undefined : this.#set.work, 2 * size)
    this.#pages = new KeptPages(this.#set.grow(FILES.dataset), keptPaths)
  }

  /** @returns the records that lost their paths; see {@link KeptPages.claim} */
  claim(batch: string, pages: Pages): Drop[] {
    return this.#pages.claim(batch, pages)
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
    return { manifest, wasCurrent: true, isLast: true, ...nothing }
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
    const dataset = this.#pages.seal()
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
      { kept, withForms: this.#pages.withForms },
    )
    const { sha256 } = this.#set.write(FILES.manifest, emitManifest(manifest))
    const file = path.join(this.#out, FILES.dataset)
    const sizeBefore = this.#sizeBefore()
    const isLarge = Math.max(sizeBefore, dataset.bytes) > LARGEST_COMPARED
    const before = isLarge ? '' : readStart(file)
    const takeovers = findTakeovers(readStart(path.join(this.#out, FILES.manifest)), manifest)
    const replaced = this.#isDry ? this.#set.outdated() : await this.#set.commit(signal)
    if (!this.#isDry) {
      // Only if nothing was left out: the next build may have to refuse that. The manifest lists no lost text.
      if (this.#isLarge && !hasLostText && leftOut.length === 0)
        this.cache.add('build', sha256, true)
      this.cache.save()
    }
    const hasChanged = replaced.includes(FILES.dataset)
    const isCompared = hasChanged && !isLarge
    const pages = isCompared ? comparePages(before, this.#pages.text()) : undefined
    const isFirst = hasChanged && sizeBefore === 0
    const allNew = { new: kept, changed: 0, gone: 0, fields: [] }
    const changes = pages ? countChanges(pages) : isFirst ? allNew : hasChanged
    const wasCurrent = replaced.length === 0
    return { manifest, wasCurrent, isLast: false, changes, pages, takeovers }
  }

  /** Removes everything that was not published. */
  discard(): void {
    this.#pages.close()
    this.#set.discard()
  }
}
