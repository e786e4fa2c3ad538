/** Copies the project, and follows a page of its documentation in the copy. */
import { exec, execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { blocksOf, commandsOf, type ShownCommand } from '../helpers/guides.ts'

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

/** The guide of a site of one's own. */
export const GUIDE = 'src/page/README.md'

/** The part of it that makes the site of places. */
const PLACES = '## Build a site of your own'

/** Changes a copy as the whole guide says, from the removal of the sample on. */
export function followGuide(folder: string): void {
  const removals = commandsOf(GUIDE).filter(({ command }) => command.startsWith('rm '))
  for (const { command } of removals) execFileSync('sh', ['-ec', command], { cwd: folder })

  follow(folder, GUIDE)

  // What `--fix` does.
  const batch = join(folder, 'raw-batches/south.json')
  writeFileSync(batch, readFileSync(batch, 'utf8').replace('"Tour"', '"tour"'))
}

/** Changes a copy as a document, or a part of it, says: writes its files, and applies its diffs. */
export function follow(folder: string, document: string, heading?: string): void {
  for (const { language, file, text } of blocksOf(document, heading)) {
    const place = join(folder, file)
    const isFile = (language === 'json' || language === 'ts') && file !== ''

    if (isFile) {
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, text)
    }
    if (language === 'diff') applyDiff(place, text)
  }
}

/**
 * Makes the site of places: runs the commands with which the guide begins, and writes its files.
 *
 * @returns the folder of the site, and the commands of the guide that come after these
 */
export function makeSiteOfGuide(): { folder: string; commands: ShownCommand[] } {
  const start = blocksOf(GUIDE, PLACES).find(({ language }) => language === 'console')?.text ?? ''

  const address = copyAll()
  rmSync(join(address, 'node_modules'))
  makeRepository(address)

  const parent = mkdtempSync(join(tmpdir(), 'manyurls-site-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const script = start
    .replaceAll(/^\$ /gm, '')
    .replace('ADDRESS_OF_THIS_REPOSITORY', address)
    .replace('npm ci', `ln -s ${join(ROOT, 'node_modules')} node_modules`)
  execFileSync('sh', ['-ec', script], { cwd: parent, stdio: 'pipe' })

  const folder = join(parent, 'places')
  follow(folder, GUIDE, PLACES)
  const commands = commandsOf(GUIDE, PLACES).filter(({ command }) => !start.includes(command))
  return { folder, commands }
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
