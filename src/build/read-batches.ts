/** Reads the batches of a delivery, and yields them in order. */

import { type Reading, type ReadResult, readBatch } from '../accept/accept.ts'
import { fileProblem } from '../explain/problem.ts'
import { fault } from '../explain/sentences.ts'
import { describeSystemError } from '../machine/errors.ts'
import { sha256Of } from '../text/digest.ts'
import type { Cache } from './disk/cache.ts'
import type { SchemaFiles } from './read-schema.ts'
import type { Source } from './source.ts'

/** A batch as it was read. */
export interface ReadBatch extends ReadResult {
  name: string
  bytes: Buffer
  sha256: string
}

/**
 * Reads batches and yields them in order. A batch that cannot be read has a problem.
 *
 * @param cache knows batches of earlier builds, and gets new ones without problems
 */
export async function* readBatches(
  source: Source,
  batches: readonly { name: string }[],
  schema: Pick<SchemaFiles, 'sha256'>,
  reading: Reading,
  cache?: Cache,
): AsyncGenerator<ReadBatch> {
  for (const { name } of batches) {
    const bytes = await source.read(name).catch((error: Error) => error)
    if (bytes instanceof Error) {
      const why = fault('file.unreadable', [], describeSystemError(bytes))
      const none = { name, bytes: Buffer.of(), sha256: '' }
      yield { ...readBatch(name, none.bytes, reading), ...none, problems: [fileProblem(name, why)] }
      continue
    }
    const sha256 = sha256Of(bytes)
    const madeOf = `${name} ${sha256} ${schema.sha256}`
    const known = cache?.get<ReadResult>('batch', madeOf)
    const result = known ?? readBatch(name, bytes, reading)
    if (!known && result.problems.length === 0) cache?.add('batch', madeOf, result)
    yield { name, bytes, sha256, ...result }
  }
}

/** Reads a batch again. @returns undefined if it has changed since, or cannot be read any more */
export async function readAgain(
  source: Source,
  { file, sha256 }: { file: string; sha256: string },
): Promise<Buffer | undefined> {
  const bytes = await source.read(file).catch(() => undefined)
  return bytes && sha256Of(bytes) === sha256 ? bytes : undefined
}
