/**
 * Identifies the code of the build, so that no cache outlives the code that made it: all of `src` with what
 * lies in it, the installed packages, and what `content.ts` loads from elsewhere. The package has all its
 * code in `lib`. Data that a rule reads from a file elsewhere is not seen.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { ROOT } from './root.ts'

/** In the package, the digest of its code, which was made with it. */
export const PACKED_DIGEST = 'lib/code.sha256'

/** The lists that npm, pnpm and Yarn keep of what they have installed, in `node_modules`. */
const LISTS = ['.package-lock.json', '.pnpm/lock.yaml', '.yarn-state.yml', '.yarn-integrity']

/** Of the code that runs: what changes later is not a part of it. */
export const CODE_DIGEST = digestCode(ROOT)

/**
 * @param root the folder of the repository or of the package
 * @returns a SHA-256 in hexadecimal; undefined if nothing lists what is installed
 */
export function digestCode(root: string): string | undefined {
  const hash = createHash('sha256').update(`node ${process.version} ${process.arch}\n`)
  const packed = path.join(root, PACKED_DIGEST)
  if (fs.existsSync(packed)) return hash.update(fs.readFileSync(packed)).digest('hex')

  const list = listOfPackages(root)
  if (list === undefined) return undefined
  try {
    const files = glob.sync('src/**', { cwd: root, dot: true, ignore: ['src/generated/**'] })
    for (const name of files.sort()) {
      const content = fs.readFileSync(path.join(root, name))
      hash.update(`${name} ${content.length}\n`).update(content)
    }
    return hash.update(fs.readFileSync(list)).digest('hex')
  } catch {
    return undefined
  }
}

/** Returns the list of the packages that are installed for a folder, or above it. */
function listOfPackages(folder: string): string | undefined {
  for (const name of LISTS) {
    const list = path.join(folder, 'node_modules', name)
    if (fs.existsSync(list)) return list
  }
  const parent = path.dirname(folder)
  return parent === folder ? undefined : listOfPackages(parent)
}

/** For example `/me/pages/node_modules/ajv/dist/ajv.js`: all before the first `node_modules`. */
const INSTALLED = /^(.*?)[/\\]node_modules[/\\]/

/** For example `src/content.ts`, but not `src/generated/dataset.json`. */
const OWN_CODE = /^src\/(?!generated\/)/

/** For example `lib/index.js`, which `content.ts` imports as 'manyurls'. */
const PACKED_CODE = /^lib\//

/** For example `await import('./prices.mjs')`. */
const DYNAMIC_IMPORT = /\bimport\s*\(/

/**
 * Digests the modules that are no part of the code, by their places and their bytes. For an installed
 * package, the list of all packages stands.
 *
 * @param files of all modules that `content.ts` has loaded; undefined if some are not known
 * @param root the folder that the places are relative to
 * @param codeRoot the folder of the repository or of the package
 * @returns a SHA-256 in hexadecimal; undefined if there may be other modules: some are not known, or
 *   have an `import()`, of which nobody can say what it loads
 */
export function digestModules(
  files: readonly string[] | undefined,
  root: string,
  codeRoot = ROOT,
): string | undefined {
  if (!files) return undefined

  const realCodeRoot = fs.realpathSync(codeRoot)
  const lists = new Set<string>()
  const hash = createHash('sha256')
  try {
    for (const file of [...files].sort()) {
      const nameInCode = nameFrom(realCodeRoot, file)
      if (PACKED_CODE.test(nameInCode)) continue

      const isCode = OWN_CODE.test(nameInCode)
      const list = isCode ? undefined : listOfInstalled(file)
      if (list !== undefined) {
        lists.add(list)
        continue
      }

      const content = fs.readFileSync(file)
      if (mayLoadMore(file, content)) return undefined
      if (!isCode) hash.update(`${nameFrom(root, file)} ${content.length}\n`).update(content)
    }

    for (const list of lists) hash.update(fs.readFileSync(list))
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** Returns a file as seen from a folder, with `/` as the separator. */
function nameFrom(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/')
}

/** Returns the list of the packages that an installed file belongs to; undefined for any other file. */
function listOfInstalled(file: string): string | undefined {
  const [, project] = INSTALLED.exec(file) ?? []
  return project === undefined ? undefined : listOfPackages(project)
}

function mayLoadMore(file: string, content: Buffer): boolean {
  const isData = file.endsWith('.json')
  return !isData && DYNAMIC_IMPORT.test(content.toString())
}
