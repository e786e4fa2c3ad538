/** Reads a batch of a delivery. */
import { type Accepted, accept, type Reading } from '../accept/accept.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { describeSystemError } from '../machine/errors.ts'
import { sha256Of } from '../text/digest.ts'
import { faultOfFailure } from './failure.ts'
import type { Source } from './source.ts'

/** A batch as it was read. */
export interface ReadBatch extends Accepted {
  name: string
  bytes: Buffer
  sha256: string
}

/** Reads and accepts a batch. One that can't be read has a fault, and so has one on which we fail. */
export async function readBatch(
  source: Source,
  name: string,
  reading: Reading,
): Promise<ReadBatch> {
  const bytes = await source.read(name).catch((error: Error) => error)
  if (bytes instanceof Error) {
    return unread(name, fault('file.unreadable', [], { reason: describeSystemError(bytes) }))
  }

  return acceptBatch({ name, bytes, sha256: sha256Of(bytes) }, reading)
}

/** @param refused the positions of the records that the schema refuses, if they are known */
export function acceptBatch(
  { name, bytes, sha256 }: Pick<ReadBatch, 'name' | 'bytes' | 'sha256'>,
  reading: Reading,
  refused?: ReadonlySet<number>,
): ReadBatch {
  try {
    return { name, bytes, sha256, ...accept({ name, bytes }, reading, refused) }
  } catch (error) {
    return unread(name, faultOfFailure(error))
  }
}

/** A file that couldn't be read, with the reason. */
function unread(name: string, why: Fault): ReadBatch {
  return {
    name,
    bytes: Buffer.of(),
    sha256: '',
    records: 0,
    places: [],
    faults: [why],
    warnings: [],
    accepted: undefined,
    sorting: undefined,
    keyOfIds: undefined,
    hasFaultOutside: true,
    isUndecided: false,
    items: [],
    refused: [],
    hasUnknownRecords: true,
    references: [],
    haveReferencesFailed: false,
    reached: new Map(),
    uniques: [],
  }
}

/** Reads a batch again. @returns undefined if it has changed since, or can't be read any more */
export async function readAgain(
  source: Source,
  { file, sha256 }: { file: string; sha256: string },
): Promise<Buffer | undefined> {
  const bytes = await source.read(file).catch(() => undefined)
  return bytes && sha256Of(bytes) === sha256 ? bytes : undefined
}
