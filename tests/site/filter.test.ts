import { expect, test } from 'vitest'
import {
  type Filter,
  filterEntries,
  formatFilter,
  NO_FILTER as NONE,
  parseFilter,
} from '../../src/site/content/filter.ts'
import type { Entry } from '../../src/site/content/lookup.ts'
import { searchEntries } from '../../src/site/content/search.ts'

const entries: Entry[] = [
  { path: '/blog/001', title: 'Blog Page 001', hasForm: true },
  { path: '/blog/029', title: 'Blog Page 029', hasForm: false },
  { path: '/about/029', title: 'About Page 029', hasForm: true },
]

function shown(filter: Partial<Filter>): string[] {
  const { q, category } = { ...NONE, ...filter }
  return filterEntries(searchEntries(entries, q).entries, category).map(({ path }) => path)
}

test.each([
  ['nothing', {}, ['/blog/001', '/blog/029', '/about/029']],
  ['a word of the title', { q: 'blog' }, ['/blog/001', '/blog/029']],
  ['a word in any case', { q: 'ABOUT' }, ['/about/029']],
  ['part of a word', { q: '29' }, ['/blog/029', '/about/029']],
  ['words in any order', { q: '029 blog' }, ['/blog/029']],
  ['words with space around', { q: '  029  ' }, ['/blog/029', '/about/029']],
  ['a path', { q: '/blog/029' }, ['/blog/029']],
  ['a text that no page contains', { q: 'x' }, []],
  ['a category', { category: 'about' }, ['/about/029']],
  ['a category that is the beginning of another', { category: 'b' }, []],
  ['both', { q: '29', category: 'blog' }, ['/blog/029']],
] as const)('a filter by %s returns the entries that match', (_, filter, paths) => {
  expect(shown(filter)).toEqual(paths)
})

test('no category returns all entries, as the same array', () => {
  expect(filterEntries(entries, '')).toBe(entries)
})

test.each<[Filter, string]>([
  [NONE, ''],
  [{ q: 'a b', category: '' }, '?q=a+b'],
  [{ q: '&=?#%é', category: 'blog' }, '?q=%26%3D%3F%23%25%C3%A9&category=blog'],
  [{ q: '', category: 'about' }, '?category=about'],
])('%j is formatted as %j and parsed back', (filter, search) => {
  expect(formatFilter(filter)).toBe(search)
  expect(parseFilter(search, ['about', 'blog'])).toEqual(filter)
})

test.each(['?category=nope', '?category=BLOG', '?x=1'])(
  '%s is ignored, because no control can show it',
  (search) => {
    expect(parseFilter(search, ['about', 'blog'])).toEqual(NONE)
  },
)

test('keeps the other parameters of an address, and their order', () => {
  const filter = { ...NONE, q: 'a b' }
  expect(formatFilter(filter, '?utm_source=x&q=old&category=blog')).toBe('?utm_source=x&q=a+b')
  expect(formatFilter(NONE, '?q=old')).toBe('')
})
