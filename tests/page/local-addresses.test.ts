import { expect, test } from 'vitest'
import { localAddresses, withBase } from '../../src/page/local-addresses.ts'

test.each([
  ['<a href="«/a»">a</a>', '/a'],
  ['<a href="«/a&amp;b?c#d»">a</a>', '/a&b'],
  ['<img alt="a>b" src="«/&#233;/%C3%A9»">', '/%C3%A9/%C3%A9'],
  ['<a href="«/x/../a/./»">a</a>', '/a/'],
  ['<p>€ href="/a" &lt;a href="/a"</p><a title=" href=" href="«/b»">b</a>', '/b'],
])('in %s, an address is of this site', (marked, pathname) => {
  const html = marked.replace(/[«»]/g, '')
  const found = localAddresses(html)
  expect(found).toMatchObject([{ pathname }])
  const { start = 0, end } = found[0] ?? {}
  expect(`${html.slice(0, start)}«${html.slice(start, end)}»${html.slice(end)}`).toBe(marked)
})

test.each([
  ...['/&#47;x.org', '/&sol;x.org/a', '/&#92;x.org', '/&Tab;/x.org', '//x.org', '/\t/x.org'],
  ...['https://x.org/a', 'mailto:a@x.org', '#a', '/&#47;[', ''],
])('the address "%s" is not of this site', (address) => {
  expect(localAddresses(`<a href="${address}">a</a>`)).toEqual([])
})

test('a base is added to the addresses of the site, and to nothing else', () => {
  const body = (base: string) =>
    `<p>href="/a" <a href="${base}/a#b">a</a> <a href="/&#47;x.org">b</a> <a href="#c">c</a></p><img src="${base}/é.png" alt="/a">`
  expect(withBase(body(''), '/docs')).toBe(body('/docs'))
})

test.each(['<a ', '<a href="/', '<a "'])('a body full of "%s" is read at once', (start) => {
  // With a search that is quadratic, this takes minutes.
  expect(localAddresses(`${start.repeat(40_000)}="/`)).toEqual([])
})
