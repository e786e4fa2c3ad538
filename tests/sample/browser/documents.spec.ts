/** The documents as sent, before any script, to curl, a crawler or a visitor without scripts. */
import { expect } from '@playwright/test'
import { renderToStaticMarkup as render } from 'react-dom/server'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site.ts'
import { textAt } from '../../browser/documents.ts'
import { test } from '../../browser/hosts.ts'
import { dayOf, pages } from './dataset.ts'

// In one worker, which reads each document once.
test.describe.configure({ mode: 'default' })

test('every page is sent with its day and the beginning of its text', async ({ request }) => {
  for (const { path, updatedAt, contentHtml } of pages) {
    const html = await textAt(request, path)
    const day = render(site.words.updated(dayOf(updatedAt)))
    expect(html).toContain(`<time dateTime="${updatedAt}">${day}</time>`)
    const [, description = ''] = /<meta name="description" content="([^"]*?)…?"/.exec(html) ?? []
    const text = contentHtml.replaceAll('</p><p>', ' ').replace(/<\/?p>/g, '')
    expect(description.length, path).toBeGreaterThanOrEqual(Math.min(20, text.length))
    expect(text).toContain(description)
  }
})

test('the index is sent as a document with a link to every page', async ({ request }) => {
  const html = await textAt(request, '/')
  expect(linksIn(html)).toEqual(pages.map(({ path }) => path))
  expect(html).toContain(`<meta name="description" content="${render(site.description)}"`)
})

test('"Next" leads from the first page through every other, "Previous" the same way back', async ({
  request,
}) => {
  const way = async (from: Page | undefined, rel: string) => {
    const found = []
    for (let path = from?.path; path !== undefined; ) {
      found.push(path)
      const html: string = await textAt(request, path)
      path = new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(html)?.[1]
    }
    return found
  }
  const paths = pages.map(({ path }) => path)
  expect(await way(pages[0], 'next')).toEqual(paths)
  expect(await way(pages.at(-1), 'prev')).toEqual(paths.toReversed())
})

test('there is no sitemap without the address of the site, and nothing refers to one', async ({
  request,
  ownHost,
  plainHost,
}) => {
  for (const base of [ownHost, plainHost]) {
    expect((await request.get(`${base}/sitemap.xml`)).status()).toBe(404)
    expect(await (await request.get(`${base}/robots.txt`)).text()).not.toContain('Sitemap')
  }
})

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) => href)
}
