import { parse } from 'parse5'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { FormDefinition } from '../../src/page/fields.ts'
import {
  receiptDocument,
  refilledDocument,
  refusalDocument,
} from '../../src/server/receive/answer-documents.tsx'
import { PageForm } from '../../src/site/screens/PageForm.tsx'
import { NAUGHTY_STRINGS } from '../helpers/naughty-strings.ts'

const form: FormDefinition = {
  fields: [
    { name: 'name', label: 'Name', type: 'text', placeholder: '', required: true },
    { name: 'text', label: 'Text', type: 'textarea', placeholder: '', required: false },
  ],
}
const document = `<!doctype html><html lang="en"><head><title>Page · Site</title>
<meta name="description" content="d"/><link rel="modulepreload" href="/a.js"><link rel="stylesheet" href="/a.css"></head>
<body><div id="root"><main class="sheet"><h1>Page</h1>${renderToStaticMarkup(PageForm({ form, path: '/a/001', base: '' }))}</main></div><script type="application/json" id="screen">{}</script><script src="/a.js"></script></body></html>`
const page = { path: '/a/001', form, document, base: '' }
const notFound = `<!doctype html><html lang="en"><head><title>Not found · Site</title></head>
<body><div id="root"><main class="sheet message"><h1>Not found</h1></main></div><script type="application/json" id="screen">{}</script><script src="/a.js"></script></body></html>`
const site = { notFound, base: '' }

const invalid = { status: 422, title: 'There is a problem', detail: 'd' }

/** Returns what a parser sees: each element with its attributes and its text. */
function outline(html: string): string[][] {
  type Tree = {
    tagName?: string
    value?: string
    attrs?: { name: string; value: string }[]
    childNodes?: Tree[]
  }
  const elements = ({ tagName, attrs = [], childNodes = [] }: Tree): string[][] => {
    const text = childNodes.map(({ value }) => value ?? '').join('')
    const attributes = attrs.map(({ name, value }) => `${name}=${value}`)
    return [...(tagName ? [[tagName, ...attributes, text]] : []), ...childNodes.flatMap(elements)]
  }
  return elements(parse(html) as Tree)
}

describe('the form of a page', () => {
  it('gets back every naughty string as text, and nothing else changes', () => {
    const empty = outline(refilledDocument(page, invalid, []))
    expect(empty.flat()).toEqual(expect.arrayContaining(['value=', 'name=text']))
    const lines = ['\nfirst', '\r\nfirst', '\rfirst', '\n\nfirst', '\n']
    for (const sent of [...lines, ...NAUGHTY_STRINGS].map((text) => text.toWellFormed())) {
      const fields = [
        ['name', sent],
        ['text', sent],
        ['homepage_url', sent],
        ['other', sent],
      ] as const
      // U+0000 and CR do not exist in HTML (13.2.3.5).
      const shown = sent.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      const expected = empty.map((element) => {
        if (element.includes('name=text')) return [...element.slice(0, -1), shown]
        const isInput = element.includes('name=name')
        return element.map((part) => (isInput && part === 'value=' ? `value=${shown}` : part))
      })
      expect(outline(refilledDocument(page, invalid, fields))).toEqual(expected)
    }
  })

  it('shows each error at its field, and in a summary that links to the field', () => {
    const faults = [
      { field: 'name', message: 'Fill in <b>' },
      { field: 'other', message: 'Sent twice' },
    ]
    const html = refilledDocument(page, { ...invalid, faults }, [])
    expect(html).toContain('<title>Error: Page · Site</title>')
    expect(html).toContain(
      '<h2 id="errors">There is a problem</h2><ul><li><a href="#field-name">Fill in &lt;b&gt;</a></li><li>Sent twice</li></ul>',
    )
    expect(html.match(/Fill in &lt;b&gt;/g)).toHaveLength(2)
  })
})

it('no document has the path or the data of the page, or may be indexed by search engines', () => {
  for (const html of [refilledDocument(page, invalid, []), refusalDocument(site, invalid)]) {
    expect(html).not.toMatch(/application|modulepreload|description/)
    expect(html).toContain('<div id="root"><main')
    expect(html).toContain('<meta name="robots" content="noindex">')
  }
})

it('a message is inserted as text', () => {
  const html = refusalDocument(site, { ...invalid, title: 'Not <i>', detail: '$& <b>' }, '/a"')
  expect(html).toContain('<title>Error: Not &lt;i&gt; · Site</title>')
  expect(html).toContain('<h1 tabindex="-1">Not &lt;i&gt;</h1>')
  expect(html).toContain(
    '<p>$&amp; &lt;b&gt;</p><p><a href="/a&quot;">To the page with the form</a></p>',
  )
})

it('a receipt says when it was received, and leads back to the page', () => {
  const receivedAt = '2026-11-22T00:56:01.002Z'
  const html = receiptDocument(site, { receipt: 'a-b', path: '/a/001', receivedAt })
  expect(html).toContain('<title>Thank you · Site</title>')
  expect(html).toContain('<p><a href="/a/001">Back to the page</a></p>')
  expect(html).toContain(`"${receivedAt}">Received on 22 November 2026 at 00:56 UTC.</time></p>`)
  expect(html).toContain('<p>Receipt: <strong class="receipt">a-b</strong></p>')
})
