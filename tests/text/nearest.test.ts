import { expect, test } from 'vitest'
import { beginningWith, nearest } from '../../src/text/nearest.ts'

test.each([
  ['titel', 'title'],
  ['cretedAt', 'createdAt'],
  ['musuem', 'museum'],
  ['recieved', 'received'],
  ['tuor', 'tour'],
  ['gpl', 'GPL'],
  ['ap', 'app', false],
  ['oci', 'c/c++', false],
  ['lxc', 'c/c++', false],
  ['mvc', 'c/c++', false],
  ['de', 'dk', false],
  ['cats', 'dogs', false],
  ['south', 'north', false],
])('%j is near to %j: %s', (word, known, isNear = true) => {
  expect(nearest(word, [known, 'something else'])).toEqual(isNear ? [known] : [])
})

test('of several words, the nearest have the fewest different letters', () => {
  expect(nearest('tag9', ['tag1', 'tag2', 'tags10'])).toEqual(['tag1', 'tag2'])
})

test('a word in another Unicode normal form is nearer than one that lacks its accents', () => {
  expect(nearest('cafe\u0301', ['cafe', 'café'])).toEqual(['café'])
})

test.each([
  ['LGPL', ['LGPL-2.1', 'LGPL-3.0']],
  ['apache', ['Apache-2.0']],
  ['int', ['integer']],
  ['de', ['de-AT']],
  ['MIT', []],
  ['', []],
])('the words that begin with %j, and go on: %j', (word, longer) => {
  const words = ['MIT', 'NGPL', 'LGPL-2.1', 'LGPL-3.0', 'Apache-2.0', 'integer', 'de-AT', 'depth']
  expect(beginningWith(word, words)).toEqual(longer)
})
