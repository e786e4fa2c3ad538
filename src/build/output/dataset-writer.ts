/** Publishes datasets: their items, types and manifest, compared with those of the build before. */
import path from 'node:path'
import { isRefusal } from '../../accept/codes.ts'
import {
  compareItems,
  findNewWinners,
  type ItemChanges,
  LARGEST_COMPARED,
  type NewWinner,
} from '../../dataset/changes.ts'
import { FILES, findForeign, type Manifest, makeManifest, markAlone } from '../../dataset/format.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readStart } from '../../machine/files.ts'
import type { Digest } from '../../machine/growing-file.ts'
import { Cache } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import type { BuildOptions } from '../options.ts'
import { ReferenceCheck, type ReferenceFault } from '../reference-check.ts'
import type { CollectionSource } from '../source.ts'
import { CollectionDataset } from './collection-dataset.ts'
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
    const { out, isCheck = false } = options
    this.#options = options
    this.#sources = sources
    this.#refuseForeign()

    this.#fileSet = new FileSet(out, isCheck)
    this.cache = new Cache(out)

    this.#references = new ReferenceCheck(sources.map(({ collection }) => collection))
    this.collections = sources.map(({ collection }) => {
      const { dataset } = options.layout.filesOf(collection.name)
      const file = path.join(this.#fileSet.work, dataset)
      const before = path.join(out, dataset)
      return new CollectionDataset(collection, { file, before }, this.#references, options.isStrict)
    })
  }

  findReferenceFaults(): ReferenceFault[] {
    return this.#references.findFaults()
  }

  async publish(built: readonly Built[]): Promise<Published[]> {
    const { isCheck = false, hasTypes = true, layout, signal } = this.#options
    const declarations = hasTypes ? await makeAll(built) : []
    const manifests = this.#complete(built, declarations)

    // What is in place now is read before it's replaced.
    const manifestBefore = readStart(this.#placeOf(FILES.manifest))
    const comparisons = this.collections.map((dataset, at) => {
      const { bytes } = (manifests[at] as Manifest).dataset
      return dataset.sizeBefore() > LARGEST_COMPARED || bytes > LARGEST_COMPARED
        ? undefined
        : dataset.textBefore()
    })

    // Someone may have put a file there in the meantime.
    this.#refuseForeign()
    const replaced = isCheck ? this.#outdated(manifests) : await this.#fileSet.commit(signal)
    if (!isCheck) this.cache.save()

    return manifests.map((manifest, at) => {
      const dataset = this.collections[at] as CollectionDataset
      const { name } = dataset.collection
      const textBefore = comparisons[at]
      const hasChanged = replaced.includes(manifest.dataset.file)
      const changes =
        hasChanged && textBefore !== undefined
          ? compareItems(textBefore, dataset.text(), dataset.key)
          : hasChanged
      const batchesBefore = layout.readHead(manifestBefore, name).batches ?? []
      const newWinners = findNewWinners(batchesBefore, manifest)
      const wasCurrent = replaced.length === 0
      return { manifest, wasCurrent, outdated: replaced, changes, newWinners }
    })
  }

  async keepTypes(built: readonly Built[]): Promise<void> {
    const { isCheck, hasTypes = true, layout, signal } = this.#options
    if (isCheck || !hasTypes) return

    let isNew = false
    for (const [at, declaration] of (await makeAll(built)).entries()) {
      const { types } = layout.filesOf(this.#nameAt(at))
      const alone = markAlone(declaration)
      const current = readStart(this.#placeOf(types))
      if (current === declaration || current === alone) continue

      this.#fileSet.write(types, [alone])
      isNew = true
    }
    if (!isNew) return

    this.#refuseForeign()
    await this.#fileSet.commit(signal)
  }

  discard(): void {
    for (const dataset of this.collections) dataset.close()
    this.#fileSet.discard()
  }

  #nameAt(at: number): string {
    return (this.#sources[at] as CollectionSource).collection.name
  }

  /** Completes the files, in the order in which they are put into place: that of `findForeign`. */
  #complete(built: readonly Built[], declarations: readonly string[]): Manifest[] {
    const { layout } = this.#options
    const manifests = built.map((parts, at) => {
      const dataset = this.collections[at] as CollectionDataset
      const digest = dataset.seal()
      const names = layout.filesOf(this.#nameAt(at))

      const declaration = declarations[at]
      const types =
        declaration === undefined ? undefined : this.#fileSet.write(names.types, [declaration])
      const entry = this.#fileSet.add(names.dataset, digest)
      return manifestOf(parts, dataset, { types, dataset: entry })
    })

    const byName = new Map(manifests.map((manifest, at) => [this.#nameAt(at), manifest]))
    this.#fileSet.write(FILES.manifest, layout.emit(byName))
    return manifests
  }

  /** Returns the files that a build would write. Without types, the manifest in place knows it. */
  #outdated(manifests: readonly Manifest[]): string[] {
    const { hasTypes = true, layout } = this.#options
    if (hasTypes) return this.#fileSet.outdated()

    const text = readStart(this.#placeOf(FILES.manifest))
    const outdated = manifests.filter(({ dataset, schema }, at) => {
      const before = layout.readHead(text, this.#nameAt(at))
      const isSame = (one?: Digest, other?: Digest) => one?.sha256 === other?.sha256
      return !isSame(before.dataset, dataset) || before.schema?.sha256 !== schema?.sha256
    })
    return outdated.map(({ dataset }) => dataset.file)
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

async function makeAll(built: readonly Built[]): Promise<string[]> {
  const declarations: string[] = []
  for (const { makeTypes } of built) declarations.push(await makeTypes())
  return declarations
}

function manifestOf(
  { schemas: { sha256 }, batches, warnings }: Built,
  { keptIds, withForms }: CollectionDataset,
  { types, dataset }: Pick<Manifest, 'types' | 'dataset'>,
): Manifest {
  const refused = warnings.filter(isRefusal).map(({ batch, record, pointer, code }) => {
    return { batch, index: record as number, pointer, code }
  })
  const { kept, duplicates } = keptIds
  const schema = sha256 === null ? null : { sha256 }
  const parts = { dataset, types, schema, batches, refused, duplicates }
  return makeManifest(parts, { kept, withForms })
}
