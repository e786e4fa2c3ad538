/** Which files look alike: they have the same shape, and their records have the same keys. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { asObject } from '../../text/as-object.ts'
import { hasName } from './ids.ts'
import { baseName, extensionOf, folderOf } from './patterns.ts'
import { isGeneralSchemaFor, normalize, type SchemaFile } from './schema-names.ts'
import { keysOfRecords, type Look, lookOf, type SurveyedFile } from './shapes.ts'

/** Files that belong together, and the schemas that may be meant for them. */
export interface Group {
  files: readonly SurveyedFile[]
  schemas: readonly SchemaFile[]
}

/** Returns those of some files that look like others. */
export function likeOthers(
  files: readonly SurveyedFile[],
  others: readonly SurveyedFile[],
): SurveyedFile[] {
  const clusters = clustersOf(others)
  return files.filter(({ value }) => {
    const look = lookOf(value)
    return look !== undefined && clusters.some((cluster) => cluster.isLike(look))
  })
}

/**
 * Groups files that look alike, and lie in one folder or have the same name. Their schema may be one
 * that doesn't say what it's about, or that is named after a key with records.
 */
export function groupAlike(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): Group[] {
  const roles = roleNames(files)

  const [withRole, withoutRole] = partition(files, ({ name }) => roles.has(baseName(name)))
  const byRole = groupBy(withRole, ({ name }) => baseName(name))
  const byPlace = groupBy(withoutRole, ({ name }) => `${topFolder(name)} ${extensionOf(name)}`)

  const ofRole = [...byRole.values()].flatMap((group) => clustersOf(group, true))
  const ofPlace = [...byPlace.values()].flatMap((group) => clustersOf(group).flatMap(splitApart))
  const groups = joinRoles(
    ofRole.map((cluster) => cluster.files),
    ofPlace,
  )
  return groups.map((group) => ({ files: group, schemas: possibleSchemas(group, schemas) }))
}

/** Adds files of one name to those of other names that look alike and lie in the same folder. */
function joinRoles(
  roles: readonly (readonly SurveyedFile[])[],
  others: readonly (readonly SurveyedFile[])[],
): (readonly SurveyedFile[])[] {
  const joined = [...others]
  for (const files of roles) {
    const at = joined.findIndex((group) => group.length > 1 && belongTogether(files, group))
    if (at < 0) joined.push(files)
    else joined[at] = [...(joined[at] ?? []), ...files]
  }

  return joined
}

function belongTogether(files: readonly SurveyedFile[], others: readonly SurveyedFile[]): boolean {
  const tops = new Set([...files, ...others].map(({ name }) => topFolder(name)))
  return tops.size === 1 && likeOthers(files, others).length === files.length
}

/** Divides items into those that have a property, and the others. */
function partition<Item>(
  items: readonly Item[],
  hasProperty: (item: Item) => boolean,
): [Item[], Item[]] {
  const having = items.filter(hasProperty)
  const lacking = items.filter((item) => !hasProperty(item))
  return [having, lacking]
}

/** The schemas that may be meant for files, though they aren't named after them. */
function possibleSchemas(
  [first]: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): SchemaFile[] {
  if (!first) return []

  const keys = keysOfRecords(first.value).map(normalize)
  return schemas.filter((schema) => {
    return keys.includes(schema.subject) || isGeneralSchemaFor(schema, first.name)
  })
}

/** In how many folders files of one name belong together, such as `akash/chain.json`. */
const FEW_FOLDERS = 3

/** In which part of the folders beside each other a file of such a name is. */
const USUAL_PART = 0.25

/** Finds the names that say what a file is, because many folders have a file of this name. */
function roleNames(files: readonly SurveyedFile[]): Set<string> {
  const foldersAt = new Map<string, Set<string>>()
  const foldersWith = new Map<string, Set<string>>()
  for (const { name } of files) {
    add(foldersAt, depthOf(name), folderOf(name))
    add(foldersWith, `${depthOf(name)} ${baseName(name)}`, folderOf(name))
  }

  const roles = new Set<string>()
  for (const { name } of files) {
    const beside = foldersAt.get(depthOf(name))?.size ?? 0
    const having = foldersWith.get(`${depthOf(name)} ${baseName(name)}`)?.size ?? 0

    if (having >= FEW_FOLDERS && having >= USUAL_PART * beside) roles.add(baseName(name))
  }
  return roles
}

function add(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(item))
}

function depthOf(name: string): string {
  return String(name.split('/').length)
}

function topFolder(name: string): string {
  return name.slice(0, name.indexOf('/') + 1)
}

/** Files that look alike. */
class Cluster {
  readonly kind: Look['kind']
  readonly files: SurveyedFile[] = []
  readonly #counts = new Map<string, number>()

  constructor(kind: Look['kind']) {
    this.kind = kind
  }

  add(file: SurveyedFile, { keys }: Look): void {
    this.files.push(file)
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Whether a file looks like those that are here. */
  isLike({ kind, keys }: Look): boolean {
    if (kind !== this.kind) return false

    const usual = [...this.#counts].filter(([, count]) => 2 * count >= this.files.length)
    const shared = usual.filter(([key]) => keys.has(key)).length
    const all = keys.size + usual.length - shared
    if (kind !== 'one record') return 2 * shared >= all

    // Of single records, many keys may be optional.
    const fewest = Math.min(keys.size, usual.length)
    return shared >= Math.min(2, fewest) && 2 * shared >= fewest
  }
}

/**
 * Divides files into those that look alike.
 *
 * @param isOfOneName whether the files have the same name, so that only lists and objects are distinguished
 */
function clustersOf(files: readonly SurveyedFile[], isOfOneName = false): Cluster[] {
  const clusters: Cluster[] = []

  for (const file of files) {
    const look = lookOf(file.value)
    if (!look) continue

    let cluster = clusters.find((candidate) => {
      const isSameKind = (candidate.kind === 'list') === (look.kind === 'list')
      return isOfOneName ? isSameKind : candidate.isLike(look)
    })
    if (!cluster) {
      cluster = new Cluster(look.kind)
      clusters.push(cluster)
    }
    cluster.add(file, look)
  }

  return clusters
}

/** How many files with lists belong together because they look alike. */
const MANY_LISTS = 4

/** Takes files for themselves, unless it's plain that they belong together. */
function splitApart({ kind, files }: Cluster): (readonly SurveyedFile[])[] {
  const isSeries = new Set(files.map(({ name }) => withoutNumbers(baseName(name)))).size === 1
  if (isSeries) return [files]

  const areLists = kind !== 'one record' || files.every(onlyHoldsRecords)
  const isFewLists = areLists && files.length < MANY_LISTS
  return isFewLists ? files.map((file) => [file]) : [files]
}

/** Whether a file has no name of its own, but records. */
function onlyHoldsRecords({ value }: SurveyedFile): boolean {
  return keysOfRecords(value).length > 0 && !hasName(asObject(value))
}

/** Returns what a series of names has in common: "batch-" for "batch-01" and "batch-02". */
function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '').replace(/^[a-z](?=\.)/i, '')
}
