/** Publishes datasets: their items, types and manifest, compared with those of the build before. */
import path from 'node:path'
import type { Collection } from '../../collections/collection.ts'
import {
  compareItems,
  findNewWinners,
  type ItemChanges,
  LARGEST_COMPARED,
  type NewWinner,
} from '../../dataset/changes.ts'
import {
  FILES,
  findForeign,
  type Manifest,
  type ManifestHead,
  makeManifest,
  markAlone,
} from '../../dataset/format.ts'
import { KeptIds } from '../../dataset/precedence.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import type { Digest } from '../../machine/growing-file.ts'
import { Cache } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import type { BuildOptions } from '../options.ts'
import { importTypesOf } from '../read-types.ts'
import { ReferenceCheck, type ReferenceFault } from '../reference-check.ts'
import type { CollectionSource } from '../source.ts'
import { CollectionDataset, duplicateRulesOf } from './collection-dataset.ts'
import type { Built, Output } from './output.ts'

/** What was published of one collection. */
export interface Published {
  manifest: Manifest
  /** Whether all files of the build were already up to date. */
  wasCurrent: boolean
  /** The names of the files that weren't. */
  outdated: readonly string[]
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: ItemChanges | boolean
  /** The ids that another batch wins now, because a new one sorts before the one that had them. */
  newWinners: NewWinner[]
}

/** A dataset that is complete, beside the one that's in place. */
interface Finished {
  dataset: CollectionDataset
  manifest: Manifest
  headBefore: ManifestHead
  textBefore: string | undefined
}

/** How many bytes of a file show whether a build has made it. */
const MARK_LENGTH = 200

/** Writes the datasets into a hidden folder, until `publish` puts their files into place. */
export class DatasetWriter implements Output<Published> {
  readonly cache: Cache
  readonly collections: readonly CollectionDataset[]
  readonly #options: BuildOptions
  readonly #sources: readonly CollectionSource[]
  readonly #fileSet: FileSet
  readonly #references: ReferenceCheck

  /**
   * @param sources the collections, with their batches in the order of precedence
   * @throws BuildError if the folder has a file of the same name that is not of a dataset
   */
  constructor(options: BuildOptions, sources: readonly CollectionSource[]) {
    const { out, isCheck = false, isStrict = false } = options
    this.#options = options
    this.#sources = sources
    this.#refuseForeign()

    this.#fileSet = new FileSet(out, isCheck)
    this.cache = new Cache(out)

    const claiming = sources.map(({ collection }) => {
      const rules = { ...duplicateRulesOf(collection), isStrict }
      return { collection, keptIds: new KeptIds(rules) }
    })
    this.#references = new ReferenceCheck(claiming)
    this.collections = claiming.map(({ collection, keptIds }) => {
      const { dataset } = options.layout.filesOf(collection.name)
      const file = path.join(this.#fileSet.work, dataset)
      const before = path.join(out, dataset)
      return new CollectionDataset({ collection, keptIds }, { file, before }, this.#references)
    })
  }

  findReferenceFaults(): ReferenceFault[] {
    return this.#references.findFaults()
  }

  async publish(built: readonly Built[]): Promise<Published[]> {
    const { isCheck = false } = this.#options
    const finished = await this.#finish(built)

    // Someone may have put a file there in the meantime.
    this.#refuseForeign()
    const outdated = isCheck ? this.#outdated(finished) : await this.#fileSet.commit()
    if (!isCheck) this.cache.save()

    return finished.map((complete) => ({
      manifest: complete.manifest,
      wasCurrent: outdated.length === 0,
      outdated,
      changes: findChanges(complete, outdated),
      newWinners: findNewWinners(complete.headBefore.batches ?? [], complete.manifest),
    }))
  }

  async keepTypes(built: readonly Built[]): Promise<void> {
    const { isCheck, hasTypes = true } = this.#options
    if (isCheck || !hasTypes) return

    let isNew = false
    for (const [at, { collection }] of this.collections.entries()) {
      for (const { file, text } of await this.#makeTypes(collection, built[at] as Built)) {
        const alone = markAlone(text)
        const current = readStart(this.#placeOf(file))
        if (current === text || current === alone) continue

        this.#fileSet.write(file, [alone])
        isNew = true
      }
    }
    if (!isNew) return

    this.#refuseForeign()
    await this.#fileSet.commit()
  }

  discard(): void {
    for (const dataset of this.collections) dataset.file.close()
    this.#fileSet.discard()
  }

  /**
   * Completes the files, in the order in which they are put into place: that of `findForeign`. What is in
   * place now is read before it's replaced.
   */
  async #finish(built: readonly Built[]): Promise<Finished[]> {
    const { hasTypes = true, layout } = this.#options
    const manifestBefore = readStart(this.#placeOf(FILES.manifest))
    const finished: Finished[] = []

    for (const [at, dataset] of this.collections.entries()) {
      const parts = built[at] as Built
      const { collection } = dataset
      const { name } = collection

      const madeTypes = hasTypes ? await this.#makeTypes(collection, parts) : []
      const [types, importTypes] = madeTypes.map(({ file, text }) => {
        return this.#fileSet.write(file, [text])
      })
      const entry = this.#fileSet.add(layout.filesOf(name).dataset, dataset.file.seal())
      const manifest = manifestOf(parts, dataset, { types, importTypes, dataset: entry })

      const headBefore = layout.readHead(manifestBefore, name)
      const textBefore = readTextBefore(dataset, entry)
      finished.push({ dataset, manifest, headBefore, textBefore })
    }

    const manifests = new Map(
      finished.map(({ dataset, manifest }) => [dataset.collection.name, manifest]),
    )
    this.#fileSet.write(FILES.manifest, layout.emit(manifests))
    return finished
  }

  /** Makes the files of the types, in the order in which they are put into place. */
  async #makeTypes(
    collection: Collection,
    { makeTypes }: Built,
  ): Promise<{ file: string; text: string }[]> {
    const { dataset, types, importTypes } = this.#options.layout.filesOf(collection.name)
    return [
      { file: types, text: await makeTypes() },
      { file: importTypes, text: importTypesOf(collection, dataset) },
    ]
  }

  /** Returns the files that a build would write. Without types, the manifest in place knows theirs. */
  #outdated(finished: readonly Finished[]): string[] {
    const { hasTypes = true } = this.#options
    const differing = this.#fileSet.outdated()
    if (hasTypes) return differing

    const outdated = finished.filter(({ manifest: { dataset, schema }, headBefore: before }) => {
      const isInManifest = before.dataset?.sha256 === dataset.sha256
      const isSameSchema = before.schema?.sha256 === schema?.sha256
      return differing.includes(dataset.file) || !isInManifest || !isSameSchema
    })
    return outdated.map(({ manifest }) => manifest.dataset.file)
  }

  #placeOf(file: string): string {
    return path.join(this.#options.out, file)
  }

  /** @throws BuildError if a dataset would replace a file that no build made, as far as we know */
  #refuseForeign(): void {
    const { out, layout } = this.#options
    const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
    for (const { collection } of this.#sources) {
      const names = layout.filesOf(collection.name)
      const foreign = onDisk(`read ${out}`, () => findForeign(startOf, names))
      if (foreign === undefined) continue

      throw new BuildError(
        `nothing shows that ManyURLs made ${path.join(out, foreign)}, so it is not replaced; move it away, or name another folder with --out`,
      )
    }
  }
}

/** Returns the dataset in place; undefined if that one or the new one is too large to compare. */
function readTextBefore(dataset: CollectionDataset, { bytes }: Digest): string | undefined {
  const isLarge = dataset.sizeBefore() > LARGEST_COMPARED || bytes > LARGEST_COMPARED
  return isLarge ? undefined : dataset.textBefore()
}

function findChanges(
  { dataset, manifest, textBefore }: Finished,
  outdated: readonly string[],
): ItemChanges | boolean {
  const hasChanged = outdated.includes(manifest.dataset.file)
  if (!hasChanged || textBefore === undefined) return hasChanged

  return compareItems(textBefore, dataset.file.text(), dataset.key)
}

function manifestOf(
  { schemas: { sha256 }, batches, refusals }: Built,
  { keptIds, withForms }: CollectionDataset,
  { dataset, types, importTypes }: Pick<Manifest, 'dataset' | 'types' | 'importTypes'>,
): Manifest {
  const refused = refusals.map(({ batch, record, pointer, code }) => {
    return { batch, index: record, pointer, code }
  })
  const { kept, duplicates } = keptIds
  const schema = sha256 === null ? null : { sha256 }
  const parts = { dataset, types, importTypes, schema, batches, refused, duplicates }
  return makeManifest(parts, { kept, withForms })
}
