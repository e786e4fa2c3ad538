/** Finds folders that are one kind with all folders below them: `sources/ca/`, `sources/us/`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { filesAlike, type Kind, kindOf, MOST } from './kind.ts'
import { areaOf, baseName, folderOf, foldersFrom, nameOfFolder } from './paths.ts'
import { isNamedAfter, normalize, type SchemaFile } from './schema-names.ts'
import type { SurveyedFile } from './survey.ts'

/**
 * Takes each folder that is one kind: for a file, the closest that a schema is named after, or the outermost
 * with folders that are alike. The root isn't one.
 */
export function kindsOfWholeFolders(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): Kind[] {
  const named = new Set<string>()
  const alike = new Set<string>()

  const byFolder = filesWithin(files)
  for (const [folder, within] of byFolder) {
    const subject = normalize(nameOfFolder(folder))
    if (schemas.some((schema) => isNamedAfter(schema, subject, folder))) named.add(folder)

    const area = byFolder.get(areaOf(folder)) ?? []
    if (areFoldersAlike(folder, within) && !areNamedAsBeside(folder, within, area))
      alike.add(folder)
  }

  const byWhole = groupBy(files, ({ name }) => {
    const folders = foldersFrom(folderOf(name))
    const closest = folders.find((folder) => named.has(folder))
    return closest ?? folders.findLast((folder) => alike.has(folder))
  })
  return [...byWhole].flatMap(([folder, group]) => {
    return folder === undefined ? [] : [kindOf(folder, { kind: 'folder' }, group)]
  })
}

/** Returns the files of each folder, with all below it. The root isn't one. */
export function filesWithin(files: readonly SurveyedFile[]): Map<string, SurveyedFile[]> {
  const within = new Map<string, SurveyedFile[]>()
  for (const file of files) {
    for (const folder of foldersFrom(folderOf(file.name))) {
      const known = within.get(folder)
      if (known) known.push(file)
      else within.set(folder, [file])
    }
  }
  return within
}

/** Whether most files of a folder have the names of files beside it: then the names are the kinds. */
function areNamedAsBeside(
  folder: string,
  files: readonly SurveyedFile[],
  area: readonly SurveyedFile[],
): boolean {
  const beside = area.filter(({ name }) => !name.startsWith(folder))
  const names = new Set(beside.map(({ name }) => baseName(name)))
  return 2 * files.filter(({ name }) => names.has(baseName(name))).length > files.length
}

/** Whether the files in most folders of a folder are alike, as are those right in it. */
function areFoldersAlike(folder: string, files: readonly SurveyedFile[]): boolean {
  const readable = files.filter(({ look }) => look !== undefined)
  const parts = groupBy(readable, ({ name }) => {
    return name.slice(folder.length, name.indexOf('/', folder.length) + 1)
  })
  // With one file in each, the name of the file may be the kind.
  if (parts.size < 2 || readable.length === parts.size) return false

  const alike = filesAlike(readable)
  if (alike.size < MOST * readable.length) return false

  const alikeParts = [...parts.values()].filter((part) => {
    return part.filter((file) => alike.has(file)).length >= MOST * part.length
  })
  return alikeParts.length >= MOST * parts.size
}
