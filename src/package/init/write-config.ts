/** Writes `manyurls.config.ts` for proposed collections. Pure. */
import type { ChosenSchema } from './drafts.ts'
import type { Id, Part } from './ids.ts'
import type { Proposal } from './propose.ts'
import type { Shape } from './shapes.ts'

/** Returns the text of `manyurls.config.ts`. */
export function writeConfig(proposals: readonly Proposal[]): string {
  const collections = proposals.flatMap((proposal) => [
    `  ${toKey(proposal.name)}: {`,
    ...linesOf(proposal).map((line) => `    ${line}`),
    '  },',
  ])

  const lines = [
    "import { defineCollections } from 'manyurls'",
    '',
    'export default defineCollections({',
    ...collections,
    '})',
  ]
  return `${lines.join('\n')}\n`
}

function linesOf({ patterns, format, shape, schema, id }: Proposal): string[] {
  const lines = [`files: ${quoteAll(patterns)},`]
  if (format !== undefined) lines.push(`format: ${quote(format)},`)

  const records = recordsOf(shape)
  if (records !== undefined) lines.push(`records: ${records},`)
  if (schema) lines.push(schemaLine(schema))

  lines.push(`id: ${writeId(id)},`)
  return lines
}

/** Writes `records`; undefined if it isn't needed. */
function recordsOf(shape: Shape): string | undefined {
  if (shape.kind === 'under a key') return quote(shape.key)
  if (shape.kind !== 'objects by key') return undefined
  if (shape.besides.length === 0) return 'Object.values'

  const besides = shape.besides.map((key, index) => {
    return isIdentifier(key) ? key : `${quote(key)}: _${index}`
  })
  return `({ ${besides.join(', ')}, ...records }) => Object.values(records)`
}

function schemaLine({ names, isOfRecord }: ChosenSchema): string {
  if (names.length > 1) return `schema: { named: ${quoteAll(names)} },`
  return `${isOfRecord ? 'recordSchema' : 'schema'}: ${quoteAll(names)},`
}

/** Writes `id`: a key, or a function of the record and its place. */
function writeId({ parts, missing, hasTexts }: Id): string {
  const [part = 'file'] = parts
  const isOne = parts.length === 1

  if (isOne && missing > 0) {
    return `(record, { file, index }) => ${write(part)} ?? \`\${file} \${index}\``
  }
  if (isOne && hasTexts) return `(record) => ${write(part)} ?? record`
  if (isOne && typeof part === 'object') return quote(part.name)

  const parameters = parametersOf(parts)
  if (isOne) return `(${parameters}) => ${write(part)}`
  return `(${parameters}) => \`${parts.map((step) => `\${${write(step)}}`).join(' ')}\``
}

function parametersOf(parts: readonly Part[]): string {
  const places = parts.filter((part) => typeof part === 'string')
  return places.length === 0 ? 'record' : `record, { ${places.join(', ')} }`
}

function write(part: Part): string {
  if (typeof part === 'string') return part

  const key = part.name
  return isIdentifier(key) ? `record.${key}` : `record[${quote(key)}]`
}

/** A name that needs no quotes, such as `currencies`. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

function isIdentifier(key: string): boolean {
  return IDENTIFIER.test(key)
}

function toKey(name: string): string {
  return isIdentifier(name) ? name : quote(name)
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`
}

function quoteAll([first = '', ...rest]: readonly string[]): string {
  if (rest.length === 0) return quote(first)
  return `[${[first, ...rest].map(quote).join(', ')}]`
}
