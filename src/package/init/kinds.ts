/** Which files are of one kind: by folders and names. Pure. */
import { groupBy } from '../../machine/group-by.ts'
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
  const tails = repeatedTails(files.map(({ name }) => name))

  const kinds: Kind[] = []
  const rest: SurveyedFile[] = []
  const byTail = new Map<string, { folder: string; tail: string; group: SurveyedFile[] }>()

  for (const file of files) {
    const repeated = tails.find(file.name)
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
  return [...kinds, ...kindsOfFolders(rest, schemas)]
}

function kindOf(folder: string, naming: Naming, files: readonly SurveyedFile[]): Kind {
  return { folder, naming, files, shape: shapeOf(files) }
}

function kindOfOne(file: SurveyedFile): Kind {
  return kindOf(folderOf(file.name), { kind: 'one file' }, [file])
}

/** Returns the shape that most files have. */
function shapeOf(files: readonly SurveyedFile[]): Shape {
  const looks = files.flatMap(({ look }) => (look ? [look] : []))
  const shapes = looks.flatMap(({ inner }) => (inner ? [inner.shape] : []))
  const byShape = groupBy(shapes, (shape) => nameOfShape(shape))

  const [most] = [...byShape.values()].sort((a, b) => b.length - a.length)
  const isUsual = most !== undefined && 2 * most.length > looks.length
  return (isUsual && most[0]) || { kind: 'one record' }
}

function nameOfShape(shape: Shape): string {
  return shape.kind === 'under a key' ? `${shape.kind} ${shape.key}` : shape.kind
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

function kindsOfFolders(files: readonly SurveyedFile[], schemas: readonly SchemaFile[]): Kind[] {
  const byFormat = groupBy(files, ({ format }) => format)
  return [...byFormat.values()].flatMap((ofFormat) => {
    const contents: Content[] = []
    const kinds: Kind[] = []
    for (const [folder, group] of groupBy(ofFormat, ({ name }) => folderOf(name))) {
      const words = byLastWord(group)
      if (!words) contents.push({ folder, files: group })
      for (const [end, ofWord] of words ?? []) {
        kinds.push(kindOf(folder, { kind: 'same end', end }, ofWord))
      }
    }

    const places = new Places(contents, schemas)
    const byPlace = groupBy(contents, ({ folder }) => places.kindOf(folder))
    for (const [folder, parts] of byPlace) {
      const all = parts.flatMap((part) => part.files)
      if (places.isNamed(folder)) kinds.push(kindOf(folder, { kind: 'folder' }, all))
      else kinds.push(...divide(folder, all))
    }
    return kinds
  })
}

/** The last word of a name and its ending, such as `-config.yaml`. */
const LAST_WORD = /[-_.][a-z]+\.\w+$/i

/** How many words may end the names of a folder. */
const FEW_WORDS = 4

/** Groups files by the words that end their names, if these are a few. */
function byLastWord(files: readonly SurveyedFile[]): Map<string, SurveyedFile[]> | undefined {
  const groups = groupBy(files, ({ name }) => LAST_WORD.exec(baseName(name))?.[0] ?? '')
  const areFew = groups.size > 1 && groups.size <= FEW_WORDS && !groups.has('')
  return areFew && [...groups.values()].every((group) => group.length > 1) ? groups : undefined
}

/** A folder that only divides others, such as `2026`, `07` or `a`. */
const DIVIDER = /(?:^|\/)(?:\d+|[a-z])\/$/i

/** In how many folders beside each other the files must be alike to be of one kind. */
const MANY_FOLDERS = 5

/** Which part of them. */
const MOST = 0.75

/** Finds the folder that is the kind of what lies in another one. */
class Places {
  readonly #keys: ReadonlyMap<string, readonly string[]>
  readonly #crowded: ReadonlySet<string>
  readonly #schemas: readonly SchemaFile[]
  readonly #joined = new Map<string, boolean>()
  readonly #beside: ReadonlyMap<string, readonly string[]>

  constructor(contents: readonly Content[], schemas: readonly SchemaFile[]) {
    const folders = contents.map(({ folder }) => folder)
    this.#keys = new Map(contents.map(({ folder, files }) => [folder, keysOf(files)]))
    const crowded = contents.filter(({ files }) => files.filter(isOneRecord).length > 1)
    this.#crowded = new Set(crowded.map(({ folder }) => folder))
    this.#beside = groupBy(folders, (folder) => (folder === '' ? undefined : outerOf(folder)) ?? '')
    this.#schemas = schemas
  }

  kindOf(folder: string): string {
    const named = foldersFrom(folder).find((outer) => this.isNamed(outer))
    if (named !== undefined) return named

    let kind = folder
    while (DIVIDER.test(kind) && outerOf(kind) !== '') kind = outerOf(kind)
    const outer = outerOf(kind)
    if (outer !== '' && this.#areJoined(outer)) kind = outer

    const above = foldersFrom(kind)
      .slice(1)
      .filter((crowded) => this.#holds(crowded, folder))
    return above.at(-1) ?? kind
  }

  /** Whether a schema is named after a folder. */
  isNamed(folder: string): boolean {
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

/** Returns the keys that most files have, or the records in them. */
function keysOf(files: readonly SurveyedFile[]): string[] {
  return commonKeys(files.flatMap(({ look }) => (look ? [look.inner ?? look.itself] : [])))
}

/** How many lists that differ are each a kind. */
const FEW_LISTS = 12

/**
 * Divides the files of a folder: one that holds records is a kind by itself, unless the others hold the
 * same. In the root, where settings of tools lie, so is one that is unlike the others.
 */
function divide(folder: string, files: readonly SurveyedFile[]): Kind[] {
  const holders = files.filter(({ look }) => look?.inner !== undefined)
  const others = files.filter(({ look }) => look?.inner === undefined)
  const readable = files.filter(({ look }) => look !== undefined)

  const areMostHolders = holders.length > 1 && holders.length >= MOST * readable.length
  const areOneKind = areMostHolders && areMostlyAlike(holders)
  if (areOneKind || holders.length > FEW_LISTS) return [kindOf(folder, { kind: 'folder' }, files)]

  const isKind = folder !== '' || areMostlyAlike(others.filter(isOneRecord))
  if (isKind && others.length > 1) {
    return [...holders.map(kindOfOne), kindOf(folder, { kind: 'folder' }, others)]
  }
  return files.map(kindOfOne)
}

/** Whether most files hold the same kind of records. */
function areMostlyAlike(files: readonly SurveyedFile[]): boolean {
  const common = keysOf(files)
  const shape = nameOfShape(shapeOf(files))
  const like = files.filter(({ look }) => {
    const isOfShape = nameOfShape(look?.inner?.shape ?? { kind: 'one record' }) === shape
    return isOfShape && areAlike((look?.inner ?? look?.itself)?.keys ?? [], common)
  })
  return files.length > 1 && like.length >= MOST * files.length
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
