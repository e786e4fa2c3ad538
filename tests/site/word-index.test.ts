import { expect, test } from 'vitest'
import { filterEntries, NO_FILTER } from '../../src/site/content/filter.ts'
import { lookUp } from '../../src/site/content/lookup.ts'
import { indexWords } from '../../src/site/static/word-index.ts'
import { page } from '../helpers/page.ts'

/** Returns the paths that a text finds among pages with these bodies: /api/001, /api/002 and so on. */
function found(text: string, bodies: string[]): string[] {
  const pages = bodies.map((contentHtml, at) => {
    return page({ path: `/api/00${at + 1}`, title: `Api Page 00${at + 1}`, contentHtml })
  })
  const lookup = lookUp(pages.reverse())
  const filter = { ...NO_FILTER, text }
  return filterEntries(lookup.entries, filter, indexWords(lookup)).map(({ path }) => path)
}

const BODIES = [
  '<p>The autumn workshop.</p><p>Caf\u00e9 &amp; cr&egrave;me</p>',
  '<p>WORKSHOPS in spring</p>',
  '<p>No work, no shop.</p>',
]

test.each([
  ['a word of a body', 'autumn', ['/api/001']],
  ['the beginning of a word, if it comes last', 'workshop', ['/api/001', '/api/002']],
  ['a whole word, if another follows', 'work no', ['/api/003']],
  ['words in any order and case', 'WORKSHOP The', ['/api/001']],
  ['words of the title, the path and the body together', 'page 002 api spring', ['/api/002']],
  ['a word without its accent, or with one', 'cafe', ['/api/001']],
  ['an accent that the body lacks', 'spr\u00edng', ['/api/002']],
  ['a character reference', 'creme', ['/api/001']],
  ['the inside of a word of a body: nothing', 'orkshop', []],
  ['the last letters of one paragraph with the first of the next: nothing', 'workshopcafe', []],
  ['the name of a tag or a character reference: nothing', 'amp', []],
])('%s is found', (_, text, paths) => {
  expect(found(text, BODIES)).toEqual(paths)
})

test('the index has the words in order, each with the numbers of its entries', () => {
  const bodies = ['<p>b a b</p>', '<p>a</p>']
  const pages = bodies.map((contentHtml, at) => page({ path: `/api/00${at + 1}`, contentHtml }))
  expect(indexWords(lookUp(pages))).toEqual([
    ['a', [0, 1]],
    ['b', [0]],
  ])
})

test('there is no index of more words than a visitor would wait for', () => {
  const words = Array.from({ length: 125 }, (_, at) => `w${at}`).join(' ')
  const pages = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      return page({ path: `/api/${at}`, contentHtml: `<p>${words}</p>` })
    })
  expect(indexWords(lookUp(pages(1000)))).toHaveLength(125)
  expect(indexWords(lookUp(pages(1001)))).toBeUndefined()
})
