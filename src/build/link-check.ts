/**
 * Checks that every link of a page, and every reference, leads to a page. Memory holds the paths that
 * no batch has had so far, and after the last batch the faults.
 */
import type { KeptIds } from '../dataset/precedence.ts'
import { type FileFault, fault } from '../page/fault.ts'
import { nearest } from '../text/nearest.ts'
import type { ReadBatch } from './read-batch.ts'

/** Each missing path is compared with those of all pages, so only the first get a suggestion. */
const MOST_SUGGESTED = 10

export class LinkCheck {
  readonly #keptIds: KeptIds
  /**
   * The paths of refused records; null for those whose path isn't known. One mistake is one problem,
   * so links to them are not reported as well.
   */
  readonly #refusedPaths = new Set<string | null>()
  /** The paths that no record has had so far, and the batches that link to them. */
  readonly #missing = new Map<string, Set<string>>()

  /** @param keptIds in which the pages of a batch claim their paths before it is added */
  constructor(keptIds: KeptIds) {
    this.#keptIds = keptIds
  }

  /**
   * Adds the links of a batch.
   *
   * @param isUnpublished whether a record has lost its path, by its position: its links do not count
   */
  add(batch: ReadBatch, isUnpublished: (index: number) => boolean): void {
    const { items, refusedIds } = batch
    for (const path of refusedIds) this.#refusedPaths.add(path)
    if (this.#missing.size > 0) {
      const ids = [...items.map(({ id }) => id), ...refusedIds]
      for (const id of ids) this.#missing.delete(id ?? '')
    }

    for (const { index, target } of batch.links) {
      const isKnown = this.#keptIds.has(target) || this.#refusedPaths.has(target)
      if (isKnown || isUnpublished(index)) continue

      const batches = this.#missing.get(target) ?? new Set()
      this.#missing.set(target, batches.add(batch.name))
    }
  }

  /**
   * Returns the links that lead nowhere. A refused record whose path isn't known may be the page that
   * a link means: then it returns one warning, that the links are not checked.
   */
  findFaults(): FileFault[] {
    const [firstBatches] = this.#missing.values()
    if (!firstBatches) return []

    if (this.#refusedPaths.has(null)) {
      const [file = ''] = firstBatches
      return [{ file, fault: fault('link.unchecked', [], { paths: this.#missing.size }) }]
    }

    const keptRecords = this.#keptRecords()
    return Array.from(this.#missingByBatch(), ([file, targets]) => {
      const records = keptRecords.get(file) ?? new Set()
      return { file, fault: fault('link.refused', [], { records, targets }) }
    })
  }

  /** Returns the missing paths that each batch links to, each with the one that may be meant. */
  #missingByBatch(): Map<string, Map<string, string | undefined>> {
    const suggestions = this.#suggestions()
    const targetsByBatch = new Map<string, Map<string, string | undefined>>()

    for (const [target, batches] of this.#missing) {
      for (const batch of batches) {
        const targets = targetsByBatch.get(batch) ?? new Map()
        targetsByBatch.set(batch, targets.set(target, suggestions.get(target)))
      }
    }
    return targetsByBatch
  }

  /** Returns the positions of the kept records of each batch: the links of others do not count. */
  #keptRecords(): Map<string, Set<number>> {
    const kept = new Map<string, Set<number>>()
    for (const { batch, index } of this.#keptIds.items()) {
      const records = kept.get(batch) ?? new Set()
      kept.set(batch, records.add(index))
    }
    return kept
  }

  /** Returns the path that the first missing ones were probably meant to be. */
  #suggestions(): Map<string, string | undefined> {
    const paths = [...this.#refusedPaths].filter((path) => path !== null)
    for (const { id } of this.#keptIds.items()) paths.push(id)

    const first = [...this.#missing.keys()].slice(0, MOST_SUGGESTED)
    return new Map(first.map((target) => [target, meantPath(target, paths)]))
  }
}

/** The folder and the name of a path: "/blog/" and "029" of "/blog/029". */
const FOLDER_AND_NAME = /^(.*\/)([^/]+)/

/** Returns the path that was probably meant: the same name elsewhere, or a similar one beside. */
function meantPath(target: string, paths: readonly string[]): string | undefined {
  const [, folder = '', name = ''] = FOLDER_AND_NAME.exec(target) ?? []

  const sameName = paths.filter((path) => path.endsWith(`/${name}`))
  if (sameName.length === 1) return sameName[0]

  // Other numbers are other pages. Counting the letters that differ is slow in a large folder.
  const clue = clueOf(name)
  const namesBeside = paths
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length))
    .filter((nameBeside) => clueOf(nameBeside) === clue)

  const [close] = nearest(name, namesBeside)
  return close === undefined ? undefined : folder + close
}

/** Everything but digits, such as the "part" of "part2". */
const NO_DIGITS = /\D+/g

/** Returns what two near names have in common: the first letter and all digits, as "p2" of "part2". */
function clueOf(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.replace(NO_DIGITS, '')
}
