/** The index of many pages, which shows only some of them at a time. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page as Tab } from '@playwright/test'
import { sampleBatches } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { hydrated, isHydrated, messagesOf } from '../../browser/watch.ts'
import { buildSite } from './build-site.ts'
import { requestsOf } from './record.ts'

const options = { pages: 1100, batches: 1, duplicates: 0, forms: 0.3, seed: 1 }
const [pages = []] = [...sampleBatches(options)]
const sorted = pages.map(({ path }) => path).sort()
const matching = sorted.filter((path) => path.includes('0'))

// In one worker, so that the site is built once.
test.describe.configure({ mode: 'default' })

let folder: string
let host: Awaited<ReturnType<typeof servePlainly>>

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'manyurls-large-'))
  const site = join(folder, 'site')
  await buildSite(pages, site)
  host = await servePlainly(site)
})
test.afterAll(() => {
  host.close()
  rmSync(folder, { recursive: true, force: true })
})

const cards = (tab: Tab) => tab.locator('.cards a')
const paths = (tab: Tab) =>
  cards(tab).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const search = (tab: Tab) => tab.getByRole('searchbox', { name: site.words.search })
const more = (tab: Tab) => tab.getByRole('button', { name: site.words.showMore })

test('shows the first 240 cards, and twice as many each time, until there are no more', async ({
  tab,
}) => {
  const messages = messagesOf(tab)
  await tab.goto(host.address)
  await expect(tab.locator('[rel="preload"]')).toHaveAttribute('href', /^\/immutable\/list-/)
  await hydrated(tab)
  await expect(
    tab.getByText(site.words.counts(sorted.length, pages.filter(({ form }) => form).length)),
  ).toBeVisible()
  for (const count of [240, 480, 960]) {
    await expect(cards(tab)).toHaveCount(count)
    await expect(tab.getByText(site.words.shown(count, sorted.length))).toBeVisible()
    await more(tab).click()
    // Keyboard users continue from the first new card.
    await expect(cards(tab).nth(count)).toBeFocused()
  }
  expect(await paths(tab)).toEqual(sorted)
  await expect(more(tab)).toHaveCount(0)
  expect(messages).toEqual([])
})

test('stays the document that was sent if its list cannot be loaded, until the next time', async ({
  page: tab,
}) => {
  let isThere = false
  await tab.route(/\/immutable\/list-/, (route) => (isThere ? route.continue() : route.abort()))
  await tab.goto(host.address)
  await tab.waitForTimeout(500)
  await expect(cards(tab)).toHaveCount(240)
  expect(await isHydrated(tab)).toBe(false)
  isThere = true
  await tab.reload()
  await expect(search(tab)).toBeVisible()
})

test('filters all pages, and shows the first 240 matches', async ({ page: tab }) => {
  await tab.goto(host.address)
  await more(tab).click()
  await search(tab).fill('0')
  await expect(tab.getByRole('status')).toHaveText(site.words.found(matching.length, sorted.length))
  await expect.poll(() => paths(tab)).toEqual(matching.slice(0, 240))
  await more(tab).click()
  await expect.poll(() => paths(tab)).toEqual(matching.slice(0, 480))
  await search(tab).fill('')
  await expect.poll(() => paths(tab)).toEqual(sorted.slice(0, 240))
})

test('a search loads few files, even if it finds more than are shown', async ({ page: tab }) => {
  await tab.setViewportSize({ width: 360, height: 740 })
  await tab.goto(host.address)
  await hydrated(tab)
  const { all } = requestsOf(tab)
  await search(tab).fill('most teams')
  await expect(cards(tab)).toHaveCount(240)
  await expect(tab.locator('.excerpt mark').first()).toBeVisible()
  // Down to the last card, as a visitor scrolls: a window has more than three cards.
  await cards(tab).evaluateAll(async (links) => {
    for (const link of links.filter((_, at) => at % 3 === 2)) {
      link.scrollIntoView({ block: 'nearest' })
      await new Promise(requestAnimationFrame)
    }
  })
  await expect(tab.locator('.excerpt mark').last()).toBeInViewport()
  expect(all.length).toBeLessThanOrEqual(12)
})

test('Back returns to the card that was opened, far down among the matches', async ({ tab }) => {
  await tab.goto(`${host.address}/?q=0`)
  await more(tab).click()
  await expect(cards(tab)).toHaveCount(480)
  const card = cards(tab).nth(470)
  await card.scrollIntoViewIfNeeded()
  const before = await card.boundingBox()
  const path = await card.getAttribute('href')
  await card.click()
  for (const back of [
    () => tab.goBack(),
    () => tab.getByRole('link', { name: site.words.back }).click(),
  ]) {
    await expect(tab).toHaveURL(host.address + path)
    await expect(tab.locator('.body')).toBeVisible()
    await back()
    await expect(cards(tab)).toHaveCount(480)
    await expect(card).toBeFocused()
    await expect(card).toBeInViewport()
    expect((await card.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1)
    await tab.goForward()
  }
  await tab.goBack()
  await tab.reload()
  await expect(cards(tab)).toHaveCount(480)
})

test('Back shows at once what a text finds, also if its words are in a file of their own', async ({
  page: tab,
}) => {
  const inText = (letter: string) =>
    Array.from({ length: 20_000 }, (_, at) => letter + at).join(' ')
  const several = ['a', 'z'].map((letter) => {
    return { path: `/texts/${letter}`, title: letter, contentHtml: `<p>${inText(letter)}</p>` }
  })
  await buildSite(several, join(folder, 'several'))
  const host = await servePlainly(join(folder, 'several'))
  await tab.goto(`${host.address}/?q=a77`)
  await expect(cards(tab)).toHaveCount(1)
  await cards(tab).click()
  await tab.getByRole('navigation', { name: site.words.category }).getByRole('link').click()
  await search(tab).fill('z77')
  await expect(cards(tab)).toHaveCount(1)
  await cards(tab).click()
  await expect(tab.locator('.body')).toBeVisible()
  // The words that were loaded are forgotten.
  await tab.reload()
  await hydrated(tab)
  for (const text of ['z77', 'a77']) {
    await tab.goBack()
    await expect(search(tab)).toHaveValue(text)
    expect(await cards(tab).count(), text).toBe(1)
    // Between the two is a page.
    await tab.goBack()
    await expect(search(tab)).toHaveCount(0)
  }
  host.close()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the first 240 cards are there, and "Next" leads on from the last of them', async ({
    tab,
  }) => {
    await tab.goto(host.address)
    expect(await paths(tab)).toEqual(sorted.slice(0, 240))
    await expect(tab.getByRole('button')).toHaveCount(0)
    await cards(tab).last().click()
    await tab.getByRole('link', { name: site.words.next }).click()
    await expect(tab).toHaveURL(host.address + sorted[240])
  })
})
