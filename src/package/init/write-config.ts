/** Writes `manyurls.config.ts` for proposed collections. What isn't clear is a comment to complete. Pure. */
import type { Id } from './ids.ts'
import type { Choice, Proposal } from './propose.ts'
import type { SchemaChoice } from './trial.ts'

/** Returns the text of `manyurls.config.ts`. */
export function writeConfig({ proposals, unusedSchemas }: Choice): string {
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
    ...unusedLines(unusedSchemas),
    '})',
  ]
  return `${lines.join('\n')}\n`
}

/** How many schemas of no collection are named. */
const FEW = 5

function unusedLines(schemas: readonly string[]): string[] {
  if (schemas.length === 0) return []

  const more = schemas.length - FEW
  const rest = more > 0 ? ` and ${more} more` : ''
  return [
    `  // Schemas that no collection uses: ${schemas.slice(0, FEW).map(quote).join(', ')}${rest}`,
  ]
}

function linesOf({ kind, patterns, schema, id }: Proposal): string[] {
  const lines = [`files: ${quoteAll(patterns)},`]
  lines.push(...recordsLines(kind), ...schemaLines(schema), ...idLines(id))
  return lines
}

function recordsLines({ shape, files }: Proposal['kind']): string[] {
  if (shape.kind === 'under a key') return [`records: ${quote(shape.key)},`]
  if (shape.kind === 'objects by key') {
    return shape.hasSchema
      ? ['records: ({ $schema, ...records }) => Object.values(records),']
      : ['records: Object.values,']
  }

  const keys = new Set(files.flatMap(({ look }) => look?.listKeys ?? []))
  return files.length === 1 && keys.size > 0 ? [`// records: ${either([...keys])}?`] : []
}

function schemaLines(choice: SchemaChoice): string[] {
  switch (choice.kind) {
    case 'none':
      return []
    case 'missing':
      return [`// schema: ${quote(choice.address)}, which "$schema" names, isn't there`]
    case 'unclear':
      return [`// schema: ${either(choice.schemas.map(({ name }) => name))}?`]
    case 'named':
      return [`schema: { named: ${quoteAll(choice.schemas.map(({ name }) => name).sort())} },`]
    case 'one':
      return [`${choice.isOfRecord ? 'recordSchema' : 'schema'}: ${quote(choice.schema.name)},`]
  }
}

/** The folders and the ending of a file. */
const AROUND_STEM = '/^.*\\/|\\.\\w+$/g'

function idLines(id: Id): string[] {
  switch (id.kind) {
    case 'key':
      return [`id: ${quote(id.key)},`]
    case 'key in file':
      return [`id: (record, { file }) => ${template('file', `record.${id.key}`)},`]
    case 'place':
      return id.isOfFile
        ? [`id: (_, { file, key }) => ${template('file', 'key')},`]
        : ['id: (_, { key }) => key,']
    case 'stem':
      return [`id: (_, { file }) => file.replace(${AROUND_STEM}, ''),`]
    case 'path':
      return ['id: (_, { file }) => file,']
    case 'folder':
      return ["id: (_, { file }) => file.split('/').at(-2),"]
    case 'unclear':
      return [
        '// id: which key differs in each record?',
        `id: (_, { file, index }) => ${template('file', 'index')},`,
      ]
  }
}

/** Writes a text of several values, with spaces between them. */
function template(...values: string[]): string {
  return `\`${values.map((value) => `\${${value}}`).join(' ')}\``
}

function either(texts: readonly string[]): string {
  return texts.map(quote).join(' or ')
}

/** A name that needs no quotes, such as `currencies`. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

function toKey(name: string): string {
  return IDENTIFIER.test(name) ? name : quote(name)
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`
}

function quoteAll([first = '', ...rest]: readonly string[]): string {
  if (rest.length === 0) return quote(first)
  return `[${[first, ...rest].map(quote).join(', ')}]`
}
