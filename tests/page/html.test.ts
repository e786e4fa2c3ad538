import { expect, test } from 'vitest'
import { createMarkupCheck } from '../../src/accept/markup.ts'
import { explainMarkup } from '../../src/explain/markup.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { type Elements, PARAGRAPHS, refusedMarkup, WIDE } from '../../src/page/html.ts'
import { ATTACKS } from '../helpers/attacks.ts'

/** Returns the faults of a body; none if it's allowed. */
function explain(html: string, elements: Elements = WIDE) {
  const faults = explainMarkup(html, elements)
  expect(createMarkupCheck(elements)(html)).toBe(faults.length === 0)
  return faults
}

const messages = (html: string, elements: Elements = WIDE) =>
  explain(html, elements).map((fault) => sentenceOf(fault))

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
  'Check that its element is closed in order, may be inside the element around it, and has no attribute twice.'
const otherwise = (tag: string, why = OTHERWISE) =>
  `Browsers don't read "${tag}" as it is written. ${why}`

test.each([
  ['<p><em>a«</p>»</em>', otherwise('</p>')],
  ['<p>a«<p>»b</p>', otherwise('<p>')],
  ['«<em>»a', otherwise('<em>')],
  ['<a href="/a"><em>«<a href="/b">»x</a></em></a>', otherwise('<a href=\\"/b\\">')],
  ['<p>&euro;«<a href="/a" href="/b">»x</a></p>', otherwise('<a href=\\"/a\\" href=\\"/b\\">')],
  [
    '<table>«<tr>»<td>a</td></tr></table>',
    otherwise('<tr>', 'Put the rows of a table into <tbody> or <thead>.'),
  ],
  ['«<pre>»\na</pre>', otherwise('<pre>')],
  [
    '<p>«<a>»b</a></p>',
    'Write <a href="…"> instead of "<a>". "content.elements" says which values are allowed.',
  ],
  [
    '<p>«<a href="b">»c</a></p>',
    'Write <a href="…"> instead of "<a href=\\"b\\">". "content.elements" says which values are allowed.',
  ],
  [
    '<p>«<ABBR>»c</abbr></p>',
    'Write <abbr [title="…"]> instead of "<ABBR>". "content.elements" says which values are allowed.',
  ],
  ['<p>a«<br/>»b</p>', 'Write <br> instead of "<br/>".'],
  ['<p>a«</p >»', 'Write </p> instead of "</p >".'],
  [
    '<p>A & B <a href="/a?b=1«&»c=2&d=3">c</a></p>',
    String.raw`Write &amp; for this &, and 1 more. It is in "ef=\"/a?b=1&c=2&d=3\">".`,
  ],
  [
    '<p><a href="/b?c=1«&» amp;d">e</a></p>',
    String.raw`Write &amp; for this &. It is in "ef=\"/b?c=1& amp;d\">e".`,
  ],
  [String.raw`<p>a«<\/p>»`, String.raw`Write </p> instead of "<\\/p>".`],
  [String.raw`<p>a«<\\/p>»`, String.raw`Write </p> instead of "<\\\\/p>".`],
  [String.raw`<p>a«<\/P>»`, String.raw`Write </p> instead of "<\\/P>".`],
  ['<p>a«< /p>»', 'Write </p> instead of "< /p>".'],
  ['<p>a«</ p>»', 'Write </p> instead of "</ p>".'],
  ['<p>a«<//p>»', 'Write </p> instead of "<//p>".'],
  ['<p>a«</p»', 'Write </p> instead of "</p".'],
  [String.raw`<p>a«<br\/>»`, String.raw`Write <br> instead of "<br\\/>".`],
  [String.raw`«<p\>»a</p>`, String.raw`Write <p> instead of "<p\\>".`],
  [String.raw`<p>a«<\p>»`, String.raw`Write <p> or </p> instead of "<\\p>".`],
  ['<p>a«<p/>»', 'Write <p> or </p> instead of "<p/>".'],
  ['<p>a«<em />»', 'Write <em> or </em> instead of "<em />".'],
  [String.raw`<p>a«<\/div>»`, `<div> isn't allowed here. "content.elements" allows ${ALLOWED}.`],
  ['«<div\n>»a', `<div> isn't allowed here. "content.elements" allows ${ALLOWED}.`],
  ['«< p>»a</p>', 'Write <p> instead of "< p>". If its < is text, write &lt; for the <.'],
  ['<p>a «< 3 </p>»', 'The < in "< 3 </p>" is text. Write &lt; for it.'],
  ['<p>a «< b</p>»', 'The < in "< b</p>" is text. Write &lt; for it.'],
  [
    '<p>a«<b</p>»',
    `<b> isn't allowed here. "content.elements" allows ${ALLOWED}. If the < is text, write &lt; for it.`,
  ],
  ['<p>a«<em</p>»', 'Write <em> instead of "<em</p>". If its < is text, write &lt; for the <.'],
  ['<p>a«</div»', `<div> isn't allowed here. "content.elements" allows ${ALLOWED}.`],
  ['<p>a «< em and <em>»b</em></p>', 'The < in "< em and <em>" is text. Write &lt; for it.'],
  [String.raw`<p>a «<\alpha>»</p>`, String.raw`The < in "<\\alpha>" is text. Write &lt; for it.`],
])('%s, which a browser reads otherwise, is refused, and the message says why', (marked, says) => {
  const html = marked.replace(/[«»]/g, '')
  const explained = explain(html).map((fault) => {
    const { start, end } = fault.within ?? { start: 0, end: 0 }
    const place = `${html.slice(0, start)}«${html.slice(start, end)}»${html.slice(end)}`
    return [place, sentenceOf(fault)]
  })
  expect(explained).toEqual([[marked, says]])
})

test('every element that is not allowed is named once', () => {
  expect(messages('<p><B>a</B> <i>b</i> <b>c</b></p>')).toEqual([
    expect.stringContaining("<b> isn't allowed here"),
    expect.stringContaining("<i> isn't allowed here"),
  ])
})
