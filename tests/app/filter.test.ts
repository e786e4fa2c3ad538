import { expect, test } from 'vitest'
import { type Filter, filterEntries, formatFilter, parseFilter } from '../../src/app/filter.ts'
import type { Entry } from '../../src/app/lookup.ts'
import { searchEntries } from '../../src/app/search.ts'

const entries: Entry[] = [
  { path: '/blog/001', title: 'Blog Page 001', hasForm: true },
  { path: '/blog/029', title: 'Blog Page 029', hasForm: false },
  { path: '/about/029', title: 'About Page 029', hasForm: true },
]

const NONE: Filter = { q: '', category: '', form: '' }

function shown(filter: Partial<Filter>): string[] {
  const all = { ...NONE, ...filter }
  return filterEntries(searchEntries(entries, all.q).entries, all).map(({ path }) => path)
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
  ['a form', { form: 'with' }, ['/blog/001', '/about/029']],
  ['no form', { form: 'without' }, ['/blog/029']],
  ['all of these', { q: '0', category: 'blog', form: 'with' }, ['/blog/001']],
] as const)('a filter by %s returns the entries that match', (_, filter, paths) => {
  expect(shown(filter)).toEqual(paths)
})

test('a page in several categories is found in each of them', () => {
  const [first, ...rest] = entries
  const grouped = [{ ...first, groups: ['a', 'b'] } as Entry, ...rest]
  for (const category of ['a', 'b', 'blog', 'about']) {
    const paths = filterEntries(grouped, { ...NONE, category }).map(({ path }) => path)
    expect(paths, category).toEqual(
      { blog: ['/blog/029'], about: ['/about/029'] }[category] ?? ['/blog/001'],
    )
  }
})

test('an empty filter returns all entries, as the same array', () => {
  for (const filter of [NONE, { ...NONE, q: ' \t' }]) {
    expect(filterEntries(entries, filter)).toBe(entries)
  }
  expect(filterEntries(entries, { ...NONE, form: 'with' })).not.toBe(entries)
})

test.each<[Filter, string]>([
  [NONE, ''],
  [{ q: 'a b', category: '', form: '' }, '?q=a+b'],
  [
    { q: '&=?#%é', category: 'blog', form: 'with' },
    '?q=%26%3D%3F%23%25%C3%A9&category=blog&form=with',
  ],
  [{ q: '', category: '', form: 'without' }, '?form=without'],
])('%j is formatted as %j and parsed back', (filter, search) => {
  expect(formatFilter(filter)).toBe(search)
  expect(parseFilter(search, entries, ['about', 'blog'])).toEqual(filter)
})

test.each(['?form=maybe', '?category=nope', '?category=BLOG', '?x=1'])(
  '%s is ignored, because no control can show it',
  (search) => {
    expect(parseFilter(search, entries, ['about', 'blog'])).toEqual(NONE)
  },
)

test('keeps the other parameters of an address, and their order', () => {
  const filter = { ...NONE, q: 'a b' }
  expect(formatFilter(filter, '?utm_source=x&q=old&form=with')).toBe('?utm_source=x&q=a+b')
  expect(formatFilter(NONE, '?q=old')).toBe('')
})
