/** Finds the folder of this repository or, in the package, of the package. */
import fs from 'node:fs'
import path from 'node:path'

export const ROOT = findRoot(import.meta.dirname)

/** Returns the nearest folder above that has a package.json. */
function findRoot(folder: string): string {
  const parent = path.dirname(folder)
  if (parent === folder || fs.existsSync(path.join(folder, 'package.json'))) return folder
  return findRoot(parent)
}
