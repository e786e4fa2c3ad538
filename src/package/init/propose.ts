/** Proposes a collection for each kind of a repository, or says why it isn't offered. */
import { groupBy } from '../../machine/group-by.ts'
import { compareNaturally } from '../../text/natural-order.ts'
import { type Id, idOf } from './ids.ts'
import { type Kind, kindOf, recordsOf } from './kind.ts'
import { kindsOf } from './kinds.ts'
import { nameKinds } from './names.ts'
import { areaOf, commonFolder } from './paths.ts'
import { patternsOf } from './patterns.ts'
import { isReferredTo, type SchemaFile } from './schema-names.ts'
import { schemasOf } from './schemas.ts'
import type { Survey, SurveyedFile } from './survey.ts'
import { choose, type SchemaChoice, type Tools } from './trial.ts'

/** A collection to write into the configuration. */
export interface Proposal {
  name: string
  kind: Kind
  /** What `files` says. */
  patterns: readonly string[]
  schema: SchemaChoice
  id: Id
}

type Draft = Omit<Proposal, 'name' | 'patterns'>

export interface Choice {
  proposals: readonly Proposal[]
  /** The names of files that aren't offered, by the reason. */
  omissions: ReadonlyMap<string, readonly string[]>
  /** The schemas of no collection. */
  unusedSchemas: readonly string[]
}

export async function propose(
  { files, schemas, readable, left }: Survey,
  tools: Tools,
): Promise<Choice> {
  const kinds = kindsOf(files, schemas)
  const choices: [Kind, SchemaChoice][] = []
  for (const [kind, found] of schemasOf(kinds, schemas)) {
    choices.push([kind, await choose(found, kind, tools)])
  }

  const drafts = withoutRivals(choices).map(([kind, schema]) => ({ kind, schema, id: idOf(kind) }))
  const byReason = groupBy(drafts, reasonAgainst)
  const clear = byReason.get('') ?? []
  byReason.delete('')

  const offered = joinCrowds(clear)
  const names = nameKinds(offered.map(({ kind }) => kind))
  const proposals = offered.map((draft): Proposal => {
    const { kind } = draft
    return { ...draft, name: names.get(kind) ?? '', patterns: patternsOf(kind, kinds, readable) }
  })

  const omissions = new Map(left)
  for (const [reason, ofReason] of byReason) {
    omissions.set(reason, namesIn(ofReason.flatMap(({ kind }) => kind.files)))
  }
  return {
    proposals: proposals.sort((a, b) => compareNaturally(a.name, b.name)),
    omissions,
    unusedSchemas: unusedIn(schemas, proposals),
  }
}

/** Returns the schemas that no collection names, and to which no other schema refers. */
function unusedIn(schemas: readonly SchemaFile[], proposals: readonly Proposal[]): string[] {
  const named = new Set(proposals.flatMap(({ schema }) => schemasOfChoice(schema)))
  const unused = schemas.filter((schema) => !named.has(schema) && !isReferredTo(schema, schemas))
  return unused.map(({ name }) => name)
}

function schemasOfChoice(choice: SchemaChoice): readonly SchemaFile[] {
  switch (choice.kind) {
    case 'one':
      return [choice.schema]
    case 'named':
    case 'unclear':
      return choice.schemas
    default:
      return []
  }
}

/** How many files and folders beside each other are each a kind. */
const FEW_KINDS = 8

/** Makes one collection of many files and folders of one folder of the root, for which there's no schema. */
function joinCrowds(drafts: readonly Draft[]): Draft[] {
  const byArea = groupBy(drafts, ({ kind, schema }) => {
    const isSingle = kind.naming.kind === 'one file' || kind.naming.kind === 'folder'
    if (!isSingle || schema.kind !== 'none') return undefined
    return `${areaOf(kind.folder)} ${kind.files[0]?.format}`
  })

  return [...byArea].flatMap(([area, crowd]) => {
    if (area === undefined || crowd.length <= FEW_KINDS) return crowd
    return draftOfCrowd(crowd.flatMap(({ kind }) => kind.files))
  })
}

/** If the files are of several shapes, each is checked as what it is: a list of records, or one record. */
function draftOfCrowd(files: readonly SurveyedFile[]): Draft {
  const folder = commonFolder(files.map(({ name }) => name))
  const crowd = kindOf(folder, { kind: 'folder' }, files)

  const isOfOneShape = recordsOf(crowd).length === files.length
  if (isOfOneShape) return { kind: crowd, schema: { kind: 'none' }, id: idOf(crowd) }

  const kind: Kind = { ...crowd, shape: { kind: 'one record' } }
  return { kind, schema: { kind: 'none' }, id: { kind: 'unclear' } }
}

function namesIn(files: readonly SurveyedFile[]): string[] {
  return files.map(({ name }) => name)
}

/** If several kinds are called like one schema, those of which it refuses all are hardly meant. */
function withoutRivals(choices: readonly [Kind, SchemaChoice][]): [Kind, SchemaChoice][] {
  return choices.map(([kind, choice]) => {
    if (choice.kind !== 'one' || choice.reason !== 'same name') return [kind, choice]

    const { schema, refused, tried } = choice
    const claims = choices.filter(([, other]) => other.kind === 'one' && other.schema === schema)
    const isRival = claims.length > 1 && refused === tried
    return [kind, isRival ? { kind: 'unclear', schemas: [schema] } : choice]
  })
}

/** How many records without an id of their own aren't settings. */
const FEW_FILES = 3

/** Returns why a kind isn't data; empty if it's offered. */
function reasonAgainst({ kind, schema }: Draft): string {
  const { files, shape, naming } = kind
  const [doubt = '', ...doubts] = files.flatMap((file) => (file.doubt === '' ? [] : [file.doubt]))
  if (2 * (doubts.length + 1) > files.length && doubt !== '') return doubt

  if (schema.kind !== 'none') return ''

  if (files.some(({ isBroken }) => isBroken) || shape.kind !== 'one record') return ''
  if (files.some(({ look }) => look && look.listKeys.length > 0)) return ''

  const isSeveral = naming.kind === 'same name' || files.length >= FEW_FILES
  return isSeveral ? '' : 'single records without a schema'
}
