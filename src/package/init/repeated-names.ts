/** Finds names that repeat in folders beside each other: `charts/ants/values.yaml`, `charts/bees/values.yaml`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { areMostlyAlike } from './alike.ts'
import { folderOf, foldersFrom, outerOf } from './paths.ts'
import type { SurveyedFile } from './survey.ts'

/** In how many folders beside each other a name has to be. */
export const FEW_FOLDERS = 3

/** A name in a series, such as `part-2.json`: that other folders have it, too, says nothing. */
const NUMBERED = /\d\.\w+$/

interface RepeatedName {
  /** What the folders are in: `charts/`. */
  folder: string
  /** What repeats in them: `values.yaml`. */
  tail: string
  group: readonly SurveyedFile[]
}

/** Divides files: those whose name repeats, those beside them, those below these, and the others. */
export function repeatedNames(files: readonly SurveyedFile[]) {
  const names: RepeatedName[] = []
  const taken = new Set<SurveyedFile>()
  const namedFolders = new Set<string>()

  const byFolder = groupBy(files.flatMap(splits), ({ folder }) => folder)
  const deepestFirst = [...byFolder].sort(([a], [b]) => b.length - a.length)
  for (const [folder, within] of deepestFirst) {
    const free = within.filter(({ file }) => !taken.has(file))
    for (const [tail, having] of repeatedIn(free)) {
      const group = having.map(({ file }) => file)
      names.push({ folder, tail, group })
      for (const { file, step } of having) {
        taken.add(file)
        namedFolders.add(`${folder}${step}/`)
      }
    }
  }

  const rest = files.filter((file) => !taken.has(file))
  const beside = rest.filter(({ name }) => namedFolders.has(folderOf(name)))
  const below = rest.filter(({ name }) => {
    return foldersFrom(folderOf(name))
      .slice(1)
      .some((folder) => namedFolders.has(folder))
  })
  const others = rest.filter((file) => !beside.includes(file) && !below.includes(file))
  return { names, beside, below, others }
}

/** Returns what repeats in the folders of one folder, unless the files of each are alike. */
function repeatedIn(within: readonly Split[]): [tail: string, Split[]][] {
  const steps = groupBy(within, ({ step }) => step)
  const byTail = groupBy(within, ({ tail }) => tail)
  const repeated = [...byTail].filter(([tail, having]) => {
    const isUsual = having.length >= FEW_FOLDERS && 2 * having.length >= steps.size
    return isUsual && !NUMBERED.test(tail)
  })

  // In most folders, there must be little else: an `oslo.json` may be in folders of several kinds.
  const tails = new Set(repeated.map(([tail]) => tail))
  const full = [...steps.values()].filter((inFolder) => {
    return 2 * inFolder.filter(({ tail }) => tails.has(tail)).length >= inFolder.length
  })
  const areUsual = 2 * full.length >= steps.size
  // With other keys in each folder, each is a kind: `area/` and `population/`, with all countries.
  return areUsual && !areEachAlike([...steps.values()]) ? repeated : []
}

/** Whether the files of most folders are alike, of those that have several. */
function areEachAlike(folders: readonly (readonly Split[])[]): boolean {
  const several = folders.filter((splitsOfFolder) => splitsOfFolder.length > 1)
  const alike = several.filter((splitsOfFolder) => {
    return areMostlyAlike(splitsOfFolder.map(({ file }) => file))
  })
  return several.length > 0 && 2 * alike.length > several.length
}

interface Split {
  file: SurveyedFile
  folder: string
  step: string
  tail: string
}

/** Returns each way to divide a path: `charts/`, `cats`, `values.yaml`. */
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
