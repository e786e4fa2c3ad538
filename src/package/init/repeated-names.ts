/** Finds names that repeat in several folders: `charts/ants/values.yaml`, `charts/bees/values.yaml`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike, type Kind, kindOf, kindOfFolders } from './kind.ts'
import { areaOf, baseName, commonFolder, folderOf, outerOf, placeOfFolder } from './paths.ts'
import type { SurveyedFile } from './survey.ts'

/** In how many folders a name has to be, and in which part of those with names that repeat. */
const FEW_FOLDERS = 3
const PART_OF_FOLDERS = 0.05

/** Finds what repeats below each folder of the root, at any depth, and right in the folders of the root. */
export function kindsOfNames(files: readonly SurveyedFile[]): Kind[] {
  const byArea = groupBy(files, ({ name }) => areaOf(folderOf(name)))
  byArea.delete('')
  const kinds = [...byArea.values()].flatMap(kindsInArea)

  const taken = new Set(kinds.flatMap((kind) => kind.files))
  const rightInFolders = files.filter((file) => {
    const folder = folderOf(file.name)
    return folder !== '' && outerOf(folder) === '' && !taken.has(file)
  })
  return [...kinds, ...kindsOfSameNames(rightInFolders)]
}

/** Looks apart from the rest at folders of one name beside each other: `charts/ants/ci/`. */
function kindsInArea(files: readonly SurveyedFile[]): Kind[] {
  const byPlace = groupBy(foldersOf(files), placeOfFolder)

  const groups = groupBy(files, ({ name }) => {
    const place = placeOfFolder(folderOf(name))
    return (byPlace.get(place) ?? []).length >= FEW_FOLDERS ? place : ''
  })
  return [...groups].flatMap(([place, group]) => {
    const kinds = kindsOfSameNames(group)
    if (kinds.length > 0 || place === '') return kinds
    return kindOfFolders(group, folderOf(group[0]?.name ?? ''))
  })
}

/** Joins folders of one name in folders beside each other, each of which is a kind: `2025/talks/`, `2026/talks/`. */
export function joinFolders(kinds: readonly Kind[]): Kind[] {
  const byPlace = groupBy(kinds, ({ naming, folder }) => {
    const isJoined = naming.kind === 'folder' && outerOf(folder) !== ''
    return isJoined ? placeOfFolder(folder) : undefined
  })
  return [...byPlace].flatMap(([place, group]) => {
    if (place === undefined || group.length < FEW_FOLDERS) return group
    const files = group.flatMap((kind) => kind.files)
    return kindOfFolders(files, group[0]?.folder ?? '')
  })
}

/** Makes a kind of each name that repeats, if such names are half of what is in their folders. */
function kindsOfSameNames(files: readonly SurveyedFile[]): Kind[] {
  const byName = [...groupBy(files, ({ name }) => baseName(name)).values()]
  const folders = foldersOf(byName.filter((group) => group.length >= FEW_FOLDERS).flat())
  const least = Math.max(FEW_FOLDERS, PART_OF_FOLDERS * folders.size)

  const named = byName.filter((group) => group.length >= least).flat()
  const inFolders = files.filter(({ name }) => folders.has(folderOf(name)))
  if (2 * named.length < inFolders.length || areEachAlike(inFolders)) return []

  // Where names repeat, a name that is only in two folders is one of them.
  const names = groupBy(inFolders, ({ name }) => baseName(name))
  const repeated = [...names.values()].filter((group) => group.length > 1)
  return repeated.flatMap(divideByFolder).map(kindOfName)
}

/** Whether the files of most folders are alike, of those that have several: then each folder is a kind. */
function areEachAlike(files: readonly SurveyedFile[]): boolean {
  const byFolder = groupBy(files, ({ name }) => folderOf(name))
  const several = [...byFolder.values()].filter((group) => group.length > 1)
  const alike = several.filter(areMostlyAlike)
  return several.length > 0 && 2 * alike.length > several.length
}

/** Divides files of one name by folders, if they're of another kind in each: `api/river/*` and `api/town/*`. */
function divideByFolder(files: readonly SurveyedFile[]): (readonly SurveyedFile[])[] {
  const start = commonFolder(files.map(({ name }) => name)).length
  const byStep = groupBy(files, ({ name }) => name.slice(start, name.indexOf('/', start)))

  const parts = [...byStep.values()]
  const alike = parts.filter((part) => part.length >= FEW_FOLDERS && areMostlyAlike(part))
  const isDivided = 2 * alike.length > parts.length && !areMostlyAlike(files)
  return isDivided ? parts : [files]
}

function kindOfName(files: readonly SurveyedFile[]): Kind {
  const names = files.map(({ name }) => name)
  return kindOf(commonFolder(names), { kind: 'same name', name: baseName(names[0] ?? '') }, files)
}

function foldersOf(files: readonly SurveyedFile[]): Set<string> {
  return new Set(files.map(({ name }) => folderOf(name)))
}
