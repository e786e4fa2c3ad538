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
    'a.json:2 /0/contentHtml: The site needs a "contentHtml"',
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
      'a.json:2 /0: The fact "Source" of content.ts leads to "javascript:alert(1)"',
    ),
  ])
})
