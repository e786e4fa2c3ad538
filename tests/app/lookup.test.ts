import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { categoriesOf, countForms, lookUp, nameOfCategory } from '../../src/app/lookup.ts'
import { formOf, page as pageOf } from '../helpers/page.ts'

/** In the order of the index. Every second one has a form. */
const pages = ['/about/007', '/blog/029', '/blog/100', '/news/001'].map((path, at) =>
  pageOf({ path, form: at % 2 === 0 ? null : formOf({}) }),
)
const page = pages[1] as Page
const { path } = page
const [, category = '', pageId = ''] = path.split('/')

test('every page is found at its own path', () => {
  const { find } = lookUp(pages)
  for (const each of pages) expect(find(each.path)?.page).toBe(each)
})

test.each([
  ...[path.toUpperCase(), `${path}/`, path.slice(1), `/${path}`, `/./${category}/${pageId}`],
  ...[
    `/${category}/%3${pageId}`,
    `/${category}%2F${pageId}`,
    `${path}?`,
    `${path}#`,
    `${path}.html`,
  ],
  ...[`${path} `, `/${category}/${Number(pageId)}`, `/${pageId}`, `/${category}`, '/', ''],
  ...['/unheard-of/001', '/blog/000', '/__proto__/001', '__proto__', 'constructor'],
])('%s is not a page', (spelling) => {
  expect(lookUp(pages).find(spelling)).toBeUndefined()
})

test('the index lists every page once, by category, then number', () => {
  const { entries } = lookUp(pages)
  const shuffled = ['/news/002', '/blog/100', '/news/001', '/about/099', '/blog/010', '/blog/009']
  const listed = lookUp(shuffled.map((path) => pageOf({ path }))).entries.map(({ path }) => path)
  expect(listed).toEqual([
    '/about/099',
    '/blog/009',
    '/blog/010',
    '/blog/100',
    '/news/001',
    '/news/002',
  ])
  expect(entries.map(({ path }) => path)).toEqual(pages.map(({ path }) => path).sort())
})

test('the order of the index does not depend on that of the dataset, nor change it', () => {
  const reversed = pages.toReversed()
  const before = [...reversed]
  expect(lookUp(reversed).entries).toEqual(lookUp(pages).entries)
  expect(reversed).toEqual(before)
})

test.each([
  ['numbers by their value', '/blog/9', '/blog/010', '/blog/99', '/blog/1000'],
  ['a part that begins another before it', '/help', '/help/999', '/help-me/1', '/helping/001'],
  ['numbers of any length', '/a/9999999999999999', '/a/12345678901234567'],
  ['numbers anywhere', '/v2/a', '/v2/b', '/v10/a', '/version/a'],
  ['paths of any depth', '/about', '/guides', '/guides/a', '/guides/a/b', '/guides/b', '/über-uns'],
  ['numbers that differ in zeros, in one way', '/a/007', '/a/07', '/a/7', '/a/7/b'],
])('the index orders %s', (_, ...paths) => {
  const listed = (some: string[]) =>
    lookUp(some.map((path) => pageOf({ path }))).entries.map(({ path }) => path)
  expect(listed(paths.toReversed())).toEqual(paths)
  expect(listed(paths)).toEqual(paths)
})

test('an entry has the path, the title and whether there is a form', () => {
  const { entries, find } = lookUp(pages)
  for (const entry of entries) {
    const page = find(entry.path)?.page
    const hasForm = page?.form !== null
    expect(entry).toEqual({ path: page?.path, title: page?.title, hasForm })
  }
})

test('a site has forms if any page has the key, and then a page without it has no form', () => {
  const { form, ...formless } = pageOf()
  const { entries } = lookUp([formless as Page])
  expect(entries).toMatchObject([{ hasForm: undefined }])
  expect(countForms(entries)).toBeUndefined()
  const mixed = lookUp([formless as Page, pageOf({ path: '/about/001', form: null })])
  expect(mixed.entries).toMatchObject([{ hasForm: false }, { hasForm: false }])
  expect(countForms(mixed.entries)).toBe(0)
})

test('the neighbours of a page are those before and after it in the index', () => {
  const { entries, find } = lookUp(pages)
  for (const [position, { path }] of entries.entries()) {
    expect(find(path)?.previous).toBe(entries[position - 1])
    expect(find(path)?.next).toBe(entries[position + 1])
  }
})

test('the first page has no previous one, the last no next one, an only page neither', () => {
  const { entries, find } = lookUp(pages)
  expect(find(entries[0]?.path ?? '')?.previous).toBeUndefined()
  expect(find(entries.at(-1)?.path ?? '')?.next).toBeUndefined()
  expect(lookUp([page]).find(path)).toEqual({ page, categories: [category] })
})

test('all pages are counted, and those with a form', () => {
  expect(countForms(lookUp(pages).entries)).toBe(2)
  expect(countForms([])).toBeUndefined()
})

test('the categories are the first parts of the paths that have more', () => {
  const paths = ['/guides', '/guides/a/b', '/v10/a', '/guides/a', '/about', '/blog/1', '/v2/a']
  const { entries, find } = lookUp(paths.map((path) => pageOf({ path })))
  expect(categoriesOf(entries)).toEqual(['blog', 'guides', 'v2', 'v10'])
  expect(categoriesOf(entries.toReversed())).toEqual(['blog', 'guides', 'v2', 'v10'])
  expect(find('/guides/a/b')?.categories).toEqual(['guides'])
  expect(find('/guides')?.categories).toEqual([])
})

test('a category of paths has a capital and no hyphens where people read it, one with capitals or spaces stays', () => {
  expect(['help-desk-2', 'über', 'iOS', 'der-iPod', 'über uns'].map(nameOfCategory)).toEqual([
    ...['Help desk 2', 'Über'],
    ...['iOS', 'der-iPod', 'über uns'],
  ])
})

describe('a site of its own', () => {
  const titled = ['Zebra', 'Äpfel', 'apfel 10', 'apfel 9'].map((title, at) => {
    return { path: `/${4 - at}`, title, contentHtml: '', price: at, seeAlso: ['/2', '/4'] }
  })
  const keyOf = (page: object) => page as (typeof titled)[number]
  const titles = (order: (page: object) => string | number, language = 'de') =>
    lookUp(titled, { order, language }).entries.map(({ title }) => title)

  test('has its index in the order of a dictionary, of numbers, or else of the paths', () => {
    const byTitle = ['Äpfel', 'apfel 9', 'apfel 10', 'Zebra']
    expect(titles((page) => keyOf(page).title)).toEqual(byTitle)
    // In Swedish, Ä follows Z.
    expect(titles((page) => keyOf(page).title, 'sv')).toEqual([...byTitle.slice(1), 'Äpfel'])
    const byPrice = ['Zebra', 'Äpfel', 'apfel 10', 'apfel 9']
    expect(titles((page) => keyOf(page).price - 1.5)).toEqual(byPrice)
    expect(titles((page) => 1.5 - keyOf(page).price)).toEqual(byPrice.toReversed())
    expect(titles(() => 'x')).toEqual(['apfel 9', 'apfel 10', 'Äpfel', 'Zebra'])
    // Of numbers and texts, numbers are texts, too.
    expect(titles((page) => ['~', 1, 2, 'x'][keyOf(page).price] ?? '')).toEqual(byPrice)
    // In Turkish, ı precedes i. What a machine speaks counts in no language, even if it is unknown.
    const dotless = ['ib', 'ıa'].map((title, at) => ({ path: `/${at}`, title }))
    const sorted = lookUp(dotless as never, { order: ({ title }) => title, language: 'art' })
    expect(sorted.entries.map(({ title }) => title)).toEqual(['ib', 'ıa'])
    const { find } = lookUp(titled, { order: ({ title }) => title, language: 'de' })
    expect([find('/2')?.previous?.title, find('/2')?.next?.title]).toEqual(['apfel 9', 'Zebra'])
  })

  test('has categories of its own, in the order of a dictionary', () => {
    const { entries, find } = lookUp(titled, { group: ({ title }) => title, language: 'de' })
    expect(categoriesOf(entries, 'de')).toEqual(['Äpfel', 'apfel 9', 'apfel 10', 'Zebra'])
    expect(find('/4')?.categories).toEqual(['Zebra'])
  })

  test('may have several categories for a page, each once', () => {
    const group = ({ path }: object & { path: string }) =>
      path === '/1' ? ['b', undefined, 'a', '', 'b'] : 'a'
    const { entries, find } = lookUp(titled, { group })
    expect(entries.map(({ groups }) => groups)).toEqual([['b', 'a'], ['a'], ['a'], ['a']])
    expect(categoriesOf(entries)).toEqual(['a', 'b'])
    expect(find('/1')?.categories).toEqual(['b', 'a'])
    expect(find('/2')?.categories).toEqual(['a'])
  })

  test('takes the category from the path where group returns nothing', () => {
    for (const group of [undefined, '']) {
      const { entries, find } = lookUp(pages, { group: () => group })
      expect(categoriesOf(entries)).toEqual(['about', 'blog', 'news'])
      expect(find(path)?.categories).toEqual(['blog'])
    }
  })

  test('has no category for a page where group returns an empty list', () => {
    for (const group of [[], ['', undefined]]) {
      const { entries, find } = lookUp(pages, { group: () => group })
      expect(categoriesOf(entries)).toEqual([])
      expect(find(path)?.categories).toEqual([])
    }
  })

  test('has an image on a card, if there is one', () => {
    const image = { src: '/a.png', alt: 'An apple' }
    const shows = {
      image: ({ path }: object & { path: string }) => (path === '/1' ? image : undefined),
    }
    const { entries } = lookUp(titled, shows)
    expect(entries.map((entry) => entry.image)).toEqual([image, undefined, undefined, undefined])
  })

  test('names each other page once', () => {
    const { find } = lookUp(titled, { others: () => ['/2', '/1', '/2'] })
    expect(find('/1')?.others?.map(({ path }) => path)).toEqual(['/2', '/1'])
  })

  test('leaves out a fact whose value is undefined', () => {
    const facts = () => [['Beds', undefined] as const, ['Price', '3'] as const]
    expect(lookUp(titled, { facts }).find('/1')?.facts).toEqual([['Price', ['3']]])
  })

  test('leaves out a fact whose list is empty, and shows what a list has twice once', () => {
    const links = [{ href: '/2', text: 'Two' }, { href: '/3' }]
    const facts = () => [
      ['None', []] as const,
      ['Tags', ['a', 'b', 'a']] as const,
      ['Links', [...links, { href: '/2', text: 'Two' }, { href: '/2', text: '2' }]] as const,
    ]
    expect(lookUp(titled, { facts }).find('/1')?.facts).toEqual([
      ['Tags', ['a', 'b']],
      ['Links', [...links, { href: '/2', text: '2' }]],
    ])
  })

  test('has its own lines on a card, facts, and the entries of the pages that a page names', () => {
    const card = (page: object) => [`€ ${keyOf(page).price}`, undefined, '']
    const others = (page: object) => [...keyOf(page).seeAlso, '/nowhere']
    const fact = ['Price', '3'] as const
    const facts = () => [fact, undefined]
    const searched = () => ['cheap', undefined, '']
    const { entries, find } = lookUp(titled, { card, others, facts, searched })
    expect(find('/1')).toMatchObject({ facts: [['Price', ['3']]], searched: ['cheap'] })
    expect(entries[0]).toMatchObject({ path: '/1', card: ['€ 3'] })
    expect(find('/1')?.others?.map(({ title }) => title)).toEqual(['apfel 10', 'Zebra'])
    expect(lookUp(titled).entries[0]?.card).toBeUndefined()
  })

  test('names the language of a page only if it is not that of the site', () => {
    const pages = ['ar', 'en', undefined].map((language, at) =>
      pageOf({ path: `/a/00${at}`, language } as object),
    )
    const { entries } = lookUp(pages, { language: 'en' })
    const [first, ...others] = entries
    expect(first?.language).toBe('ar')
    for (const { language } of others) expect(language).toBeUndefined()
  })
})
