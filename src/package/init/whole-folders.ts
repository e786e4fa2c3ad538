/** Finds folders that are one kind with all folders below them: `sources/ca/`, `sources/us/`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { alikeFiles, MOST } from './alike.ts'
import { baseName, folderOf, foldersFrom } from './paths.ts'
import { FEW_FOLDERS } from './repeated-names.ts'
import { isNamedAfter, normalize, type SchemaFile } from './schema-names.ts'
import type { SurveyedFile } from './survey.ts'

/**
 * Returns what finds the folder of a file that is one kind: the closest that a schema is named after, or
 * the outermost with folders that are alike. The root isn't one.
 */
export function wholeFolderIn(
  files: readonly SurveyedFile[],
  schemas: readonly SchemaFile[],
): (file: SurveyedFile) => string | undefined {
  const places = files.flatMap((file) => {
    return foldersFrom(folderOf(file.name)).map((folder) => ({ folder, file }))
  })
  const named = new Set<string>()
  const alike = new Set<string>()

  for (const [folder, within] of groupBy(places, (place) => place.folder)) {
    const subject = normalize(baseName(folder.slice(0, -1)))
    if (schemas.some((schema) => isNamedAfter(schema, subject, folder))) named.add(folder)

    const below = within.map(({ file }) => file)
    if (areFoldersAlike(folder, below)) alike.add(folder)
  }

  return ({ name }) => {
    const folders = foldersFrom(folderOf(name))
    return (
      folders.find((folder) => named.has(folder)) ?? folders.findLast((folder) => alike.has(folder))
    )
  }
}

/** Whether the files in most folders of a folder are alike, as are those right in it. */
function areFoldersAlike(folder: string, files: readonly SurveyedFile[]): boolean {
  const parts = groupBy(files, ({ name }) =>
    name.slice(folder.length, name.indexOf('/', folder.length) + 1),
  )
  const isDivided =
    parts.size >= FEW_FOLDERS || (parts.size > 1 && (parts.get('')?.length ?? 0) > 1)
  // With one file in each, the name of the file may be the kind.
  if (!isDivided || files.length === parts.size) return false

  const alike = alikeFiles(files)
  const like = [...parts.values()].filter((part) => {
    return part.filter((file) => alike.has(file)).length >= MOST * part.length
  })
  return like.length >= MOST * parts.size
}
