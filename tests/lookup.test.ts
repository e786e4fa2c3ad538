import { describe, expect, test } from 'vitest'
import pages from '../src/generated/dataset.json'
import { documentTitle, findPage } from '../src/site/lookup.ts'

const [page] = pages
if (!page) throw new Error('the dataset is empty')
const { path, title } = page
const [, category = '', id = ''] = path.split('/')

test('every page is found at its own path', () => {
  expect(pages.map((each) => findPage(each.path))).toEqual(pages)
})

describe('no other spelling of a path is that page', () => {
  test.each([
    ['in capitals', path.toUpperCase()],
    ['with a trailing slash', `${path}/`],
    ['without the leading slash', path.slice(1)],
    ['with two slashes', `/${path}`],
    ['with a slash doubled inside', `/${category}//${id}`],
    ['with a dot segment', `/./${category}/${id}`],
    ['percent-encoded', `/${category}/%3${id}`],
    ['with an encoded slash', `/${category}%2F${id}`],
    ['with a query', `${path}?`],
    ['with a fragment', `${path}#`],
    ['with an extension', `${path}.html`],
    ['with a space', `${path} `],
    ['without its zeros', `/${category}/${Number(id)}`],
    ['with a further zero', `/${category}/0${id}`],
    [
      'with full-width digits',
      path.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
    ['with the id alone', `/${id}`],
    ['with the category alone', `/${category}`],
  ])('%s', (_, spelling) => {
    expect(findPage(spelling)).toBeUndefined()
  })
})

test.each([
  '',
  '/',
  '__proto__',
  '/__proto__/001',
  'constructor',
  'toString',
  '/blog/101',
  '/blog/000',
])('%j is no page', (spelling) => {
  expect(findPage(spelling)).toBeUndefined()
})

test('the title of a document is the screen it shows, then the site', () => {
  expect(documentTitle('/')).toBe('ManyURLs Pages')
  expect(documentTitle(path)).toBe(`${title} · ManyURLs Pages`)
  expect(documentTitle(`${path}/`)).toBe('Not found · ManyURLs Pages')
})
