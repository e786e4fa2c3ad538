/** What `init` says of the collections that it proposes, and of what it doesn't offer. Pure. */
import { plural, show } from '../../text/wording.ts'
import type { Id } from './ids.ts'
import { recordsOf } from './kind.ts'
import type { Choice, Proposal } from './propose.ts'
import type { Survey } from './survey.ts'
import type { SchemaChoice } from './trial.ts'

/** Says what a collection is, and why. */
export function describeProposal(proposal: Proposal): string[] {
  const { name, schema, id } = proposal
  const lines = [`${name}: ${describeRecords(proposal)}`]

  if (schema.kind !== 'none') lines.push(`  schema: ${describeSchema(schema)}`)
  lines.push(`  id: ${describeId(id)}`)
  return lines
}

function describeRecords({ kind, patterns: [pattern = ''] }: Proposal): string {
  const { files, shape } = kind
  const broken = files.filter(({ isBroken }) => isBroken).length
  const unread = broken > 0 ? `; ${broken} of them cannot be read` : ''
  if (files.length === 1 && broken > 0) return `${pattern}, which cannot be read`

  const count = recordsOf(kind).reduce((sum, records) => sum + records.count, 0)
  if (shape.kind !== 'one record') {
    const place = files.length === 1 ? pattern : `${plural(files.length, 'file')}, ${pattern}`
    const key = shape.kind === 'under a key' ? ` under the key ${show(shape.key)}` : ''
    return `${plural(count, 'record')}${key} in ${place}${unread}`
  }
  return files.length === 1
    ? `one record, ${pattern}`
    : `${plural(files.length, 'file')} of one record each, ${pattern}${unread}`
}

const REASONS = {
  named: 'which "$schema" names',
  'same name': 'by its name',
  mirrored: 'by its path',
  'of the folder': 'the only one of the folder',
}

function describeSchema(choice: Exclude<SchemaChoice, { kind: 'none' }>): string {
  if (choice.kind === 'named') return `each file names its own, of ${choice.schemas.length}`
  if (choice.kind === 'missing')
    return `${show(choice.address)}, which "$schema" names, isn't there`
  if (choice.kind === 'unclear') {
    const names = choice.schemas.map(({ name }) => name).join(' or ')
    return `not clear: ${names}? It's a comment`
  }

  const { schema, reason, failure, refused, tried } = choice
  const chosen = `${schema.name}, ${REASONS[reason]}`
  if (failure !== undefined) return `${chosen}; it can't be used: ${failure}`
  return refused > 0 ? `${chosen}; it refuses ${refused} of ${tried}` : chosen
}

const ID_TEXTS = {
  stem: 'the name of the file',
  path: 'the name of the file',
  folder: 'the name of the folder',
  unclear: "not clear: it's a comment",
}

function describeId(id: Id): string {
  if (id.kind === 'place') return id.isOfFile ? 'the file, and the key in it' : 'the key of each'
  if (id.kind !== 'key' && id.kind !== 'key in file') return ID_TEXTS[id.kind]

  const key = id.kind === 'key' ? show(id.key) : `the file, and ${show(id.key)}`
  const [copy] = id.copies
  if (copy !== undefined) return `${key}, which is repeated: ${show(copy)}`
  return id.missing > 0 ? `${key}, which ${id.missing} lack` : key
}

/** How many files that aren't offered are named. */
const FEW = 5

function firstOf(names: readonly string[]): string {
  const more = names.length > FEW ? ' …' : ''
  return names.slice(0, FEW).join(', ') + more
}

/** Says what isn't in any collection. */
export function describeRest(
  { schemas }: Survey,
  { proposals, omissions, unusedSchemas }: Choice,
): string[] {
  const lines = [...omissions].map(([reason, names]) => {
    return `Not offered: ${plural(names.length, 'file')}, ${reason}: ${firstOf(names)}`
  })

  const unused = plural(unusedSchemas.length, 'schema')
  if (unusedSchemas.length > 0) lines.push(`Not used: ${unused}: ${firstOf(unusedSchemas)}`)

  if (proposals.length > 0 && schemas.length === 0)
    lines.push('There is no JSON Schema here, so only syntax and ids are checked.')
  return lines
}
