/** Finds the schema of a batch, and checks the file or each of its records. Pure. */
import { posix } from 'node:path'
import { type Fault, fault } from '../fault/fault.ts'
import { createKnown, type Known } from '../schema/known.ts'
import type { Node } from '../schema/schemas-in.ts'
import { asObject } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { formatPointer, type Pointer, valueAt } from '../text/pointer.ts'
import type { Checked, Marked, SchemaCheck } from './check.ts'
import { findDoubts } from './doubts.ts'
import type { AcceptedParts, Part } from './near-keys.ts'
import type { ParsedBatch } from './parse-batch.ts'
import { recordsBelow, withRightRecords } from './records.ts'

export interface LoadedSchema {
  check: SchemaCheck
  /** The schema itself, as `upgradeSchema` returns it: `explain` asks it again. */
  root: Node
}

/** A schema that files may name, by its file or by its `$id`. */
export interface NamedSchema {
  /** The file, as the names of batches are spelled. */
  name: string
  id: string | undefined
  schema: LoadedSchema
}

/** Which schema checks a batch, and what it checks there: the whole file, or each record. */
export type SchemaChoice =
  | { kind: 'file' | 'record'; schema: LoadedSchema }
  | { kind: 'named'; schemas: readonly NamedSchema[] }
  | { kind: 'none' }

/** The result of checking a batch by its schema. */
export interface BatchSchema extends Checked {
  /**
   * Returns what it accepts.
   *
   * @param refused the positions of the records that aren't accepted
   */
  accepted(refused: ReadonlySet<number>): AcceptedParts | undefined
  /** Finds values that other programs read in a way that it refuses, in what it accepts. */
  findDoubts(refused: ReadonlySet<number>): Fault[]
  /** Whether it names the key that a pointer ends with, among the properties of its object. */
  declares: (pointer: Pointer) => boolean
}

const ACCEPTS_ALL: BatchSchema = {
  faults: [],
  undecided: [],
  references: [],
  uniques: [],
  accepted: () => undefined,
  findDoubts: () => [],
  declares: () => false,
}

/**
 * Checks a batch by its schema.
 *
 * @param refused the positions of the records that are known to be refused
 */
export function checkBatch(
  batch: ParsedBatch,
  choice: SchemaChoice,
  refused: ReadonlySet<number> = new Set(),
): BatchSchema {
  if (batch.value === undefined) return ACCEPTS_ALL

  const chosen = chooseSchema(batch, choice)
  if (chosen === undefined) return ACCEPTS_ALL
  if ('fault' in chosen) return { ...ACCEPTS_ALL, faults: [chosen.fault] }

  const { schema, kind } = chosen
  if (kind === 'record') return checkRecords(batch, schema)

  return checkWhole(batch, schema, refused)
}

function checkWhole(
  batch: ParsedBatch,
  { check, root }: LoadedSchema,
  refused: ReadonlySet<number>,
): BatchSchema {
  const { records, doubts } = batch
  const { value, checked, faults } = checkFile(batch, check, refused)

  return {
    ...checked,
    faults,
    accepted(unaccepted) {
      const valuesAt = (places: readonly Pointer[]) => {
        return new Set(places.map((place) => valueAt(batch.value, place)))
      }

      const refused = Array.from(unaccepted, (index) => records.pointerTo(index))
      return {
        root,
        parts: () => [{ value: batch.value, pointer: [] }],
        refused: valuesAt([...refused, ...checked.undecided]),
        faulty: valuesAt(faults.map(({ pointer }) => pointer)),
      }
    },
    findDoubts(unaccepted) {
      const others = doubts.filter(({ fault: { pointer } }) => {
        const record = records.at(pointer)
        return record === undefined || !unaccepted.has(record.index)
      })
      return findDoubts([{ value, pointer: [] }], others, check, checked)
    },
    declares: createDeclares(root),
  }
}

/** The result for a file, and the value that was checked. */
interface CheckedFile {
  value: unknown
  checked: Checked
  /** The faults of the file. */
  faults: Fault[]
}

/** @param refused the positions of records that are replaced by right ones, if that decides about all others */
function checkFile(
  batch: ParsedBatch,
  check: SchemaCheck,
  refused: ReadonlySet<number>,
): CheckedFile {
  if (refused.size > 0) {
    const value = withRightRecords(batch, refused)
    const checked = check(value)
    const ofRefused = Array.from(refused, (index) => {
      return fault('schema.refused', batch.records.pointerTo(index))
    })

    const isDecided = recordsBelow(batch.records, checked.undecided).length === 0
    if (isDecided) return { value, checked, faults: [...ofRefused, ...checked.faults] }
  }

  const checked = check(batch.value)
  return { value: batch.value, checked, faults: checked.faults }
}

function checkRecords({ records, doubts }: ParsedBatch, schema: LoadedSchema): BatchSchema {
  const faults: Fault[] = []
  const references: Marked[] = []
  const uniques: Marked[] = []

  for (const [index, record] of records.all.entries()) {
    const checked = schema.check(record)
    const isUnmarked = checked.references.length === 0 && checked.uniques.length === 0
    if (checked.faults.length === 0 && isUnmarked) continue

    const pointer = records.pointerTo(index)
    const inFile = (mark: Marked) => ({ ...mark, place: formatPointer(pointer) + mark.place })
    for (const { pointer: within, ...refusal } of checked.faults)
      faults.push({ ...refusal, pointer: [...pointer, ...within] })
    references.push(...checked.references.map(inFile))
    uniques.push(...checked.uniques.map(inFile))
  }

  const declares = createDeclares(schema.root)
  const partsWithout = (refused: ReadonlySet<number>): Part[] => {
    const parts = records.all.map((value, index) => ({ value, pointer: records.pointerTo(index) }))
    return parts.filter((_, index) => !refused.has(index))
  }
  return {
    faults,
    undecided: [],
    references,
    uniques,
    accepted(refused) {
      return {
        root: schema.root,
        parts: () => partsWithout(refused),
        refused: new Set(),
        faulty: new Set(),
      }
    },
    findDoubts(refused) {
      if (doubts.length === 0) return []
      return findDoubts(partsWithout(refused), doubts, schema.check)
    },
    declares(pointer) {
      const record = records.at(pointer)
      if (!record) return false

      const outer = records.pointerTo(record.index).length
      return declares(pointer.slice(outer))
    },
  }
}

/** Returns whether a schema names the key that a pointer ends with. It's read once, and only if asked. */
function createDeclares(root: Node): BatchSchema['declares'] {
  let known: Known | undefined

  return (pointer) => {
    known ??= createKnown(root)
    const object = known(pointer.slice(0, -1)).at(-1)
    return object?.keys.includes(String(pointer.at(-1))) ?? false
  }
}

/**
 * Finds the schema of a batch whose text could be read.
 *
 * @returns undefined if nothing checks it; the fault if it must name its schema, and doesn't
 */
export function chooseSchema(
  { name, value }: Pick<ParsedBatch, 'name' | 'value'>,
  choice: SchemaChoice,
): { kind: 'file' | 'record'; schema: LoadedSchema } | { fault: Fault } | undefined {
  if (choice.kind === 'none') return undefined
  if (choice.kind !== 'named') return choice

  const { $schema } = asObject(value)
  const schema = choice.schemas.find((candidate) => isNamed(candidate, $schema, name))
  if (schema) return { kind: 'file', schema: schema.schema }

  const spellings = choice.schemas.map((candidate) => spellingFor(candidate, name))
  if ($schema === undefined) return { fault: fault('schema.unnamed', [], { schemas: spellings }) }

  const near = typeof $schema === 'string' ? nearest($schema, spellings) : []
  return {
    fault: fault('schema.unknown-name', ['$schema'], { value: $schema, schemas: spellings, near }),
  }
}

/** Whether a file means a schema by its `$schema`: the way from the file, or the `$id`. */
function isNamed({ name, id }: NamedSchema, reference: unknown, file: string): boolean {
  if (typeof reference !== 'string') return false

  const address = withoutFragment(reference)
  const isId = id !== undefined && withoutFragment(id) === address
  return isId || posix.join(posix.dirname(file), address) === posix.normalize(name)
}

/** `#` at the end of an address has no meaning. */
function withoutFragment(address: string): string {
  return address.replace(/#$/, '')
}

/** Returns how a file names a schema: by the way from its folder. */
function spellingFor({ name }: NamedSchema, file: string): string {
  return posix.relative(posix.dirname(file), name)
}
