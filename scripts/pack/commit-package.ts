/** Makes a release of the package: a commit without history whose root is the package, and its tag. */
import { execFileSync } from 'node:child_process'

/**
 * Makes a repository of the folder of a package, with one commit.
 *
 * @returns the tag of the commit, such as `package-v0.5.0`
 */
export function commitPackage(folder: string, version: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  const tag = `package-v${version}`

  git('init', '--quiet')
  // Also what the settings of a person ignore, such as lib/.
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', `ManyURLs ${version}, to install`)
  git('tag', tag)
  return tag
}
