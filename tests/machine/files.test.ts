import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBefore, retryWhileInUse } from '../../src/machine/files.ts'

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

test('the text before a mark is read to its end, also if it or a character is on both sides of a piece', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.json')
  const head = `${'a'.repeat(2 ** 20 - 3)}é`
  for (const shift of ['', 'a', 'aa', 'aaa']) {
    writeFileSync(file, `${shift}${head},"refused":${'b'.repeat(2 ** 20)}`)
    expect(readBefore(file, ',"refused":')).toBe(shift + head)
  }
  expect(readBefore(file, 'nowhere')).toBe('')
  expect(readBefore(`${file}.gone`, 'a')).toBe('')
})
