/** Names collections after their files. Pure. */
import { type Kind, namesOf } from './kind.ts'
import { depthOf } from './paths.ts'
import { isGeneral, normalize } from './schema-names.ts'

/** Names that files of the dataset have: `generated/manifest.json`. */
const RESERVED = ['manifest']

/** Returns a name for each kind; all differ, also without regard to case. */
export function nameKinds(kinds: readonly Kind[]): Map<Kind, string> {
  const taken = new Set(RESERVED)
  const names = new Map<Kind, string>()

  // What is closer to the root gets the short name; in one folder, what has many files.
  const outermostFirst = [...kinds].sort((a, b) => {
    return depthOf(a.folder) - depthOf(b.folder) || b.files.length - a.files.length
  })
  for (const kind of outermostFirst) {
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

/** A language, such as the en of `topics/en/`. */
const LANGUAGE = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/

/** Returns the names that say what is in a kind, if there are such. */
function possibleNames(kind: Kind): string[] {
  const names = namesOf(kind)
    .map(toName)
    .filter((name) => name !== '')
  const clear = names.filter((name) => !isGeneral(normalize(name)) && !LANGUAGE.test(name))
  return [...new Set(clear.length > 0 ? clear : names)]
}

/** Makes a name of a file that other systems have no trouble with. */
function toName(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}
