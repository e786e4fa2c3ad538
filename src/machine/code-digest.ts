/**
 * Identifies the code of the build, so that no cache outlives the code that made it: all of `src`
 * with what lies in it, the installed packages, and what `content.ts` loads from elsewhere. Data that
 * a rule reads from a file elsewhere is not seen.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'

const ROOT = path.join(import.meta.dirname, '../..')

/** Of the code that runs: what changes later is not a part of it. */
export const CODE_DIGEST = digestCode(ROOT)

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

/** For example `node_modules/ajv/dist/ajv.js`: the digest of the code has the list of the packages. */
const INSTALLED = /^node_modules\//

/** For example `src/content.ts`, but not `src/generated/dataset.json`. */
const OWN_CODE = /^src\/(?!generated\/)/

/** For example `await import('./prices.mjs')`. */
const DYNAMIC_IMPORT = /\bimport\s*\(/

/**
 * Digests the modules that are no part of the code, by their places from the project and their bytes.
 *
 * @param files of all modules that `content.ts` has loaded; undefined if some are not known
 * @param root the folder of the project
 * @returns a SHA-256 in hexadecimal; undefined if there may be other modules: some are not known, or
 *   have an `import()`, of which nobody can say what it loads
 */
export function digestModules(
  files: readonly string[] | undefined,
  root = fs.realpathSync(ROOT),
): string | undefined {
  if (!files) return undefined

  const hash = createHash('sha256')
  try {
    for (const file of [...files].sort()) {
      const name = path.relative(root, file).split(path.sep).join('/')
      if (INSTALLED.test(name)) continue

      const content = fs.readFileSync(file)
      const isData = name.endsWith('.json')
      if (!isData && DYNAMIC_IMPORT.test(content.toString())) return undefined
      if (OWN_CODE.test(name)) continue

      hash.update(`${name} ${content.length}\n`).update(content)
    }
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
