/**
 * Identifies the code of the build, so that no cache outlives the code that made it: all of `src`
 * with what lies in it, and the installed packages. A file elsewhere that a rule reads is not seen.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'

/** Of the code that runs: what changes later is not a part of it. */
export const CODE_DIGEST = digestCode(path.join(import.meta.dirname, '../..'))

/**
 * @param root the folder of the project
 * @returns a SHA-256 in hexadecimal; undefined if npm has not listed what it installed
 */
export function digestCode(root: string): string | undefined {
  const hash = createHash('sha256').update(`node ${process.version} ${process.arch}\n`)
  try {
    const files = glob.sync('src/**', { cwd: root, dot: true, ignore: ['src/generated/**'] })
    for (const name of ['node_modules/.package-lock.json', ...files.sort()]) {
      const content = fs.readFileSync(path.join(root, name))
      hash.update(`${name} ${content.length}\n`).update(content)
    }
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
