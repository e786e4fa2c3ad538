// Reads batches in a thread of its own; see reader.ts.
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { register } from 'tsx/esm/api'

// The loader of the main thread does not reach other threads.
register()
const { makeRead } = await import('./reader.ts')
const read = makeRead(...workerData)

/** The bytes of the pages move to the main thread; everything else is copied. */
export default (task) => {
  const result = read(task)
  return move({ [transferableSymbol]: result.pages.bytes.buffer, [valueSymbol]: result })
}
