/**
 * Finds what the records of a batch refer to, with the place of each reference as far as it's known: at
 * the paths of their collection or by its function, and, of pages, by links in bodies, `others` and
 * values marked `pagePath`. Pure.
 */
import type { Collection, OfRecord, ReferencePath } from '../collections/collection.ts'
import { EACH_ITEM, type ReferenceStep } from '../collections/references.ts'
import type { Identity } from '../fault/facts.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { groupBy } from '../machine/group-by.ts'
import { mayBeFile, pathAt } from '../page/address.ts'
import { localAddresses } from '../page/local-addresses.ts'
import type { Page, SchemaPage } from '../page/page.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { type Pointer, parsePointer } from '../text/pointer.ts'
import type { Range } from '../text/range.ts'
import type { Marked } from './check.ts'
import type { ItemMaker } from './items.ts'
import { callOwner, takeIds, takeNames } from './owner-calls.ts'
import type { ParsedBatch } from './parse-batch.ts'

/** A reference from one record to another. */
export interface Reference {
  /** The position of the record that refers to the other one. */
  index: number
  /** The name of the other one's collection. */
  to: string
  /** What the other one is named by: its id, its path or its identity. */
  id: string
  /**
   * Whether it's a link. A link is an address, so it names a page only by its path. Any other reference
   * names a record by its id or, where the collection has one, by its identity.
   */
  isLink: boolean
  /** What stands there. */
  written: Identity
  /** Where it is in the file; undefined if a function has returned it. */
  pointer?: Pointer
  /** The part of the text at the pointer. */
  within?: Range
  /** Whether the pointer is from the page of the record. */
  isInPage?: boolean
}

/** The result of `references` for a record. */
export interface Declared {
  references: Reference[]
  /** Faults: values that can't be references, or a failing function, with pointers from the file. */
  faults: Fault[]
}

/** How far records have a path of references. */
export interface Reach {
  /** The most steps of the path that a record has. */
  steps: number
  /** The keys of an object that lacks the next key after so many steps; undefined if none does. */
  keys: Set<string> | undefined
}

/**
 * Notes how far another record has a path.
 *
 * @param reached by the paths: how far other records have them
 * @param keys those of an object that lacks the next key; undefined if none does
 */
export function noteReach(
  reached: Map<string, Reach>,
  path: string,
  { steps, keys }: { steps: number; keys: Iterable<string> | undefined },
): void {
  const known = reached.get(path)
  if (known === undefined || steps > known.steps) {
    reached.set(path, { steps, keys: keys && new Set(keys) })
    return
  }
  if (steps < known.steps || keys === undefined) return

  known.keys ??= new Set()
  for (const key of keys) known.keys.add(key)
}

/** Finds the references of one batch. */
export class ReferenceFinder {
  /** How far records have the paths so far, by path. */
  readonly reached = new Map<string, Reach>()
  /** Whether the owner's function has failed for a record, so far. */
  hasFailed = false
  readonly #batch: ParsedBatch
  readonly #maker: ItemMaker
  readonly #collection: Collection
  readonly #findMarked: () => readonly Marked[]
  /** The values marked `pagePath`, by the position of their record. Undefined before the first call. */
  #marks: ReadonlyMap<number, readonly Reference[]> | undefined

  /** @param findMarked returns what the check of the schema has found in the whole file */
  constructor(
    batch: ParsedBatch,
    maker: ItemMaker,
    collection: Collection,
    findMarked: () => readonly Marked[],
  ) {
    this.#batch = batch
    this.#maker = maker
    this.#collection = collection
    this.#findMarked = findMarked
  }

  /** Returns all references of a record. */
  find(index: number, isAccepted: boolean): Reference[] {
    const { references } = this.declared(index)
    const others = isAccepted ? this.others(index) : []
    return [...references, ...this.links(index), ...others]
  }

  /** Returns the result of `references` for a record, which may be a refused one. */
  declared(index: number): Declared {
    const { references: use } = this.#collection
    if (!use) return { references: [], faults: [] }

    if ('call' in use) return this.#returned(index, use.call)

    const declared: Declared = { references: [], faults: [] }
    for (const path of use.paths) this.#follow(index, path, declared)
    return declared
  }

  #returned(index: number, call: OfRecord): Declared {
    const { all, pointerTo } = this.#batch.records
    const outcome = callOwner('references', () => {
      return takeReferences(index, call(all[index], this.#maker.whereOf(index)))
    })

    if (outcome.fault) {
      this.hasFailed = true
      return { references: [], faults: [{ ...outcome.fault, pointer: pointerTo(index) }] }
    }
    return { references: outcome.value, faults: [] }
  }

  /** Adds what is at a path of a record. */
  #follow(index: number, { path, steps, to }: ReferencePath, { references, faults }: Declared) {
    const { all, pointerTo } = this.#batch.records
    const record = pointerTo(index)

    for (const { value, pointer, wanted, keys } of valuesAt(all[index], steps, record)) {
      noteReach(this.reached, path, { steps: pointer.length - record.length, keys })
      if (value === null) continue

      if (wanted === undefined && isIdentity(value)) {
        references.push({ index, to, id: String(value), isLink: false, written: value, pointer })
      } else {
        const about = wanted ?? 'id'
        const wrong = fault('reference.value', pointer, { value, wanted: about, path, to })
        faults.push({ ...wrong, about })
      }
    }
  }

  /** Returns the links in the body of a page, if it was made, and those that the schema marks. */
  links(index: number): Reference[] {
    const { pages, name } = this.#collection
    if (!pages) return []

    this.#marks ??= referencesOfMarks(this.#batch, name, this.#findMarked())
    const links = linksInBody(index, name, this.#maker.madeItem(index))
    return [...links, ...(this.#marks.get(index) ?? [])]
  }

  /** Returns the links to the pages that `content.ts` shows with a page, which nothing refuses. */
  others(index: number): Reference[] {
    const { pages, name } = this.#collection
    if (!pages?.others || pages.site === false) return []

    const page: Page = this.#maker.itemOf(index)
    // The owner knows its type.
    return pages.others(page as SchemaPage).map((path) => linkTo(index, name, path))
  }
}

function isIdentity(value: unknown): value is Identity {
  return typeof value === 'string' || Number.isFinite(value)
}

/** The value at the end of a path, or where it can't continue. */
interface AtPath {
  /** Null if nothing is there, such as in an empty list, or if an object lacks the next key. */
  value: unknown
  /** The keys of an object that lacks the next one. */
  keys?: readonly string[]
  pointer: Pointer
  /** What must be here for the path to continue. */
  wanted?: 'list' | 'object'
}

/**
 * Follows a path from a value.
 *
 * @param pointer of the value
 */
function* valuesAt(
  value: unknown,
  steps: readonly ReferenceStep[],
  pointer: Pointer,
): Generator<AtPath> {
  const [step, ...rest] = steps
  if (step === undefined || value === undefined || value === null) {
    yield { value: value ?? null, pointer }
    return
  }

  if (step === EACH_ITEM) {
    if (!Array.isArray(value)) {
      yield { value, pointer, wanted: 'list' }
      return
    }

    if (value.length === 0) yield { value: null, pointer }
    for (const [position, item] of value.entries())
      yield* valuesAt(item, rest, [...pointer, position])
    return
  }

  if (!isPlainObject(value)) yield { value, pointer, wanted: 'object' }
  else if (!Object.hasOwn(value, step)) yield { value: null, pointer, keys: Object.keys(value) }
  else yield* valuesAt(value[step], rest, [...pointer, step])
}

/** Takes what the owner's function returns: ids by the names of collections. */
function takeReferences(index: number, returned: unknown): Reference[] {
  const references: Reference[] = []

  for (const [to, ids] of Object.entries(takeNames('references', returned))) {
    for (const written of takeIds(to, ids)) {
      references.push({ index, to, id: String(written), isLink: false, written })
    }
  }
  return references
}

/**
 * Finds the links of a body to other pages. Left out are those to the index, and those whose last part
 * has a dot: they name files, which only the build of the site knows.
 */
function linksInBody(index: number, to: string, page: Page | undefined): Reference[] {
  const { contentHtml: html } = asObject(page)
  if (typeof html !== 'string') return []

  const links: Reference[] = []
  for (const { key, start, end, pathname } of localAddresses(html)) {
    const isPage = key === 'href' && pathname !== '/' && !mayBeFile(pathname)
    if (!isPage) continue

    const written = html.slice(start, end)
    const place = { pointer: ['contentHtml'], within: { start, end }, isInPage: true }
    links.push({ ...linkTo(index, to, pathAt(pathname)), written, ...place })
  }
  return links
}

function linkTo(index: number, to: string, path: string): Reference {
  return { index, to, id: path, isLink: true, written: path }
}

/** Returns the values that the schema marks as paths of pages, by the positions of their records. */
function referencesOfMarks(
  { records }: ParsedBatch,
  to: string,
  marked: readonly Marked[],
): Map<number, Reference[]> {
  const references: Reference[] = []
  for (const { place, value } of marked) {
    const pointer = parsePointer(place)
    const index = records.at(pointer)?.index
    if (index !== undefined) references.push({ ...linkTo(index, to, String(value)), pointer })
  }
  return groupBy(references, ({ index }) => index)
}
