/** Moving about the built site: the focus, the scroll position, the keyboard, the history. */
import { expect, test } from '@playwright/test'
import { card, first, last, plain } from './dataset.ts'

test.describe('a move', () => {
  test('by a link starts at the top, with the focus on the heading', async ({ page: tab }) => {
    await tab.setViewportSize({ width: 800, height: 300 })
    await tab.goto('/')
    await expect(tab.locator('body')).toBeFocused()
    await card(tab, last).click()
    await expect(tab.getByRole('heading', { name: last.title })).toBeFocused()
    expect(await tab.evaluate(() => scrollY)).toBe(0)
    await tab.getByRole('link', { name: '← Back' }).click()
    await expect(tab.getByRole('heading', { level: 1 })).toBeFocused()
    expect(await tab.evaluate(() => scrollY)).toBe(0)
  })

  test('by the Back button returns to the place, and the card, it left', async ({ page: tab }) => {
    await tab.goto('/')
    await card(tab, last).scrollIntoViewIfNeeded()
    const place = await tab.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(500)
    await card(tab, last).click()
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(last.title)
    await tab.goBack()
    await expect(card(tab, last)).toBeFocused()
    await expect.poll(() => tab.evaluate(() => scrollY)).toBe(place)
    await expect(tab).toHaveTitle('ManyURLs Pages')
    await tab.goForward()
    await expect(tab.getByRole('heading', { name: last.title })).toBeFocused()
  })

  test('by the keyboard alone works, with the focus in sight', async ({ page: tab }) => {
    await tab.goto('/')
    await tab.getByRole('combobox', { name: 'Form' }).focus()
    await tab.keyboard.press('Tab')
    await expect(card(tab, first)).toBeFocused()
    await expect(card(tab, first)).toHaveCSS('outline-style', 'solid')
    await tab.keyboard.press('Enter')
    await expect(tab).toHaveURL(first.path)
    await tab.keyboard.press('Shift+Tab')
    await expect(tab.getByRole('link', { name: '← Back' })).toBeFocused()
    await tab.keyboard.press('Enter')
    await expect(tab).toHaveURL('/')
  })

  test('with a modifier key is left to the browser', async ({ page: tab, context }) => {
    await tab.goto('/')
    const opened = context.waitForEvent('page')
    await card(tab, plain).click({ modifiers: ['ControlOrMeta'] })
    await expect(await opened).toHaveURL(plain.path)
    await expect(tab).toHaveURL('/')
  })
})
