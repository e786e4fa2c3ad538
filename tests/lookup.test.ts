import { readFileSync } from 'node:fs'
import glob from 'fast-glob'
import { describe, expect, test } from 'vitest'
import type { Page } from '../src/generated/dataset.json'
import pages from '../src/generated/dataset.json'
import {
  categoryOf,
  comparePaths,
  countsOf,
  isPagePath,
  joinPath,
  lookUp,
} from '../src/site/content/lookup.ts'
import { page as pageOf } from './page.ts'

const { entries, find } = lookUp(pages)
const [page] = pages
if (!page) throw new Error('the dataset is empty')
const { path } = page
const [, category = '', pageId = ''] = path.split('/')

test('every page is found at its own path', () => {
  for (const each of pages) expect(find(each.path)?.page).toBe(each)
})

test('the two parameters of the route are joined into the path of the page', () => {
  expect(joinPath({ category, pageId })).toBe(path)
})

describe('no other spelling of a path is that page', () => {
  test.each([
    ['in capitals', path.toUpperCase()],
    ['with a capital letter', path.replace(/[a-z]/, (letter) => letter.toUpperCase())],
    ['with a trailing slash', `${path}/`],
    ['without the leading slash', path.slice(1)],
    ['with two slashes', `/${path}`],
    ['with a slash doubled inside', `/${category}//${pageId}`],
    ['with a dot segment', `/./${category}/${pageId}`],
    ['percent-encoded', `/${category}/%3${pageId}`],
    ['percent-encoded throughout', path.replace(/\d/g, (digit) => `%3${digit}`)],
    ['with an encoded slash', `/${category}%2F${pageId}`],
    ['with a query', `${path}?`],
    ['with a fragment', `${path}#`],
    ['with an extension', `${path}.html`],
    ['with a space', `${path} `],
    ['without its zeros', `/${category}/${Number(pageId)}`],
    ['with a further zero', `/${category}/0${pageId}`],
    [
      'with full-width digits',
      path.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    ['with the id alone', `/${pageId}`],
    ['with the category alone', `/${category}`],
  ])('%s', (_, spelling) => {
    expect(find(spelling)).toBeUndefined()
  })
})

test.each([
  ['an unknown category', '/unheard-of/001'],
  ['a category in the plural', '/blogs/001'],
  ['number 000', '/blog/000'],
  ['number 101', '/blog/101'],
  ['a negative number', '/blog/-01'],
  ['a name of Object.prototype as the category', '/__proto__/001'],
  ['a name of Object.prototype as the path', '__proto__'],
  ['another such name', 'constructor'],
  ['the empty path', ''],
  ['the index', '/'],
])('%s is not a page', (_, spelling) => {
  expect(find(spelling)).toBeUndefined()
})

test('a path that several batches claim shows the body of the first batch', async () => {
  const files = (await glob('raw-batches/*.json')).sort()
  const bodies = new Map<string, string[]>()
  for (const file of files) {
    for (const { path, contentHtml } of JSON.parse(readFileSync(file, 'utf8')) as Page[]) {
      bodies.set(path, [...(bodies.get(path) ?? []), contentHtml])
    }
  }
  const contested = [...bodies.values()].filter((all) => new Set(all).size > 1)
  expect(contested.length).toBeGreaterThan(0)
  for (const [path, [first]] of bodies) expect(find(path)?.page.contentHtml, path).toBe(first)
})

test('the index lists every page once, by category, then number', () => {
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
  expect(lookUp(reversed).entries).toEqual(entries)
  expect(reversed).toEqual(before)
})

test('two numbers with the same number of digits are compared in either order', () => {
  expect(comparePaths('/blog/009', '/blog/010')).toBeLessThan(0)
  expect(comparePaths('/blog/010', '/blog/009')).toBeGreaterThan(0)
})

test('a number with more digits is the greater one', () => {
  expect(comparePaths('/blog/999', '/blog/1000')).toBeLessThan(0)
  expect(comparePaths('/blog/1000', '/blog/999')).toBeGreaterThan(0)
  expect(comparePaths('/blog/999', '/blog/999')).toBe(0)
})

test('a category that is a prefix of another comes before it', () => {
  expect(comparePaths('/help/999', '/helping/001')).toBeLessThan(0)
  expect(comparePaths('/helping/001', '/help/999')).toBeGreaterThan(0)
})

test('an entry has the path, the title and whether there is a form', () => {
  for (const entry of entries) {
    const page = find(entry.path)?.page
    const hasForm = page?.form !== null
    expect(entry).toEqual({ path: page?.path, title: page?.title, hasForm })
  }
})

test('a page that lacks the key has no form, as another schema may allow', () => {
  const { form, ...formless } = pageOf()
  expect(lookUp([formless as Page]).entries).toMatchObject([{ hasForm: false }])
})

test('the neighbours of a page are those before and after it in the index', () => {
  for (const [position, { path }] of entries.entries()) {
    expect(find(path)?.previous).toBe(entries[position - 1])
    expect(find(path)?.next).toBe(entries[position + 1])
  }
})

test('the first page has no previous one, the last no next one, an only page neither', () => {
  expect(find(entries[0]?.path ?? '')?.previous).toBeUndefined()
  expect(find(entries.at(-1)?.path ?? '')?.next).toBeUndefined()
  expect(lookUp([page]).find(path)).toEqual({ page, previous: undefined, next: undefined })
})

test('all pages are counted, and those with a form', () => {
  const withForms = pages.filter(({ form }) => form).length
  expect(countsOf(entries)).toEqual({ total: pages.length, withForms })
  expect(countsOf([])).toEqual({ total: 0, withForms: 0 })
})

test('only an address with two segments can be a page', () => {
  for (const { path } of pages) expect(isPagePath(path)).toBe(true)
  for (const address of ['', '/', '/404', '/a/', '/a//b', '//a/b', '/a/b/', '/a/b/c', 'a/b']) {
    expect(isPagePath(address), address).toBe(false)
  }
})

test('the category is the first segment of a path', () => {
  expect(categoryOf('/blog/029')).toBe('blog')
})
