/**
 * The whole build: read the batches of each collection, accept or refuse them, let their items claim
 * their ids, stop if there are problems, publish. `accept`, `explain` and `dataset`, which it calls,
 * never touch the disk.
 */
import os from 'node:os'
import { sortBatches } from '../dataset/precedence.ts'
import { onDisk, toBuildError } from '../machine/errors.ts'
import { CollectionBuild } from './collection-build.ts'
import { Cache } from './disk/cache.ts'
import type { BuildOptions } from './options.ts'
import { DatasetWriter } from './output/dataset-writer.ts'
import type { Output } from './output/output.ts'
import type { BuildResult, Result } from './result.ts'

/**
 * Builds a dataset of each collection. Writes nothing if any batch has a problem.
 *
 * @returns the results, in the order of the collections
 * @throws BuildError if the command line or the machine is at fault; nothing is written then
 */
export function build(options: BuildOptions): Promise<BuildResult[]> {
  const doing = options.isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${options.out} (it is as it was before)`

  return buildInto(options, doing, () => new DatasetWriter(options))
}

/**
 * Builds datasets, or the records for an engine.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the output
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: () => Output<T>,
): Promise<Result<T>[]> {
  const sources = []
  for (const collection of options.collections) {
    const delivery = await collection.source.list()
    const all = sortBatches(delivery.all)
    sources.push({ ...collection, delivery: { ...delivery, all } })
  }

  const output = onDisk(doing, open)

  try {
    const cache = output.cache ?? new Cache(options.out)
    const collections: CollectionBuild<T>[] = []
    for (const source of sources) {
      const collectionOutput = onDisk(doing, () => output.open(source))
      collections.push(await CollectionBuild.open(source, options, collectionOutput, cache))
    }

    for (const collection of collections) await collection.read()
    await noteLateFaults(collections, output)
    return await refuseOrPublish(collections, output)
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    output.discard()
  }
}

/** Notes what only shows once every batch was read, such as links that lead nowhere. */
async function noteLateFaults<T>(
  collections: readonly CollectionBuild<T>[],
  output: Output<T>,
): Promise<void> {
  const references = output.findReferenceFaults?.() ?? []
  for (const collection of collections) {
    const faults = references.filter((reference) => reference.collection === collection.name)
    await collection.noteLateFaults(faults)
  }
}

async function refuseOrPublish<T>(
  collections: readonly CollectionBuild<T>[],
  output: Output<T>,
): Promise<Result<T>[]> {
  for (const collection of collections) await collection.refuseIfEmptied()

  const isRefused = collections.some(({ problems }) => problems.length > 0)
  if (isRefused) {
    await keepTypes(collections, output)
    return collections.map((collection) => collection.refused())
  }

  for (const collection of collections) await collection.finish()
  const outdated = await output.commit()
  return collections.map((collection) => collection.published(outdated))
}

async function keepTypes<T>(
  collections: readonly CollectionBuild<T>[],
  output: Output<T>,
): Promise<void> {
  try {
    for (const collection of collections) await collection.keepTypes()
    await output.commitTypes?.()
  } catch {
    // The problems are what matters now. A build without any reports why there are no types.
  }
}
