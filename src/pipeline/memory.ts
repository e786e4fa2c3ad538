/**
 * Stops a build before Node's memory is full: V8 would end the process with a page of its own
 * addresses (exit status 134).
 */
import v8 from 'node:v8'
import vm from 'node:vm'
import { BuildError } from '../machine/errors.ts'

/** What a byte of a batch takes while it is read: in the text, and in the values parsed from it. */
const PER_BYTE = 3
const MIB = 2 ** 20
/** V8 counts the space for new objects, in which none stays; from Node 24 (V8 13) on, it is larger. */
const YOUNG = (Number.parseInt(process.versions.v8, 10) < 13 ? 48 : 192) * MIB

/**
 * Refuses a batch for which there is no room beside the paths that earlier batches claimed. Pages
 * take two to three times their size; records of a few bytes take more, and can still end the process.
 *
 * @throws BuildError with both ways out
 */
export function refuseTooLarge(batch: string, bytes: Uint8Array): void {
  const needed = bytes.length * PER_BYTE
  if (needed < freeBytes()) return
  // Much of what is in use may be garbage.
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext('gc')()
  if (needed < freeBytes()) return
  const { heap_size_limit: limit, used_heap_size: used } = v8.getHeapStatistics()
  const enough = Math.ceil((2 * (used + needed)) / MIB / 100) * 100
  throw new BuildError(
    `there is no memory left for ${batch}: Node may use ${Math.floor(limit / MIB)} MiB; split it into several batches, or set NODE_OPTIONS=--max-old-space-size=${enough}`,
  )
}

/** Half as much as is in use is left: the map of all paths grows by doubling. */
function freeBytes(): number {
  const { heap_size_limit: limit, used_heap_size: used } = v8.getHeapStatistics()
  return limit - YOUNG - 1.5 * used
}
