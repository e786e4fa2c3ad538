/** Finds mistakes in one file that only show once all files of a collection were read. */
import type { Reading } from '../accept/accept.ts'
import { KeySearch } from '../accept/near-keys.ts'
import type { FileFault } from '../fault/fault.ts'
import type { ReadBatch } from './read-batch.ts'
import type { RecordPlaces } from './record-type.ts'
import { UsedReferences } from './used-references.ts'

export class CollectionCheck {
  readonly #keys = new KeySearch()
  readonly #usedReferences: UsedReferences
  /** Whether some record has a value to sort by. */
  #isSortable = false
  /** The first record of the first file in which none has it. */
  #unsortable: FileFault | undefined
  /** Whether some record has the id key, or may have it. */
  #hasKeyOfIds = false
  /** The first record of the first file in which none has it. */
  #withoutKeyOfIds: FileFault | undefined

  /** @param places of the records, which are filled while batches are added */
  constructor(reading: Reading, places: RecordPlaces) {
    this.#usedReferences = new UsedReferences(reading, places)
  }

  add(batch: ReadBatch): void {
    const { name, accepted, sorting, keyOfIds, hasUnknownRecords } = batch
    if (accepted) this.#keys.add(name, accepted)
    this.#usedReferences.add(batch)

    if (sorting === true) this.#isSortable = true
    else if (sorting) this.#unsortable ??= { file: name, fault: sorting }

    if (keyOfIds === true || hasUnknownRecords) this.#hasKeyOfIds = true
    else if (keyOfIds) this.#withoutKeyOfIds ??= { file: name, fault: keyOfIds }
  }

  /** @param isShard whether other files may have what these lack */
  findFaults(isShard: boolean): FileFault[] {
    const nearKeys = this.#keys.findFaults()
    if (isShard) return nearKeys

    const unsortable = this.#isSortable || !this.#unsortable ? [] : [this.#unsortable]
    const unnamed = this.#hasKeyOfIds || !this.#withoutKeyOfIds ? [] : [this.#withoutKeyOfIds]
    return [...unsortable, ...unnamed, ...this.#usedReferences.findFaults(), ...nearKeys]
  }
}
