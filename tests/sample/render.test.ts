import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookUp } from '../../src/app/lookup.ts'
import { footerLinks, site } from '../../src/site.ts'
import { renderAnswers, renderDocument } from '../../src/static/render.tsx'
import { page } from '../helpers/page.ts'

const TEMPLATE = '<html lang="en"><!--policy--><!--head--><!--screen-->'

/** Returns the description of a page with this text. */
function descriptionOf(text: string): string {
  const pages = lookUp([page({ contentHtml: `<p>${text}</p>` })])
  const html = renderDocument(TEMPLATE, { pages, path: '/blog/029', address: undefined })
  return /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
}

it('a description is the beginning of the text, cut between words, or else characters', () => {
  expect(descriptionOf(`${'a'.repeat(150)} together`)).toBe(`${'a'.repeat(150)} together`)
  expect(descriptionOf(`${'a'.repeat(150)} together with`)).toBe(`${'a'.repeat(150)}…`)
  expect(descriptionOf(`${'a'.repeat(150)}. Together with`)).toBe(`${'a'.repeat(150)}…`)
  expect(descriptionOf('Tea &amp; co.')).toBe('Tea &amp; co.')
  expect(descriptionOf('a'.repeat(200))).toBe(`${'a'.repeat(159)}…`)
  expect(descriptionOf('😀'.repeat(100))).toBe(`${'😀'.repeat(79)}…`)
})

it('a document is the template with every part inserted unchanged', () => {
  const template = readFileSync('src/app/index.html', 'utf8')
  const found = page({ title: '$&', contentHtml: '<p>$1</p>' })
  const place = { pages: lookUp([found]), path: found.path, address: undefined, policy: '$`' }
  const html = renderDocument(template, place)
  expect(html).toContain('<meta http-equiv="Content-Security-Policy" content="$`">')
  expect(html).toContain('<title>$&amp; · ')
  expect(html).toContain('<p>$1</p>')
  expect(html).not.toMatch(/<!--\w/)
  const broken = template.replace('<!--head-->', '')
  expect(() => renderDocument(broken, place)).toThrow('index.html has no <!--head-->')
})

it('an empty body is not shown', () => {
  const pages = lookUp([page({ contentHtml: '' })])
  const html = renderDocument(TEMPLATE, { pages, path: '/blog/029', address: undefined })
  expect(html).not.toContain('class="body"')
})

it('a page that fails to render is named', () => {
  const pages = lookUp([page({ contentHtml: '<b>a</b>' })])
  expect(() => renderDocument(TEMPLATE, { pages, path: '/blog/029', address: undefined })).toThrow(
    '/blog/029 cannot be rendered: a body has',
  )
})

it('in a site from right to left, the arrow of the link back points to the right', () => {
  const rendered = () =>
    renderDocument(TEMPLATE, { pages: lookUp([page()]), path: '/blog/029', address: undefined })
  expect(rendered()).toContain('>← Back</a>')
  site.direction = 'rtl'
  onTestFinished(() => {
    site.direction = 'ltr'
  })
  expect(rendered()).toContain('>→ Back</a>')
})

it('the data of a screen is one script that no title can end', () => {
  const title = '</script><script>alert(1)</script><!--'
  const pages = lookUp([page({ title })])
  const html = renderDocument(TEMPLATE, { pages, path: '/blog/029', address: undefined })
  const [, data = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(JSON.parse(data)).toMatchObject({ path: '/blog/029', found: { page: { title } } })
})

describe('the footer', () => {
  /** Every document of a site below the root of its host, by its path or its name. */
  function documents(): [name: string, html: string][] {
    const place = { pages: lookUp([page()]), address: 'https://example.com/docs' }
    const paths = ['/', '/blog/029', '/404']
    const rendered = paths.map((path): [string, string] => {
      return [path, renderDocument(TEMPLATE, { ...place, path })]
    })
    return [...rendered, ...renderAnswers(TEMPLATE, place)]
  }

  /** Returns the links in the footer of a document, as HTML. */
  function linksOf(html: string): string[] {
    const [, footer = ''] = html.split('<footer class="footer">')
    return footer.match(/<a .*?<\/a>/g) ?? []
  }

  it('of the sample has no links', () => {
    for (const [name, html] of documents()) {
      expect(html.split('<footer')[1], name).not.toMatch(/<(?:p|a)/)
    }
  })

  it('of every document has the links of site.ts', () => {
    const links = [
      { href: '/imprint', text: 'Imprint' },
      { href: 'mailto:ada@example.com', text: 'Ada & co.' },
    ]
    footerLinks.push(...links)
    onTestFinished(() => void footerLinks.splice(0))
    const names: string[] = []
    for (const [name, html] of documents()) {
      names.push(name)
      expect(linksOf(html), name).toEqual([
        '<a href="/docs/imprint">Imprint</a>',
        '<a href="mailto:ada@example.com">Ada &amp; co.</a>',
      ])
    }
    expect(names).toEqual(['/', '/blog/029', '/404', '_receipt', '_refused'])
  })
})
