/** Names collections after their files. Pure. */
import { type Kind, namesOf } from './kinds.ts'
import { isGeneral, normalize } from './schema-names.ts'

/** Names that files of the dataset have: `generated/manifest.json`. */
const RESERVED = ['manifest']

/** Returns a name for each kind; all differ, also without regard to case. */
export function nameKinds(kinds: readonly Kind[]): Map<Kind, string> {
  const taken = new Set(RESERVED)
  const names = new Map<Kind, string>()

  // What has many files gets the short name, and a file that differs the longer one.
  const largestFirst = [...kinds].sort((a, b) => b.files.length - a.files.length)
  for (const kind of largestFirst) {
    const [short = 'records', ...outer] = possibleNames(kind)
    const longer = outer.map((_, at) => [...outer.slice(0, at + 1).reverse(), short].join('-'))
    const numbered = kinds.map((_, at) => `${short}-${at + 2}`)

    const free = [short, ...longer, ...numbered].find((name) => !taken.has(name.toLowerCase()))
    const name = free ?? short
    taken.add(name.toLowerCase())
    names.set(kind, name)
  }
  return names
}

/** Returns the names that say what is in a kind, if there are such. */
function possibleNames(kind: Kind): string[] {
  const names = namesOf(kind)
    .map(toName)
    .filter((name) => name !== '')
  const clear = names.filter((name) => !isGeneral(normalize(name)))
  return [...new Set(clear.length > 0 ? clear : names)]
}

/** Makes a name of a file that other systems have no trouble with. */
function toName(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}
