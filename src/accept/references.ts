/**
 * Finds what the records of a batch refer to, with the place of each reference as far as it's known: at
 * the paths of their collection or by its function, and, of pages, by links in bodies, `others` and
 * values marked `pagePath`. Pure.
 */
import type { Collection, OfRecord, Pages, ReferencePath } from '../collections/collection.ts'
import { EACH_ITEM, type ReferenceStep } from '../collections/references.ts'
import { groupBy } from '../machine/group-by.ts'
import { mayBeFile, pathAt } from '../page/address.ts'
import type { Identity } from '../page/facts.ts'
import {
  type Fault,
  fault,
  type Marked,
  type Pointer,
  parsePointer,
  type Range,
} from '../page/fault.ts'
import { localAddresses } from '../page/local-addresses.ts'
import type { Page, SchemaPage } from '../page/page.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import type { ItemMaker } from './items.ts'
import { callOwner, takeIdentity, takeIds, takeNames } from './owner-calls.ts'
import type { ParsedBatch } from './parse-batch.ts'

/** That a record refers to another one. */
export interface Reference {
  /** The position of the record that refers to the other one. */
  index: number
  /** The name of the other one's collection. */
  to: string
  /** What names the other one. */
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

/** What `references` of a collection says of a record. */
export interface Declared {
  references: Reference[]
  /** What can't be a reference, or why the owner's function fails, with pointers from the file. */
  faults: Fault[]
}

/** Finds the references of one batch. */
export class ReferenceFinder {
  /** The paths that at least one record has, so far. */
  readonly foundPaths = new Set<string>()
  readonly #batch: ParsedBatch
  readonly #maker: ItemMaker
  readonly #collection: Collection
  /** By the position of a record: its values marked `pagePath`. */
  readonly #marked: ReadonlyMap<number, readonly Reference[]>

  /** @param marked what the check of the schema has found in the whole file */
  constructor(
    batch: ParsedBatch,
    maker: ItemMaker,
    collection: Collection,
    marked: readonly Marked[],
  ) {
    this.#batch = batch
    this.#maker = maker
    this.#collection = collection
    this.#marked = collection.pages ? referencesOfMarks(batch, collection.name, marked) : new Map()
  }

  /** Returns all references of a record. Of a refused one, its page may not be made. */
  find(index: number, isRefused: boolean): Reference[] {
    return [...this.declared(index).references, ...this.links(index, isRefused)]
  }

  /** Returns what `references` of the collection says of a record, which may be a refused one. */
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
      return { references: [], faults: [{ ...outcome.fault, pointer: pointerTo(index) }] }
    }
    return { references: outcome.value, faults: [] }
  }

  /** Adds what is at a path of a record. */
  #follow(index: number, { path, steps, to }: ReferencePath, { references, faults }: Declared) {
    const { all, pointerTo } = this.#batch.records

    const ends: AtPath[] = []
    follow(all[index], steps, 0, pointerTo(index), ends)
    if (ends.length > 0) this.foundPaths.add(path)

    for (const { value, pointer, wanted } of ends) {
      if (wanted === undefined && isIdentity(value)) {
        references.push({ index, to, id: String(value), isLink: false, written: value, pointer })
      } else if (value !== null) {
        faults.push(fault('reference.value', pointer, { value, wanted: wanted ?? 'id', path, to }))
      }
    }
  }

  /** Returns the links of a page. If its record is refused, `others` isn't called. */
  links(index: number, isRefused: boolean): Reference[] {
    const { pages, name: to } = this.#collection
    if (!pages) return []

    const page: Page | undefined = isRefused
      ? this.#maker.madeItem(index)
      : this.#maker.itemOf(index)
    const paths = isRefused ? [] : otherPaths(page as SchemaPage, pages)
    return [
      ...linksInBody(index, to, page),
      ...paths.map((path) => linkTo(index, to, path)),
      ...(this.#marked.get(index) ?? []),
    ]
  }
}

function isIdentity(value: unknown): value is Identity {
  return typeof value === 'string' || Number.isFinite(value)
}

/** What stands at the end of a path, or at the place at which it can't go on. */
interface AtPath {
  /** Null if nothing is there, such as in an empty list. */
  value: unknown
  pointer: Pointer
  /** What must be here for the path to go on. */
  wanted?: 'list' | 'object'
}

/**
 * Follows a path from a value, and adds what it leads to: nothing if the value hasn't the path.
 *
 * @param depth how many of the steps are made
 * @param pointer of the value
 */
function follow(
  value: unknown,
  steps: readonly ReferenceStep[],
  depth: number,
  pointer: Pointer,
  ends: AtPath[],
): void {
  const step = steps[depth]
  const isEnd = step === undefined || value === undefined || value === null
  if (isEnd) {
    ends.push({ value: value ?? null, pointer })
    return
  }

  if (step === EACH_ITEM) {
    if (!Array.isArray(value)) ends.push({ value, pointer, wanted: 'list' })
    else if (value.length === 0) ends.push({ value: null, pointer })
    else {
      for (const [position, item] of value.entries())
        follow(item, steps, depth + 1, [...pointer, position], ends)
    }
    return
  }

  if (!isPlainObject(value)) ends.push({ value, pointer, wanted: 'object' })
  else if (Object.hasOwn(value, step))
    follow(value[step], steps, depth + 1, [...pointer, step], ends)
}

/** Takes what the owner's function returns: ids by the names of collections. */
function takeReferences(index: number, returned: unknown): Reference[] {
  const references: Reference[] = []

  for (const [to, ids] of Object.entries(takeNames('references', returned))) {
    for (const id of takeIds('references', ids)) {
      if (id === undefined || id === null) continue

      const written = takeIdentity('references', id)
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

/** Returns the paths of other pages that `content.ts` shows with a page. */
function otherPaths(page: SchemaPage, { others, site }: Pages): readonly string[] {
  if (!others || site === false) return []
  return others(page)
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
