/**
 * Answers one question: is this batch right? From the bytes of one delivered file to its items or to
 * its faults. It decides, and explains nothing: `src/explain` does, for the few that are refused.
 */
import type { Collection } from '../collections/collection.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { PARAGRAPHS } from '../page/html.ts'
import { asObject } from '../text/as-object.ts'
import { type Pointer, parsePointer } from '../text/pointer.ts'
import { reasonOf } from '../text/thrown.ts'
import type { Marked } from './check.ts'
import { findDamages } from './doubts.ts'
import { findKeyOfIds, type KeyOfIds } from './ids.ts'
import { ItemMaker, type RefusedRecord, type WrittenItem } from './items.ts'
import { createMarkupCheck, type MarkupCheck } from './markup.ts'
import type { AcceptedParts } from './near-keys.ts'
import { checkOrder, type Order } from './order.ts'
import { checkForSite, checkPage } from './pages.ts'
import { type DeliveredFile, type ParsedBatch, parseBatch } from './parse-batch.ts'
import { placesOf, recordsBelow } from './records.ts'
import { type Reach, type Reference, ReferenceFinder } from './references.ts'
import { checkRecord } from './rules.ts'
import { type BatchSchema, checkBatch, type SchemaChoice } from './schema-choice.ts'

/** How batches are read. */
export interface Reading {
  schemas: SchemaChoice
  collection: Collection
}

export interface Accepted {
  /** How many records the batch has, valid or not; 0 if they can't be found. */
  records: number
  /** Where the records are, if not simply in a list: of those in one list, only the first. */
  places: Pointer[]
  /** The faults; none if the batch is right. Those of the schema, the syntax and HTML aren't exact yet. */
  faults: Fault[]
  /** Possible mistakes, such as a text that a program has damaged: problems only if the build is strict. */
  warnings: Fault[]
  /** The parts that the schema accepts. Those of all files show which keys may be misspelled. */
  accepted: AcceptedParts | undefined
  /** Whether a record has a value to sort by. */
  sorting: Order['sorting']
  /** Whether a record has the id key. */
  keyOfIds: KeyOfIds
  /** Whether something is wrong that isn't in a record, so that leaving out records doesn't help. */
  hasFaultOutside: boolean
  /** Whether the schema refuses something without telling in which records. */
  isUndecided: boolean
  /** The items of the records that nothing refuses, in order. */
  items: WrittenItem[]
  /** The records that something refuses. */
  refused: RefusedRecord[]
  /** Whether the file may have other records, because it can't be read. */
  hasUnknownRecords: boolean
  /** The references of all records, including refused ones. */
  references: Reference[]
  /** Whether the function `references` failed for a record, which may be a refused one. */
  haveReferencesFailed: boolean
  /** How far the records have the paths of references, by path. */
  reached: ReadonlyMap<string, Reach>
  /** The values that must be unique. */
  uniques: UniqueValue[]
}

/** A value that the schema marks as `unique`. */
interface UniqueValue extends Marked {
  /** The position of its record. */
  index: number
}

/**
 * Accepts or refuses one batch. Its schema checks the file or each record, the rules check each record
 * that the schema accepts, and pages must have what every site demands.
 *
 * @param refused the positions of the records that the schema refuses, if `explain` had to find them
 */
export function accept(
  file: DeliveredFile,
  { schemas, collection }: Reading,
  refused: ReadonlySet<number> = new Set(),
): Accepted {
  const batch = parseBatch(file, collection)
  const schema = checkBatch(batch, schemas, refused)
  return new Acceptance(batch, schema, collection).decide()
}

/** The decision about one batch. */
class Acceptance {
  readonly #batch: ParsedBatch
  readonly #schema: BatchSchema
  readonly #collection: Collection
  readonly #maker: ItemMaker
  readonly #referenceFinder: ReferenceFinder
  readonly #isAllowedMarkup: MarkupCheck
  /** The positions of the records in which the schema may refuse something, or not. */
  readonly #undecided: readonly number[]
  /** The positions of the records that nothing has refused so far. */
  readonly #valid: Set<number>
  readonly #faults: Fault[] = []
  readonly #items: WrittenItem[] = []
  readonly #references: Reference[] = []

  constructor(batch: ParsedBatch, schema: BatchSchema, collection: Collection) {
    const { records } = batch
    this.#batch = batch
    this.#schema = schema
    this.#collection = collection
    this.#maker = new ItemMaker(batch, collection)
    const findMarked = () => schema.references
    this.#referenceFinder = new ReferenceFinder(batch, this.#maker, collection, findMarked)
    this.#isAllowedMarkup = createMarkupCheck(collection.pages?.elements ?? PARAGRAPHS)
    this.#undecided = recordsBelow(records, schema.undecided)
    this.#valid = new Set(records.all.keys())
  }

  decide(): Accepted {
    const { records, damages } = this.#batch
    this.#refuseBefore()
    const refused = this.#refusedSoFar()

    for (const index of records.all.keys()) {
      if (refused.has(index)) this.#readRefused(index)
      else this.#judge(index)
    }

    this.#readLinks()
    const { disorder, sorting } = checkOrder(records, this.#valid, this.#collection)
    if (disorder) this.#faults.push(disorder)

    return {
      records: records.all.length,
      places: placesOf(records),
      faults: this.#faults,
      warnings: [
        ...findDamages(damages, this.#schema, this.#schema.declares),
        ...this.#schema.findDoubts(refused),
      ],
      accepted: this.#schema.accepted(refused),
      sorting,
      keyOfIds: findKeyOfIds(records, this.#collection),
      hasFaultOutside: this.#faults.some((fault) => this.#recordOf(fault) === undefined),
      isUndecided: this.#undecided.length > 0,
      items: this.#items,
      refused: this.#describeRefused(refused),
      hasUnknownRecords: records.fault !== undefined,
      references: this.#references,
      haveReferencesFailed: this.#referenceFinder.hasFailed,
      reached: this.#referenceFinder.reached,
      uniques: this.#uniques(),
    }
  }

  /** Refuses what the schema refuses, and what is wrong with the file itself. */
  #refuseBefore(): void {
    const { records, faults } = this.#batch
    for (const fault of [...this.#schema.faults, ...faults]) this.#faults.push(fault)

    // If something else is wrong with the file, that may be why there are no records.
    if (records.fault && this.#faults.length === 0) this.#faults.push(records.fault)

    for (const index of this.#undecided) this.#valid.delete(index)
    for (const { pointer } of this.#faults) {
      const place = records.at(pointer)
      if (place) this.#valid.delete(place.index)
    }
  }

  /** Returns the positions of the records that something has refused so far. */
  #refusedSoFar(): Set<number> {
    const { all } = this.#batch.records
    if (this.#valid.size === all.length) return new Set()
    return new Set([...all.keys()].filter((index) => !this.#valid.has(index)))
  }

  /** Writes a record that the schema accepts, unless something else refuses it. */
  #judge(index: number): void {
    const faults = this.#faultsOf(index)
    if (faults.length === 0) {
      const unwritten = this.#write(index)
      if (unwritten) faults.push({ ...unwritten, pointer: this.#batch.records.pointerTo(index) })
    }

    if (faults.length > 0) this.#valid.delete(index)
    for (const fault of faults) this.#faults.push(fault)
  }

  /** Returns what the rules, the owner's functions and the site refuse in a record. */
  #faultsOf(index: number): Fault[] {
    const record = this.#batch.records.all[index]
    const place = this.#batch.records.pointerTo(index)
    const where = this.#maker.whereOf(index)
    const { rules, pages } = this.#collection
    const faults: Fault[] = checkRecord(record, rules, where).map((fault) => {
      return { ...fault, pointer: [...place, ...fault.pointer] }
    })

    for (const referenceFault of this.#readReferences(index)) faults.push(referenceFault)

    const unmade = this.#maker.make(index)
    if (unmade) return [...faults, { ...unmade, pointer: place }]

    const unnamed = this.#maker.whyWithoutId(index)
    const pageFaults = unnamed ? [unnamed] : this.#checkPage(index)
    for (const pageFault of pageFaults) faults.push({ ...pageFault, page: index })

    if (!pages || pages.site === false || faults.length > 0) return faults
    const siteFaults = checkForSite(this.#maker.itemOf(index), pages)
    return siteFaults.map((siteFault) => ({ ...siteFault, page: index }))
  }

  #checkPage(index: number): Fault[] {
    if (!this.#collection.pages) return []
    return checkPage(this.#maker.itemOf(index), this.#isAllowedMarkup)
  }

  /** Writes a record. @returns why it can't be written */
  #write(index: number): Fault | undefined {
    const item = this.#maker.itemOf(index)

    try {
      this.#items.push({
        id: this.#maker.idOf(index) as string,
        index,
        identity: this.#maker.identityOf(index),
        key: this.#batch.records.keyOf(index),
        hasForm: Boolean(asObject(item).form),
        // At once, because the owner's code may change the object later.
        json: Buffer.from(JSON.stringify(item)),
      })
      return undefined
    } catch (error) {
      return fault('record.not-json', [], { reason: reasonOf(error) })
    }
  }

  /** Returns the position of the record that a fault refuses; undefined if it's outside of all. */
  #recordOf({ page, pointer }: Fault): number | undefined {
    return page ?? this.#batch.records.at(pointer)?.index
  }

  /** Reads the references of a record, which may be a refused one. @returns their faults */
  #readReferences(index: number): Fault[] {
    const { references, faults } = this.#referenceFinder.declared(index)
    for (const reference of references) this.#references.push(reference)
    return faults
  }

  /**
   * Reads the references of a record that the schema refuses. If the owner's function fails, the record
   * may be the cause, so that isn't another fault.
   */
  #readRefused(index: number): void {
    const faults = this.#readReferences(index)
    const ofValues = faults.filter(({ code }) => code === 'reference.value')
    for (const valueFault of ofValues) this.#faults.push(valueFault)
  }

  /** Reads the links of all pages. */
  #readLinks(): void {
    for (const index of this.#batch.records.all.keys()) {
      for (const link of this.#referenceFinder.links(index)) this.#references.push(link)
      if (!this.#valid.has(index)) continue
      for (const link of this.#referenceFinder.others(index)) this.#references.push(link)
    }
  }

  /** @param before the positions of those that are refused before any rule is applied */
  #describeRefused(before: ReadonlySet<number>): RefusedRecord[] {
    return Array.from(this.#refusedSoFar(), (index) => ({
      index,
      id: this.#maker.refusedIdOf(index),
      identity: this.#maker.identityOf(index),
      key: this.#batch.records.keyOf(index),
      standing: before.has(index) ? 'refused by the schema' : 'refused',
    }))
  }

  /** Returns the values that must be unique. */
  #uniques(): UniqueValue[] {
    const uniques: UniqueValue[] = []
    for (const mark of this.#schema.uniques) {
      const index = this.#batch.records.at(parsePointer(mark.place))?.index
      if (index !== undefined) uniques.push({ ...mark, index })
    }
    return uniques
  }
}
