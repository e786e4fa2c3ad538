import { expect, test } from 'vitest'
import type { Content } from '../../src/page/content.ts'
import { buildRecords, problemsOf } from '../helpers/build-records.ts'

const page = (values: object) => ({ path: '/a', title: 'A', contentHtml: '<p>a</p>', ...values })

/** The problems of one batch with pages. */
async function refusedOf(pages: object[], content: Content = {}) {
  return problemsOf(await buildRecords({ 'a.json': pages }, content))
}

test.each([
  [
    'an empty part',
    { path: '/icons//e' },
    'a.json:3 /0/path: The site can\'t show a page at "/icons//e".',
  ],
  ['an address of the site itself', { path: '/404' }, 'a.json:3 /0/path: The site itself uses'],
  ['the name of a device', { path: '/con' }, "a.json:3 /0/path: The site can't have a file"],
  ['a title that is a number', { title: 5 }, 'a.json:4 /0/title: The site needs a title'],
  [
    'no body',
    { contentHtml: undefined },
    'a.json:2 /0/contentHtml: This record has no "contentHtml"',
  ],
  [
    'a language in words',
    { language: 'English' },
    'a.json:6 /0/language: The site needs a language',
  ],
  ['a date in words', { updatedAt: 'yesterday' }, 'a.json:6 /0/updatedAt: The site needs a date'],
])('a page with %s is a problem at its place', async (_, values, expected) => {
  expect(await refusedOf([page(values)])).toEqual([expect.stringContaining(expected)])
})

test('what only a site needs is not checked if no site is made of the dataset', async () => {
  expect(await refusedOf([page({ path: '/icons//e/', title: 5 })], { site: false })).toEqual([])
})

test('two paths that differ only in case are one file on some disks', async () => {
  const files = { 'a.json': [page({ path: '/Blog' })], 'b.json': [page({ path: '/blog' })] }
  expect(problemsOf(await buildRecords(files, {}))).toEqual([
    expect.stringContaining(
      'b.json:3 /0/path: On some disks, this page would be the same file as "/Blog"',
    ),
  ])
})

test('a page that content.ts shows with another must be there', async () => {
  const content: Content = { others: (shown) => Object(shown).parts }
  const pages = [page({ parts: ['/b', '/c'] }), page({ path: '/b', parts: [] })]
  expect(await refusedOf(pages, content)).toEqual([
    expect.stringContaining('a.json:8 /0/parts/1: No page is at "/c".'),
  ])
})

test('a fact leads where a link in a body may lead', async () => {
  const content: Content = { facts: () => [['Source', { href: 'javascript:alert(1)' }]] }
  expect(await refusedOf([page({})], content)).toEqual([
    expect.stringContaining(
      'a.json:2 /0: The fact "Source" of "content.facts" leads to "javascript:alert(1)"',
    ),
  ])
})

test.each<[value: unknown]>([
  [undefined],
  ['78 kr'],
  [''],
  [{ href: '/a' }],
  [{ href: 'https://example.com/?a=1', text: 'Example' }],
  [[]],
  [['one', { href: '#a' }, { href: 'mailto:a@example.com', text: 'Ada' }]],
])('a fact may be %j', async (value) => {
  expect(
    await refusedOf([page({})], { facts: () => [undefined, ['Fact', value as string]] }),
  ).toEqual([])
})

const NEITHER = 'is neither a text nor a link such as { href: "/a", text: "A" }.'

test.each<[fact: unknown, says: string]>([
  [['Price', 78], `In the fact "Price" of "content.facts", 78 ${NEITHER}`],
  [
    ['Price', ['78 kr', undefined]],
    'The list of the fact "Price" of "content.facts" has an item that is undefined.',
  ],
  [['Links', [['/a']]], `In the fact "Links" of "content.facts", a list ${NEITHER}`],
  [['Link', { text: 'A' }], `In the fact "Link" of "content.facts", an object ${NEITHER}`],
  [
    ['Link', { href: '/a', text: 5 }],
    `In the fact "Link" of "content.facts", an object ${NEITHER}`,
  ],
  [
    ['Links', [{ href: '/a' }, { href: 'example.com' }]],
    'The fact "Links" of "content.facts" leads to "example.com". A link begins with',
  ],
  [
    'Price',
    '"content.facts" must return pairs of a name and a value, such as ["Price", "78 kr"], but "Price" is in its list.',
  ],
  [[5, 'a'], '"content.facts" must return pairs of a name and a value'],
])('a fact such as %j is a problem of the record', async (fact, says) => {
  expect(await refusedOf([page({})], { facts: () => [fact as never] })).toEqual([
    expect.stringContaining(`a.json:2 /0: ${says}`),
  ])
})

test.each([
  undefined,
  { src: '/images/a.png', alt: '' },
  { src: 'https://example.com/a.png?b=1', alt: 'An apple' },
])('the image on a card may be %j', async (image) => {
  expect(await refusedOf([page({})], { image: () => image })).toEqual([])
})

test.each<[image: unknown, says: string]>([
  ...[
    'images/a.png',
    '//example.com/a.png',
    'http://example.com/a.png',
    'data:image/png,',
    '/"',
  ].map((src): [unknown, string] => [
    { src, alt: '' },
    `"content.image" returns the address ${JSON.stringify(src)}. The address of an image begins with https:// or a single /, and has no < > "`,
  ]),
  [
    '/a.png',
    '"content.image" must return { src, alt }, which are texts, or nothing, but it returns "/a.png"',
  ],
  [{ src: '/a.png' }, '"content.image" must return { src, alt }'],
  [null, '"content.image" must return { src, alt }'],
  [Promise.resolve(undefined), '"content.image" returns a Promise'],
])('the image %j on a card is a problem of the record', async (image, says) => {
  expect(await refusedOf([page({})], { image: () => image as undefined })).toEqual([
    expect.stringContaining(`a.json:2 /0: ${says}`),
  ])
})

test.each<[group: ReturnType<NonNullable<Content['group']>>]>([
  [undefined],
  [''],
  ['a'],
  [[]],
  [['a', undefined, '']],
])('a group may be %j', async (group) => {
  expect(await refusedOf([page({})], { group: () => group })).toEqual([])
})

test.each<[group: unknown, says: string]>([
  [5, 'must return a text or a list of texts, but 5 is not a text.'],
  [['a', null], 'must return a text or a list of texts, but null is not a text.'],
  [Promise.resolve('a'), 'returns a Promise'],
])('the group %j is a problem of the record', async (group, says) => {
  expect(await refusedOf([page({})], { group: () => group as string })).toEqual([
    expect.stringContaining(`a.json:2 /0: "content.group" ${says}`),
  ])
})

test('nothing that is shown is checked if no site is made of the dataset', async () => {
  const image = () => 5 as unknown as undefined
  expect(await refusedOf([page({})], { image, site: false })).toEqual([])
})
