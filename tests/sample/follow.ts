/** Copies the project, and follows a page of its documentation in the copy. */
import { exec, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Copies every file that Git knows or would add. The copy is removed after the running test. */
export function copyAll(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const args = ['ls-files', '-co', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.trim().split('\n')) cpSync(join(ROOT, file), join(folder, file))
  linkPackages(folder)
  return folder
}

export function linkPackages(folder: string) {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

const NAMES = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
  [`GIT_${who}_NAME`, 'Ada'],
  [`GIT_${who}_EMAIL`, 'ada@example.com'],
])

/** The environment of somebody who commits. */
export const AS_ADA = { ...process.env, ...Object.fromEntries(NAMES) }

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: AS_ADA, encoding: 'utf8' }).trim()
}

export function commitAll(cwd: string): void {
  git(cwd, 'add', '--all')
  git(cwd, 'commit', '--quiet', '--message', 'Change all of this')
}

/** Makes a folder a repository with one commit. */
export function makeRepository(cwd: string): void {
  git(cwd, 'init', '--quiet', '--initial-branch', 'main')
  commitAll(cwd)
}

/** A block of code, such as "```ts src/content.ts", its lines and "```": its language, its file, its text. */
const BLOCK = /^```(\S+)(?: (\S+))?\n(.*?)^```/gms

/** Returns the part of a page below a heading of the second level, up to the next one. */
function partBelow(heading: string, documentation: string): string {
  const page = readFileSync(join(ROOT, documentation), 'utf8')
  const [, rest = ''] = page.split(`\n## ${heading}\n`)
  const [part = ''] = rest.split('\n## ')
  expect(part).not.toBe('')
  return part
}

/** Changes a copy as "A site of your own" says. The parts before it show other shapes of files. */
export function followGuide(folder: string): void {
  follow(folder, partBelow('A site of your own', 'schema/README.md'))
}

/** Changes a copy as a page says: runs its commands but npm, writes its files, applies its diffs. */
export function follow(folder: string, page: string): void {
  for (const [, language, file = '', text = ''] of page.matchAll(BLOCK)) {
    const place = join(folder, file)
    const isFile = (language === 'json' || language === 'ts') && file !== ''
    const isCommand = language === 'sh' && !text.includes('npm')

    if (isCommand) spawnSync('sh', ['-c', text], { cwd: folder })
    if (isFile) writeFileSync(place, text)
    if (language === 'diff') applyDiff(place, text)
  }
}

/** The first commands that a part of a page shows, each after a "$". */
const FIRST_COMMANDS = /^```console\n(.*?)^```/ms

/**
 * Makes the site of the README: runs the commands with which it begins, and writes its files.
 *
 * @returns the folder of the site
 */
export function makeSiteOfReadme(): string {
  const section = partBelow('3. Build a site of your own', 'README.md')
  const [, commands = ''] = FIRST_COMMANDS.exec(section) ?? []

  const address = copyAll()
  rmSync(join(address, 'node_modules'))
  makeRepository(address)

  const parent = mkdtempSync(join(tmpdir(), 'manyurls-site-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const script = commands
    .replaceAll(/^\$ /gm, '')
    .replace('ADDRESS_OF_THIS_REPOSITORY', address)
    .replace('npm ci', `ln -s ${join(ROOT, 'node_modules')} node_modules`)
  execFileSync('sh', ['-ec', script], { cwd: parent, stdio: 'pipe' })

  const folder = join(parent, 'places')
  follow(folder, section)
  return folder
}

/** Lines of a diff that belong together: those to remove, then those to add. */
const HUNK = /(?:^-.*\n)+(?:^\+.*\n)*/gm

function applyDiff(file: string, diff: string): void {
  let text = readFileSync(file, 'utf8')
  for (const [hunk] of diff.matchAll(HUNK)) text = applyHunk(text, hunk)
  writeFileSync(file, text)
}

/** Returns a text with one change. What is only removed may be in several places. */
function applyHunk(text: string, hunk: string): string {
  const removed = linesWith('-', hunk)
  const added = linesWith('+', hunk)

  if (added.length > 0) {
    const before = removed.join('\n')
    expect(text).toContain(before)
    return text.replace(before, () => added.join('\n'))
  }

  let changed = text
  for (const line of removed) {
    expect(text).toContain(line)
    changed = changed.replace(`${line}\n`, '')
  }
  return changed
}

/** Returns the lines of a hunk with a sign, without it. */
function linesWith(sign: '-' | '+', hunk: string): string[] {
  const lines = hunk.split('\n').filter((line) => line.startsWith(sign))
  return lines.map((line) => line.slice(1))
}

/** Runs a script as in a new terminal: a test that Vitest runs has settings of its own. */
export async function npm(cwd: string, script: string, settings = {}) {
  const { PATH, HOME, TMPDIR, CHROME_PATH } = process.env
  const env = { ...{ PATH, HOME, TMPDIR, CHROME_PATH }, ...settings }
  const output = await new Promise<string>((resolve) => {
    // In a shell, because npm is a script on Windows.
    exec(`npm run ${script}`, { cwd, env, maxBuffer: Infinity }, (error, stdout, stderr) =>
      resolve(error ? (stdout + stderr).slice(-10_000) : ''),
    )
  })
  expect(output).toBe('')
}
