import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { placeIn } from '../../src/machine/place-in.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each([
  ['', 'a.json', 'a.json'],
  ['.', 'data/a.json', 'data/a.json'],
  ['data/', 'a.json', 'data/a.json'],
  ['config', '../a.json', 'a.json'],
  ['..', 'a.json', '../a.json'],
  ['.', 'drafts/', 'drafts/'],
  ['.', '', '.'],
  ['..', '', '..'],
])('from %j, %j is shown as %j', (folder, name, place) => {
  expect(placeIn(folder, name)).toBe(place)
})

test('a file in the folder that people are in is shown by its name', () => {
  const above = relative(process.cwd(), join(process.cwd(), '../..'))
  const way = relative(join(process.cwd(), '../..'), process.cwd())
  expect(placeIn(above, `${way}/a.json`)).toBe('a.json')
})

test('an absolute place stays absolute', () => {
  expect(placeIn('', join(ROOT, 'a.json'))).toBe(join(ROOT, 'a.json'))
  expect(placeIn(ROOT, 'data/a.json')).toBe(join(ROOT, 'data/a.json'))
  expect(placeIn(ROOT, '../a.json')).toBe(join(ROOT, '../a.json'))
})
