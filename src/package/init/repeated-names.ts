/** Finds names that repeat in several folders: `charts/ants/values.yaml`, `charts/bees/values.yaml`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike } from './alike.ts'
import { areaOf, baseName, commonFolder, folderOf, outerOf, placeOfFolder } from './paths.ts'
import type { SurveyedFile } from './survey.ts'

/** In how many folders a name has to be, and in which part of those with names that repeat. */
const FEW_FOLDERS = 3
const PART_OF_FOLDERS = 0.05

/** Files of one name, or all of the folders of one name. */
export interface Repeated {
  by: 'name' | 'folder'
  files: readonly SurveyedFile[]
}

/** Finds what repeats below each folder of the root, at any depth, and right in the folders of the root. */
export function findRepeated(files: readonly SurveyedFile[]): Repeated[] {
  const byArea = groupBy(files, ({ name }) => areaOf(folderOf(name)))
  byArea.delete('')
  const within = [...byArea.values()].flatMap(repeatedIn)

  const taken = new Set(within.flatMap((repeated) => repeated.files))
  const rightInFolders = files.filter((file) => {
    const folder = folderOf(file.name)
    return folder !== '' && outerOf(folder) === '' && !taken.has(file)
  })
  return [...within, ...byNames(rightInFolders)]
}

/** Finds what repeats; apart from the rest, in folders of one name beside each other: `charts/ants/ci/`. */
function repeatedIn(files: readonly SurveyedFile[]): Repeated[] {
  const folders = new Set(files.map(({ name }) => folderOf(name)))
  const byPlace = groupBy(folders, placeOfFolder)

  const groups = groupBy(files, ({ name }) => {
    const place = placeOfFolder(folderOf(name))
    return (byPlace.get(place) ?? []).length >= FEW_FOLDERS ? place : ''
  })
  return [...groups].flatMap(([place, group]) => {
    const names = byNames(group)
    return names.length > 0 || place === '' ? names : [{ by: 'folder', files: group }]
  })
}

/** Groups files by their names, if names that repeat are half of what is in their folders. */
function byNames(files: readonly SurveyedFile[]): Repeated[] {
  const byName = [...groupBy(files, ({ name }) => baseName(name)).values()]
  const folders = foldersOf(byName.filter((group) => group.length >= FEW_FOLDERS).flat())
  const least = Math.max(FEW_FOLDERS, PART_OF_FOLDERS * folders.size)

  const named = byName.filter((group) => group.length >= least).flat()
  const inFolders = files.filter(({ name }) => folders.has(folderOf(name)))
  if (2 * named.length < inFolders.length || areEachAlike(inFolders)) return []

  // Where names repeat, a name that is only in two folders is one of them.
  const names = groupBy(inFolders, ({ name }) => baseName(name))
  const repeated = [...names.values()].filter((group) => group.length > 1)
  return repeated.flatMap(divide).map((group) => ({ by: 'name', files: group }))
}

/** Whether the files of most folders are alike, of those that have several: then each folder is a kind. */
function areEachAlike(files: readonly SurveyedFile[]): boolean {
  const byFolder = groupBy(files, ({ name }) => folderOf(name))
  const several = [...byFolder.values()].filter((group) => group.length > 1)
  const alike = several.filter(areMostlyAlike)
  return several.length > 0 && 2 * alike.length > several.length
}

/** Divides files of one name by folders, if they're of another kind in each: `api/river/*` and `api/town/*`. */
function divide(files: readonly SurveyedFile[]): (readonly SurveyedFile[])[] {
  const start = commonFolder(files.map(({ name }) => name)).length
  const byStep = groupBy(files, ({ name }) => name.slice(start, name.indexOf('/', start)))

  const parts = [...byStep.values()]
  const alike = parts.filter((part) => part.length >= FEW_FOLDERS && areMostlyAlike(part))
  const isDivided = 2 * alike.length > parts.length && !areMostlyAlike(files)
  return isDivided ? parts : [files]
}

function foldersOf(files: readonly SurveyedFile[]): Set<string> {
  return new Set(files.map(({ name }) => folderOf(name)))
}
