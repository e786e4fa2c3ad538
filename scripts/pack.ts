/**
 * `npm run pack`: makes the package `manyurls` in `package/`, and a tarball of it to install. For a release,
 * `--release v0.5.0` also commits the package, without history, as the tag `package-v0.5.0`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commitPackage } from './pack/commit-package.ts'
import { makePackage, readPackageJson } from './pack/make-package.ts'

const ROOT = join(import.meta.dirname, '..')

const { version } = readPackageJson()
const release = readRelease()
if (release !== undefined && release !== `v${version}`) {
  console.error(
    `pack: the tag ${release} differs from the version in package.json, ${version}. Set the version, and tag that commit.`,
  )
  process.exit(1)
}

const folder = join(ROOT, 'package')
await makePackage(folder)

const tarball = `manyurls-${version}.tgz`
// The folder in a tarball is called "package", as npm, pnpm, Yarn and Bun expect it.
execFileSync('tar', ['-czf', tarball, 'package'], { cwd: ROOT })
console.log(`${tarball} is packed. In another repository: npm i -D ${join(ROOT, tarball)}`)

if (release !== undefined) {
  const tag = commitPackage(folder, version, dateOfCode())
  console.log(`package/ is a repository with the tag ${tag}.`)
}

/** Returns when the code was committed. */
function dateOfCode(): string {
  const args = ['log', '-1', '--format=%cI']
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function readRelease(): string | undefined {
  try {
    return parseArgs({ options: { release: { type: 'string' } } }).values.release
  } catch {
    console.error('pack: takes no options but --release TAG, such as --release v0.5.0')
    process.exit(2)
  }
}
