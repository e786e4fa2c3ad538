/** How React hydrates the documents as sent, and what a visit requests from then on. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Request, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site/site.ts'
import { DIST } from '../../browser/built.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { messagesOf, takenOver } from '../../browser/watch.ts'
import { card, last, pages, paragraphs, plain, withThreeFields } from './dataset.ts'
import { requestsOf } from './record.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const back = (tab: Tab) => tab.getByRole('link', { name: '← Back' })

test('links load no document, at whichever address the first was loaded', async ({ tab }) => {
  const host = await servePlainly(DIST, { fallback: '404.html' })
  const messages = messagesOf(tab)
  const { documents } = requestsOf(tab)
  for (const [path, title] of [
    ['/index.html', site.name],
    [plain.path, plain.title],
    [`${plain.path}.html`, plain.title],
    [`${plain.path}/`, plain.title],
    ['/a/b/', 'Not found'],
    ['/404.html', 'Not found'],
  ] as const) {
    await test.step(path, async () => {
      await tab.goto(host.address + path)
      await takenOver(tab)
      await expect(heading(tab)).toHaveText(title)
      documents.length = 0
      if (path === '/index.html') await card(tab, last).click()
      else await back(tab).click()
      await expect(heading(tab)).not.toHaveText(title)
      await tab.goBack()
      await expect(heading(tab)).toHaveText(title)
      expect(documents).toEqual([])
    })
  }
  expect(messages).toEqual([])
  host.close()
})

for (const path of ['/', ...[plain, withThreeFields, last].map(({ path }) => path)]) {
  test(`a first visit to ${path} loads at most 70 kB`, async ({ page: tab }) => {
    const requests: Request[] = []
    tab.on('requestfinished', (request) => requests.push(request))
    await tab.goto(path, { waitUntil: 'networkidle' })
    const sizes = await Promise.all(requests.map((request) => request.sizes()))
    const size = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    // React, at least.
    expect(size).toBeGreaterThan(50_000)
    expect(size).toBeLessThanOrEqual(70_000)
  })
}

test('a card leads to its page, and back, without a document, or files outside the build', async ({
  tab,
}) => {
  const messages = messagesOf(tab)
  const { all, documents, scripts } = requestsOf(tab)
  await tab.goto('/')
  await takenOver(tab)
  // documents.spec.ts reads the document of every page.
  for (const page of [plain, withThreeFields, last, plain]) {
    await card(tab, page).click()
    await expect(heading(tab)).toHaveText([page.title])
    await expect(tab).toHaveURL(page.path)
    await expect(tab).toHaveTitle(`${page.title} · ${site.name}`)
    await expect(tab.locator('.body p')).toHaveText(paragraphs(page.contentHtml))
    await expect(tab.getByRole('form')).toHaveCount(page.form ? 1 : 0)
    if (page === plain) await back(tab).click()
    else await tab.goBack()
    await expect(heading(tab)).toHaveText(site.name)
    await expect(tab).toHaveURL('/')
    await expect(tab).toHaveTitle(site.name)
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  }
  const files = new Set(['/', ...builtFiles()])
  expect(all.filter((path) => !files.has(path))).toEqual([])
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(documents).toEqual(['/'])
  expect(messages).toEqual([])
})

for (const [intent, show] of [
  ['points at', (tab: Tab) => card(tab, last).hover()],
  ['moves the focus to', (tab: Tab) => card(tab, last).focus()],
] as const) {
  test(`the page of a card that the visitor ${intent} is loaded before it is opened`, async ({
    tab,
  }) => {
    await tab.goto('/')
    await takenOver(tab)
    const { scripts, documents } = requestsOf(tab)
    await show(tab)
    await expect.poll(() => scripts.at(-1)).toMatch(/^\/assets\/\d+-.+\.js$/)
    const { length } = scripts
    await card(tab, last).press('Enter')
    await expect(heading(tab)).toHaveText(last.title)
    expect(scripts).toHaveLength(length)
    expect(documents).toEqual([])
  })
}

test('a page whose module cannot be loaded is opened as a document', async ({ tab }) => {
  await tab.goto('/')
  await takenOver(tab)
  const { documents } = requestsOf(tab)
  await tab.route(/\/assets\/\d+-/, (route) => route.abort())
  await card(tab, last).click()
  await expect(heading(tab)).toHaveText(last.title)
  await expect(tab).toHaveURL(last.path)
  await expect(tab.locator('.body p')).toHaveText(paragraphs(last.contentHtml))
  await back(tab).click()
  await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  expect(documents).toEqual([last.path])
})

test.describe('Back, from a reloaded document,', () => {
  test.beforeEach(async ({ tab }) => {
    await tab.goto('/')
    await takenOver(tab)
    await card(tab, last).click()
    await expect(heading(tab)).toHaveText(last.title)
    await tab.reload()
    await takenOver(tab)
  })

  test('shows the index without loading another', async ({ tab }) => {
    const { documents } = requestsOf(tab)
    await tab.goBack()
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
    await expect(tab).toHaveTitle(site.name)
    await tab.goForward()
    await expect(heading(tab)).toHaveText(last.title)
    expect(documents).toEqual([])
  })

  test('shows the index even when its module cannot be loaded', async ({ tab }) => {
    await tab.route('**/assets/list-*.js', (route) => route.abort())
    await tab.goBack()
    await expect(heading(tab)).toHaveText(site.name)
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
    await expect(tab).toHaveURL('/')
  })
})

/** Returns the files of the build as request paths. */
function builtFiles(): string[] {
  return readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length).replaceAll('\\', '/'))
}
