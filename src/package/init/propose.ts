/** Proposes a collection for each kind of a repository, or says why it isn't offered. */
import type { FormatName } from '../../formats/format.ts'
import { compareNaturally } from '../../text/natural-order.ts'
import { type Id, idOf } from './ids.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { nameKinds } from './names.ts'
import { patternsOf } from './patterns.ts'
import { schemasOf } from './schemas.ts'
import type { Survey, SurveyedFile } from './survey.ts'
import { choose, type SchemaChoice, type Tools } from './trial.ts'

/** A collection to write into the configuration. */
export interface Proposal {
  name: string
  kind: Kind
  /** What `files` says. */
  patterns: readonly string[]
  /** The format of the files, if their names say another one. */
  format: FormatName | undefined
  schema: SchemaChoice
  id: Id
}

type Draft = Omit<Proposal, 'name' | 'patterns'>

/** A kind that isn't offered. */
interface Omission {
  files: readonly SurveyedFile[]
  reason: string
}

export interface Choice {
  proposals: readonly Proposal[]
  omissions: readonly Omission[]
}

export async function propose({ files, schemas, readable }: Survey, tools: Tools): Promise<Choice> {
  const { kinds, stray } = kindsOf(files, schemas)
  const drafts: Draft[] = []
  const omissions: Omission[] = []

  const choices: [Kind, SchemaChoice][] = []
  for (const [kind, found] of schemasOf(kinds, schemas)) {
    choices.push([kind, await choose(found, kind, tools)])
  }

  for (const [kind, schema] of withoutRivals(choices)) {
    const draft = { kind, schema, id: idOf(kind), format: formatOfMost(kind) }

    const reason = reasonAgainst(draft)
    if (reason === undefined) drafts.push(draft)
    else omissions.push({ files: kind.files, reason })
  }

  if (stray.length > 0)
    omissions.push({ files: stray, reason: 'in folders beside names that repeat' })

  const names = nameKinds(drafts.map(({ kind }) => kind))
  const proposals = drafts.map((draft): Proposal => {
    const { kind } = draft
    return { ...draft, name: names.get(kind) ?? '', patterns: patternsOf(kind, readable) }
  })
  return {
    proposals: proposals.sort((a, b) => compareNaturally(a.name, b.name)),
    omissions,
  }
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

/** Whether a schema was found that isn't only near. */
function isChosen(schema: SchemaChoice): boolean {
  return schema.kind !== 'none' && !(schema.kind === 'unclear' && schema.isNeighbour)
}

/** How many records without an id of their own aren't settings. */
const FEW_FILES = 3

/** Why a kind isn't data; undefined if it's offered. */
function reasonAgainst({ kind, schema, id }: Draft): string | undefined {
  const { files, shape, naming } = kind
  const documents = files.filter(({ isDocument }) => isDocument)
  if (2 * documents.length > files.length) return 'Markdown without front matter'

  if (isChosen(schema)) return undefined

  const broken = files.filter(({ isBroken }) => isBroken)
  if (files.length >= FEW_FILES && 2 * broken.length > files.length) {
    return 'files of which most cannot be read'
  }
  if (broken.length > 0 || shape.kind !== 'one record') return undefined
  if (files.some(({ look }) => look && look.listKeys.length > 0)) return undefined

  if (naming.kind === 'same name') return undefined
  const isSeveral = files.length >= FEW_FILES || (files.length > 1 && id.kind === 'key')
  return isSeveral ? undefined : 'single records without a schema'
}

/** Returns the format that most files have, though their names say another one. */
function formatOfMost({ files }: Kind): FormatName | undefined {
  const others = files.filter(({ otherFormat }) => otherFormat !== undefined)
  return 2 * others.length > files.length ? others[0]?.otherFormat : undefined
}
