/** The formats of delivered files, by the ends of their names. */
import type { Format } from './format.ts'
import { json } from './json.ts'
import { jsonLines } from './json-lines.ts'

const FORMATS: readonly Format[] = [json, jsonLines]

/** Returns the format of a file by its name; undefined if it isn't read. */
export function formatOf(name: string): Format | undefined {
  const lowerCase = name.toLowerCase()
  return FORMATS.find(({ extensions }) => extensions.some((end) => lowerCase.endsWith(end)))
}
