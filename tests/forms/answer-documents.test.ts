import { parse } from 'parse5'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { receiptDocument, refusalDocument } from '../../src/forms/receive/answer-documents.tsx'
import type { Refusal } from '../../src/forms/receive/refusals.ts'
import type { FormDefinition } from '../../src/page/form-fields.ts'
import { site as about, answers } from '../../src/site.ts'
import { renderAnswers } from '../../src/static/render.tsx'
import type { SentField } from '../../src/store/submission.ts'
import { NAUGHTY_STRINGS } from '../helpers/naughty-strings.ts'

/** As HTML: the name of a site may have an ampersand. */
const name = renderToStaticMarkup(about.name)

const form: FormDefinition = {
  fields: [
    { name: 'name', label: 'Name', type: 'text', placeholder: '', required: true },
    { name: 'text', label: 'Text', type: 'textarea', placeholder: '', required: false },
  ],
}
const page = { path: '/a/001', title: 'Page', form }
const TEMPLATE =
  '<!doctype html><html lang="en"><head><!--policy--><!--head--></head><body><!--screen--></body></html>'
const [[, receipt], [, refused]] = renderAnswers(TEMPLATE, { address: undefined }) as [
  [string, string],
  [string, string],
]
const site = { answers: { receipt, refused }, base: '' }
const refilled = (refusal: Refusal, fields: readonly SentField[]) =>
  refusalDocument(site, refusal, page, fields)

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
    const empty = outline(refilled(invalid, []))
    expect(empty.flat()).toEqual(expect.arrayContaining(['value=', 'name=text']))
    const lines = ['\nfirst', '\r\nfirst', '\rfirst', '\n\nfirst', '\n']
    for (const sent of [...lines, ...NAUGHTY_STRINGS].map((text) => text.toWellFormed())) {
      const fields = [
        ['name', sent],
        ['text', sent],
        ['homepage_url', sent],
      ] as const
      // U+0000 and CR do not exist in HTML (13.2.3.5).
      const shown = sent.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      const expected = empty.map((element) => {
        if (element.includes('name=text')) return [...element.slice(0, -1), shown]
        const isInput = element.includes('name=name')
        return element.map((part) => (isInput && part === 'value=' ? `value=${shown}` : part))
      })
      expect(outline(refilled(invalid, fields))).toEqual(expected)
    }
  })

  it('shows each error at its field, and in a summary that links to the field', () => {
    const faults = new Map([
      ['name', 'Fill in <b>'],
      ['other', 'Sent twice'],
    ])
    const html = refilled({ ...invalid, faults }, [])
    expect(html).toContain(`<title>Error: Page · ${name}</title>`)
    expect(html).toContain(
      '<h2 id="errors">There is a problem</h2><p>d</p><ul><li><a href="#field-name">Fill in &lt;b&gt;</a></li><li>Sent twice</li></ul>',
    )
    expect(html.match(/Fill in &lt;b&gt;/g)).toHaveLength(2)
  })
})

it('no document has data for the script of the site, or may be indexed by search engines', () => {
  for (const html of [refilled(invalid, []), refusalDocument(site, invalid), receipt]) {
    expect(html).not.toMatch(/application|modulepreload|description/)
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  }
})

it('values that no control can show are returned below the form', () => {
  const topic = { name: 'topic', label: 'Topic', type: 'select', required: false } as const
  const fields = [...form.fields, { ...topic, options: ['New'] }]
  const html = refusalDocument(site, invalid, { ...page, form: { fields } }, [
    ['name', 'Ada'],
    ['topic', 'Old'],
    ['name', 'Bob'],
    ['other', '<b>'],
  ])
  const below = [...html.matchAll(/<dt>(.*?)<\/dt><dd><pre dir="auto">(.*?)<\/pre>/g)]
  expect(html).toContain('value="Ada"')
  expect(below.map(([, name, value]) => [name, value])).toEqual([
    ['topic', 'Old'],
    ['name', 'Bob'],
    ['other', '&lt;b&gt;'],
  ])
})

it('a message is inserted as text', () => {
  const html = refusalDocument(
    site,
    { ...invalid, title: 'Not <i>', detail: '$& <b>' },
    { ...page, path: '/a"' },
  )
  expect(html).toContain(`<title>Error: Not &lt;i&gt; · ${name}</title>`)
  expect(html).toContain('<h1 id="title" tabindex="-1" dir="auto">Not &lt;i&gt;</h1>')
  expect(html).toContain('<p>$&amp; &lt;b&gt;</p><p><a href="/a%22">To the page</a></p>')
})

it('without a form, what was sent is returned as text, marks included', () => {
  const html = refusalDocument(site, invalid, undefined, [
    ['name', '{{title}} <b>'],
    ['{{content}}', '\nTwo\r\nlines'],
  ])
  expect(html).toContain('<dt>name</dt><dd><pre dir="auto">{{title}} &lt;b&gt;</pre></dd>')
  expect(html).toContain('<dt>{{content}}</dt><dd><pre dir="auto">\n\nTwo\nlines</pre></dd>')
})

it.each([about.language, 'art'])(
  'a receipt says when it was received, and leads back to the page; the language: %s',
  (language) => {
    onTestFinished(() => void Object.assign(about, { language: 'en-GB' }))
    about.language = language
    const receivedAt = '2026-11-22T00:56:01.002Z'
    const html = receiptDocument(site, { receipt: 'a-b', path: '/a/001', receivedAt })
    expect(html).toContain(`<title>Thank you · ${name}</title>`)
    expect(html).not.toMatch(/\{\{\w+\}\}/)
    expect(html).toContain('<p><a href="/a/001">Back to the page</a></p>')
    expect(html).toContain(`"${receivedAt}">Received on 22 November 2026 at 00:56 UTC.</time></p>`)
    expect(html).toContain('<p>Receipt: <strong class="receipt">a-b</strong></p>')
  },
)

it('a screen that lacks a place stops the build, and is named', () => {
  const { receivedOn } = answers
  onTestFinished(() => void Object.assign(answers, { receivedOn }))
  answers.receivedOn = () => 'Received.'
  expect(() => renderAnswers(TEMPLATE, { address: undefined })).toThrow(
    '_receipt.html cannot be rendered: its screen has no time',
  )
})
