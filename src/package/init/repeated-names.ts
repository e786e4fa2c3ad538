/** Finds names that repeat in folders beside each other: `charts/ants/values.yaml`, `charts/bees/values.yaml`. Pure. */
import { groupBy } from '../../machine/group-by.ts'
import { folderOf, foldersFrom, outerOf } from './paths.ts'

/** In how many folders beside each other a name has to be. */
const FEW_FOLDERS = 3

/** A name in a series, such as `part-2.json`: that other folders have it, too, says nothing. */
const NUMBERED = /\d\.\w+$/

/** Finds what repeats in folders beside each other, such as `values.yaml` in those of `charts/`. */
export function repeatedTails(names: readonly string[]) {
  const all = names.flatMap(splits)
  const repeated = new Map<string, ReadonlySet<string>>()
  for (const [folder, within] of groupBy(all, (split) => split.folder)) {
    repeated.set(folder, repeatedIn(within))
  }

  return {
    /** Returns the closest folder below which a file's name repeats. */
    find: (name: string) =>
      splits(name).find(({ folder, tail }) => repeated.get(folder)?.has(tail)),
  }
}

/** Returns what repeats in the folders of one folder. */
function repeatedIn(splits: readonly Split[]): Set<string> {
  const beside = groupBy(splits, ({ step }) => step)
  const usual = new Set<string>()
  for (const [tail, having] of groupBy(splits, (split) => split.tail)) {
    const isUsual = having.length >= FEW_FOLDERS && 2 * having.length >= beside.size
    if (isUsual && !NUMBERED.test(tail)) usual.add(tail)
  }

  // With more names than folders, each folder is a kind: `area/` and `population/`, with all countries.
  if (usual.size >= beside.size) return new Set()

  // In most folders, there must be little else: an `oslo.json` may be in folders of several kinds.
  const full = [...beside.values()].filter((inFolder) => {
    return 2 * inFolder.filter(({ tail }) => usual.has(tail)).length >= inFolder.length
  })
  return 2 * full.length >= beside.size ? usual : new Set()
}

interface Split {
  folder: string
  step: string
  tail: string
}

/** Returns each way to divide a path: `charts/`, `cats`, `values.yaml`. The last folder is the first. */
function splits(name: string): Split[] {
  return foldersFrom(folderOf(name)).map((folder) => {
    const outer = outerOf(folder)
    return {
      folder: outer,
      step: folder.slice(outer.length, -1),
      tail: name.slice(folder.length),
    }
  })
}
