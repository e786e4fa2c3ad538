/** Proposes a collection for each kind of a repository, or says why it isn't offered. */
import type { FormatName } from '../../formats/format.ts'
import { groupBy } from '../../machine/group-by.ts'
import { compareNaturally } from '../../text/natural-order.ts'
import { type Id, idOf } from './ids.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { nameKinds } from './names.ts'
import { foldersFrom } from './paths.ts'
import { patternsOf } from './patterns.ts'
import { schemasOf } from './schemas.ts'
import type { Survey } from './survey.ts'
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
  kind: Kind
  reason: string
}

/** A folder with more kinds than a maintainer would name. */
export interface Crowd {
  folder: string
  kinds: readonly Kind[]
}

export interface Choice {
  proposals: readonly Proposal[]
  crowds: readonly Crowd[]
  omissions: readonly Omission[]
}

export async function propose({ files, schemas, readable }: Survey, tools: Tools): Promise<Choice> {
  const kinds = kindsOf(files, schemas)
  const drafts: Draft[] = []
  const omissions: Omission[] = []

  for (const [kind, found] of schemasOf(kinds, schemas)) {
    const schema = await choose(found, kind, tools)
    const draft = { kind, schema, id: idOf(kind), format: formatOfMost(kind) }

    const reason = reasonAgainst(draft)
    if (reason === undefined) drafts.push(draft)
    else omissions.push({ kind, reason })
  }

  const crowds = crowdsOf(drafts)
  const crowded = new Set(crowds.flatMap((crowd) => crowd.kinds))
  const offered = drafts.filter(({ kind }) => !crowded.has(kind))
  const names = nameKinds(offered.map(({ kind }) => kind))
  const proposals = offered.map((draft): Proposal => {
    const { kind } = draft
    return { ...draft, name: names.get(kind) ?? '', patterns: patternsOf(kind, readable) }
  })
  return {
    proposals: proposals.sort((a, b) => compareNaturally(a.name, b.name)),
    crowds,
    omissions,
  }
}

/** How many kinds a folder of the root may have. */
const MOST_KINDS = 8

/**
 * Finds the folders of the root with so many kinds that they are rather fragments of a few: people have to
 * say which files belong together. What has a schema stays, and a few names that repeat.
 */
function crowdsOf(drafts: readonly Draft[]): Crowd[] {
  const guesses = drafts.filter(({ schema }) => !isChosen(schema)).map(({ kind }) => kind)
  const byFolder = groupBy(guesses, ({ folder }) => foldersFrom(folder).at(-1) ?? '')
  byFolder.delete('')

  return [...byFolder].flatMap(([folder, kinds]) => {
    if (kinds.length <= MOST_KINDS) return []

    const others = kinds.filter(({ naming }) => naming.kind !== 'same name')
    const areNamesFew = kinds.length - others.length <= MOST_KINDS
    return [{ folder, kinds: areNamesFew ? others : kinds }]
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
