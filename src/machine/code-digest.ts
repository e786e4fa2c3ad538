/**
 * Identifies the code of the build, so that no cache outlives the code that made it: all of `src` with what
 * lies in it, and the installed packages. The package has all its code in `lib`.
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

/** The digest of the code that runs: later changes don't count. */
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
