/** Finds the files of a repository that may hold data or schemas, and reads each once. */
import { constants } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { statOf } from '../../build/place.ts'
import { decode } from '../../formats/decode.ts'
import type { FormatName } from '../../formats/format.ts'
import { formatOf } from '../../formats/formats.ts'
import { groupBy } from '../../machine/group-by.ts'
import { isObject } from '../../text/as-object.ts'
import { sortNaturally } from '../../text/natural-order.ts'
import { type Look, lookAt } from './look.ts'
import { baseName, folderOf, outerOf } from './paths.ts'
import { isSchema, type SchemaFile, toSchemaFile } from './schema-names.ts'

/** A file that may hold records. */
export interface SurveyedFile {
  /** Relative to the repository, with `/` as the separator. */
  name: string
  /** The format that its name says. */
  format: FormatName
  /** Undefined if it can't be read, or holds no object. */
  look: Look | undefined
  /** Whether it can't be read, or holds a single text or number. */
  isBroken: boolean
  /** Why it's hardly data, by how it begins; empty if it may be. */
  doubt: '' | 'Markdown without front matter' | 'templates'
}

export interface Survey {
  files: readonly SurveyedFile[]
  schemas: readonly SchemaFile[]
  /** The names of all files that a command reads, data or not. */
  readable: readonly string[]
  /** The names of files that aren't offered, by what they are. */
  left: ReadonlyMap<string, readonly string[]>
}

/** Of other people, or made by programs. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|coverage|generated|_includes|_layouts|templates)\//

/** For example `test/`, `__tests__/`, `examples/`. */
const TESTS = /(?:^|\/)(?:tests?|__tests__|test[-_]?data|examples?|samples?)\//i

/** For example `_template/chain.json`, `YML-Template.yml`. */
const TEMPLATE = /(?:^|\/)_templates?\/|(?:^|[-_.])template\.\w+$/i

const TRANSLATIONS = /(?:^|\/)(?:l10n|i18n|_?locales|translations)\//i

/** Settings of tools, in any folder. */
const SETTINGS =
  /(?:^|\/)(?:package|package-lock|[tj]sconfig[^/]*|[^/]*\.config|(?:docker-compose|openapi|swagger|mkdocs)(?:\.\w+)*)\.(?:json|ya?ml)$/

/** In a folder, such a file may be data about the tool: `bucket/deno.json`, `features/keyboard-lock.yml`. */
const ROOT_SETTINGS =
  /^(?:composer|lerna|turbo|nx|bower|vercel|netlify|renovate|biome|deno|typedoc|tslint|project|manifest|release-please-config|[^/]*[-.]lock|(?:_config|codecov|appveyor|pnpm-workspace|compose)[^/]*)\.(?:json|ya?ml)$|^[^/]*\.(?:md|markdown)$/i

const UNREAD = /\.(?:csv|tsv|toml|xml|json5|geojson)$/i

/** Why files aren't data, and how their names show it. */
const NOT_DATA: readonly [why: string, RegExp][] = [
  ["of formats that aren't read", UNREAD],
  ['made by programs, or by others', FOREIGN],
  ['tests and examples', TESTS],
  ['translations', TRANSLATIONS],
  ['templates', TEMPLATE],
  ['settings of tools', SETTINGS],
  ['settings of tools', ROOT_SETTINGS],
]

/** What no command reads. */
const README = /(?:^|\/)readme[^/]*\.(?:md|markdown)$/i

/** How large a file may be, in bytes. */
const LARGEST = constants.MAX_STRING_LENGTH

/** After how many files a line says how far it is. */
const STEP = 10_000

/**
 * @param folder of the repository
 * @param report prints how far it is, in a large repository
 */
export async function survey(folder: string, report: (line: string) => void): Promise<Survey> {
  const names = sortNaturally(await namesIn(folder))
  const known = names.filter((name) => formatOf(name) !== undefined && !README.test(name))
  const reasonAgainst = reasonsIn(known)
  const wanted = known.filter((name) => reasonAgainst(name) === '')

  const files: SurveyedFile[] = []
  const schemas: SchemaFile[] = []
  for (const [index, name] of wanted.entries()) {
    if (index > 0 && index % STEP === 0) report(`Read ${index} of ${wanted.length} files …`)

    const { value, ...file } = readFile(folder, name)
    if (isSchema(name, value)) schemas.push(toSchemaFile(name, value))
    else files.push(file)
  }
  const unread = names.filter((name) => UNREAD.test(name))
  const left = groupBy([...unread, ...known], reasonAgainst)
  left.delete('')
  return { files, schemas, readable: known.filter((name) => !name.includes('.schemas/')), left }
}

/** In how many other folders beside it a file of the same name shows that a folder is data. */
const FEW_FOLDERS = 3

/** Says why a file isn't data. The folder `topics/i18n/` is, if `topics/css/` and others have the same file. */
function reasonsIn(names: readonly string[]): (name: string) => string {
  const byPlace = groupBy(names, withoutFolder)
  return (name) => {
    const place = withoutFolder(name)
    const isOneOfMany = place.includes('/') && (byPlace.get(place) ?? []).length > FEW_FOLDERS
    return whyNotData(isOneOfMany ? place : name)
  }
}

/** Returns `topics/index.md` for `topics/i18n/index.md`. */
function withoutFolder(name: string): string {
  return outerOf(folderOf(name)) + baseName(name)
}

/** Returns why a file isn't data, by its name; empty if it may be. */
function whyNotData(name: string): string {
  const [why = ''] = NOT_DATA.find(([, pattern]) => pattern.test(name)) ?? []
  return why
}

/** Returns the names of all files that Git knows or doesn't ignore. Without Git, of all that aren't hidden. */
async function namesIn(folder: string): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const git = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 })
  const isKnown = git.status === 0 && git.stdout !== ''
  if (!isKnown) return glob(['**/*', '**/.schemas/**'], { cwd: folder, ...LISTED })

  const all = new Set(git.stdout.split('\0'))
  const names = [...all].filter((name) => {
    return name !== '' && !HIDDEN.test(name) && !INSTALLED.test(name)
  })
  return names.filter((name) => {
    const status = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    return status !== undefined && !status.isDirectory()
  })
}

const LISTED = {
  ignore: ['**/node_modules/**'],
  followSymbolicLinks: false,
  // A link counts, also one that leads nowhere.
  onlyFiles: false,
  markDirectories: true,
}

/** What a package manager has installed, in a repository whose `.gitignore` doesn't name it. */
const INSTALLED = /(?:^|\/)node_modules\//

/** A hidden file or folder: no command reads it, unless it holds the schemas. */
const HIDDEN = /(?:^|\/)\.(?!schemas\/)/

/** A file with its value; undefined if it can't be read. */
interface ReadFile extends SurveyedFile {
  value: unknown
}

export function readFile(folder: string, name: string): ReadFile {
  const format = formatOf(name)?.name ?? 'JSON'
  const text = readText(folder, name)
  const file = { name, format, doubt: '' } as const
  if (text === undefined) return { ...file, value: undefined, look: undefined, isBroken: true }

  // A broken YAML file may have thousands of errors: their stacks take longer than reading it.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const value = formatOf('', { format })?.parse(text).value
  Error.stackTraceLimit = stackTraceLimit

  const look = lookAt(value, format === 'YAML' ? SCHEMA_COMMENT.exec(text)?.[1] : undefined)
  return { ...file, value, look, isBroken: !isObject(value), doubt: doubtAbout(text, format) }
}

/** `# yaml-language-server: $schema=../schema.json`, which editors read. */
const SCHEMA_COMMENT = /^# *yaml-language-server: *\$schema=(\S+)/m

/** How front matter begins, perhaps after a byte-order mark. A template of a site has it, too: `topics.json`. */
const FRONT_MATTER = /^\ufeff?---/

function doubtAbout(text: string, format: FormatName): SurveyedFile['doubt'] {
  const hasFrontMatter = FRONT_MATTER.test(text)
  if (format === 'front matter') return hasFrontMatter ? '' : 'Markdown without front matter'
  return format === 'JSON' && hasFrontMatter ? 'templates' : ''
}

/** @returns undefined for what can't be read, such as a broken link or a pipe */
function readText(folder: string, name: string): string | undefined {
  const file = path.join(folder, name)
  const status = statOf(file)
  if (!status?.isFile() || status.size > LARGEST) return undefined

  try {
    const { text, unreadable } = decode(fs.readFileSync(file), formatOf(name)?.allowsByteOrderMark)
    return unreadable ? undefined : text
  } catch {
    return undefined
  }
}
