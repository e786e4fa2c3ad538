/** Finds names that repeat in folders beside each other: `charts/ants/values.yaml`, `charts/bees/values.yaml`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike, keysOf, MOST } from './alike.ts'
import { areOfOneKind, commonKeys } from './look.ts'
import { folderOf, foldersFrom, outerOf } from './paths.ts'
import type { SurveyedFile } from './survey.ts'

/** In how many folders beside each other a name has to be. */
const FEW_FOLDERS = 3

/** A name in a series, such as `part-2.json`: that other folders have it, too, says nothing. */
const NUMBERED = /\d\.\w+$/

/** Finds what repeats in folders beside each other, such as `values.yaml` in those of `charts/`. */
export function repeatedTails(files: readonly SurveyedFile[]) {
  const repeated = new Map<string, ReadonlySet<string>>()
  const wholeFolders = new Set<string>()
  for (const [folder, within] of groupBy(files.flatMap(splits), (split) => split.folder)) {
    const tails = repeatedIn(within)
    const usual = within.filter(({ tail }) => tails.has(tail))
    const beside = groupBy(within, ({ step }) => step)
    const areFoldersAlike = areGroupsAlike(beside)
    const areNamesAlike = areGroupsAlike(groupBy(usual, ({ tail }) => tail))

    const isWhole = areFoldersAlike && (areNamesAlike || areMostOneKind(beside))
    if (isWhole && folder !== '') wholeFolders.add(folder)
    // With other keys in each folder, each is a kind: `area/` and `population/`, with all countries.
    else if (areNamesAlike || !areFoldersAlike) repeated.set(folder, tails)
  }

  return {
    /** The folders in which all files are alike, whatever their names. */
    wholeFolders,
    /** Returns the closest folder below which a file's name repeats. */
    find: (file: SurveyedFile) => {
      const ways = splits(file)
      const isInWhole = ways.some(({ folder }) => wholeFolders.has(folder))
      return isInWhole
        ? undefined
        : ways.find(({ folder, tail }) => repeated.get(folder)?.has(tail))
    },
  }
}

/** Whether the files of most groups are alike, of those that have several. */
function areGroupsAlike(groups: ReadonlyMap<string, readonly Split[]>): boolean {
  const several = [...groups.values()].filter((group) => group.length > 1)
  const alike = several.filter((group) => areMostlyAlike(group.map(({ file }) => file)))
  return several.length > 0 && alike.length >= MOST * several.length
}

/** In how many folders without names that repeat the files must be alike to be of one kind. */
const MANY_FOLDERS = 5

/** Whether the usual keys of most groups are those of all. */
function areMostOneKind(groups: ReadonlyMap<string, readonly Split[]>): boolean {
  const keys = [...groups.values()].map((group) => keysOf(group.map(({ file }) => file)))
  const common = commonKeys(keys.map((ofGroup) => ({ keys: ofGroup })))
  const like = keys.filter((ofGroup) => areOfOneKind(ofGroup, common))
  return groups.size >= MANY_FOLDERS && like.length >= MOST * groups.size
}

/** Returns what repeats in the folders of one folder. */
function repeatedIn(splits: readonly Split[]): Set<string> {
  const beside = groupBy(splits, ({ step }) => step)
  const usual = new Set<string>()
  for (const [tail, having] of groupBy(splits, (split) => split.tail)) {
    const isUsual = having.length >= FEW_FOLDERS && 2 * having.length >= beside.size
    if (isUsual && !NUMBERED.test(tail)) usual.add(tail)
  }

  // In most folders, there must be little else: an `oslo.json` may be in folders of several kinds.
  const full = [...beside.values()].filter((inFolder) => {
    return 2 * inFolder.filter(({ tail }) => usual.has(tail)).length >= inFolder.length
  })
  return 2 * full.length >= beside.size ? usual : new Set()
}

interface Split {
  file: SurveyedFile
  folder: string
  step: string
  tail: string
}

/** Returns each way to divide a path: `charts/`, `cats`, `values.yaml`. The last folder is the first. */
function splits(file: SurveyedFile): Split[] {
  const { name } = file
  return foldersFrom(folderOf(name)).map((folder) => {
    const outer = outerOf(folder)
    return {
      file,
      folder: outer,
      step: folder.slice(outer.length, -1),
      tail: name.slice(folder.length),
    }
  })
}
