/** Finds the ids that were probably meant by those that no record has. Pure. */
import { digitsOf, nearest } from '../text/nearest.ts'

/** Each is compared with all known ids, so only the first get a suggestion: fewer, if many are known. */
const MOST_SUGGESTED = 10
const MOST_COMPARED = 500_000

/** @returns for the first ids, the one that was probably meant */
export function meantIds(
  ids: Iterable<string>,
  known: readonly string[],
): Map<string, string | undefined> {
  const affordable = Math.max(1, Math.floor(MOST_COMPARED / known.length))
  const first = [...ids].slice(0, Math.min(MOST_SUGGESTED, affordable))
  return new Map(first.map((id) => [id, meantId(id, known)]))
}

/** The folder and the name of an id: "/blog/" and "029" of "/blog/029", "" and "NO" of "NO". */
const FOLDER_AND_NAME = /^(.*\/)?([^/]+)/

/** Returns the id that was probably meant: the same name elsewhere, or the only similar one beside. */
function meantId(id: string, known: readonly string[]): string | undefined {
  const [, folder = '', name = ''] = FOLDER_AND_NAME.exec(id) ?? []

  const sameName = known.filter((other) => other.endsWith(`/${name}`))
  if (sameName.length === 1) return sameName[0]

  // Other numbers are other records: 2024-05 doesn't mean 2024-06.
  const digits = digitsOf(name)
  const namesBeside = known
    .filter((other) => other.startsWith(folder))
    .map((other) => other.slice(folder.length))
    .filter((other) => !other.includes('/') && digitsOf(other) === digits)

  const [close, ...others] = nearest(name, namesBeside)
  return close === undefined || others.length > 0 ? undefined : folder + close
}
