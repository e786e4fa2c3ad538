/** Which files are of one kind: by folders and names. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike, nameOfShape, shapeOf } from './alike.ts'
import type { Records, Shape } from './look.ts'
import { baseName, folderOf, foldersFrom, stemOf } from './paths.ts'
import { repeatedNames } from './repeated-names.ts'
import { isNamedAfter, normalize, type SchemaFile, subjectOf } from './schema-names.ts'
import type { SurveyedFile } from './survey.ts'
import { wholeFolderIn } from './whole-folders.ts'

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

export interface Division {
  kinds: readonly Kind[]
  /** Files of no kind, in folders beside files whose name repeats: `charts/ants/ci/some.yaml`. */
  stray: readonly SurveyedFile[]
}

/** Divides files into kinds. Each file is in one at most. */
export function kindsOf(files: readonly SurveyedFile[], schemas: readonly SchemaFile[]): Division {
  const ownFiles = filesWithSchema(files, schemas)
  const kinds = [...ownFiles].map(kindOfOne)
  const stray: SurveyedFile[] = []

  for (const ofFormat of groupBy(files, ({ format }) => format).values()) {
    const division = divideFormat(ofFormat, schemas, ownFiles)
    kinds.push(...division.kinds)
    stray.push(...division.stray)
  }
  return { kinds, stray }
}

/**
 * Divides the files of one format: into folders of one kind, names that repeat in folders beside each
 * other, last words of names, and at last folders as they are.
 */
function divideFormat(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
  ownFiles: ReadonlySet<SurveyedFile>,
): Division {
  const kinds: Kind[] = []
  const add = (folder: string, naming: Naming, group: readonly SurveyedFile[]) => {
    const others = group.filter((file) => !ownFiles.has(file))
    if (others.length > 0) kinds.push(kindOf(folder, naming, others))
  }

  const wholes = groupBy(files, wholeFolderIn(files, schemas))
  for (const [folder, group] of wholes) {
    if (folder !== undefined) add(folder, { kind: 'folder' }, group)
  }

  const repeated = repeatedNames(wholes.get(undefined) ?? [])
  for (const { folder, tail, group } of repeated.names) {
    add(folder, { kind: 'same name', tail }, group)
  }
  for (const file of repeated.beside) add(folderOf(file.name), { kind: 'one file' }, [file])

  const words = kindsOfWords(repeated.others.filter((file) => !ownFiles.has(file)))
  kinds.push(...words)

  const taken = new Set([...ownFiles, ...words.flatMap((kind) => kind.files)])
  const rest = repeated.others.filter((file) => !taken.has(file))
  for (const [folder, group] of groupBy(rest, ({ name }) => folderOf(name))) {
    kinds.push(...divide(folder, group))
  }
  return { kinds, stray: repeated.below.filter((file) => !ownFiles.has(file)) }
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

/**
 * Divides the files right in a folder: if most hold records, of kinds that differ, each is a kind by
 * itself. So is each file of the root, unless they are alike.
 */
function divide(folder: string, files: readonly SurveyedFile[]): Kind[] {
  const holders = files.filter(({ look }) => look?.inner !== undefined)
  const readable = files.filter(({ look }) => look !== undefined)

  const isOfRecords = folder !== '' && 2 * holders.length <= readable.length
  const isOneKind = isOfRecords || areMostlyAlike(files)
  return isOneKind ? [kindOf(folder, { kind: 'folder' }, files)] : files.map(kindOfOne)
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
