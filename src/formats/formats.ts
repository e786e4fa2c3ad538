/** The formats of delivered files, by the ends of their names. */
import type { Format, FormatName } from './format.ts'
import { createFrontMatter, frontMatter } from './front-matter.ts'
import { json } from './json.ts'
import { jsonLines } from './json-lines.ts'
import { jsonWithComments } from './json-with-comments.ts'
import { yaml } from './yaml.ts'

const FORMATS: Record<FormatName, Format> = {
  JSON: json,
  'JSON Lines': jsonLines,
  'JSON with comments': jsonWithComments,
  YAML: yaml,
  'front matter': frontMatter,
}

/** All formats, in the order in which messages name them. */
export const ALL_FORMATS: readonly Format[] = Object.values(FORMATS)

/** How the names of files end that are read: `.json`, `.yaml`, … */
export const EXTENSIONS: readonly string[] = ALL_FORMATS.flatMap(({ extensions }) => extensions)

/** What a collection says of the format of its files. */
export interface FormatChoice {
  /** Another format than that of the file's name. */
  format?: FormatName | undefined
  /** Of Markdown with front matter: the key of the text, `body` by default. */
  body?: string | undefined
}

/** Returns the format of a file: the chosen one, or that of its name; undefined if it isn't read. */
export function formatOf(name: string, { format, body }: FormatChoice = {}): Format | undefined {
  const known = format === undefined ? formatOfName(name) : FORMATS[format]
  if (known === frontMatter && body !== undefined) return createFrontMatter(body)
  return known
}

function formatOfName(name: string): Format | undefined {
  const lowerCase = name.toLowerCase()
  return ALL_FORMATS.find(({ extensions }) => extensions.some((end) => lowerCase.endsWith(end)))
}
