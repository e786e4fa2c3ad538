/**
 * Checks that every record that another one refers to is there, in its collection: by `references`, by a
 * link in a body, by `others` or by a value marked `pagePath`. Memory holds what names records, and the
 * references to those that were not there so far; `explain` finds their places again.
 */
import type { Reference } from '../accept/references.ts'
import type { Collection } from '../collections/collection.ts'
import { unknownCollection } from '../collections/references.ts'
import type { KeptIds } from '../dataset/precedence.ts'
import { BuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import type { Standing } from '../page/facts.ts'
import { type FileFault, fault } from '../page/fault.ts'
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
  readonly #names: ReadonlyMap<string, Names>

  /** @param collections all of them, and where the items of each claim their ids */
  constructor(collections: readonly { collection: Collection; keptIds: KeptIds }[]) {
    const hasReferences = collections.some(({ collection }) => collection.references !== undefined)
    this.#names = new Map(
      collections.map(({ collection, keptIds }) => {
        const hasIdentities = hasReferences && collection.identity !== undefined
        return [collection.name, new Names(collection, keptIds, hasIdentities)]
      }),
    )
  }

  /**
   * Adds a batch, whose items have claimed their ids.
   *
   * @param isUnpublished whether a record is dropped, by its position: what it refers to doesn't count
   * @throws BuildError if a record refers to a collection that isn't there
   */
  add(from: string, batch: ReadBatch, isUnpublished: (index: number) => boolean): void {
    const { name: file, references, refused } = batch
    this.#namesIn(from, from).add(batch)

    const standings = new Map(refused.map(({ index, standing }) => [index, standing]))
    for (const reference of references) {
      const { index, to, isLink, id } = reference
      const names = this.#namesIn(to, from)
      if (names.has(reference) || isUnpublished(index)) continue

      const standing = standings.get(index) ?? 'accepted'
      names.miss({ index, isLink, id, from, file, standing })
    }
  }

  #namesIn(to: string, from: string): Names {
    const names = this.#names.get(to)
    if (!names) throw new BuildError(unknownCollection(from, to, [...this.#names.keys()]))
    return names
  }

  /** Returns the references that lead nowhere, those that can't be checked, and what of `references` names nothing. */
  findFaults(): ReferenceFault[] {
    return Array.from(this.#names, ([to, names]) => {
      const missing = names.stillMissing()
      const isUnchecked = (reference: Missing) => names.fileOfUnknown(reference) !== undefined

      return [
        ...uncheckedFaults(to, missing.filter(isUnchecked), names),
        ...refusedFaults(
          to,
          missing.filter((reference) => !isUnchecked(reference)),
          names,
        ),
        ...names.unusedPaths(),
        ...names.unusedFunction(),
      ]
    }).flat()
  }
}

/** What the records of one collection are named by, and the references to records that it hasn't. */
class Names {
  readonly #collection: Collection
  readonly #keptIds: KeptIds
  readonly #hasIdentities: boolean
  /** References to refused records are not reported as well: one mistake is one problem. */
  readonly #refusedIds = new Set<string>()
  readonly #identities = new Set<string>()
  /** The first file in which there may be a record with any id, or with any identity. */
  #fileOfUnknownId: string | undefined
  #fileOfUnknownIdentity: string | undefined
  /** By the ids that nothing had so far. */
  readonly #missing = new Map<string, Missing[]>()
  readonly #foundPaths = new Set<string>()
  #hasUnknownRecords = false
  /** Whether one of its records refers to another one, by what the owner says. */
  #hasReferences = false
  #firstFile: string | undefined

  /** @param hasIdentities whether its records may be referred to by their identities */
  constructor(collection: Collection, keptIds: KeptIds, hasIdentities: boolean) {
    this.#collection = collection
    this.#keptIds = keptIds
    this.#hasIdentities = hasIdentities
  }

  /** Adds what the records of a batch are named by. */
  add(batch: ReadBatch): void {
    const { name: file, records, items, refused, hasUnknownRecords } = batch
    if (records > 0) this.#firstFile ??= file
    if (hasUnknownRecords) this.#hasUnknownRecords = true
    for (const path of batch.foundPaths) this.#foundPaths.add(path)
    if (batch.references.some(({ isLink }) => !isLink)) this.#hasReferences = true

    for (const { id } of refused) if (typeof id === 'string') this.#refusedIds.add(id)
    const isIdUnknown = hasUnknownRecords || refused.some(({ id }) => id === undefined)
    if (isIdUnknown) this.#fileOfUnknownId ??= file

    if (this.#missing.size > 0) for (const { id } of items) this.#missing.delete(id)

    if (this.#hasIdentities) this.#addIdentities(batch)
  }

  #addIdentities({ name: file, items, refused, hasUnknownRecords }: ReadBatch): void {
    for (const { identity } of [...items, ...refused]) {
      if (identity !== undefined) this.#identities.add(String(identity))
    }

    const isUnknown = hasUnknownRecords || refused.some(({ identity }) => identity === undefined)
    if (isUnknown) this.#fileOfUnknownIdentity ??= file
  }

  /** Whether a record is there that a reference means. */
  has({ id, isLink }: Pick<Reference, 'id' | 'isLink'>): boolean {
    if (this.#keptIds.has(id) || this.#refusedIds.has(id)) return true
    return !isLink && this.#identities.has(id)
  }

  miss(missing: Missing): void {
    const earlier = this.#missing.get(missing.id)
    if (earlier) earlier.push(missing)
    else this.#missing.set(missing.id, [missing])
  }

  /** Returns the references to records that no batch has had: a later one may have had some. */
  stillMissing(): Missing[] {
    const all = [...this.#missing.values()].flat()
    return all.filter((missing) => !this.has(missing))
  }

  /** Returns the first file in which the record may be that a reference means. */
  fileOfUnknown({ isLink }: Pick<Reference, 'isLink'>): string | undefined {
    const isByIdentity = this.#hasIdentities && !isLink
    return isByIdentity ? this.#fileOfUnknownIdentity : this.#fileOfUnknownId
  }

  /** Returns a fault for each path of references that no record has: it may be misspelled. */
  unusedPaths(): ReferenceFault[] {
    const { name: collection, references } = this.#collection
    const file = this.#firstFile
    const canKnow = file !== undefined && !this.#hasUnknownRecords
    if (!canKnow || !references || !('paths' in references)) return []

    const unused = references.paths.filter(({ path }) => !this.#foundPaths.has(path))
    return unused.map(({ path }) => {
      return { collection, file, fault: fault('reference.no-path', [], { path }) }
    })
  }

  /** Returns a fault if a function of references names nothing: it may read a key that isn't there. */
  unusedFunction(): ReferenceFault[] {
    const { name: collection, references } = this.#collection
    const file = this.#firstFile
    const isUnused = references !== undefined && 'call' in references && !this.#hasReferences
    if (!isUnused || file === undefined || this.#hasUnknownRecords) return []

    return [{ collection, file, fault: fault('reference.none', []) }]
  }

  /** Returns what a reference may have meant. */
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
