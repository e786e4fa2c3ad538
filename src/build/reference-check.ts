/**
 * Checks that every record that is referred to exists: by `references`, by a link in a body, by
 * `others` or by a value marked `pagePath`. Memory holds the names of records, and the references to
 * records that weren't there so far; `explain` finds their places again.
 */
import type { Reference } from '../accept/references.ts'
import type { Collection } from '../collections/collection.ts'
import { unknownCollection } from '../collections/references.ts'
import type { KeptIds } from '../dataset/precedence.ts'
import type { Standing } from '../fault/facts.ts'
import { type FileFault, fault } from '../fault/fault.ts'
import { BuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import { meantIds } from './meant-ids.ts'
import type { ReadBatch } from './read-batch.ts'

/** A fault of a file in a collection. */
export interface ReferenceFault extends FileFault {
  collection: string
}

/** A reference to a record that was not there so far. */
interface Missing extends Pick<Reference, 'index' | 'isLink' | 'id'> {
  /** The collection and the file of the record that refers to it. */
  from: string
  file: string
  standing: Standing
}

export class ReferenceCheck {
  readonly #names = new Map<string, Names>()
  /** Whether any record may be referred to by its identity. */
  readonly #hasReferences: boolean

  /** @param collections all of them */
  constructor(collections: readonly Collection[]) {
    this.#hasReferences = collections.some(({ references }) => references !== undefined)
  }

  /** @param keptIds where the items of the collection claim their ids */
  open({ name, identity }: Collection, keptIds: KeptIds): void {
    const hasIdentities = this.#hasReferences && identity !== undefined
    this.#names.set(name, new Names(keptIds, hasIdentities))
  }

  /**
   * Adds a batch, whose items have claimed their ids.
   *
   * @param unpublished the positions of the records that are dropped: what they refer to doesn't count
   * @throws BuildError if a record refers to a collection that isn't there
   */
  add(from: string, batch: ReadBatch, unpublished: ReadonlySet<number>): void {
    const { name: file, references, refused } = batch
    this.#namesIn(from, from).add(batch)

    const standings = new Map(refused.map(({ index, standing }) => [index, standing]))
    for (const reference of references) {
      const { index, to, isLink, id } = reference
      const names = this.#namesIn(to, from)
      if (names.has(reference) || unpublished.has(index)) continue

      const standing = standings.get(index) ?? 'accepted'
      names.missing.push({ index, isLink, id, from, file, standing })
    }
  }

  #namesIn(to: string, from: string): Names {
    const names = this.#names.get(to)
    if (!names) throw new BuildError(unknownCollection(from, to, [...this.#names.keys()]))
    return names
  }

  /** Returns the references that lead nowhere, and those that can't be checked. */
  findFaults(): ReferenceFault[] {
    return Array.from(this.#names, ([to, names]) => {
      const isUnchecked = (reference: Missing) => names.fileOfUnknown(reference) !== undefined
      const missing = groupBy(names.stillMissing(), isUnchecked)
      return [
        ...uncheckedFaults(to, missing.get(true) ?? [], names),
        ...refusedFaults(to, missing.get(false) ?? [], names),
      ]
    }).flat()
  }
}

/** The names of the records of one collection, and the references to records that it lacks. */
class Names {
  /** References to records that weren't there so far. */
  readonly missing: Missing[] = []
  readonly #keptIds: KeptIds
  /** Whether its records may be referred to by their identities. */
  readonly #hasIdentities: boolean
  /** References to refused records are not reported as well: one mistake is one problem. */
  readonly #refusedIds = new Set<string>()
  readonly #identities = new Set<string>()
  /** The first file in which there may be a record with any id. */
  #fileOfUnknownId: string | undefined
  /** The first file in which there is a record with an id, but maybe any identity. */
  #fileOfUnknownIdentity: string | undefined

  constructor(keptIds: KeptIds, hasIdentities: boolean) {
    this.#keptIds = keptIds
    this.#hasIdentities = hasIdentities
  }

  /** Adds the names of the records of a batch. */
  add({ name: file, items, refused, hasUnknownRecords }: ReadBatch): void {
    for (const { id } of refused) if (id !== undefined) this.#refusedIds.add(id)
    const isIdUnknown = hasUnknownRecords || refused.some(({ id }) => id === undefined)
    if (isIdUnknown) this.#fileOfUnknownId ??= file

    if (!this.#hasIdentities) return
    for (const { identity } of [...items, ...refused]) {
      if (identity !== undefined) this.#identities.add(String(identity))
    }
    const isIdentityUnknown = refused.some(({ identity }) => identity === undefined)
    if (isIdentityUnknown) this.#fileOfUnknownIdentity ??= file
  }

  /** Whether a record is there that a reference means. */
  has({ id, isLink }: Pick<Reference, 'id' | 'isLink'>): boolean {
    if (this.#keptIds.has(id) || this.#refusedIds.has(id)) return true
    return !isLink && this.#identities.has(id)
  }

  /** Returns the references to records that no batch has: a later batch may have had some of them. */
  stillMissing(): Missing[] {
    return this.missing.filter((missing) => !this.has(missing))
  }

  /**
   * Returns the first file in which the record may be that a reference means. A link never means an
   * identity.
   */
  fileOfUnknown({ isLink }: Pick<Reference, 'isLink'>): string | undefined {
    return this.#fileOfUnknownId ?? (isLink ? undefined : this.#fileOfUnknownIdentity)
  }

  /** Returns the id that a reference may have meant. */
  all(): string[] {
    const ids = Array.from(this.#keptIds.items(), ({ id }) => id)
    return [...ids, ...this.#refusedIds, ...this.#identities]
  }
}

/** Returns a warning for each collection whose references to another one can't all be checked. */
function uncheckedFaults(
  to: string,
  unchecked: readonly Missing[],
  names: Names,
): ReferenceFault[] {
  const byCollection = groupBy(unchecked, ({ from }) => from)

  return Array.from(byCollection, ([collection, missing]) => {
    const [first] = missing as [Missing]
    const because = names.fileOfUnknown(first) ?? ''
    const facts = { references: missing.length, to, because }
    return { collection, file: first.file, fault: fault('reference.unchecked', [], facts) }
  })
}

/** Returns a fault for each file with references that lead nowhere. */
function refusedFaults(to: string, refused: readonly Missing[], names: Names): ReferenceFault[] {
  const ids = new Set(refused.map(({ id }) => id))
  const suggestions = ids.size > 0 ? meantIds(ids, names.all()) : new Map<string, string>()

  const byFile = groupBy(refused, ({ from, file, isLink }) => JSON.stringify([from, file, isLink]))
  return Array.from(byFile.values(), (missing) => {
    const [{ from: collection, file, isLink }] = missing as [Missing]
    const targets = new Map(missing.map(({ id }) => [id, suggestions.get(id)]))
    const records = new Map(missing.map(({ index, standing }) => [index, standing]))
    const facts = { to, isLink, targets, records }
    return { collection, file, fault: fault('reference.refused', [], facts) }
  })
}
