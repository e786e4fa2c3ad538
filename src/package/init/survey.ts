/** Reads the files of a repository that may hold data or schemas. */
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { decode } from '../../formats/decode.ts'
import type { FormatName } from '../../formats/format.ts'
import { formatOf } from '../../formats/formats.ts'
import { isObject } from '../../text/as-object.ts'
import { compareNaturally } from '../../text/natural-order.ts'
import { formatNumber } from '../../text/wording.ts'
import { isSchemaFile, type SchemaFile, toSchemaFile } from './schema-names.ts'
import type { SurveyedFile } from './shapes.ts'
import type { Watch } from './watch.ts'

export interface Survey {
  /** The files that may hold records. */
  files: readonly SurveyedFile[]
  /** Tests and translations: data only if there's nothing else. */
  aside: readonly SurveyedFile[]
  schemas: readonly SchemaFile[]
  /** The names of files that can't be parsed. */
  unreadable: readonly string[]
  /** The names of all files that aren't empty and can be parsed, or that nobody would want to: settings. */
  names: readonly string[]
  /** How many files there are in formats that aren't read, such as "CSV". */
  unread: ReadonlyMap<string, number>
  /** How many files there was no time for, or that are too large. */
  omitted: number
}

/** How large a file may be, in bytes. */
const LARGEST = 200e6

/** Folders of other people's files, of files that programs have made, and of templates. */
const FOREIGN = [
  ...['node_modules', 'vendor', 'third_party', 'dist', 'build', 'coverage', 'generated'],
  ...['_includes', '_layouts'],
]

/** Settings of tools, and documents about the repository: nobody publishes them as data. */
const SETTINGS = [
  '**/{package,project}.json',
  // In a folder, such a file may be data about the tool: `bucket/composer.json`.
  '{composer,lerna,turbo,nx,bower,vercel,netlify,renovate,biome,deno}.json',
  '**/*{-lock,.lock}.{json,yaml,yml}',
  '**/{tsconfig,jsconfig,tslint,typedoc}*.json',
  '**/*.config.json',
  '**/*.webmanifest',
  '**/{openapi,swagger}.{json,yml,yaml}',
  '*.{md,markdown}',
  '**/{_config,mkdocs,codecov,appveyor,pnpm-workspace,docker-compose,compose}*.{yml,yaml}',
]

/** What no command reads. */
const README = /(?:^|\/)readme[^/]*\.(?:md|markdown)$/i

/** Schemas may lie in hidden folders, or have hidden names. */
const HIDDEN_SCHEMAS = ['**/.*schema*.json', '.{vscode,github}/**/*schema*.json']

/** What may be a schema: `schemas/app.json`, `app.schema.json`. */
const SCHEMA = /schema/i

/** A folder of tests or examples: `test/`, `__tests__/`, `negative_test/`, `examples/`. */
const TESTS =
  /(?:^|\/)(?:(?:negative|positive)[-_])?(?:tests?|__tests__|test[-_]?data|examples?|samples?)\//i

/** A folder of translations: `l10n/`, `_locales/`. */
const TRANSLATIONS = /(?:^|\/)(?:l10n|i18n|_?locales|translations)\//i

/** Formats that aren't read, by the ends of their names. */
const OTHER_FORMATS: readonly [RegExp, string][] = [
  [/\.csv$/i, 'CSV'],
  [/\.tsv$/i, 'TSV'],
  [/\.toml$/i, 'TOML'],
  [/\.xml$/i, 'XML'],
  [/\.json5$/i, 'JSON5'],
]

/** @param folder of the repository */
export async function surveyFiles(folder: string, watch: Watch): Promise<Survey> {
  const foreign = FOREIGN.map((name) => `**/${name}/**`)
  const options = { cwd: folder, followSymbolicLinks: false, ignore: foreign }

  const found = await glob(['**/*', ...HIDDEN_SCHEMAS], options)
  const names = found.sort(compareNaturally)
  const settings = new Set(await glob(SETTINGS, options))

  const readable = names.filter((name) => isRead(name) && !README.test(name))
  const wanted = readable.filter((name) => !settings.has(name))
  const { read, unreadable, omitted } = readFiles(folder, wanted, watch)

  const schemas = new Set(read.filter(isSchemaFile))
  const data = read.filter((file) => !schemas.has(file) && !isEmpty(file.value))
  const empty = read.filter(({ value }) => isEmpty(value)).map(({ name }) => name)
  const unknown = new Set([...unreadable, ...omitted, ...empty])

  return {
    files: data.filter(({ name }) => !isAside(name)),
    aside: data.filter(({ name }) => isAside(name)),
    schemas: [...schemas].map(toSchemaFile),
    unreadable,
    names: readable.filter((name) => !unknown.has(name)),
    unread: countOthers(names.filter((name) => !settings.has(name))),
    omitted: omitted.length,
  }
}

/**
 * Reads files, until there's no time left.
 *
 * @returns the files by name; the names of those that can't be parsed, and of those that weren't read
 */
function readFiles(
  folder: string,
  names: readonly string[],
  watch: Watch,
): { read: SurveyedFile[]; unreadable: string[]; omitted: string[] } {
  const read: SurveyedFile[] = []
  const unreadable: string[] = []
  const omitted: string[] = []

  for (const [index, name] of schemasFirst(names).entries()) {
    watch.report(`Reading files: ${formatNumber(index)} of ${formatNumber(names.length)} …`)

    const file = path.join(folder, name)
    if (watch.isOver() || fs.statSync(file).size > LARGEST) {
      omitted.push(name)
      continue
    }

    const parsed = parse(file, name)
    if (parsed) read.push(parsed)
    else if (!isDocument(name)) unreadable.push(name)
  }

  read.sort((one, other) => compareNaturally(one.name, other.name))
  return { read, unreadable, omitted }
}

/** Sorts files so that the schemas are read, if there's no time for all. */
function schemasFirst(names: readonly string[]): string[] {
  const schemas = names.filter((name) => SCHEMA.test(name))
  const others = names.filter((name) => !SCHEMA.test(name))
  return [...schemas, ...others]
}

/** Whether a file is an empty list or object, which may become one of records. */
function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

function isAside(name: string): boolean {
  return TESTS.test(name) || TRANSLATIONS.test(name)
}

/** What is JSON under another name. */
const JSON_NAME = /\.geojson$/i

function isRead(name: string): boolean {
  return formatOf(name) !== undefined || JSON_NAME.test(name)
}

/** A text in quotes, which may hold `//`, or the beginning of a comment. */
const TEXT_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/[/*]/g

/** Reads a file in the format of its name, or in the one that it has instead. */
function parse(file: string, name: string): SurveyedFile | undefined {
  const bytes = fs.readFileSync(file)
  const byName = formatOf(name)
  if (!byName) return parseAs('JSON', name, bytes)

  const { text } = decode(bytes, byName.allowsByteOrderMark)
  const { value } = byName.parse(text)
  if (value !== undefined) return { name, value }
  if (byName.name !== 'JSON') return undefined

  const hasComment = (text.match(TEXT_OR_COMMENT) ?? []).some((found) => found.startsWith('/'))
  return parseAs(hasComment ? 'JSON with comments' : 'JSON Lines', name, bytes)
}

function parseAs(format: FormatName, name: string, bytes: Buffer): SurveyedFile | undefined {
  const value = formatOf(name, { format })?.parse(decode(bytes).text).value
  return isObject(value) ? { name, value, format } : undefined
}

/** Whether a file without records is a document, such as `README.md`, rather than a mistake. */
function isDocument(name: string): boolean {
  return formatOf(name)?.name === 'front matter'
}

/** Counts the files of formats that aren't read. */
function countOthers(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) {
    const [, format] = OTHER_FORMATS.find(([end]) => end.test(name)) ?? []
    if (format !== undefined && !isRead(name)) counts.set(format, (counts.get(format) ?? 0) + 1)
  }
  return counts
}
