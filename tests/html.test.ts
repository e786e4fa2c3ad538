import { expect, test } from 'vitest'
import { checkMarkup } from '../src/batch/markup.ts'
import { ELEMENTS, refusedMarkup, WIDE } from '../src/dataset/html.ts'
import { ATTACKS } from './attacks.ts'

const wide = refusedMarkup(WIDE)
const messages = (html: string, refused = wide) =>
  checkMarkup(html, refused).map(({ message }) => message)

test.each([
  ['the list in use', ELEMENTS],
  ['the wide list', WIDE],
])('%s refuses every attack', (_, elements) => {
  const refused = refusedMarkup(elements)
  for (const attack of ATTACKS) {
    expect(refused.test(`<p>a</p>${attack}`), attack).toBe(true)
    expect(messages(attack, refused), attack).toHaveLength(1)
  }
})

test.each([ELEMENTS, WIDE])(
  'no list has an element or an attribute that runs, styles or is not read as HTML',
  (elements) => {
    const active =
      /^(?:script|style|template|textarea|title|xmp|i?frame|object|embed|no.*|plaintext|svg|math|base|link|meta|form|input|button)$/
    for (const [name, attributes] of Object.entries(elements)) {
      expect(name).toMatch(/^[a-z][a-z0-9]*$/)
      expect(name).not.toMatch(active)
      for (const key of Object.keys(attributes))
        expect(key).toMatch(/^(?!on|style$|src(?:doc|set)$)[a-z-]+$/)
    }
  },
)

test.each([
  '<p>An <em>old</em> and <strong>good</strong> &#8364; &quot;<code>a &lt; b</code>&quot;&nbsp;</p>',
  '<h2>A</h2><ul><li>a</li><li>b<ol><li>c</li></ol></li></ul><blockquote><p>d</p></blockquote>',
  '<p><a href="https://example.com/?a=1&amp;b=2#c">x</a> <a href="/guides/a">y</a> <a href="#z">z</a></p>',
  '<p><img src="/a.png" alt="A &quot;cake&quot;"><br>b</p><pre><code>\n  a\n</code></pre>',
])('the wide list allows %s', (html) => {
  expect(messages(html)).toEqual([])
})

test.each([
  '<p><em>a</p></em>',
  '<p>a<p>b</p>',
  '<em>a',
  '</em>a',
  '<p><p>a</p></p>',
  '<p><ul><li>a</li></ul></p>',
  '<p><img src="/a.png"></img></p>',
  '<a href="/a"><a href="/b">x</a></a>',
  '<p><a href="/a" href="/b">x</a></p>',
])('%s, which a browser reads otherwise, is refused', (html) => {
  expect(messages(html)[0]).toMatch(/^must close its elements in the order in which they open/)
})
