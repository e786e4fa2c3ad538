/** Reads a batch of a delivery. */
import { type Accepted, accept, type Reading } from '../accept/accept.ts'
import { describeSystemError } from '../machine/errors.ts'
import { fault } from '../page/fault.ts'
import { sha256Of } from '../text/digest.ts'
import type { Source } from './source.ts'

/** A batch as it was read. */
export interface ReadBatch extends Accepted {
  name: string
  bytes: Buffer
  sha256: string
}

/** Reads and accepts a batch. One that can't be read has a fault. */
export async function readBatch(
  source: Source,
  name: string,
  reading: Reading,
): Promise<ReadBatch> {
  const bytes = await source.read(name).catch((error: Error) => error)
  if (bytes instanceof Error) return unreadable(name, bytes, reading)

  return { name, bytes, sha256: sha256Of(bytes), ...accept({ name, bytes }, reading) }
}

function unreadable(name: string, error: Error, reading: Reading): ReadBatch {
  const bytes = Buffer.of()
  const faults = [fault('file.unreadable', [], { reason: describeSystemError(error) })]
  return { name, bytes, sha256: '', ...accept({ name, bytes }, reading), faults }
}

/** Reads a batch again. @returns undefined if it has changed since, or can't be read any more */
export async function readAgain(
  source: Source,
  { file, sha256 }: { file: string; sha256: string },
): Promise<Buffer | undefined> {
  const bytes = await source.read(file).catch(() => undefined)
  return bytes && sha256Of(bytes) === sha256 ? bytes : undefined
}
