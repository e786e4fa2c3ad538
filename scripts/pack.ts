/** `npm run pack`: makes the package `manyurls` in `package/`, and a tarball of it to install. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makePackage } from './pack/make-package.ts'

const ROOT = join(import.meta.dirname, '..')

try {
  parseArgs()
} catch {
  console.error('pack: takes no options')
  process.exit(2)
}

const folder = join(ROOT, 'package')
await makePackage(folder)
// The npm that runs this script: Windows starts no `npm` without a shell.
const npm = process.env.npm_execpath
const [program, ...args] = npm ? [process.execPath, npm] : ['npm']
const pack = [...args, 'pack', '--silent', '--pack-destination', ROOT]
const tarball = execFileSync(program as string, pack, { cwd: folder, encoding: 'utf8' }).trim()
console.log(`${tarball} is packed. In another repository: npm i -D ${join(ROOT, tarball)}`)
