/** Publishes the dataset: its pages, types and manifest, compared with those of the build before. */
import { constants } from 'node:buffer'
import fs from 'node:fs'
import path from 'node:path'
import { isRefusal } from '../../accept/codes.ts'
import type { Collection } from '../../collections/collection.ts'
import {
  comparePages,
  findNewWinners,
  LARGEST_COMPARED,
  type NewWinner,
  type PageChanges,
} from '../../dataset/changes.ts'
import {
  type BatchEntry,
  DATASET,
  emitManifest,
  FILES,
  type FileEntry,
  findForeign,
  type Manifest,
  makeManifest,
  markAlone,
  parseManifest,
} from '../../dataset/format.ts'
import type { KeptIds } from '../../dataset/precedence.ts'
import type { Problem } from '../../explain/problem.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import { GrowingFile } from '../../machine/growing-file.ts'
import { Cache, type DigestContent } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import type { FileFault } from '../explainer.ts'
import { LinkCheck } from '../link-check.ts'
import { type ReadBatch, readAgain } from '../read-batches.ts'
import type { Schema } from '../read-schema.ts'
import { ReferenceCheck } from '../reference-check.ts'
import { findSameFiles } from '../same-files.ts'
import type { Delivery, Source } from '../source.ts'
import { DatasetItems } from './dataset-items.ts'
import type { Output } from './output.ts'

export interface Published {
  manifest: Manifest
  /** Whether all files were already up to date. */
  wasCurrent: boolean
  /** The names of the files that weren't. */
  outdated: readonly string[]
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: PageChanges | boolean
  /** The paths that another batch wins now, because a new one sorts before the one that had them. */
  newWinners: NewWinner[]
}

/** What is remembered of a large build, for the next one of the same batches and schema. */
interface LastBuild {
  /** In the order in which they are put into place: the manifest comes last. */
  files: FileEntry[]
  warnings: readonly Problem[]
}

/** How many bytes of a file show whether a build has made it. */
const MARK_LENGTH = 200

export interface DatasetOptions {
  source: Source
  collection: Collection
  /** The dataset folder. */
  out: string
  /** Without it, no batch is remembered. */
  digestContent?: DigestContent
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  /** Stops the build between two batches: it throws the signal's reason, and writes nothing. */
  signal?: AbortSignal
}

/** Writes the dataset into a hidden folder, until `publish` puts its files into place. */
export class DatasetWriter implements Output<Published> {
  readonly cache: Cache
  readonly #options: DatasetOptions
  readonly #isLarge: boolean
  readonly #keptIds: KeptIds
  readonly #fileSet: FileSet
  readonly #datasetFile: GrowingFile
  readonly #items: DatasetItems
  readonly #links: LinkCheck
  readonly #references: ReferenceCheck
  /** The names of all batches: with the schema, what the last build is remembered by. */
  readonly #names: readonly string[]

  /**
   * @param keptIds where the pages claim their paths; still empty
   * @param isLarge whether the delivery is remembered
   * @throws BuildError if the folder has a file of the same name that is not of a dataset
   */
  constructor(
    options: DatasetOptions,
    keptIds: KeptIds,
    { all, size }: Delivery,
    isLarge: boolean,
  ) {
    const { out, isCheck = false, digestContent } = options
    refuseForeign(out)

    this.#options = options
    this.#isLarge = isLarge
    this.#names = all.map(({ name }) => name)
    this.#keptIds = keptIds
    this.#links = new LinkCheck(keptIds)
    this.#references = new ReferenceCheck([options.collection.name])

    this.#fileSet = new FileSet(out, isCheck)
    const work = isCheck ? undefined : this.#fileSet.work
    this.cache = new Cache(out, { digestContent, work, room: 2 * size })
    this.#datasetFile = new GrowingFile(path.join(this.#fileSet.work, FILES.dataset))
    this.#items = new DatasetItems(this.#datasetFile, options.collection, keptIds)
  }

  async findCurrent({ sha256 }: Schema) {
    const last = this.cache.get<LastBuild>('build', this.#madeOf(sha256))
    if (!last) return undefined

    for (const entry of last.files) this.#fileSet.add(entry.file, entry)
    if (this.#fileSet.outdated().length > 0) return undefined

    const manifest = parseManifest(fs.readFileSync(this.#placeOf('manifest'), 'utf8'))
    const { source, signal } = this.#options
    for (const batch of manifest.batches) {
      signal?.throwIfAborted()
      const isSame = await readAgain(source, batch)
      if (!isSame) return undefined
    }

    const { warnings } = last
    return { manifest, wasCurrent: true, outdated: [], changes: false, newWinners: [], warnings }
  }

  claim(batch: ReadBatch) {
    const { dropped, refused, faults } = this.#items.claim(batch)
    this.#links.add(batch, (index) => dropped.has(index) || refused.has(index))
    this.#references.add(this.#options.collection.name, batch, refused)
    return { dropped: dropped.size, refused: refused.size, faults }
  }

  findFaults(): FileFault[] {
    return [
      ...this.#links.findFaults(),
      ...this.#references.findFaults(),
      ...findSameFiles(this.#keptIds, this.#options.collection),
    ]
  }

  isEmptied(): boolean {
    const hadPages = this.#sizeBefore() > DATASET.list.empty.length
    return hadPages && this.#keptIds.kept === 0
  }

  async publish(
    batches: BatchEntry[],
    schema: Schema,
    warnings: readonly Problem[],
    makeTypes: () => Promise<string>,
  ): Promise<Published> {
    const { out, isCheck = false, signal } = this.#options
    const declaration = await makeTypes()
    const { manifest, files } = this.#complete(batches, schema, warnings, declaration)

    // What is in place now is read before it's replaced.
    const isCompared = Math.max(this.#sizeBefore(), manifest.dataset.bytes) <= LARGEST_COMPARED
    const datasetBefore = isCompared ? readStart(this.#placeOf('dataset')) : ''
    const newWinners = findNewWinners(readStart(this.#placeOf('manifest')), manifest)

    // Someone may have put a file there in the meantime.
    refuseForeign(out)
    const replaced = isCheck ? this.#fileSet.outdated() : await this.#fileSet.commit(signal)
    if (!isCheck) this.#remember(files, manifest, warnings)

    const hasChanged = replaced.includes(FILES.dataset)
    const changes =
      hasChanged && isCompared ? comparePages(datasetBefore, this.#datasetText()) : hasChanged
    return {
      manifest,
      wasCurrent: replaced.length === 0,
      outdated: replaced,
      changes,
      newWinners,
    }
  }

  async keepTypes(declaration: string): Promise<void> {
    const { out, isCheck, signal } = this.#options
    if (isCheck) return

    const alone = markAlone(declaration)
    const current = readStart(this.#placeOf('types'))
    if (current === declaration || current === alone) return

    refuseForeign(out)
    this.#fileSet.write(FILES.types, [alone])
    await this.#fileSet.commit(signal)
  }

  discard(): void {
    this.#datasetFile.close()
    this.#fileSet.discard()
  }

  /** Completes the files, in the order in which they are put into place: that of `findForeign`. */
  #complete(
    batches: BatchEntry[],
    { sha256 }: Schema,
    warnings: readonly Problem[],
    declaration: string,
  ): { manifest: Manifest; files: FileEntry[] } {
    const { withForms, ...digest } = this.#items.seal()
    const types = this.#fileSet.write(FILES.types, [declaration])
    const dataset = this.#fileSet.add(FILES.dataset, digest)

    const refused = warnings.filter(isRefusal).map(({ batch, record, pointer, code }) => {
      return { batch, index: record as number, pointer, code }
    })
    const { kept, duplicates } = this.#keptIds
    const manifest = makeManifest(
      { dataset, types, schema: { sha256 }, batches, refused, duplicates },
      { kept, withForms },
    )
    const manifestEntry = this.#fileSet.write(FILES.manifest, emitManifest(manifest))

    return { manifest, files: [types, dataset, manifestEntry] }
  }

  /** Remembers what was published, for the next build, and puts the cache into place. */
  #remember(files: FileEntry[], { schema, refused }: Manifest, warnings: readonly Problem[]): void {
    // If a record was left out, the next build may have to refuse it.
    const isComplete = refused.length === 0
    const isReadable = files.every(({ file, bytes }) => {
      return file !== FILES.manifest || bytes <= constants.MAX_STRING_LENGTH
    })
    if (this.#isLarge && isComplete && isReadable)
      this.cache.add<LastBuild>('build', this.#madeOf(schema.sha256), { files, warnings })

    this.cache.save()
  }

  /** What a published dataset is made of, besides the batches' bytes, which are read again. */
  #madeOf(schemaDigest: string): string {
    return JSON.stringify([schemaDigest, this.#names])
  }

  #placeOf(file: keyof typeof FILES): string {
    return path.join(this.#options.out, FILES[file])
  }

  /** The size of the dataset in place, in bytes; 0 if there is none. */
  #sizeBefore(): number {
    return fs.statSync(this.#placeOf('dataset'), { throwIfNoEntry: false })?.size ?? 0
  }

  #datasetText(): string {
    return this.#datasetFile.read(0, this.#datasetFile.size).toString()
  }
}

/** @throws BuildError if the dataset would replace a file that no build made, as far as we know */
function refuseForeign(out: string): void {
  const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
  const foreign = onDisk(`read ${out}`, () => findForeign(startOf))
  if (foreign === undefined) return

  const file = path.join(out, foreign)
  throw new BuildError(
    `nothing shows that ManyURLs made ${file}, so it is not replaced; move it away, or name another folder with --out`,
  )
}
