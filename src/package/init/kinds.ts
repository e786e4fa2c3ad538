/** Which files are of one kind: by folders and names. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike, type Kind, kindOf, kindOfOne } from './kind.ts'
import { baseName, folderOf } from './paths.ts'
import { joinFolders, kindsOfNames } from './repeated-names.ts'
import { isNamedAfter, type SchemaFile, subjectOf } from './schema-names.ts'
import type { SurveyedFile } from './survey.ts'
import { filesWithin, kindsOfWholeFolders } from './whole-folders.ts'

/** Divides files into kinds. Each file is in one. */
export function kindsOf(files: readonly SurveyedFile[], schemas: readonly SchemaFile[]): Kind[] {
  const byFormat = groupBy(files, ({ format }) => format)
  const kinds = [...byFormat.values()].flatMap((ofFormat) => divideFormat(ofFormat, schemas))

  const ownFiles = filesWithSchema(files, schemas)
  const others = kinds.flatMap(({ folder, naming, files: all }) => {
    const rest = all.filter((file) => !ownFiles.has(file))
    return rest.length > 0 ? [kindOf(folder, naming, rest)] : []
  })
  return [...[...ownFiles].map(kindOfOne), ...others]
}

/**
 * Divides the files of one format. Each step takes the files that are clear to it, and leaves the others
 * to the next: folders that are one kind, names that repeat, last words of names, and folders as they are.
 */
function divideFormat(files: readonly SurveyedFile[], schemas: readonly SchemaFile[]): Kind[] {
  const steps = [kindsOfWholeFolders, kindsOfNames, kindsOfWords, kindsOfFolders]

  const kinds: Kind[] = []
  let left = files
  for (const step of steps) {
    const found = step(left, schemas)
    kinds.push(...found)

    const taken = new Set(found.flatMap((kind) => kind.files))
    left = left.filter((file) => !taken.has(file))
  }
  return joinFolders(kinds)
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
    for (const file of named.length === 1 ? named : beside) own.add(file)
  }
  return own
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
    const free = within.filter((file) => !taken.has(file))
    for (const [end, ofWord] of byLastWord(free)) {
      kinds.push(kindOf(folder, { kind: 'same end', end }, ofWord))
      for (const file of ofWord) taken.add(file)
    }
  }
  return kinds
}

/** Groups files by the words that end their names, if nearly all end so. */
function byLastWord(files: readonly SurveyedFile[]): [word: string, SurveyedFile[]][] {
  const groups = groupBy(files, ({ name }) => LAST_WORD.exec(baseName(name))?.[0] ?? '')
  const words = [...groups].filter(([word, ofWord]) => word !== '' && ofWord.length > 1)

  const named = words.flatMap(([, ofWord]) => ofWord)
  const areNamed = files.length - named.length <= MOST_STRAY * files.length
  const areFew = words.length > 1 && words.length <= FEW_WORDS
  return areFew && areNamed ? words : []
}

function kindsOfFolders(files: readonly SurveyedFile[]): Kind[] {
  const byFolder = groupBy(files, ({ name }) => folderOf(name))
  return [...byFolder].flatMap(([folder, group]) => kindsRightIn(folder, group))
}

/**
 * Divides the files right in a folder: if most hold records, of kinds that differ, each is a kind by
 * itself. So is each file of the root, unless they are alike.
 */
function kindsRightIn(folder: string, files: readonly SurveyedFile[]): Kind[] {
  const holders = files.filter(({ look }) => look?.inner !== undefined)
  const readable = files.filter(({ look }) => look !== undefined)

  const isOfLists = folder === '' || 2 * holders.length > readable.length
  const isOneKind = !isOfLists || areMostlyAlike(files)
  return isOneKind ? [kindOf(folder, { kind: 'folder' }, files)] : files.map(kindOfOne)
}
