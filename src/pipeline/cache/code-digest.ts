/** Identifies the code of the build, so that no cache outlives the code that made it. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The rooms whose modules determine what is cached. */
const ROOMS = ['batch', 'content.ts', 'dataset', 'machine', 'page', 'pipeline', 'sample', 'text']
/** The packages that do so. */
const PACKAGES = ['ajv', 'ajv-formats', 'jsonc-parser', 'parse5']

const require = createRequire(import.meta.url)

let known: string | undefined

/** Returns the SHA-256 of the modules and of the versions of the packages, in hexadecimal. */
export function codeDigest(): string {
  known ??= digestRooms()
  return known
}

function digestRooms(): string {
  const hash = createHash('sha256').update(`node ${process.version} ${process.arch}\n`)
  for (const name of PACKAGES) hash.update(`${name} ${versionOf(name)}\n`)
  const folder = path.join(import.meta.dirname, '../..')
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of files) {
    if (!ROOMS.includes(name.split(path.sep, 1)[0] ?? '') || !/\.[jt]s$/.test(name)) continue
    const content = fs.readFileSync(path.join(folder, name))
    hash.update(`${name} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The version of a package; undefined when it is not installed. */
export function versionOf(name: string): string | undefined {
  // Not by `require` of the file: the exports of parse5 leave it out.
  const files = require.resolve
    .paths(name)
    ?.map((folder) => path.join(folder, name, 'package.json'))
  const file = files?.find((each) => fs.existsSync(each))
  return file && JSON.parse(fs.readFileSync(file, 'utf8')).version
}
