/** Which files are of one kind: by folders and names. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike, keysOf, MOST, nameOfShape, shapeOf } from './alike.ts'
import { areAlike, commonKeys, type Records, type Shape } from './look.ts'
import { baseName, folderOf, foldersFrom, outerOf, stemOf } from './paths.ts'
import { repeatedTails } from './repeated-names.ts'
import { isNamedAfter, normalize, type SchemaFile, subjectOf } from './schema-names.ts'
import type { SurveyedFile } from './survey.ts'

/** How a kind names its files. */
type Naming =
  | { kind: 'one file' }
  /** `charts/*` + `/values.yaml`: in each folder of a folder, the same name, or the same way. */
  | { kind: 'same name'; tail: string }
  /** `*-config.yaml`: the end of each name. */
  | { kind: 'same end'; end: string }
  /** All of a folder. */
  | { kind: 'folder' }

export interface Kind {
  /** The folder that its files are in, at any depth, with a slash at its end; empty for the root. */
  folder: string
  naming: Naming
  files: readonly SurveyedFile[]
  shape: Shape
}

/** Divides files into kinds. Each file is in one. */
export function kindsOf(files: readonly SurveyedFile[], schemas: readonly SchemaFile[]): Kind[] {
  const ownFiles = filesWithSchema(files, schemas)
  const tails = repeatedTails(files)

  const kinds: Kind[] = []
  const rest: SurveyedFile[] = []
  const byTail = new Map<string, { folder: string; tail: string; group: SurveyedFile[] }>()

  for (const file of files) {
    const repeated = tails.find(file)
    if (ownFiles.has(file)) kinds.push(kindOfOne(file))
    else if (!repeated) rest.push(file)
    else {
      const key = `${repeated.folder}*/${repeated.tail}`
      const known = byTail.get(key)
      if (known) known.group.push(file)
      else byTail.set(key, { ...repeated, group: [file] })
    }
  }

  for (const { folder, tail, group } of byTail.values()) {
    kinds.push(kindOf(folder, { kind: 'same name', tail }, group))
  }
  return [...kinds, ...kindsOfFolders(rest, schemas, tails.wholeFolders)]
}

function kindOf(folder: string, naming: Naming, files: readonly SurveyedFile[]): Kind {
  return { folder, naming, files, shape: shapeOf(files) }
}

function kindOfOne(file: SurveyedFile): Kind {
  return kindOf(folderOf(file.name), { kind: 'one file' }, [file])
}

/** Returns the files with a schema that is only theirs: one of their name beside them, or for no other file. */
function filesWithSchema(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): Set<SurveyedFile> {
  const bySubject = groupBy(files, ({ name }) => subjectOf(name))

  const own = new Set<SurveyedFile>()
  for (const schema of schemas) {
    const named = (bySubject.get(schema.subject) ?? []).filter(({ name }) => {
      return isNamedAfter(schema, subjectOf(name), folderOf(name))
    })
    const beside = named.filter(({ name }) => folderOf(name) === schema.place)
    const alone = named.filter(({ name }) => named.length === 1 && !isOfFolder(schema, name))

    const mirrored = files.filter(({ name }) => schema.mirror?.test(name))
    const onlyMirrored = mirrored.length === 1 ? mirrored : []
    for (const file of [...beside, ...alone, ...onlyMirrored]) own.add(file)
  }
  return own
}

/** Whether a schema is also named after a folder that a file is in: then it's for the whole folder. */
function isOfFolder(schema: SchemaFile, name: string): boolean {
  return foldersFrom(folderOf(name)).some((folder) => {
    return isNamedAfter(schema, normalize(nameOfFolder(folder)), folder)
  })
}

/** Files of one format that are right in a folder. */
interface Content {
  folder: string
  files: readonly SurveyedFile[]
}

function kindsOfFolders(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
  wholeFolders: ReadonlySet<string>,
): Kind[] {
  const byFormat = groupBy(files, ({ format }) => format)
  return [...byFormat.values()].flatMap((ofFormat) => {
    const isInWhole = ({ name }: SurveyedFile) => {
      return foldersFrom(folderOf(name)).some((folder) => wholeFolders.has(folder))
    }
    const kinds = kindsOfWords(ofFormat.filter((file) => !isInWhole(file)))
    const taken = new Set(kinds.flatMap((kind) => kind.files))

    const rest = ofFormat.filter((file) => !taken.has(file))
    const byFolder = groupBy(rest, ({ name }) => folderOf(name))
    const contents = [...byFolder].map(([folder, group]): Content => ({ folder, files: group }))

    const places = new Places(contents, schemas, wholeFolders)
    const byPlace = groupBy(contents, ({ folder }) => places.kindOf(folder))
    for (const [folder, parts] of byPlace) {
      const all = parts.flatMap((part) => part.files)
      if (places.isWhole(folder)) kinds.push(kindOf(folder, { kind: 'folder' }, all))
      else kinds.push(...divide(folder, all))
    }
    return kinds
  })
}

/** The last word of a name and its ending, such as `-config.yaml`. */
const LAST_WORD = /[-_.][a-z]+\.\w+$/i

/** How many words may end the names of a folder. */
const FEW_WORDS = 4

/** Which part of the names may end in another way. */
const MOST_STRAY = 0.1

/** Takes a kind for each word that ends the names of a folder and of those below; the outermost folder first. */
function kindsOfWords(files: readonly SurveyedFile[]): Kind[] {
  const kinds: Kind[] = []
  const taken = new Set<SurveyedFile>()
  const outermostFirst = [...filesWithin(files)].sort(([a], [b]) => a.length - b.length)
  for (const [folder, within] of outermostFirst) {
    const words = byLastWord(within.filter((file) => !taken.has(file)))
    for (const [end, ofWord] of words) {
      kinds.push(kindOf(folder, { kind: 'same end', end }, ofWord))
      for (const file of ofWord) taken.add(file)
    }
  }
  return kinds
}

/** Returns the files of each folder with all below it. Of the root, only those right in it. */
function filesWithin(files: readonly SurveyedFile[]): Map<string, SurveyedFile[]> {
  const places = files.flatMap((file) => {
    const folder = folderOf(file.name)
    const outer = folder === '' ? [''] : foldersFrom(folder)
    return outer.map((place) => ({ place, file }))
  })
  const byPlace = groupBy(places, ({ place }) => place)
  return new Map([...byPlace].map(([place, within]) => [place, within.map(({ file }) => file)]))
}

/**
 * Groups files by the words that end their names, if these are a few, each is in half of the folders, and
 * the files aren't all alike.
 */
function byLastWord(files: readonly SurveyedFile[]): [word: string, SurveyedFile[]][] {
  const folders = new Set(files.map(({ name }) => folderOf(name)))
  const groups = groupBy(files, ({ name }) => LAST_WORD.exec(baseName(name))?.[0] ?? '')

  const words = [...groups].filter(([word, ofWord]) => {
    const having = new Set(ofWord.map(({ name }) => folderOf(name)))
    return word !== '' && ofWord.length > 1 && 2 * having.size >= folders.size
  })
  const named = words.reduce((sum, [, ofWord]) => sum + ofWord.length, 0)
  const areFew = words.length > 1 && words.length <= FEW_WORDS
  const areNamed = files.length - named <= MOST_STRAY * files.length
  return areFew && areNamed && !areMostlyAlike(files) ? words : []
}

/** A folder that only divides others, such as `2026`, `07` or `a`. */
const DIVIDER = /(?:^|\/)(?:\d+|[a-z])\/$/i

/** In how many folders beside each other the files must be alike to be of one kind. */
const MANY_FOLDERS = 5

/** Finds the folder that is the kind of what lies in another one. */
class Places {
  readonly #keys: ReadonlyMap<string, readonly string[]>
  readonly #crowded: ReadonlySet<string>
  readonly #schemas: readonly SchemaFile[]
  readonly #wholeFolders: ReadonlySet<string>
  readonly #joined = new Map<string, boolean>()
  readonly #beside: ReadonlyMap<string, readonly string[]>

  constructor(
    contents: readonly Content[],
    schemas: readonly SchemaFile[],
    wholeFolders: ReadonlySet<string>,
  ) {
    const folders = contents.map(({ folder }) => folder)
    this.#keys = new Map(contents.map(({ folder, files }) => [folder, keysOf(files)]))
    const crowded = contents.filter(({ files }) => files.filter(isOneRecord).length > 1)
    this.#crowded = new Set(crowded.map(({ folder }) => folder))
    this.#beside = groupBy(folders, (folder) => (folder === '' ? undefined : outerOf(folder)) ?? '')
    this.#schemas = schemas
    this.#wholeFolders = wholeFolders
  }

  kindOf(folder: string): string {
    const outermost = foldersFrom(folder).findLast((outer) => this.#wholeFolders.has(outer))
    const whole = outermost ?? foldersFrom(folder).find((outer) => this.isWhole(outer))
    if (whole !== undefined) return whole

    let kind = folder
    while (DIVIDER.test(kind) && outerOf(kind) !== '') kind = outerOf(kind)
    const outer = outerOf(kind)
    if (outer !== '' && this.#areJoined(outer)) kind = outer

    const above = foldersFrom(kind)
      .slice(1)
      .filter((crowded) => this.#holds(crowded, folder))
    return above.at(-1) ?? kind
  }

  /** Whether a folder is one kind: its files are alike, or a schema is named after it. */
  isWhole(folder: string): boolean {
    if (this.#wholeFolders.has(folder)) return true

    const subject = normalize(nameOfFolder(folder))
    return folder !== '' && this.#schemas.some((schema) => isNamedAfter(schema, subject, folder))
  }

  /** Whether a folder holds records itself that are like those in a folder below. */
  #holds(outer: string, folder: string): boolean {
    if (!this.#crowded.has(outer)) return false
    return areAlike(this.#keys.get(outer) ?? [], this.#keys.get(folder) ?? [])
  }

  /** Whether the folders right in a folder are alike, and many. */
  #areJoined(outer: string): boolean {
    const known = this.#joined.get(outer)
    if (known !== undefined) return known

    const beside = (this.#beside.get(outer) ?? []).map((folder) => this.#keys.get(folder) ?? [])
    const common = commonKeys(beside.map((keys) => ({ keys })))
    const like = beside.filter((keys) => areAlike(keys, common))
    const areJoined = beside.length >= MANY_FOLDERS && like.length >= MOST * beside.length
    this.#joined.set(outer, areJoined)
    return areJoined
  }
}

function isOneRecord({ look }: SurveyedFile): boolean {
  return look !== undefined && look.inner === undefined
}

/** How many lists that differ are each a kind. */
const FEW_LISTS = 12

/**
 * Divides the files of a folder: if most hold records, of kinds that differ, each is a kind by itself. In
 * the root, where settings of tools lie, so is a file that holds records.
 */
function divide(folder: string, files: readonly SurveyedFile[]): Kind[] {
  const holders = files.filter(({ look }) => look?.inner !== undefined)
  const others = files.filter(({ look }) => look?.inner === undefined)
  const readable = files.filter(({ look }) => look !== undefined)

  const areMostHolders = 2 * holders.length > readable.length
  const areLists = areMostHolders && holders.length <= FEW_LISTS && !areMostlyAlike(holders)
  if (areLists) return files.map(kindOfOne)
  if (folder !== '' || (areMostHolders && holders.length > 1)) {
    return [kindOf(folder, { kind: 'folder' }, files)]
  }

  const isKind = areMostlyAlike(others.filter(isOneRecord))
  if (!isKind) return files.map(kindOfOne)
  return [...holders.map(kindOfOne), kindOf(folder, { kind: 'folder' }, others)]
}

/** Returns what is read of the files of a kind: their records. */
export function recordsOf({ files, shape }: Kind): Records[] {
  return files.flatMap(({ look }) => {
    if (shape.kind === 'one record') return look ? [look.itself] : []

    const isOfShape = look?.inner && nameOfShape(look.inner.shape) === nameOfShape(shape)
    return look?.inner && isOfShape ? [look.inner] : []
  })
}

/** Returns what a kind may be called: after its file or its folders, the closest first. */
export function namesOf({ folder, naming, files }: Kind): string[] {
  const folders = foldersFrom(folder).map(nameOfFolder)
  switch (naming.kind) {
    case 'folder':
      return folders
    case 'same end':
      return [stemOf(naming.end.slice(1)), ...folders]
    case 'one file':
      return [stemOf(files[0]?.name ?? ''), ...folders]
    case 'same name': {
      const within = foldersFrom(folderOf(naming.tail)).map(nameOfFolder)
      return [stemOf(naming.tail), ...within, ...folders]
    }
  }
}

function nameOfFolder(folder: string): string {
  return baseName(folder.slice(0, -1))
}
