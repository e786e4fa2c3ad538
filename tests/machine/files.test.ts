import { expect, test } from 'vitest'
import { retryWhileInUse } from '../../src/machine/files.ts'

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
