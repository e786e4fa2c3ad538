/** What `init` says of the collections that it proposes, and of what it leaves out. Pure. */
import { plural, show } from '../../text/wording.ts'
import type { ChosenSchema } from './drafts.ts'
import type { Id, Part } from './ids.ts'
import type { Proposal } from './propose.ts'
import type { Survey } from './survey.ts'
import type { Trials } from './trials.ts'

/** Says what a collection is, and why. */
export function describeProposal(proposal: Proposal): string[] {
  const { name, patterns, schema, id } = proposal
  const lines = [`${name}: ${describeRecords(proposal)}, in ${patterns[0]}`]

  if (schema) lines.push(`  schema: ${describeSchema(schema, proposal)}`)
  lines.push(`  id: ${describeId(id)}`)
  return lines
}

function describeMixed({ files: [first] }: Proposal): string {
  return `files that are mixed with others, such as ${first?.name}`
}

function describeRecords({ shape, files, records }: Proposal): string {
  const among = files.length === 1 ? '' : ` in ${plural(files.length, 'file')}`
  switch (shape.kind) {
    case 'list':
      return `a list of ${plural(records.length, 'record')}${among}`
    case 'under a key':
      return `${plural(records.length, 'record')} under the key ${show(shape.key)}${among}`
    case 'objects by key':
      return `${plural(records.length, 'record')} by key${among}`
    case 'one record':
      return files.length === 1
        ? 'one record'
        : `${plural(files.length, 'file')} of one record each`
  }
}

function describeSchema(schema: ChosenSchema, { shape }: Proposal): string {
  const { names, isOfRecord, accepted } = schema
  const kind = isOfRecord && shape.kind !== 'one record' ? ', of each record' : ''

  const percent = Math.floor(100 * (accepted ?? 1))
  const result = accepted === undefined ? '' : `; it accepts ${percent} % of what was tried`
  return `${names.join(', ')}${kind}, ${REASONS[schema.reason]}${result}`
}

const REASONS: Record<ChosenSchema['reason'], string> = {
  named: 'which "$schema" names',
  beside: 'beside the file of this name',
  'same name': 'which has the name of the file',
  folder: 'which has the name of the folder',
  'outer folder': 'which has the name of the folder',
  tried: 'which fits best',
}

function describeId({ parts, missing, repeated }: Id): string {
  const what = parts.map(describePart).join(' and ')

  const [copied] = repeated
  if (copied !== undefined)
    return `${what}, which differs in all but ${plural(repeated.length, 'record')}, such as ${show(copied)}`
  if (missing > 0)
    return `${what}; ${plural(missing, 'record')} without it are named by their place`
  if (parts.includes('index')) return `${what}, because no key differs in each record`
  return `${what}, which differs in each`
}

function describePart(part: Part): string {
  if (part === 'key') return 'the key'
  if (part === 'file') return 'the name of the file'
  if (part === 'index') return 'the place in it'
  return show(part.name)
}

/** What is proposed, and what isn't. */
export interface Choice {
  chosen: readonly Proposal[]
  others: readonly Proposal[]
}

/** How many of each kind are named. */
const FEW = 5

/** Says what isn't in any collection. */
export function describeRest(survey: Survey, trials: Trials, { chosen, others }: Choice): string[] {
  const { aside, schemas, unread, omitted } = survey
  const lines = others.slice(0, FEW).map((other) => {
    return `Not taken: ${describeRecords(other)}, in ${other.patterns[0] ?? describeMixed(other)}`
  })

  const taken = new Set(chosen.flatMap(({ files }) => files))
  const left = aside.filter((file) => !taken.has(file)).length
  if (left > 0) lines.push(`${plural(left, 'file')} of tests and translations, which are left out.`)

  if (chosen.length > 0 && schemas.length === 0)
    lines.push('There is no JSON Schema here, so only syntax and ids are checked.')
  lines.push(...trials.reasons.slice(0, FEW).map(toSentence))

  for (const [format, count] of unread) {
    const verb = count === 1 ? 'is' : 'are'
    lines.push(`${plural(count, `${format} file`)}, which ${verb} not read yet.`)
  }

  if (omitted > 0)
    lines.push(
      `${plural(omitted, 'file')}, for which there was no time, or which are too large. So ids name the file, too.`,
    )
  if (trials.omitted > 0)
    lines.push(`${plural(trials.omitted, 'schema')} were not tried, because it took too long.`)
  return lines
}

function toSentence(text: string): string {
  const end = text.endsWith('.') ? '' : '.'
  return text.charAt(0).toUpperCase() + text.slice(1) + end
}
