import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { moveFile, retryWhileInUse } from '../../src/machine/files.ts'

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'manyurls-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An action that fails with each of these codes, then succeeds. */
function failingWith(...codes: string[]) {
  const left = [...codes]
  return () => {
    const code = left.shift()
    if (code) throw Object.assign(new Error(code), { code })
  }
}

test('an action is tried again until no other program uses its file', () => {
  const action = failingWith('EPERM', 'EACCES', 'EBUSY')
  expect(() => retryWhileInUse(action, [1, 1, 1])).not.toThrow()
})

test('an action whose file stays in use fails with the error of the last attempt', () => {
  const action = failingWith('EPERM', 'EACCES', 'EBUSY')
  expect(() => retryWhileInUse(action, [1, 1])).toThrow('EBUSY')
})

test('an action that fails for another reason is not tried again', () => {
  const action = failingWith('EXDEV', 'EPERM')
  expect(() => retryWhileInUse(action, [1, 1])).toThrow('EXDEV')
})

/** A disk of its own on Linux. */
const MEMORY = '/dev/shm'
const hasTwoDisks = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev

test.runIf(hasTwoDisks)('a file moves to another disk', () => {
  const from = join(newFolder(), 'a')
  const to = join(newFolder(MEMORY), 'b')
  writeFileSync(from, 'text')

  moveFile(from, to)

  expect(readFileSync(to, 'utf8')).toBe('text')
  expect(existsSync(from)).toBe(false)
})
