/** Finds what `references` of a collection says in vain: a path or a function that names nothing. */
import type { Reading } from '../accept/accept.ts'
import { declaresPath } from '../accept/declared-path.ts'
import { noteReach, type Reach } from '../accept/references.ts'
import type { ReferencePath } from '../collections/collection.ts'
import { EACH_ITEM, formatReferencePath, type ReferenceStep } from '../collections/references.ts'
import { type Fault, type FileFault, fault } from '../fault/fault.ts'
import { nearest } from '../text/nearest.ts'
import type { ReadBatch } from './read-batch.ts'
import type { RecordPlaces } from './record-type.ts'

export class UsedReferences {
  readonly #reading: Reading
  readonly #places: RecordPlaces
  /** By the paths: how far the records have them. */
  readonly #reached = new Map<string, Reach>()
  #hasReferences = false
  /** Whether there may be other references, in what can't be read or where the function has failed. */
  #hasUnknown = false
  #firstFile: string | undefined

  /** @param places of the records, which are filled while batches are added */
  constructor(reading: Reading, places: RecordPlaces) {
    this.#reading = reading
    this.#places = places
  }

  add(batch: ReadBatch): void {
    const { name, records, references, reached, hasUnknownRecords, haveReferencesFailed } = batch
    if (records > 0) this.#firstFile ??= name
    if (hasUnknownRecords || haveReferencesFailed) this.#hasUnknown = true
    if (references.some(({ isLink }) => !isLink)) this.#hasReferences = true

    for (const [path, reach] of reached) {
      noteReach(this.#reached, path, reach)
    }
  }

  findFaults(): FileFault[] {
    const { references } = this.#reading.collection
    const file = this.#firstFile
    if (!references || file === undefined || this.#hasUnknown) return []

    const faults =
      'call' in references
        ? this.#faultsOfCall()
        : references.paths.flatMap((path) => this.#faultsOfPath(path))
    return faults.map((fault) => ({ file, fault }))
  }

  #faultsOfCall(): Fault[] {
    return this.#hasReferences ? [] : [fault('reference.none', [], { path: undefined })]
  }

  #faultsOfPath({ path, steps }: ReferencePath): Fault[] {
    const reach = this.#reached.get(path)
    const left = steps.slice(reach?.steps)
    // Whatever is there: it may be null, or an empty list.
    const isFound = left.every((step) => step === EACH_ITEM)
    const records = [...this.#places.accepted, ...this.#places.refused]
    if (isFound || declaresPath(this.#reading.schemas, records, steps)) return []

    if (!reach?.keys) return [{ ...fault('reference.none', [], { path }), about: path }]

    const near = nearestPaths(steps, reach.steps, [...reach.keys])
    return [{ ...fault('reference.no-path', [], { path, near }), about: path }]
  }
}

/**
 * Returns the paths that may be meant.
 *
 * @param at the position of the step that is wrong
 * @param keys those that records have there
 */
function nearestPaths(
  steps: readonly ReferenceStep[],
  at: number,
  keys: readonly string[],
): string[] {
  const nearKeys = nearest(String(steps[at]), keys)
  return nearKeys.map((key) => formatReferencePath(steps.with(at, key)))
}
