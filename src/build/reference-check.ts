/**
 * Checks that every identity that a record names is that of some record. Memory holds the identities
 * of all records, and those that no record has had so far.
 */
import type { Identity } from '../page/facts.ts'
import { fault } from '../page/fault.ts'
import { nearest } from '../text/nearest.ts'
import type { FileFault } from './explainer.ts'
import type { ReadBatch } from './read-batches.ts'

/** Each missing identity is compared with all others, so only the first get a suggestion. */
const MOST_SUGGESTED = 10

export class ReferenceCheck {
  /** What the records are about, the refused ones, too; null for one that can't be known. */
  readonly #identities = new Set<Identity | null>()
  /** By batch: the identities that no record had so far, each with the records that name it. */
  readonly #missing = new Map<string, Map<Identity, Set<number>>>()

  /**
   * Adds the records of a batch.
   *
   * @param refused the positions of those that are refused beside others: what they name doesn't count
   */
  add(
    { name, pages, references, refusedIdentities }: ReadBatch,
    refused: ReadonlySet<number>,
  ): void {
    for (const identity of [...pages.identities, ...refusedIdentities])
      this.#identities.add(identity)

    for (const { index, identity } of references) {
      if (this.#identities.has(identity) || refused.has(index)) continue

      const missing = this.#missing.get(name) ?? new Map<Identity, Set<number>>()
      const records = missing.get(identity) ?? new Set()
      missing.set(identity, records.add(index))
      this.#missing.set(name, missing)
    }
  }

  /**
   * Returns the references to nothing. A refused record whose identity isn't known may be the one that
   * a reference means: then it returns one warning, that they are not checked.
   */
  findFaults(): FileFault[] {
    const faults: FileFault[] = []
    const missing = new Set<Identity>()

    for (const [file, recordsByIdentity] of this.#missing) {
      const targets = new Map<Identity, Identity | undefined>()
      const records = new Set<number>()

      for (const [identity, indexes] of recordsByIdentity) {
        // A later batch may have had it.
        if (this.#identities.has(identity)) continue

        targets.set(identity, this.#suggestion(identity, missing.size))
        missing.add(identity)
        for (const index of indexes) records.add(index)
      }

      if (targets.size === 0) continue
      faults.push({ file, fault: fault('reference.refused', [], { targets, records }) })
    }

    const [first] = faults
    const isCertain = !this.#identities.has(null)
    if (!first || isCertain) return faults

    const unchecked = fault('reference.unchecked', [], { identities: missing.size })
    return [{ file: first.file, fault: unchecked }]
  }

  /** @param count how many were looked for before */
  #suggestion(identity: Identity, count: number): Identity | undefined {
    if (count >= MOST_SUGGESTED || typeof identity !== 'string') return undefined

    const texts = [...this.#identities].filter((known) => typeof known === 'string')
    const near = nearest(identity, texts)
    return near.length === 1 ? near[0] : undefined
  }
}
