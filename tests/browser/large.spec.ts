/** The index of many pages, of which a browser lays out only the part in sight. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page as Tab, test } from '@playwright/test'
import { sampleBatches } from '../../src/samples/batches.ts'
import { buildSite, servePlainly } from './hosts.ts'
import { messagesOf, takenOver } from './watch.ts'

const options = { pages: 1000, batches: 1, duplicates: 0, forms: 0.3, seed: 1 }
const [pages = []] = [...sampleBatches(options)]
const matching = pages.filter(({ path }) => path.includes('0'))

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

const visible = (tab: Tab) => tab.locator('.cards a:visible')
const search = (tab: Tab) => tab.getByRole('searchbox', { name: 'Search' })

test('lists every page, in lists that say what is in them', async ({ page: tab }) => {
  const messages = messagesOf(tab)
  await tab.goto(host.address)
  await takenOver(tab)
  const paths = await tab
    .locator('.cards a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(paths).toEqual(pages.map(({ path }) => path))
  const lists = await tab.getByRole('navigation').getByRole('list').all()
  let position = 0
  for (const list of lists) {
    const size = await list.locator('li').count()
    await expect(list).toHaveAccessibleName(`Pages ${position + 1} to ${position + size}`)
    position += size
  }
  expect(position).toBe(pages.length)
  expect(messages).toEqual([])
})

for (const width of [360, 700, 1000, 1280, 1920]) {
  test(`keeps the place of lists out of sight, and the grid without a seam, at ${width}px`, async ({
    page: tab,
  }) => {
    await tab.setViewportSize({ width, height: 800 })
    await tab.goto(host.address)
    await takenOver(tab)
    const measure = () =>
      tab.evaluate(() => {
        const cards = [...document.querySelectorAll('.card')].map((card) =>
          card.getBoundingClientRect(),
        )
        const tops = [...new Set(cards.map(({ top }) => Math.round(top)))]
        const steps = new Set(tops.map((top, row) => top - (tops[row - 1] ?? Number.NaN)))
        const lefts = new Set(cards.map(({ left }) => Math.round(left)))
        const [{ height } = { height: 0 }] = cards
        return {
          height: Math.round(height),
          steps: [...steps].filter((step) => !Number.isNaN(step)),
          columns: lefts.size,
          rows: tops.length,
        }
      })
    const total = () => tab.evaluate(() => document.documentElement.scrollHeight)
    const before = await total()
    await tab.evaluate(() => {
      for (const list of document.querySelectorAll<HTMLElement>('.cards')) {
        list.style.contentVisibility = 'visible'
      }
    })
    const { height, steps, columns, rows } = await measure()
    expect(await total()).toBe(before)
    expect(rows).toBe(Math.ceil(pages.length / columns))
    expect(steps).toEqual([height + 12])
  })
}

test('shows every match of a filter, and everything again without it', async ({ page: tab }) => {
  await tab.goto(host.address)
  await search(tab).fill('0')
  await expect(tab.getByRole('status')).toHaveText(`Showing ${matching.length} of ${pages.length}`)
  await expect
    .poll(() =>
      tab.locator('nav > .cards a').evaluateAll((all) => all.map((a) => a.getAttribute('href'))),
    )
    .toEqual(matching.map(({ path }) => path))
  await expect(visible(tab).first()).toHaveAttribute('href', matching[0]?.path ?? '')
  await search(tab).fill('')
  await expect(visible(tab).first()).toHaveAttribute('href', pages[0]?.path ?? '')
  await expect(tab.locator('.cards a')).toHaveCount(pages.length)
})

test('Back returns to the card that was left, far down among the matches', async ({
  page: tab,
}) => {
  await tab.goto(`${host.address}/?q=0`)
  const target = matching.at(-5)
  const card = tab.locator(`nav > .cards a[href="${target?.path}"]`)
  await card.scrollIntoViewIfNeeded()
  const before = await card.boundingBox()
  await card.click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(target?.title ?? '')
  await tab.goBack()
  await expect(card).toBeFocused()
  await expect(card).toBeInViewport()
  expect((await card.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1)
})
