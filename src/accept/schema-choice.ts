/** Finds the schema of a batch, and checks the file or each of its records. Pure. */
import { posix } from 'node:path'
import { type Fault, fault, formatPointer, type Marked } from '../page/fault.ts'
import type { Node } from '../schema/schemas-in.ts'
import { asObject } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import type { Checked, SchemaCheck } from './check.ts'
import { findDoubts } from './doubts.ts'
import type { KeyCheck } from './near-keys.ts'
import type { ParsedBatch } from './parse-batch.ts'
import { withRightRecords } from './records.ts'

export interface LoadedSchema {
  check: SchemaCheck
  /** Finds keys that may be misspelled, though the schema accepts them. */
  findNearKeys: KeyCheck
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

/** What the schema of a batch says of it. */
export interface BatchSchema extends Checked {
  /** Finds keys that may be misspelled, in a batch that is accepted. */
  findNearKeys(): Fault[]
  /** Finds values that other programs read in a way that it refuses, in a batch that is accepted. */
  findDoubts(): Fault[]
}

const ACCEPTS_ALL: BatchSchema = {
  faults: [],
  undecided: [],
  references: [],
  uniques: [],
  findNearKeys: () => [],
  findDoubts: () => [],
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

  const whole = [{ value: batch.value, pointer: [] }]
  return {
    ...checkFile(batch, schema.check, refused),
    findNearKeys: () => schema.findNearKeys(whole),
    findDoubts: () => findDoubts(whole, batch.doubts, schema.check),
  }
}

function checkFile(batch: ParsedBatch, check: SchemaCheck, refused: ReadonlySet<number>) {
  if (refused.size === 0) return check(batch.value)

  const withoutRefused = check(withRightRecords(batch, refused))
  if (withoutRefused.faults.length > 0) return check(batch.value)

  const faults = Array.from(refused, (index) => {
    return fault('schema.refused', batch.records.pointerTo(index))
  })
  return { ...withoutRefused, faults }
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

  const parts = () => {
    return records.all.map((value, index) => ({ value, pointer: records.pointerTo(index) }))
  }
  return {
    faults,
    undecided: [],
    references,
    uniques,
    findNearKeys: () => schema.findNearKeys(parts()),
    findDoubts: () => findDoubts(doubts.length > 0 ? parts() : [], doubts, schema.check),
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

/** `#` at the end of an address says nothing. */
function withoutFragment(address: string): string {
  return address.replace(/#$/, '')
}

/** Returns how a file names a schema: by the way from its folder. */
function spellingFor({ name }: NamedSchema, file: string): string {
  return posix.relative(posix.dirname(file), name)
}
