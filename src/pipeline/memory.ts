/**
 * Refuses a batch that cannot fit into Node's memory, before V8 ends the process with a page of its
 * own addresses (exit status 134).
 */
import { getHeapStatistics } from 'node:v8'
import { BuildError } from '../machine/errors.ts'

/** What a byte takes at least: it is in the text, and in the value that is parsed from it. */
const PER_BYTE = 2
/** What an object takes at least, in bytes: `{}` in an array, as V8 parses it. */
const PER_OBJECT = 64
const SHORTEST_OBJECT = '{},'.length
const OPENING = '{'.charCodeAt(0)
const MIB = 2 ** 20

/**
 * Refuses a batch that needs more than all the memory that Node may use. It counts only what is
 * certain: of 30 MB, pages needed two to three times as much, and tiny records or empty objects one
 * and a half times. So a batch that comes near the limit can still end the process, and so can the
 * paths of millions of pages: what earlier batches hold cannot be told from what is garbage.
 *
 * @throws BuildError with both ways out
 */
export function refuseTooLarge(batch: string, bytes: Uint8Array): void {
  const limit = getHeapStatistics().heap_size_limit
  const most = bytes.length * (PER_BYTE + PER_OBJECT / SHORTEST_OBJECT)
  if (most < limit) return
  const needed = bytes.length * PER_BYTE + countObjects(bytes) * PER_OBJECT
  if (needed < limit) return
  const enough = Math.ceil((3 * needed) / MIB / 100) * 100
  throw new BuildError(
    `${batch} needs more memory than the ${Math.floor(limit / MIB)} MiB that Node may use; split it into several batches, or set NODE_OPTIONS=--max-old-space-size=${enough}`,
  )
}

/** Counts the opening braces; those in texts are few. */
function countObjects(bytes: Uint8Array): number {
  let objects = 0
  for (const byte of bytes) if (byte === OPENING) objects++
  return objects
}
