import { expect, test } from 'vitest'
import { createMarkupCheck } from '../../src/accept/markup.ts'
import { explainMarkup } from '../../src/explain/markup.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { type Elements, PARAGRAPHS, refusedMarkup, WIDE } from '../../src/page/html.ts'
import { ATTACKS } from '../helpers/attacks.ts'

/** Returns what is said of a body: something, if it is refused. */
function explain(html: string, elements: Elements = WIDE) {
  const faults = explainMarkup(html, elements)
  expect(createMarkupCheck(elements)(html)).toBe(faults.length === 0)
  return faults
}

const messages = (html: string, elements: Elements = WIDE) =>
  explain(html, elements).map(sentenceOf)

test.each([
  ['the list without another', PARAGRAPHS],
  ['the wide list', WIDE],
])('%s refuses every attack', (_, elements) => {
  const refused = refusedMarkup(elements)
  for (const attack of ATTACKS) {
    expect(refused.test(`<p>a</p>${attack}`), attack).toBe(true)
    expect(messages(attack, elements), attack).not.toEqual([])
  }
})

test.each([PARAGRAPHS, WIDE])(
  'no list has an element or an attribute that runs, styles or is not read as HTML',
  (elements) => {
    const active =
      /^(?:script|style|template|textarea|title|xmp|i?frame|object|embed|no.*|plaintext|svg|math|base|link|meta|form|input|button)$/
    for (const [name, attributes] of Object.entries(elements)) {
      expect(name).toMatch(/^[a-z][a-z0-9]*$/)
      expect(name).not.toMatch(active)
      for (const key of Object.keys(attributes))
        expect(key).toMatch(/^(?!on|style|src(?:doc|set))[a-z-]+\??$/)
    }
  },
)

test('an attribute may have one of several values', () => {
  const refused = refusedMarkup({ a: { target: '_blank|_self' } })
  expect(['_blank', '_self'].filter((value) => refused.test(`<a target="${value}">b</a>`))).toEqual(
    [],
  )
  expect(refused.test('<a target="_blank>b</a>')).toBe(true)
})

test.each([
  '<p>An <em>old</em> and <strong>good</strong> &#8364; &quot;<code>a &lt; b</code>&quot;&nbsp;</p>',
  '<h2>A</h2><ul><li>a</li><li>b<ol><li>c</li></ol></li></ul><blockquote><p>d</p></blockquote>',
  '<p><a href="https://example.com/?a=1&amp;b=2#c">x</a> <a href="/guides/a">y</a> <a href="#z">z</a></p>',
  '<p><img src="/a.png" alt="A &quot;cake&quot;"><br>b</p><pre><code>\n  a\n</code></pre>',
  '<p><img alt="" src="/a.png"></p><dl><dt><abbr title="A">a</abbr></dt><dd>b</dd></dl>',
  '<table><caption>a</caption><thead><tr><th scope="col">b</th><th>c</th></tr></thead><tbody><tr><td colspan="2">d</td></tr></tbody></table>',
])('the wide list allows %s', (html) => {
  expect(messages(html)).toEqual([])
})

const ALLOWED = Object.keys(WIDE)
  .map((name) => `<${name}>`)
  .join(' ')
const OTHERWISE =
  'an element is not closed in order, may not be inside another, or has an attribute twice'
const otherwise = (tag: string, why = OTHERWISE) => `browsers read "${tag}" differently: ${why}`

test.each([
  ['<p><em>a«</p>»</em>', otherwise('</p>')],
  ['<p>a«<p>»b</p>', otherwise('<p>')],
  ['«<em>»a', otherwise('<em>')],
  ['<a href="/a"><em>«<a href="/b">»x</a></em></a>', otherwise('<a href=\\"/b\\">')],
  ['<p>&euro;«<a href="/a" href="/b">»x</a></p>', otherwise('<a href=\\"/a\\" href=\\"/b\\">')],
  ['<table>«<tr>»<td>a</td></tr></table>', otherwise('<tr>', 'rows stand in <tbody> or <thead>')],
  ['«<pre>»\na</pre>', otherwise('<pre>')],
  [
    '<p>«<a>»b</a></p>',
    `must be written <a href="…">, with values that "content.elements" allows, but is "<a>"`,
  ],
  [
    '<p>«<a href="b">»c</a></p>',
    `must be written <a href="…">, with values that "content.elements" allows, but is "<a href=\\"b\\">"`,
  ],
  [
    '<p>«<ABBR>»c</abbr></p>',
    `must be written <abbr [title="…"]>, with values that "content.elements" allows, but is "<ABBR>"`,
  ],
  ['<p>a«<br/>»b</p>', `must be written <br>, but is "<br/>"`],
  ['<p>a«</p >»', `must be written </p>, but is "</p >"`],
  [
    '<p>A & B <a href="/a?b=1«&»c=2&d=3">c</a></p>',
    String.raw`must have &amp; for this &, and 1 more, as in "ef=\"/a?b=1&c=2&d=3\">"`,
  ],
  [
    '<p><a href="/b?c=1«& amp;»d">e</a></p>',
    'must be written &amp;, or with &amp; for its & if it is text, but is "& amp;"',
  ],
  [String.raw`<p>a«<\/p>»`, String.raw`must be written </p>, but is "<\\/p>"`],
  [String.raw`<p>a«<\\/p>»`, String.raw`must be written </p>, but is "<\\\\/p>"`],
  [String.raw`<p>a«<\/P>»`, String.raw`must be written </p>, but is "<\\/P>"`],
  ['<p>a«< /p>»', 'must be written </p>, but is "< /p>"'],
  ['<p>a«</ p>»', 'must be written </p>, but is "</ p>"'],
  ['<p>a«<//p>»', 'must be written </p>, but is "<//p>"'],
  ['<p>a«</p»', 'must be written </p>, but is "</p"'],
  [String.raw`<p>a«<br\/>»`, String.raw`must be written <br>, but is "<br\\/>"`],
  [String.raw`«<p\>»a</p>`, String.raw`must be written <p>, but is "<p\\>"`],
  [String.raw`<p>a«<\p>»`, String.raw`must be written <p> or </p>, but is "<\\p>"`],
  ['<p>a«<p/>»', 'must be written <p> or </p>, but is "<p/>"'],
  ['<p>a«<em />»', 'must be written <em> or </em>, but is "<em />"'],
  [String.raw`<p>a«<\/div>»`, `<div> is not allowed here; allowed are ${ALLOWED}`],
  ['«<div\n>»a', `<div> is not allowed here; allowed are ${ALLOWED}`],
  ['«< p>»a</p>', 'must be written <p>, or with &lt; for its < if it is text, but is "< p>"'],
  ['<p>a «< 3 </p>»', `must have &lt; for a < that is text, as in "< 3 </p>"`],
  ['<p>a «< b</p>»', `must have &lt; for a < that is text, as in "< b</p>"`],
  [
    '<p>a«<b</p>»',
    `<b> is not allowed here; allowed are ${ALLOWED}; a < that is text is written &lt;`,
  ],
  ['<p>a«<em</p>»', 'must be written <em>, or with &lt; for its < if it is text, but is "<em</p>"'],
  ['<p>a«</div»', `<div> is not allowed here; allowed are ${ALLOWED}`],
  ['<p>a «< em and <em>»b</em></p>', `must have &lt; for a < that is text, as in "< em and <em>"`],
  [
    String.raw`<p>a «<\alpha>»</p>`,
    String.raw`must have &lt; for a < that is text, as in "<\\alpha>"`,
  ],
])('%s, which a browser reads otherwise, is refused, and the message says why', (marked, says) => {
  const html = marked.replace(/[«»]/g, '')
  const told = explain(html).map((fault) => {
    const { start, end } = fault.within ?? { start: 0, end: 0 }
    const place = `${html.slice(0, start)}«${html.slice(start, end)}»${html.slice(end)}`
    return [place, sentenceOf(fault)]
  })
  expect(told).toEqual([[marked, says]])
})

test('every element that is not allowed is named once', () => {
  expect(messages('<p><B>a</B> <i>b</i> <b>c</b></p>')).toEqual([
    expect.stringContaining('<b> is not allowed here'),
    expect.stringContaining('<i> is not allowed here'),
  ])
})
