import { describe, expect, test } from 'vitest'
import pages from '../src/generated/dataset.json'
import { contentOf, documentTitle, type Screen } from '../src/site/content.ts'

const { read } = contentOf(pages)
const [page] = pages
if (!page) throw new Error('the dataset is empty')
const { path } = page
const [, category = '', id = ''] = path.split('/')

test('every page is found at its own path', () => {
  for (const each of pages) expect(read(each.path)).toEqual({ kind: 'page', page: each })
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
    expect(read(spelling)).toEqual({ kind: 'not-found' })
  })
})

test.each(['', '__proto__', '/__proto__/001', 'constructor', 'toString', '/blog/101', '/blog/000'])(
  '%j is no page',
  (spelling) => {
    expect(read(spelling)).toEqual({ kind: 'not-found' })
  },
)

test('the title of a document is the screen it shows, then the site', () => {
  const title = (path: string) => documentTitle(read(path) as Screen)
  expect(title('/')).toBe('ManyURLs Pages')
  expect(title(path)).toBe(`${page.title} · ManyURLs Pages`)
  expect(title(`${path}/`)).toBe('Not found · ManyURLs Pages')
})
