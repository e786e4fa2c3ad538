/** How the screens look, as far as a visitor would miss it. */
import { expect, type Locator, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { faultsOf } from '../../browser/axe.ts'
import { test } from '../../browser/hosts.ts'
import { hydrated } from '../../browser/watch.ts'
import { last, plain, searched, withThreeFields } from './dataset.ts'

const PHONE = { width: 360, height: 740 }
const search = (tab: Tab) => tab.getByRole('searchbox')

/** Returns the place of an element in the window. */
async function placeOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not shown')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Returns where the text of an element is in the window. */
function textPlaceOf(element: Locator): Promise<{ left: number; right: number }> {
  return element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right } = range.getBoundingClientRect()
    return { left, right }
  })
}

test.describe('the filter', () => {
  test('stays at the top of a large window, and covers no card that gets the focus', async ({
    tab,
  }) => {
    await tab.setViewportSize({ width: 1280, height: 800 })
    await tab.goto('/')
    await hydrated(tab)
    await tab.locator('.cards a').last().focus()
    expect((await placeOf(search(tab))).y).toBeLessThan(60)
    const filter = await placeOf(tab.getByRole('search'))
    for (let step = 0; step < 40; step++) {
      await tab.keyboard.press('Shift+Tab')
      expect((await placeOf(tab.locator(':focus'))).y).toBeGreaterThanOrEqual(filter.bottom)
    }
  })

  test('leaves a small window to the cards', async ({ tab }) => {
    await tab.setViewportSize(PHONE)
    await tab.goto('/')
    await hydrated(tab)
    await tab.locator('.cards a').last().focus()
    await expect(search(tab)).not.toBeInViewport()
  })

  test('has controls of one height, also in forced colors', async ({ tab }) => {
    for (const forcedColors of ['none', 'active'] as const) {
      await tab.emulateMedia({ forcedColors })
      await tab.goto('/')
      await expect(search(tab)).toBeVisible()
      const { height } = await placeOf(search(tab))
      for (const select of await tab.getByRole('combobox').all()) {
        expect((await placeOf(select)).height, forcedColors).toBeCloseTo(height, 0)
      }
    }
  })
})

test('a chosen filter is seen', async ({ tab }) => {
  await tab.goto('/')
  await hydrated(tab)
  const category = tab.getByLabel(site.words.category)
  await expect(category).toHaveCSS('box-shadow', 'none')
  await category.selectOption({ index: 1 })
  await expect(category).toHaveCSS('box-shadow', /inset/)
  await expect(tab.getByLabel(site.words.form)).toHaveCSS('box-shadow', 'none')
})

test.describe('the cards', () => {
  test('begin near the top, and eight are whole on a phone', async ({ tab }) => {
    await tab.setViewportSize({ width: 1280, height: 800 })
    await tab.goto('/')
    await expect(search(tab)).toBeVisible()
    expect((await placeOf(tab.locator('.cards'))).y).toBeLessThan(245)
    await tab.setViewportSize(PHONE)
    await expect(tab.locator('.cards a').nth(7)).toBeInViewport({ ratio: 1 })
  })

  test('have excerpts of three lines, before and after their words are there', async ({ tab }) => {
    await tab.goto('/?q=the')
    await searched(tab)
    await expect(tab.locator('.excerpt mark').first()).toBeVisible()
    const heights = await tab
      .locator('.excerpt')
      .evaluateAll((excerpts) => excerpts.map(({ clientHeight }) => clientHeight))
    expect(heights.length).toBeGreaterThan(20)
    expect(new Set(heights)).toEqual(new Set([63]))
  })

  test('set text of another direction where all others begin', async ({ tab }) => {
    await tab.goto('/')
    await hydrated(tab)
    const title = tab.locator('.card h2').first()
    const { right: rightOfCard } = await placeOf(tab.locator('.card').first())
    await tab.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect((await textPlaceOf(title)).right).toBeGreaterThan(rightOfCard - 30)
  })
})

test('a long title is hyphenated', async ({ tab }) => {
  await tab.goto(plain.path)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveCSS('hyphens', 'auto')
})

test('the caption of a wide table is whole on a phone', async ({ tab }) => {
  await tab.setViewportSize(PHONE)
  await tab.goto(plain.path)
  await tab.locator('.body').evaluate((body) => {
    const table = document.createElement('table')
    table.createCaption().textContent = 'The departures of all trams on weekdays, by line and stop'
    const row = table.insertRow()
    for (let at = 0; at < 12; at++) row.insertCell().textContent = 'Departures'
    body.replaceChildren(table)
  })
  const table = await placeOf(tab.locator('table'))
  expect(await tab.locator('table').evaluate((node) => node.scrollWidth)).toBeGreaterThan(500)
  expect((await textPlaceOf(tab.locator('caption'))).right).toBeLessThanOrEqual(table.right)
})

test('the pages before and after are two cards, side by side', async ({ tab }) => {
  for (const width of [360, 1280]) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.goto(withThreeFields.path)
    const [previous, next] = [tab.locator('a[rel="prev"]'), tab.locator('a[rel="next"]')]
    await expect(previous).toHaveCSS('border-top-style', 'solid')
    expect((await placeOf(previous)).y).toBe((await placeOf(next)).y)
    expect((await placeOf(previous)).right).toBeLessThan((await placeOf(next)).x)
  }
})

test('small text has a contrast of 7 to 1', async ({ tab }) => {
  for (const path of ['/?q=the', withThreeFields.path, last.path]) {
    await tab.goto(path)
    await hydrated(tab)
    expect(await faultsOf(tab, { rule: 'color-contrast-enhanced' })).toEqual([])
  }
})

/** Returns the elements of a screen with a double rule. */
function doubleRulesOf(tab: Tab): Promise<string[]> {
  return tab.locator('#root *').evaluateAll((elements) => {
    const ruled = elements.filter((element) => {
      return getComputedStyle(element).borderBottomStyle === 'double'
    })
    return ruled.map(({ className }) => className)
  })
}

test('the double rule is only on the index; a page has a thin one below the name of the site', async ({
  tab,
}) => {
  await tab.goto('/')
  expect(await doubleRulesOf(tab)).toEqual(['masthead'])
  await tab.goto(plain.path)
  expect(await doubleRulesOf(tab)).toEqual([])
  const name = tab.getByRole('link', { name: site.name })
  await expect(name).toHaveCSS('border-bottom-style', 'solid')
  await expect(name).toHaveCSS('border-bottom-width', '1px')
})

test('in print, the title of a page does not touch the rule above it', async ({ tab }) => {
  await tab.emulateMedia({ media: 'print' })
  await tab.goto(plain.path)
  const { bottom } = await placeOf(tab.getByRole('link', { name: site.name }))
  expect((await placeOf(tab.getByRole('heading', { level: 1 }))).y - bottom).toBeGreaterThan(8)
})

test('one bar stands beside a faulty field and its message', async ({ tab }) => {
  await tab.goto(withThreeFields.path)
  await tab.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await tab.getByLabel('Your Name').fill('Ada')
  await tab.getByRole('button', { name: site.words.submit }).click()
  await tab.waitForURL(/forms/)
  await expect(tab.locator('.field')).toHaveCount(3)
  const widths = await tab
    .locator('.field')
    .evaluateAll((fields) => fields.map((field) => getComputedStyle(field).borderLeftWidth))
  expect(widths).toEqual(['0px', '4px', '0px'])
  const email = tab.locator('.field', { has: tab.getByLabel('Email Address') })
  const { x } = await placeOf(email)
  const { x: start } = await placeOf(tab.getByLabel('Your Name'))
  expect(start).toBeGreaterThan(x + 4)
  for (const part of ['label', '.error', 'input']) {
    expect((await placeOf(email.locator(part))).x, part).toBe(start)
  }
})

test('under reduced motion, nothing moves', async ({ tab }) => {
  await tab.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/', withThreeFields.path]) {
    await tab.goto(path)
    const durations = await tab.locator('#root *').evaluateAll((elements) => {
      return elements.map((element) => getComputedStyle(element).transitionDuration)
    })
    expect([...new Set(durations)], path).toEqual(['0s'])
  }
})
