/** Publishes the dataset: its pages, types and manifest, compared with those of the build before. */
import fs from 'node:fs'
import path from 'node:path'
import type { Problem } from '../../batch/problem.ts'
import {
  comparePages,
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
} from '../../dataset/format.ts'
import type { KeptPaths } from '../../dataset/precedence.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import type { Digest } from '../../machine/growing-file.ts'
import type { Delivery } from '../delivery.ts'
import { Cache } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import { LinkCheck } from '../link-check.ts'
import { type ReadBatch, readAgain } from '../read-batches.ts'
import type { SchemaFiles } from '../read-schema.ts'
import { findRefusedClaims, findShared, type RecordFault, type Uniques } from '../record-faults.ts'
import type { Listed, Source } from '../source.ts'
import { KeptPages } from './kept-pages.ts'

export interface Published {
  manifest: Manifest
  /** Whether all files were already up to date. */
  wasCurrent: boolean
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: PageChanges | boolean
  /** The pages that a new batch took from earlier ones. */
  takeovers: Takeover[]
}

/** What is remembered of a large build, for the next one of the same batches and schema. */
interface LastBuild {
  manifest: Manifest
  /** The digest of the manifest, which has only those of the other files. */
  digest: Digest
  lost: readonly Problem[]
}

/** How many bytes of a file show whether a build has made it. */
const MARK_LENGTH = 200

interface WriterOptions {
  source: Source
  /** The folder of the dataset. */
  out: string
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  isStrict?: boolean
  contentDigest?: string
  /** Stops reading again, and waiting for another build. */
  signal?: AbortSignal
}

export class DatasetWriter {
  readonly #options: WriterOptions
  readonly #isLarge: boolean
  readonly #set: FileSet
  readonly #pages: KeptPages
  readonly #keptPaths: KeptPaths
  readonly #uniques: Uniques = new Map()
  readonly cache: Cache
  readonly links: LinkCheck

  /**
   * @param keptPaths where the pages claim their paths; still empty
   * @throws BuildError if the folder has a file of the same name that is not of a dataset
   */
  constructor(options: WriterOptions, keptPaths: KeptPaths, { size, isLarge }: Delivery) {
    const { out, isCheck = false, contentDigest = '' } = options
    const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
    const foreign = onDisk(`read ${out}`, () => findForeign(startOf))
    if (foreign !== undefined) {
      throw new BuildError(
        `${path.join(out, foreign)} was not made by build-data, so it is not replaced; name another folder by --out`,
      )
    }
    this.#options = options
    this.#isLarge = isLarge
    this.#keptPaths = keptPaths
    this.links = new LinkCheck(keptPaths)
    this.#set = new FileSet(out, isCheck)
    this.cache = new Cache(out, contentDigest, isCheck ? undefined : this.#set.work, 2 * size)
    this.#pages = new KeptPages(this.#set.grow(FILES.dataset), keptPaths)
  }

  /** Lets the pages of a batch claim their paths, and compares them with those of earlier batches. */
  claim(batch: ReadBatch): { dropped: number; faults: RecordFault[] } {
    const drops = this.#pages.claim(batch.name, batch.pages)
    const dropped = new Set(drops.map(({ index }) => index))
    this.links.add(batch, dropped)
    const refused = findRefusedClaims(drops, this.#options.isStrict)
    const shared = findShared(batch, dropped, this.#uniques)
    return { dropped: drops.length, faults: [...refused, ...shared] }
  }

  /** If this build would do the same as the last one, returns what that one published. */
  async findCurrent(
    schema: SchemaFiles,
    batches: readonly Listed[],
  ): Promise<(Published & Pick<LastBuild, 'lost'>) | undefined> {
    if (!this.#isLarge) return undefined
    const names = batches.map(({ name }) => name)
    const last = this.cache.get<LastBuild>('build', nameBuild(schema, names))
    if (!last) return undefined
    const { manifest, digest, lost } = last
    for (const batch of manifest.batches) {
      this.#options.signal?.throwIfAborted()
      if (!(await readAgain(this.#options.source, batch))) return undefined
    }
    for (const entry of [manifest.dataset, manifest.types]) this.#set.add(entry.file, entry)
    this.#set.add(FILES.manifest, digest)
    if (this.#set.outdated().length > 0) return undefined
    return { manifest, wasCurrent: true, changes: false, takeovers: [], lost }
  }

  /** Whether no page is left of a dataset that has some. */
  isEmptied(): boolean {
    return this.#keptPaths.kept === 0 && this.#sizeBefore() > DATASET.empty.length
  }

  #sizeBefore(): number {
    const file = path.join(this.#options.out, FILES.dataset)
    return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  }

  /**
   * Puts the dataset, its types and its manifest into place, or only compares them.
   *
   * @param leftOut what refuses the records that are left out
   * @param lost the warnings of lost text, which the manifest does not list
   */
  async publish(
    batches: BatchEntry[],
    schema: SchemaFiles,
    leftOut: readonly Problem[],
    lost: readonly Problem[],
  ): Promise<Published> {
    const { out, isCheck, signal } = this.#options
    const dataset = this.#pages.seal()
    this.#set.add(FILES.dataset, dataset)
    const types = this.#set.write(FILES.types, [schema.types])
    const { kept, duplicates } = this.#keptPaths
    const manifest = makeManifest(
      {
        dataset: { file: FILES.dataset, ...dataset },
        types: { file: FILES.types, ...types },
        schema: { sha256: schema.sha256 },
        batches,
        refused: leftOut.map(({ batch, record, pointer, code }) => {
          return { batch, index: record as number, pointer, code }
        }),
        duplicates,
      },
      { kept, withForms: this.#pages.withForms },
    )
    const digest = this.#set.write(FILES.manifest, emitManifest(manifest))
    const isLarge = Math.max(this.#sizeBefore(), dataset.bytes) > LARGEST_COMPARED
    const before = isLarge ? '' : readStart(path.join(out, FILES.dataset))
    const takeovers = findTakeovers(readStart(path.join(out, FILES.manifest)), manifest)
    const replaced = isCheck ? this.#set.outdated() : await this.#set.commit(signal)
    if (!isCheck) {
      // Only if nothing was left out: the next build may have to refuse that.
      if (this.#isLarge && leftOut.length === 0) {
        const names = batches.map(({ file }) => file)
        const last: LastBuild = { manifest, digest, lost }
        this.cache.add('build', nameBuild(schema, names), last)
      }
      this.cache.save()
    }
    const hasChanged = replaced.includes(FILES.dataset)
    const isCompared = hasChanged && !isLarge
    const changes = isCompared ? comparePages(before, this.#pages.text()) : hasChanged
    return { manifest, wasCurrent: replaced.length === 0, changes, takeovers }
  }

  /** Removes everything that was not published. */
  discard(): void {
    this.#pages.close()
    this.#set.discard()
  }
}

function nameBuild({ sha256 }: SchemaFiles, names: readonly string[]): string {
  return JSON.stringify([sha256, names])
}
