/** Names collections after their files. Pure. */
import type { Draft } from './drafts.ts'
import { stemOf } from './ids.ts'
import { baseName, commonFolder } from './patterns.ts'
import { normalize, subjectOf } from './schema-names.ts'

/** Names that files of the dataset have: `generated/manifest.json`. */
const RESERVED = ['manifest']

/** Names that don't say what is in a file. */
const VAGUE = ['index', 'main', 'data', 'all', 'list', 'file', 'records']

/** Returns a name for each draft; all differ, also without regard to case. */
export function nameCollections(drafts: readonly Draft[]): string[] {
  const taken = new Set(RESERVED)
  const files = drafts.map(({ files: [first] }) => first?.name)

  return drafts.map((draft, at) => {
    const isAlone = files.indexOf(files[at]) === files.lastIndexOf(files[at])
    const [short = 'records', ...outer] = possibleNames(draft, isAlone)

    const longer = outer.map((_, index) =>
      [...outer.slice(0, index + 1).reverse(), short].join('-'),
    )
    const numbered = Array.from(drafts, (_, index) => `${short}-${index + 2}`)

    const all = [short, ...longer, ...numbered]
    const name = all.find((candidate) => !taken.has(candidate.toLowerCase())) ?? short

    taken.add(name.toLowerCase())
    return name
  })
}

/**
 * Returns what a collection may be called, the closest first: after its schema, its key, its file, its
 * folders.
 *
 * @param isAlone whether its file is in no other collection
 */
function possibleNames({ files, shape, schema }: Draft, isAlone: boolean): string[] {
  const names = files.map(({ name }) => name)
  const [first = ''] = names
  const folders = commonFolder(names).split('/').filter(Boolean).reverse()
  const isOneName = names.every((name) => baseName(name) === baseName(first))

  const subjects = schema?.names.map(subjectOf) ?? []
  const ofSchema = folders.filter((folder) => subjects.includes(normalize(folder)))
  const places = isOneName ? [...ofSchema, stemOf(first), ...folders] : [...ofSchema, ...folders]
  const key = shape.kind === 'under a key' ? [shape.key] : []
  const candidates = isAlone ? [...places, ...key] : [...key, ...places]

  const clear = candidates.filter((name) => !VAGUE.includes(name.toLowerCase()))
  const possible = (clear.length > 0 ? clear : candidates).map(toName)
  return [...new Set(possible)].filter((name) => name !== '')
}

/** Makes a name of a file that other systems have no trouble with. */
function toName(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}
