/** Collects what a command cannot vouch for, and says it on standard error. */
import { describeDoubt } from '../store/damage.ts'
import type { Doubt, OnDoubt } from '../store/store.ts'

export class Doubts {
  readonly #receipts = new Map<Doubt, Set<string>>()
  readonly #sentences: string[] = []

  /** For a store, to report each submission of which a result is in doubt. */
  readonly add: OnDoubt = (doubt, receipt) => {
    const receipts = this.#receipts.get(doubt) ?? new Set()
    this.#receipts.set(doubt, receipts.add(receipt))
  }

  /** Adds sentences about damage. */
  report(text: string): void {
    this.#sentences.push(text)
  }

  /** Whether nothing was left out or lost, as far as is known by now. */
  get isComplete(): boolean {
    return !this.#receipts.has('leftOut') && !this.#receipts.has('lost')
  }

  sentences(): string[] {
    const doubts = [...this.#receipts].map(([doubt, receipts]) => {
      return describeDoubt(doubt, [...receipts])
    })
    return [...this.#sentences, ...doubts]
  }
}
