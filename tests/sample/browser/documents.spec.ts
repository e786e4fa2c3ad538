/** The documents as sent, before any script, to curl, a crawler or a visitor without scripts. */
import { type APIRequestContext, expect, type Page as Tab } from '@playwright/test'
import { HtmlValidate } from 'html-validate'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site/site.ts'
import { test } from '../../browser/hosts.ts'
import { isLong } from '../../long.ts'
import {
  dayOf,
  first,
  last,
  pages,
  paragraphs,
  plain,
  unclaimed,
  withThreeFields,
  withTwoFields,
} from './dataset.ts'

const addresses = ['/', ...pages.map(({ path }) => path)]
const kinds = [first, plain, withTwoFields, withThreeFields, last]
const ONE_OF_EACH_KIND = ['/', ...kinds.map(({ path }) => path), '/404.html']

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:recommended', 'html-validate:a11y'],
  rules: {
    // The template follows the code formatter: lower case, closed void elements.
    'doctype-style': 'off',
    'void-style': 'off',
    // React writes `required=""` and `autoComplete`, which mean the same to every parser.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'attr-case': 'off',
    // The filter applies each change at once.
    'wcag/h32': 'off',
  },
})

// In one worker, which reads each document once.
test.describe.configure({ mode: 'default' })

const texts = new Map<string, string>()

/** Returns the text of the document at an address, which must exist. Many tests read the same. */
async function textAt(request: APIRequestContext, address: string): Promise<string> {
  const known = texts.get(address)
  if (known !== undefined) return known
  const response = await request.get(address)
  expect(response.status(), address).toBe(200)
  expect(response.headers()['content-type'], address).toMatch(/^text\/html; ?charset=utf-8$/i)
  const text = await response.text()
  texts.set(address, text)
  return text
}

test('every page is sent as a document with its title, its body and its form', async ({
  request,
  page: tab,
}) => {
  for (const page of pages) {
    const html = await textAt(request, page.path)
    expect(html).toContain(`<div class="body">${page.contentHtml}</div>`)
    const { descriptions, ...rest } = await summaryOf(tab, html)
    const { updatedAt } = page
    expect(html).toContain(`<time dateTime="${updatedAt}">${dayOf(updatedAt)}</time>`)
    const [beginning = ''] = paragraphs(page.contentHtml)
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

test('the index is sent as a document with a link to every page', async ({
  request,
  page: tab,
}) => {
  const html = await textAt(request, '/')
  expect(linksIn(html)).toEqual(pages.map(({ path }) => path))
  expect(await summaryOf(tab, html)).toEqual({
    titles: [site.name],
    descriptions: [site.description],
    headings: [site.name],
    form: null,
  })
})

test('a crawl from the index finds the pages of the dataset and nothing else', async ({
  request,
}) => {
  const found = new Set(['/'])
  for (const address of found) {
    for (const link of linksIn(await textAt(request, address))) {
      // The index filtered by a category is the same document.
      found.add(link.replace(/\?category=[a-z]+$/, ''))
    }
  }
  expect([...found].sort()).toEqual([...addresses].sort())
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

test('npm start and a plain static server send the same documents', async ({
  request,
  plainHost,
}) => {
  for (const address of addresses) {
    expect(await textAt(request, plainHost + address), address).toBe(await textAt(request, address))
  }
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

test('an address that is not a page is sent as Not found, with noindex for search engines', async ({
  request,
  plainHost,
  page: tab,
}) => {
  const response = await request.get(unclaimed)
  expect(response.status()).toBe(404)
  const html = await response.text()
  expect(await (await request.get(`${plainHost}/404.html`)).text()).toBe(html)
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  expect(new Set(linksIn(html))).toEqual(new Set(['/']))
  expect(await summaryOf(tab, html)).toEqual({
    titles: [`Not found · ${site.name}`],
    descriptions: [],
    headings: ['Not found'],
    form: null,
  })
  for (const address of addresses) {
    expect(await textAt(request, address), address).not.toContain('noindex')
  }
})

test('every document is valid HTML', async ({ request, plainHost }) => {
  expect((await validator.validateString('<p><div></p>')).valid).toBe(false)
  for (const address of isLong ? [...addresses, '/404.html'] : ONE_OF_EACH_KIND) {
    const { results } = await validator.validateString(await textAt(request, plainHost + address))
    expect(results.flatMap(({ messages }) => messages).map(({ message }) => message)).toEqual([])
  }
})

test('no document has an inline script, style or event handler', async ({
  request,
  plainHost,
  page: tab,
}) => {
  expect(
    await inlineCodeIn(tab, '<script>1</script><style></style><p style onclick>'),
  ).toHaveLength(4)
  for (const address of [...addresses, '/404.html']) {
    expect(await inlineCodeIn(tab, await textAt(request, plainHost + address)), address).toEqual([])
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
    const form = parsed.querySelector<HTMLFormElement>('form:not([hidden] *)')
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

/** Returns the parts of a document that only `unsafe-inline` would allow. */
function inlineCodeIn(tab: Tab, html: string): Promise<string[]> {
  return tab.evaluate((html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    return [...parsed.querySelectorAll('*')].flatMap((element) => [
      ...(element.matches('style, script:not([src]), [href^="javascript:" i]')
        ? [element.tagName]
        : []),
      ...element.getAttributeNames().filter((name) => /^(on|style$|srcdoc$)/.test(name)),
    ])
  }, html)
}
