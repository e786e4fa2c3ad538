/** The filter of the index: an enhancement that changes nothing while it is unused. */
import { expect, type Page as Tab, test } from '@playwright/test'
import { card, pages, withTwoFields as target } from './dataset.ts'

const total = pages.length
const [, category = '', id = ''] = target.path.split('/')
const inCategory = pages.filter(({ path }) => path.startsWith(`/${category}/`))
const withForm = inCategory.filter(({ form }) => form)

const visible = (tab: Tab) => tab.locator('.cards a:visible')

test('hides nothing and says nothing while it is unused', async ({ page: tab }) => {
  await tab.goto('/')
  await expect(tab.getByRole('searchbox', { name: 'Search' })).toHaveValue('')
  await expect(visible(tab)).toHaveCount(total)
  await expect(tab.getByRole('status')).toBeEmpty()
  await expect(tab).toHaveURL('/')
})

for (const width of [360, 1280]) {
  test(`comes without moving what is below it, at ${width}px`, async ({ page: tab }) => {
    await tab.setViewportSize({ width, height: 800 })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await tab.route('**/assets/index-*.js', async (route) => {
      await released
      await route.continue()
    })
    await tab.goto('/', { waitUntil: 'commit' })
    const top = () => tab.locator('.cards').evaluate((cards: HTMLElement) => cards.offsetTop)
    await expect(tab.locator('.cards a')).toHaveCount(total)
    await expect(tab.locator('.cards'), 'the style sheet is there').toHaveCSS('display', 'grid')
    const before = await top()
    expect(await tab.getByRole('searchbox').count()).toBe(0)
    release()
    const place = tab.locator('.filter-place')
    await expect(place.getByRole('searchbox')).toBeVisible()
    expect(await top()).toBe(before)
    const [outer, inner] = [await place.boundingBox(), await place.locator('form').boundingBox()]
    expect(inner?.height).toBeLessThanOrEqual(outer?.height ?? 0)
  })
}

test('by text, category and form shows the pages that have them all, and says how many', async ({
  page: tab,
}) => {
  await tab.goto('/')
  await tab.getByRole('combobox', { name: 'Category' }).selectOption(category)
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await tab.getByRole('combobox', { name: 'Form' }).selectOption('With a form')
  await expect(visible(tab)).toHaveCount(withForm.length)
  await expect(tab.getByRole('status')).toHaveText(`Showing ${withForm.length} of ${total}`)
  await tab.getByRole('searchbox').fill(`page ${id}`)
  await expect(visible(tab)).toHaveCount(1)
  await expect(card(tab, target)).toBeVisible()
  await expect(tab.getByText(`Total Pages: ${total}`)).toBeVisible()
})

test('is in the address, and survives a reload and the way to a page and back', async ({
  page: tab,
}) => {
  await tab.goto('/')
  await tab.getByRole('combobox', { name: 'Category' }).selectOption(category)
  await expect(tab).toHaveURL(`/?category=${category}`)
  await tab.reload()
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await visible(tab).first().click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(inCategory[0]?.title ?? '')
  await tab.goBack()
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await expect(tab.getByRole('combobox', { name: 'Category' })).toHaveValue(category)
  await tab.goForward()
  await tab.getByRole('link', { name: '← Back' }).click()
  await expect(visible(tab)).toHaveCount(total)
})

test('by a category that no page has is none', async ({ page: tab }) => {
  await tab.goto('/?category=nope')
  await expect(tab.getByRole('combobox', { name: 'Category' })).toHaveValue('')
  await expect(tab.getByRole('status')).toBeEmpty()
  await expect(tab.locator('.cards a:visible')).toHaveCount(pages.length)
})

test('that finds nothing says so', async ({ page: tab }) => {
  await tab.goto('/?q=nothing-has-this')
  await expect(tab.getByRole('status')).toHaveText(`Showing 0 of ${total}`)
  await expect(visible(tab)).toHaveCount(0)
})
