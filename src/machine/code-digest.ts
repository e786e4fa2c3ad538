/**
 * Identifies the code of the build, so that no cache outlives the code that made it: all of `src`
 * with what lies in it, and the installed packages. A file elsewhere that a rule reads is not seen.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const PACKAGES = path.join('node_modules', '.package-lock.json')
const GENERATED = path.join('src', 'generated')

let known: { digest: string | undefined } | undefined

/** Returns a SHA-256 in hexadecimal; undefined if npm has not listed what it installed. */
export function codeDigest(): string | undefined {
  known ??= { digest: digestCode(ROOT) }
  return known.digest
}

/** @param root the folder of the project */
export function digestCode(root: string): string | undefined {
  const hash = createHash('sha256').update(`node ${process.version} ${process.arch}\n`)
  try {
    for (const name of [PACKAGES, ...listFiles(root, 'src').sort()]) {
      const content = fs.readFileSync(path.join(root, name))
      hash.update(`${name} ${content.length}\n`).update(content)
    }
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

function listFiles(root: string, folder: string): string[] {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const name = path.join(folder, entry.name)
    if (name === GENERATED) return []
    return entry.isDirectory() ? listFiles(root, name) : [name]
  })
}
