/**
 * The whole build: read the batches of each collection, accept or refuse them, let their items claim
 * their ids, stop if there are problems, publish. `accept`, `explain` and `dataset`, which it calls,
 * never touch the disk.
 */
import os from 'node:os'
import type { BatchEntry } from '../dataset/format.ts'
import { compareBatches, type Duplicate } from '../dataset/precedence.ts'
import type { Problem } from '../explain/explain.ts'
import { onDisk, toBuildError } from '../machine/errors.ts'
import { CollectionBuild } from './collection-build.ts'
import { Cache } from './disk/cache.ts'
import type { BuildOptions } from './options.ts'
import { DatasetWriter, type Published } from './output/dataset-writer.ts'
import type { CollectionOutput, Output } from './output/output.ts'
import type { CollectionSource } from './source.ts'

/** The result of a collection: all are published, or none is. */
export type Result<T> = { warnings: Problem[] } & (
  | { ok: false; problems: Problem[]; batches: BatchEntry[] }
  | ({ ok: true } & T)
)

/** The result of a collection, with the duplicates even if there are problems. */
export type BuildResult = Result<Published> & { duplicates: readonly Duplicate[] }

/**
 * Builds a dataset of each collection. Writes nothing if any batch has a problem.
 *
 * @returns the results, in the order of the collections
 * @throws BuildError if the command line or the machine is at fault; nothing is written then
 */
export async function build(options: BuildOptions): Promise<BuildResult[]> {
  const doing = options.isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${options.out} (it is as it was before)`

  let writer: DatasetWriter | undefined
  const results = await buildInto(options, doing, (sources) => {
    writer = new DatasetWriter(options, sources)
    return writer
  })

  return results.map((result, at) => {
    return { ...result, duplicates: writer?.collections[at]?.keptIds.duplicates ?? [] }
  })
}

/**
 * Builds datasets, or the records for an engine.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the output of collections, whose batches are in the order of precedence
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: (sources: readonly CollectionSource[]) => Output<T>,
): Promise<Result<T>[]> {
  const sources: CollectionSource[] = []
  for (const collection of options.collections) {
    const delivery = await collection.source.list()
    delivery.all.sort(compareBatches)
    sources.push({ ...collection, delivery })
  }

  const output = onDisk(doing, () => open(sources))

  try {
    return await new Build(options, sources, output).run()
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    output.discard()
  }
}

/** One build, from the schemas to the published files. */
class Build<T> {
  readonly #options: BuildOptions
  readonly #sources: readonly CollectionSource[]
  readonly #output: Output<T>
  readonly #cache: Cache

  constructor(options: BuildOptions, sources: readonly CollectionSource[], output: Output<T>) {
    this.#options = options
    this.#sources = sources
    this.#output = output
    this.#cache = output.cache ?? new Cache(options.out)
  }

  async run(): Promise<Result<T>[]> {
    const collections = await this.#open()
    for (const collection of collections) await collection.read()

    await this.#noteLateFaults(collections)

    return this.#refuseOrPublish(collections)
  }

  async #open(): Promise<CollectionBuild[]> {
    const collections: CollectionBuild[] = []
    for (const [at, source] of this.#sources.entries()) {
      const output = this.#output.collections[at] as CollectionOutput
      collections.push(await CollectionBuild.open(source, this.#options, output, this.#cache))
    }
    return collections
  }

  /** Notes what only shows once every batch was read, such as links that lead nowhere. */
  async #noteLateFaults(collections: readonly CollectionBuild[]): Promise<void> {
    const references = this.#output.findReferenceFaults?.() ?? []
    for (const collection of collections) {
      const faults = references.filter((reference) => reference.collection === collection.name)
      await collection.noteLateFaults(faults)
    }
  }

  async #refuseOrPublish(collections: readonly CollectionBuild[]): Promise<Result<T>[]> {
    for (const collection of collections) await collection.refuseIfEmptied()

    const isRefused = collections.some(({ problems }) => problems.length > 0)
    if (isRefused) {
      await this.#keepTypes(collections)
      return collections.map((collection) => ({ ok: false, ...collection.refused() }))
    }

    const published = await this.#output.publish(collections.map((one) => one.built(this.#cache)))
    return published.map((result, at) => {
      const warnings = (collections[at] as CollectionBuild).allWarnings()
      return { ok: true, warnings, ...result }
    })
  }

  async #keepTypes(collections: readonly CollectionBuild[]): Promise<void> {
    try {
      await this.#output.keepTypes?.(collections.map((one) => one.built(this.#cache)))
    } catch {
      // The problems are what matters now. A build without any reports why there are no types.
    }
  }
}
