import { expect, test } from 'vitest'
import { SiteLinks } from '../../src/site/static/site-links.ts'

const FILES = new Set([
  'index.html',
  '404.html',
  'a/b.html',
  'kürbis.html',
  'assets/a.js',
  'my cake.png',
])

/** Returns what is wrong with the addresses of a document at `/docs/a/b`. */
function faultOf(html: string, address?: string): string | undefined {
  const links = new SiteLinks(address)
  links.add('/a/b', html)
  try {
    links.check(FILES)
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

test.each([
  ...[
    '<a href="/docs/">',
    '<a href="/docs/a/b?c#d">',
    '<a href="/docs/k%C3%BCrbis">',
    '<a href="#a">',
  ],
  ...[
    '<img src="/docs/my%20cake.png">',
    '<script src="../assets/a.js">',
    '<a href="/docs/?a=1&amp;b">',
  ],
  ...[
    '<a href="https://me.example/docs/a/b">',
    '<a href="https://me.example/other">',
    '<a href="mailto:a@b.c">',
  ],
  ...[
    '<a href="//x.example/a">',
    '<p>href="/nowhere"</p>',
    '<img srcset="/docs/my%20cake.png 2x, b 1x">',
  ],
])('%s leads to a document or a file', (html) => {
  expect(faultOf(html, 'https://me.example/docs')).toBe(undefined)
})

test.each([
  ...[
    '<a href="/a/b">',
    '<a href="/docs">',
    '<a href="/docs/a/c">',
    '<a href="/docs/a/b.html">',
    '<a href="c">',
  ],
  ...[
    '<link href="/docs/assets/b.css">',
    '<img src="/docs/none.png">',
    '<a href="/docs/%61/b">',
    '<a href="/docs/404">',
  ],
  ...[
    '<a href="https://me.example/docs/c">',
    '<img srcset="/docs/none.png 2x">',
    '<a href="/&#47;[">',
  ],
])('%s is named with the page that has it', (html) => {
  const [, written = ''] = /="([^" ]*)/.exec(html.replace('&#47;', '/')) ?? []
  expect(faultOf(html, 'https://me.example/docs')).toBe(
    `"/a/b" names "${written}", but the site has no such page or file. Correct the address, or add the file to src/site/public/.`,
  )
})

test('a site without an address is at the root of its host', () => {
  expect(faultOf('<a href="/a/b"><a href="/docs/a/b"><a href="/c">')).toContain(
    '"/a/b" names "/docs/a/b", but the site has no such page or file. Correct the address, or add the file to src/site/public/. There are 1 more.',
  )
})
