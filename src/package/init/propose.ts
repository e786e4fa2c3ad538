/** Proposes collections for the files of a repository. */
import type { FormatName } from '../../formats/format.ts'
import { compareNaturally } from '../../text/natural-order.ts'
import { groupAlike } from './alike.ts'
import { type Draft, draftGroup, draftNaming } from './drafts.ts'
import { groupNaming, groupRelated } from './groups.ts'
import { findId, type Id } from './ids.ts'
import { nameCollections } from './names.ts'
import { patternsOf } from './patterns.ts'
import type { SchemaFile } from './schema-names.ts'
import type { SurveyedFile } from './shapes.ts'
import type { Trials } from './trials.ts'

/** A collection to write into the configuration. */
export interface Proposal extends Draft {
  /** Its name in the configuration. */
  name: string
  /** The format of the files, if their names say another one. */
  format: FormatName | undefined
  /** What `files` says. */
  patterns: readonly string[]
  id: Id
}

/** What is known of a repository. */
export interface Known {
  /** The files that may hold records. */
  files: readonly SurveyedFile[]
  schemas: readonly SchemaFile[]
  /** The names of all files that a pattern may match wrongly. */
  names: readonly string[]
  /** How many files weren't read. */
  omitted: number
}

export async function propose(
  { files, schemas, names, omitted }: Known,
  trials: Trials,
): Promise<Proposal[]> {
  const drafts: Draft[] = []

  for (const group of groupNaming(files, schemas)) {
    drafts.push(...(await draftNaming(group, trials)))
  }

  for (const group of groupRelated(notIn(drafts, files), schemas)) {
    const fitting = await draftGroup(group, trials)
    drafts.push(...fitting.filter(({ schema }) => schema !== undefined))
  }

  for (const group of groupAlike(notIn(drafts, files), schemas)) {
    drafts.push(...(await draftGroup(group, trials)))
  }

  return complete(drafts, names, omitted > 0)
}

function notIn(drafts: readonly Draft[], files: readonly SurveyedFile[]): SurveyedFile[] {
  const taken = new Set(drafts.flatMap((draft) => draft.files))
  return files.filter((file) => !taken.has(file))
}

/** Adds what the drafts lack: names, patterns, ids. Returns them by name. */
function complete(
  drafts: readonly Draft[],
  names: readonly string[],
  isSample: boolean,
): Proposal[] {
  const collections = nameCollections(drafts)
  const proposals = drafts.map((draft, index): Proposal => {
    const wanted = draft.files.map(({ name }) => name)
    const id = findId(draft.records, draft.shape, isSample && draft.files.length > 1)
    return {
      ...draft,
      name: collections[index] ?? '',
      patterns: patternsOf(wanted, names),
      format: formatOfMost(draft.files),
      id,
    }
  })
  return proposals.sort((one, other) => compareNaturally(one.name, other.name))
}

/** Whether a proposal is one that a maintainer would make, too. */
export function isSure({ patterns, schema, shape, files, records, id }: Proposal): boolean {
  if (patterns.length === 0) return false
  if (schema) return true

  const hasOwnName = files.length > 1 && !id.parts.includes('file')
  const isSetting = shape.kind === 'one record' && files.length < FEW_FILES && !hasOwnName
  return !isSetting && records.length > 1 && !id.parts.includes('index')
}

/** Whether a proposal is better than none. */
export function isPossible({ patterns, files, records }: Proposal): boolean {
  if (patterns.length === 0) return false
  return files.length > 1 || records.length > 1
}

/** How many files of one record are few: without a schema, they may be settings. */
const FEW_FILES = 3

/** Returns the format that most files have, though their names say another one. */
function formatOfMost(files: readonly SurveyedFile[]): FormatName | undefined {
  const others = files.filter(({ format }) => format !== undefined)
  return 2 * others.length > files.length ? others[0]?.format : undefined
}
