/** Copies the project, and follows a page of its documentation in the copy. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
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

/** Changes a copy as a page says: runs its commands but npm, writes its files, applies its diffs. */
export function follow(folder: string, documentation = 'schema/README.md') {
  const page = readFileSync(join(ROOT, documentation), 'utf8')
  for (const [, language, file = '', text = ''] of page.matchAll(
    /^```(\S+)(?: (\S+))?\n(.*?)^```/gms,
  )) {
    const whole = join(folder, file)
    if (language === 'sh' && !text.includes('npm')) spawnSync('sh', ['-c', text], { cwd: folder })
    if (/^(json|ts)$/.test(language ?? '') && file) writeFileSync(whole, text)
    if (language !== 'diff') continue
    let changed = readFileSync(whole, 'utf8')
    for (const [hunk] of text.matchAll(/(?:^-.*\n)+(?:^\+.*\n)*/gm)) {
      const lines = (sign: string) => hunk.match(new RegExp(`(?<=^[${sign}]).*`, 'gm')) ?? []
      const [before = '', after] = [lines('-'), lines('+')].map((each) => each.join('\n'))
      for (const line of after ? [before] : lines('-')) expect(changed).toContain(line)
      if (after) changed = changed.replace(before, () => after)
      else for (const line of lines('-')) changed = changed.replace(`${line}\n`, '')
    }
    writeFileSync(whole, changed)
  }
}

/** Runs a script as in a new terminal: a test that Vitest runs has settings of its own. */
export async function npm(cwd: string, script: string, settings = {}) {
  const { PATH, HOME, TMPDIR, CHROME_PATH } = process.env
  const env = { ...{ PATH, HOME, TMPDIR, CHROME_PATH }, ...settings }
  const output = await new Promise<string>((resolve) => {
    execFile('npm', ['run', script], { cwd, env, maxBuffer: Infinity }, (error, stdout, stderr) =>
      resolve(error ? (stdout + stderr).slice(-10_000) : ''),
    )
  })
  expect(output).toBe('')
}
