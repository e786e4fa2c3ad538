/**
 * Checks that every record that another one names is there, in its collection. Memory holds what names
 * the records, and those that were not there so far.
 */
import type { Collection } from '../collections/collection.ts'
import { BuildError } from '../machine/errors.ts'
import { type FileFault, fault } from '../page/fault.ts'
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'
import type { ReadBatch } from './read-batch.ts'

/** Each missing record is compared with all others, so only the first get a suggestion. */
const MOST_SUGGESTED = 10

/** The records of one batch that name records of one collection that were not there so far. */
interface Missing {
  /** The collection of the batch. */
  from: string
  file: string
  /** The collection that they name. */
  to: string
  /** By what they name. */
  records: Map<string, Set<number>>
}

/** A fault of a file in a collection. */
export interface ReferenceFault extends FileFault {
  collection: string
}

export class ReferenceCheck {
  readonly #isNeeded: boolean
  /** By collection: what names its records, the refused ones, too; null for one that can't be known. */
  readonly #known: ReadonlyMap<string, Set<string | null>>
  /** By batch and by the collection that is named. */
  readonly #missing = new Map<string, Missing>()

  /** @param collections all of them: if none refers to records, none is remembered */
  constructor(collections: readonly Pick<Collection, 'name' | 'references'>[]) {
    this.#isNeeded = collections.some(({ references }) => references !== undefined)
    this.#known = new Map(collections.map(({ name }) => [name, new Set()]))
  }

  /**
   * Adds the records of a batch.
   *
   * @param refused the positions of those that are refused beside others: what they name doesn't count
   * @throws BuildError if they name a collection that isn't there
   */
  add(collection: string, batch: ReadBatch, refused: ReadonlySet<number>): void {
    if (!this.#isNeeded) return

    const { items, references, refusedIdentities } = batch
    const known = this.#knownIn(collection, collection)
    for (const { id, identity } of items) known.add(String(identity ?? id))
    for (const name of refusedIdentities) known.add(name === null ? null : String(name))

    for (const { index, collection: to, identity } of references) {
      const name = String(identity)
      if (this.#knownIn(to, collection).has(name) || refused.has(index)) continue

      const { records } = this.#missingIn(collection, batch.name, to)
      const indexes = records.get(name) ?? new Set()
      records.set(name, indexes.add(index))
    }
  }

  #knownIn(name: string, from: string): Set<string | null> {
    const known = this.#known.get(name)
    if (known) return known

    const names = [...this.#known.keys()]
    const [near] = nearest(name, names)
    const hint =
      near === undefined ? `there are ${names.map(show).join(', ')}` : `do you mean ${show(near)}?`
    throw new BuildError(
      `"${from}.references" names the collection ${show(name)}, which isn't there; ${hint}`,
    )
  }

  #missingIn(from: string, file: string, to: string): Missing {
    const key = JSON.stringify([from, file, to])
    const missing = this.#missing.get(key) ?? { from, file, to, records: new Map() }
    this.#missing.set(key, missing)
    return missing
  }

  /**
   * Returns the references to nothing. A refused record whose id isn't known may be the one that a
   * reference means: then it returns one warning for its collection, that they are not checked.
   */
  findFaults(): ReferenceFault[] {
    const faults: ReferenceFault[] = []

    for (const [to, known] of this.#known) {
      const missing = [...this.#missing.values()].filter((named) => named.to === to)
      const stillMissing = missing
        .map((named) => ({ ...named, records: withoutKnown(named.records, known) }))
        .filter(({ records }) => records.size > 0)

      const [first] = stillMissing
      if (!first) continue

      if (known.has(null)) faults.push(uncheckedFault(first, stillMissing))
      else faults.push(...refusedFaults(stillMissing, known))
    }
    return faults
  }
}

/** A later batch may have had a record that an earlier one names. */
function withoutKnown(
  records: Missing['records'],
  known: ReadonlySet<string | null>,
): Missing['records'] {
  return new Map([...records].filter(([name]) => !known.has(name)))
}

function uncheckedFault(
  { from: collection, file }: Missing,
  all: readonly Missing[],
): ReferenceFault {
  const names = new Set(all.flatMap(({ records }) => [...records.keys()]))
  const unchecked = fault('reference.unchecked', [], { identities: names.size })
  return { collection, file, fault: unchecked }
}

function refusedFaults(
  missing: readonly Missing[],
  known: ReadonlySet<string | null>,
): ReferenceFault[] {
  const names = new Set(missing.flatMap(({ records }) => [...records.keys()]))
  const suggestions = new Map<string, string | undefined>()
  for (const name of [...names].slice(0, MOST_SUGGESTED)) suggestions.set(name, nearTo(name, known))

  return missing.map(({ from: collection, file, to, records }) => {
    const targets = new Map(Array.from(records.keys(), (name) => [name, suggestions.get(name)]))
    const indexes = new Set([...records.values()].flatMap((positions) => [...positions]))
    const refused = fault('reference.refused', [], { collection: to, targets, records: indexes })
    return { collection, file, fault: refused }
  })
}

function nearTo(name: string, known: ReadonlySet<string | null>): string | undefined {
  const near = nearest(
    name,
    [...known].filter((other) => other !== null),
  )
  return near.length === 1 ? near[0] : undefined
}
