/** The documents as sent, before any script, to curl, a crawler or a visitor without scripts. */
import { expect, type Page as Tab } from '@playwright/test'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site/site.ts'
import { textAt } from '../../browser/documents.ts'
import { test } from '../../browser/hosts.ts'
import { dayOf, pages, paragraphs } from './dataset.ts'

// In one worker, which reads each document once.
test.describe.configure({ mode: 'default' })
// The policy of the document in the tab would forbid to parse others.
test.use({ bypassCSP: true })

test('every page is sent with its body, its description, its day, its headings and its fields', async ({
  request,
  tab,
}) => {
  for (const page of pages) {
    const html = await textAt(request, page.path)
    expect(html).toContain(`<div class="body">${page.contentHtml}</div>`)
    const { descriptions, ...rest } = await summaryOf(tab, html)
    const { updatedAt } = page
    expect(html).toContain(`<time dateTime="${updatedAt}">Updated ${dayOf(updatedAt)}</time>`)
    const beginning = paragraphs(page.contentHtml).join(' ')
    expect(descriptions).toHaveLength(1)
    const least = Math.min(20, beginning.length)
    expect(descriptions[0]?.length, page.path).toBeGreaterThanOrEqual(least)
    expect(beginning).toContain(descriptions[0]?.replace(/…$/, ''))
    expect(rest, page.path).toEqual({
      titles: [`${page.title} · ${site.name}`],
      headings: [page.title, ...(page.form ? ['Contact form'] : [])],
      form: page.form && {
        target: `post /api/forms${page.path}`,
        fields: page.form.fields.map(({ name, label, type, placeholder, required }) => ({
          name,
          label: required ? `${label} *` : label,
          type,
          placeholder,
          required,
        })),
        button: 'Submit',
      },
    })
  }
})

test('the index is sent as a document with a link to every page', async ({ request, tab }) => {
  const html = await textAt(request, '/')
  expect(linksIn(html)).toEqual(pages.map(({ path }) => path))
  expect(await summaryOf(tab, html)).toEqual({
    titles: [site.name],
    descriptions: [site.description],
    headings: [site.name],
    form: null,
  })
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

/** Returns what the browser's own parser finds in a document, without rendering it. */
function summaryOf(tab: Tab, html: string) {
  return tab.evaluate((html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const textsOf = (selector: string) =>
      [...parsed.querySelectorAll(selector)].map(({ textContent }) => textContent)
    const form = parsed.querySelector<HTMLFormElement>('form[method="post"]')
    const controls = form
      ? form.querySelectorAll<HTMLInputElement>('input:enabled, textarea:enabled')
      : []
    return {
      titles: textsOf('title'),
      descriptions: [...parsed.querySelectorAll('meta[name="description"]')].map((meta) =>
        meta.getAttribute('content'),
      ),
      headings: textsOf('h1, h2:not(.card h2)'),
      form: form && {
        target: `${form.method} ${form.getAttribute('action')}`,
        fields: [...controls].map(({ id, name, type, placeholder, required }) => ({
          name,
          label: textsOf(`label[for="${id}"]`).join(),
          type,
          placeholder,
          required,
        })),
        button: textsOf('form button[type="submit"]').join(),
      },
    }
  }, html)
}
