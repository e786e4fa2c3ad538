import { win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commonFolder, splitPattern, withoutEndSlash } from '../../src/build/place.ts'
import { wayTo } from '../../src/build/schema-files.ts'

describe('on Windows', () => {
  test('files of two drives have no folder in common', () => {
    expect(() => commonFolder(['C:\\data', 'D:\\data'], win32)).toThrow(
      'C:\\data and D:\\data are on different drives',
    )
  })

  test('files of one drive have its root in common', () => {
    expect(commonFolder(['C:\\data\\2025', 'C:\\other'], win32)).toBe('C:\\')
  })

  test.each([
    ['C:\\', 'C:\\'],
    ['C:\\data\\', 'C:\\data'],
    ['data//', 'data'],
  ])('%j without its slash is %j', (place, expected) => {
    expect(withoutEndSlash(place, win32)).toBe(expected)
  })

  test.each([
    ['C:/*.json', 'C:\\', '*.json'],
    ['C:\\data\\*\\a.json', 'C:\\data', '*/a.json'],
    ['*\\a.json', '.', '*/a.json'],
  ])('the pattern %j is in %j', (place, folder, pattern) => {
    expect(splitPattern(place, win32)).toEqual({ folder, pattern })
  })

  test('the files of a schema have the names that they have elsewhere', () => {
    expect(wayTo('schema\\defs\\x.json', 'schema\\main.json', win32)).toBe('defs/x.json')
  })
})

test('the root of a disk keeps its slash', () => {
  expect(withoutEndSlash('/')).toBe('/')
})
