/** What names the records of a kind: one of their keys, their key in an object, their file. Pure. */
import { type Kind, recordsOf } from './kind.ts'
import { ID_KEYS, mostWrong, type Records } from './look.ts'
import { folderOf, nameOfFolder, stemOf } from './paths.ts'

export type Id =
  | { kind: 'key'; key: string; copies: readonly string[]; missing: number }
  /** A key that differs within each file, but not between files. */
  | { kind: 'key in file'; key: string; copies: readonly string[]; missing: number }
  /** The key of the record in its object; with the name of the file, if files repeat keys. */
  | { kind: 'place'; isOfFile: boolean }
  /** The name of the file without its ending, or all of its path. */
  | { kind: 'stem' }
  | { kind: 'path' }
  /** The name of the folder that the file is right in. */
  | { kind: 'folder' }
  /** Only people know. */
  | { kind: 'unclear' }

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
  for (const key of ID_KEYS.filter((idKey) => idKey !== 'name')) {
    const id = idByKeyInFile(key, records)
    if (id) return id
  }
  // A list of texts has no look, and each text would have the name of the file.
  const holdRecords = kind.files.some(({ look, isBroken }) => look !== undefined || isBroken)
  return kind.shape.kind === 'one record' && holdRecords ? idByFile(kind) : { kind: 'unclear' }
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

/** Takes a key that nearly all records of several lists have, and that differs in nearly all of each. */
function idByKeyInFile(key: string, records: readonly Records[]): Id | undefined {
  const lists = records.filter(({ count }) => count > 1)
  if (lists.length < 2) return undefined

  const count = records.reduce((sum, file) => sum + file.count, 0)
  const ids = records.map((file) => file.ids.get(key) ?? [])
  const copies = ids.flatMap(copiesIn)
  const missing = count - ids.flat().length
  const differs = copies.length + missing <= mostWrong(count)
  return differs ? { kind: 'key in file', key, copies, missing } : undefined
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

function idByFile({ naming, files }: Kind): Id {
  const isOfFolder = naming.kind === 'same name'
  const names = new Set(
    files.map(({ name }) => (isOfFolder ? nameOfFolder(folderOf(name)) : stemOf(name))),
  )
  if (names.size < files.length) return { kind: 'path' }
  return { kind: isOfFolder ? 'folder' : 'stem' }
}
