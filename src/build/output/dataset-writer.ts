/** Publishes datasets: their items, types and manifest, compared with those of the build before. */
import path from 'node:path'
import type { Collection } from '../../collections/collection.ts'
import {
  AFTER_HEADS,
  emitManifest,
  filesOf,
  findForeign,
  MANIFEST,
  readHeads,
} from '../../dataset/format.ts'
import { BuildError, onDisk } from '../../machine/errors.ts'
import { readBefore, readStart } from '../../machine/files.ts'
import { Cache } from '../disk/cache.ts'
import { FileSet } from '../disk/file-set.ts'
import type { BuildOptions } from '../options.ts'
import { ReferenceCheck, type ReferenceFault } from '../reference-check.ts'
import type { CollectionSource } from '../source.ts'
import { CollectionDataset, type Published } from './collection-dataset.ts'
import type { Output } from './output.ts'

/** How many bytes of a file show whether a build has made it. */
const MARK_LENGTH = 200

/** Writes the datasets into a hidden folder, until `commit` puts their files into place. */
export class DatasetWriter implements Output<Published> {
  readonly cache: Cache
  readonly #options: BuildOptions
  readonly #fileSet: FileSet
  readonly #references: ReferenceCheck
  readonly #datasets: CollectionDataset[] = []

  /** @throws BuildError if the folder has a file of the same name that is not of a dataset */
  constructor(options: BuildOptions) {
    const { collections, out, isCheck = false } = options
    this.#options = options
    this.#refuseForeign()

    this.#fileSet = new FileSet(out, isCheck)
    this.cache = new Cache(out)
    this.#references = new ReferenceCheck(collections.map(({ collection }) => collection))
  }

  open({ collection }: CollectionSource): CollectionDataset {
    const dataset = new CollectionDataset(collection, {
      options: this.#options,
      fileSet: this.#fileSet,
      references: this.#references,
    })
    this.#references.open(collection, dataset.keptIds)
    this.#datasets.push(dataset)
    return dataset
  }

  findReferenceFaults(): ReferenceFault[] {
    return this.#references.findFaults()
  }

  async commit(): Promise<string[]> {
    const { isCheck = false } = this.#options
    const heads = readHeads(readBefore(path.join(this.#options.out, MANIFEST), AFTER_HEADS))
    for (const dataset of this.#datasets) dataset.noteHead(heads.get(dataset.name) ?? {})

    const manifests = this.#datasets.map(({ name, manifest }) => [name, manifest] as const)
    this.#fileSet.write(MANIFEST, emitManifest(new Map(manifests)))

    // Someone may have put a file there in the meantime.
    this.#refuseForeign()
    if (isCheck) return this.#outdated()

    const replaced = await this.#fileSet.commit()
    this.cache.save()
    return replaced
  }

  async commitTypes(): Promise<void> {
    if (!this.#datasets.some(({ hasNewTypes }) => hasNewTypes)) return

    this.#refuseForeign()
    await this.#fileSet.commit()
  }

  discard(): void {
    for (const dataset of this.#datasets) dataset.file.close()
    this.#fileSet.discard()
  }

  /** Returns the files that a build would write. Without types, the manifest in place knows theirs. */
  #outdated(): string[] {
    const { hasTypes = true } = this.#options
    const differing = this.#fileSet.outdated()
    if (hasTypes) return differing

    return this.#datasets.flatMap((dataset) => dataset.outdatedFile(differing) ?? [])
  }

  /** @throws BuildError if a dataset would replace a file that no build made, as far as we know */
  #refuseForeign(): void {
    const { collections, out } = this.#options
    for (const { collection } of collections) refuseForeign(collection, out)
  }
}

function refuseForeign({ dataset }: Collection, out: string): void {
  const startOf = (file: string) => readStart(path.join(out, file), MARK_LENGTH)
  const foreign = onDisk(`read ${out}`, () => findForeign(startOf, filesOf(dataset)))
  if (foreign === undefined) return

  throw new BuildError(
    `nothing shows that ManyURLs made ${path.join(out, foreign)}, so it is not replaced; move it away, or name another folder with --out`,
  )
}
