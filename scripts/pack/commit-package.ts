/** Makes a release of the package: a commit without history whose root is the package, and its tag. */
import { execFileSync } from 'node:child_process'

/**
 * Makes a repository of the folder of a package, with one commit. The same package of the same author is the
 * same commit, so a release can be repeated.
 *
 * @param date when the code of the package was committed, such as `2026-03-28T09:30:00+01:00`
 * @returns the tag of the commit, such as `package-v0.5.0`
 */
export function commitPackage(folder: string, version: string, date: string): string {
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' })
  const tag = `package-v${version}`

  git('init', '--quiet')
  // Also what the settings of a person ignore, such as lib/.
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', `ManyURLs ${version}, to install`)
  git('tag', tag)
  return tag
}
