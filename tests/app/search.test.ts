import { expect, test } from 'vitest'
import { type Entry, lookUp } from '../../src/app/lookup.ts'
import { searchEntries } from '../../src/app/search.ts'
import { allTexts, indexWords } from '../../src/static/index-files.ts'
import { page } from '../helpers/page.ts'

const lookup = lookUp([
  page({ path: '/a/1', title: 'Plans', contentHtml: '<p>Teams drink tea.</p>' }),
  page({ path: '/a/2', title: 'Teams', contentHtml: '<p>Plans.</p>' }),
  page({ path: '/tea/3', title: 'Café', contentHtml: '<p>None.</p>' }),
])
const index = indexWords(allTexts(lookup)).flat()
const search = (text: string) => searchEntries(lookup.entries, text, index)

test('results come in the order title, path, text', () => {
  const { entries, placeOf } = search('tea')
  expect(entries.map((entry) => [entry.path, placeOf(entry)])).toEqual([
    ['/a/2', 'title'],
    ['/tea/3', 'path'],
    ['/a/1', 'text'],
  ])
  // All words count: one of them is in the title only.
  const both = search('plans tea')
  expect(both.entries.map((entry) => [entry.path, both.placeOf(entry)])).toEqual(
    [
      ['/a/2', 'text'],
      ['/a/1', 'text'],
    ].reverse(),
  )
})

test.each([
  ['tea', 'Teams, tea', ['', 'Teams', ', ', 'tea', '']],
  ['CAFE', 'Un café', ['Un ', 'café', '']],
  ['0', '/blog/029', ['/blog/', '029', '']],
  ['x', 'Teams', ['Teams']],
])('%s is marked in %s', (text, heading, parts) => {
  expect(search(text).mark(heading)).toEqual(parts)
})

test('an excerpt has the words around the first that was found, cut between words', () => {
  const text = `${'before '.repeat(20)}One Größe two ${'after '.repeat(40)}`
  const [before = '', found, after = ''] = search('grosse').excerpt(['nothing', text])
  expect(found).toBe('Größe')
  expect(before).toMatch(/^…(before )+One $/)
  expect(after).toMatch(/^ two (after )*after…$/)
  expect(search('one').excerpt(['One two'])).toEqual(['', 'One', ' two'])
  // Only the last word may be the beginning of one.
  expect(search('bef two').excerpt([text])).toEqual([expect.any(String), 'two', expect.any(String)])
})

test('an excerpt ends with a word, and not with the sign after it', () => {
  const text = `Teams ask ${'why '.repeat(20)}and how. More follows.`
  expect(search('teams').excerpt([text]).join('')).toMatch(/ and how…$/)
})

test('an excerpt of a text without spaces has whole characters, and what was found', () => {
  const text = `${'😀'.repeat(40)}首都${'😀'.repeat(80)}`
  const parts = search('首都').excerpt([text])
  expect(parts).toEqual([expect.stringMatching(/^…/), '首都', expect.stringMatching(/…$/)])
  expect(parts.join('').isWellFormed()).toBe(true)
})

test.each([
  ['首都', '日本の首都です', ['日本の', '首都', 'です']],
  ['首都です', '日本の首都です', ['日本の', '首都です', '']],
  ['京', '東京と京都', ['東', '京', 'と', '京', '都']],
  ['mueller', 'Herr Müller', ['Herr ', 'Müller', '']],
])('%s is marked in %s, and nothing else', (text, heading, parts) => {
  expect(search(text).mark(heading)).toEqual(parts)
})

test('a text that is only signs finds the titles and paths that have them', () => {
  const titled = lookUp([page({ path: '/a/1', title: 'Wow!!!' }), page({ path: '/a/2' })])
  const found = (text: string) =>
    searchEntries(titled.entries, text).entries.map(({ path }) => path)
  expect(found('!!!')).toEqual(['/a/1'])
  expect(found('😀')).toEqual([])
})

test('an empty text finds everything', () => {
  const entries: readonly Entry[] = lookup.entries
  expect(search('').entries).toBe(entries)
  expect(search(' \u00ad ').entries).toBe(entries)
})
