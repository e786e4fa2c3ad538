/** What names the records of a kind: one of their keys, their key in an object, their file. Pure. */
import { type Kind, recordsOf } from './kinds.ts'
import { ID_KEYS, mostWrong, type Records } from './look.ts'
import { stemOf } from './paths.ts'

export type Id =
  | { kind: 'key'; key: string; copies: readonly string[]; missing: number }
  /** The key of the record in its object; with the name of the file, if files repeat keys. */
  | { kind: 'place'; isOfFile: boolean }
  /** The name of the file without its ending, or all of its path. */
  | { kind: 'stem' }
  | { kind: 'path' }
  /** A folder of the path, by its number. */
  | { kind: 'folder'; at: number }
  /** Only people know; perhaps one of these keys. */
  | { kind: 'unclear'; keys: readonly string[] }

export function idOf(kind: Kind): Id {
  const records = recordsOf(kind)
  if (records.length > 0 && records.every(({ places }) => places !== undefined)) {
    const places = records.flatMap((file) => file.places ?? [])
    return { kind: 'place', isOfFile: copiesIn(places).length > mostWrong(places.length) }
  }

  for (const key of ID_KEYS) {
    const id = idByKey(key, records)
    if (id) return id
  }
  return kind.shape.kind === 'one record'
    ? idByFile(kind)
    : { kind: 'unclear', keys: likelyKeys(records) }
}

/** Takes a key that nearly all records have, and that differs in nearly all. */
function idByKey(key: string, records: readonly Records[]): Id | undefined {
  const count = records.reduce((sum, file) => sum + file.count, 0)
  const ids = records.flatMap((file) => file.ids.get(key) ?? [])
  if (ids.length === 0) return undefined

  const copies = copiesIn(ids)
  const missing = count - ids.length
  // A name may repeat in right data: two records may be called "Techniques".
  const mayRepeat = key !== 'name' || copies.length === 0
  const differs = mayRepeat && copies.length + missing <= mostWrong(count)
  return differs ? { kind: 'key', key, copies, missing } : undefined
}

function copiesIn(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  const copies: string[] = []
  for (const id of ids) {
    if (seen.has(id)) copies.push(id)
    seen.add(id)
  }
  return copies
}

function idByFile({ folder, naming, files }: Kind): Id {
  if (naming.kind === 'same name') return { kind: 'folder', at: folder.split('/').length - 1 }

  const stems = new Set(files.map(({ name }) => stemOf(name)))
  return { kind: stems.size === files.length ? 'stem' : 'path' }
}

/** The ends of keys that are meant to name a record, such as `alpha2_code` or `fixtureId`. */
const LIKELY = /(?:[_-]|(?<=[a-z\d])(?=[A-Z]))(?:id|code|key|slug)$|^(?:uuid|guid|title|url)$/i

function likelyKeys(records: readonly Records[]): string[] {
  const keys = new Set(records.flatMap((file) => file.keys))
  return [...keys].filter((key) => LIKELY.test(key) || ID_KEYS.includes(key))
}
