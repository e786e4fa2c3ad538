import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { messageDocument, refilled } from '../src/forms/receive/answer-documents.ts'
import { NAUGHTY_STRINGS } from './naughty-strings.ts'

const page = `<!doctype html><html lang="en"><head><title>Page · Site</title>
<meta name="description" content="d"><link rel="modulepreload" href="/a.js"><link rel="stylesheet" href="/a.css"></head>
<body><main class="sheet"><h1>Page</h1><form method="post" action="/api/forms/a/001">
<div><label for="f-name">Name</label><input type="text" id="f-name" name="name" required=""></div>
<div><label for="f-text">Text</label><textarea id="f-text" name="text"></textarea></div>
<div hidden><input name="homepage_url" disabled=""></div></form></main><script src="/a.js"></script></body></html>`
const notFound = `<!doctype html><html lang="en"><head><title>Not found · Site</title></head>
<body><main class="sheet message"><h1>Not found</h1></main><script src="/a.js"></script></body></html>`

const invalid = { title: 'There is a problem', detail: 'd', faults: [] }

/** Returns what a parser sees: each element as one line, with its attributes and its text. */
function outline(html: string): string[] {
  type Tree = {
    tagName?: string
    value?: string
    attrs?: { name: string; value: string }[]
    childNodes?: Tree[]
  }
  const lines = (node: Tree): string[] => [
    ...(node.tagName
      ? [
          JSON.stringify([
            node.tagName,
            ...(node.attrs ?? []).map(({ name, value }) => `${name}=${value}`),
            textOf(node),
          ]),
        ]
      : []),
    ...(node.childNodes ?? []).flatMap(lines),
  ]
  const textOf = (node: Tree) => (node.childNodes ?? []).map(({ value }) => value ?? '').join('')
  return lines(parse(html) as Tree)
}

describe('the form of a page', () => {
  it('gets back every naughty string as text, and nothing else changes', () => {
    const empty = outline(refilled(page, invalid, []))
    const lines = ['\nfirst', '\r\nfirst', '\rfirst', '\n\nfirst', '\n']
    for (const sent of [...lines, ...NAUGHTY_STRINGS].map((text) => text.toWellFormed())) {
      const fields = [
        ['name', sent],
        ['text', sent],
        ['homepage_url', sent],
        ['other', sent],
      ] as const
      const filled = outline(refilled(page, invalid, fields))
      expect(filled).toHaveLength(empty.length)
      const changed = filled.filter((line, index) => line !== empty[index])
      // U+0000 and CR do not exist in HTML (13.2.3.5).
      const shown = sent.replace(/\r\n?/g, '\n')
      const inAttribute = shown.replaceAll('\0', '\ufffd')
      expect(changed).toEqual(
        sent === ''
          ? []
          : [
              JSON.stringify([
                'input',
                'type=text',
                'id=f-name',
                'name=name',
                'required=',
                `value=${inAttribute}`,
                '',
              ]),
              JSON.stringify(['textarea', 'id=f-text', 'name=text', inAttribute]),
            ],
      )
    }
  })

  it('shows each error at its field, and in a summary that links to the field', () => {
    const faults = [
      { field: 'name', message: 'Fill in <b>' },
      { field: 'other', message: 'Sent twice' },
    ]
    const html = refilled(page, { ...invalid, faults }, [])
    expect(html).toContain('<title>Error: Page · Site</title>')
    expect(html).toContain(
      '<h2 id="errors">There is a problem</h2><ul><li><a href="#f-name">Fill in &lt;b&gt;</a></li><li>Sent twice</li></ul>',
    )
    expect(html).toContain('<p class="error" id="f-name-error">Fill in &lt;b&gt;</p><input')
    expect(html).toContain('aria-invalid="true" aria-describedby="f-name-error"')
    expect(html.match(/aria-invalid/g)).toHaveLength(1)
  })
})

it('no document has a script, or may be indexed by search engines', () => {
  for (const html of [
    refilled(page, invalid, []),
    messageDocument(notFound, { title: 'T', paragraphs: [['p']], isError: true }),
  ]) {
    expect(html).not.toMatch(/<script|modulepreload|description/)
    expect(html).toContain('<meta name="robots" content="noindex">')
  }
})

it('a message is inserted as text', () => {
  const html = messageDocument(notFound, {
    title: 'Stored <i>',
    paragraphs: [['Go ', { link: '/a"', text: '<b>' }, { receipt: '&' }]],
    isError: false,
  })
  expect(html).toContain('<title>Stored &lt;i&gt; · Site</title>')
  expect(html).toContain('<h1>Stored &lt;i&gt;</h1>')
  expect(html).toContain(
    '<p>Go <a href="/a&quot;">&lt;b&gt;</a><strong class="receipt">&amp;</strong></p>',
  )
})
