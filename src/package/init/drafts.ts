/** Finds the shape and the schema of files that belong together. */
import type { Group } from './alike.ts'
import { hasStrongId } from './ids.ts'
import { isNamedExactly, type Relation, relationOf, type SchemaFile } from './schema-names.ts'
import {
  type FoundRecord,
  hasShape,
  keysOfRecords,
  recordsIn,
  type Shape,
  type SurveyedFile,
  shapeOfSeveral,
  shapesOf,
} from './shapes.ts'
import type { Trials } from './trials.ts'

/** Files with their shape, and their schema. */
export interface Draft {
  files: readonly SurveyedFile[]
  shape: Shape
  records: readonly FoundRecord[]
  schema: ChosenSchema | undefined
}

/** A schema, and what speaks for it. */
export interface ChosenSchema {
  /** Its file; several if each data file names its own. */
  names: readonly string[]
  /** Whether it's the schema of a record, not of a file. */
  isOfRecord: boolean
  reason: 'named' | Relation | 'tried'
  /** Which part of the data it accepts, from 0 to 1; undefined if that wasn't tried. */
  accepted: number | undefined
}

/** Drafts collections of files that name their schemas. */
export async function draftNaming({ files, schemas }: Group, trials: Trials): Promise<Draft[]> {
  if (schemas.length > 1) {
    const draft = draftOf(files, { kind: 'one record' })
    const exact = files.filter((file) => schemas.some((schema) => isNamedExactly(schema, file)))
    if (2 * exact.length <= files.length) return [draft]

    const names = schemas.map(({ name }) => name).sort()
    const schema = { names, isOfRecord: false, reason: 'named', accepted: undefined } as const
    return [{ ...draft, schema }]
  }

  const drafts: Draft[] = []
  for (const shape of shapesOfGroup(files, true)) {
    const draft = draftOf(files, shape)
    const [schema] = await trySchemas(draft, schemas, trials)

    drafts.push({ ...draft, schema: schema && { ...schema, reason: 'named' } })
  }
  return drafts
}

/** Drafts collections of other files that belong together. */
export async function draftGroup({ files, schemas }: Group, trials: Trials): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const shape of shapesOfGroup(files, false)) {
    const draft = draftOf(files, shape)
    const tried = await trySchemas(draft, schemas, trials)

    drafts.push({ ...draft, schema: tried.find(isFitting) })
  }
  return drafts
}

/** Which part of the data a schema must accept, unless it lies beside its only file. */
const MOST = 0.5

function isFitting({ reason, accepted = 0 }: ChosenSchema): boolean {
  return reason === 'beside' || accepted > MOST
}

function draftOf(files: readonly SurveyedFile[], shape: Shape): Draft {
  const ofShape = files.filter(({ value }) => hasShape(value, shape))
  const records = ofShape.flatMap((file) => recordsIn(file, shape))
  return { files: ofShape, shape, records, schema: undefined }
}

/** How many schemas are tried on a draft. */
const MOST_TRIED = 8

/** Tries schemas on a draft. Returns those that can be used, the closest by name first. */
async function trySchemas(
  draft: Draft,
  schemas: readonly SchemaFile[],
  trials: Trials,
): Promise<ChosenSchema[]> {
  const tried: ChosenSchema[] = []
  for (const schema of schemas.slice(0, MOST_TRIED)) {
    const outcome = await trials.tryOut(schema.name, draft)
    if (!outcome) continue

    const { ofFiles, ofRecords } = outcome
    // Of files of one record, it's the same.
    const isOfRecord = draft.shape.kind === 'one record' || ofRecords > ofFiles
    const reason = relationOf(schema, draft.files[0]?.name ?? '') ?? 'tried'
    const accepted = Math.max(ofFiles, ofRecords)

    tried.push({ names: [schema.name], isOfRecord, reason, accepted })
  }

  const closest = tried[0]?.reason
  const areAsClose = tried.every(({ reason }) => reason === closest)
  return areAsClose ? tried.sort((a, b) => (b.accepted ?? 0) - (a.accepted ?? 0)) : tried
}

/**
 * Returns the shapes of files that belong together.
 *
 * @param isNaming whether the files name a schema, so that each is one record rather than a list in it
 * @returns several only for a single file that has records under several keys
 */
function shapesOfGroup(files: readonly SurveyedFile[], isNaming: boolean): Shape[] {
  const [first] = files
  if (!first) return []

  if (files.length === 1) {
    const shapes = shapesOf(first.value)
    return shapes.length > 0 ? shapes : [{ kind: 'one record' }]
  }

  const shape = shapeOfSeveral(files.map(({ value }) => value))
  const isFile = shape.kind !== 'one record' || isNaming
  return [isFile ? shape : (listsWithIds(files) ?? shape)]
}

/** How many records a file must have in a list, on average: a record may have a short list itself. */
const MANY = 3

/**
 * Returns the shape of files that are only covers for lists: their items have ids of their own, which
 * differ in all files.
 */
function listsWithIds(files: readonly SurveyedFile[]): Shape | undefined {
  const keys = new Set(files.flatMap(({ value }) => keysOfRecords(value)))
  for (const key of keys) {
    const shape: Shape = { kind: 'under a key', key }
    const { records, ...draft } = draftOf(files, shape)

    const isUsual = 2 * draft.files.length > files.length
    const areMany = records.length >= MANY * files.length
    if (isUsual && areMany && hasStrongId(records)) return shape
  }
  return undefined
}
