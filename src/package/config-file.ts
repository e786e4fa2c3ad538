/** The file in which an adopter says what a record is. */
import fs from 'node:fs'
import path from 'node:path'

/** The names of the file. The first that exists counts. */
export const CONFIGS = [
  'manyurls.config.ts',
  'manyurls.config.mts',
  'manyurls.config.cts',
  'manyurls.config.js',
  'manyurls.config.mjs',
  'manyurls.config.cjs',
] as const

/** Returns the file of a folder, or of the nearest one above that has one. */
export function findConfig(folder: string): string | undefined {
  return findAbove(folder, CONFIGS)
}

/**
 * Looks for a file in a folder, then in those above.
 *
 * @param names of the file; the first that exists counts
 */
export function findAbove(folder: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const file = path.join(folder, name)
    if (fs.existsSync(file)) return file
  }
  const parent = path.dirname(folder)
  return parent === folder ? undefined : findAbove(parent, names)
}
