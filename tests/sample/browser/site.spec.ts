/** The built site as a visitor sees it: its screens, against the dataset they were built from. */
import { expect } from '@playwright/test'
import { site } from '../../../src/site/site.ts'
import { test } from '../../browser/hosts.ts'
import { takenOver } from '../../browser/watch.ts'
import { card, dayOf, pages, plain, unclaimed, withThreeFields, withTwoFields } from './dataset.ts'
import { requestsOf } from './record.ts'

/** The part of the browser's Trusted Types that TypeScript's own types do not have yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): unknown
}

test.describe('the index', () => {
  test.beforeEach(async ({ tab }) => {
    await tab.goto('/')
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('has one card for each page, by category, then number', async ({ tab }) => {
    const links = tab.getByRole('main').getByRole('link')
    const found = await links.evaluateAll((all) =>
      all.map((link) => ({
        path: link.getAttribute('href'),
        lines: [...link.children].map(({ textContent }) => textContent),
      })),
    )
    expect(found).toEqual(
      pages.map(({ path, title, form }) => ({
        path,
        lines: [title, form ? '📝 Has Form' : '📄 Static Page'],
      })),
    )
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has green borders on cards with a form, blue on others, when ${colorScheme}`, async ({
      tab,
    }) => {
      await tab.emulateMedia({ colorScheme })
      const borders = await tab.locator('.cards a').evaluateAll((links) =>
        links.map((link) => {
          const { borderLeftColor, borderLeftStyle, borderLeftWidth } = getComputedStyle(link)
          const [red = 0, green = 0, blue = 0] = (borderLeftColor.match(/\d+/g) ?? []).map(Number)
          const hue =
            green > Math.max(red, blue) ? 'green' : blue > Math.max(red, green) ? 'blue' : '?'
          return `${hue} ${borderLeftStyle} ${parseFloat(borderLeftWidth) >= 3 ? 'thick' : 'thin'}`
        }),
      )
      expect(borders).toEqual(pages.map(({ form }) => `${form ? 'green' : 'blue'} solid thick`))
    })
  }

  test('gives each card an accessible name', async ({ tab }) => {
    for (const page of [plain, withTwoFields]) {
      const name = `${page.title} ${page.form ? 'Has Form' : 'Static Page'}`
      await expect(card(tab, page)).toHaveAccessibleName(name)
    }
  })

  test('has a rule of two lines under its heading in every browser', async ({ tab }) => {
    // WebKit draws a double border as one bar.
    const rule = await tab.locator('.masthead').evaluate((masthead) => {
      const { borderBottomStyle } = getComputedStyle(masthead)
      const { borderTopWidth, borderBottomWidth, height } = getComputedStyle(masthead, '::after')
      return { borderBottomStyle, borderTopWidth, borderBottomWidth, height }
    })
    expect(rule).toEqual({
      borderBottomStyle: 'none',
      borderTopWidth: '1px',
      borderBottomWidth: '1px',
      height: '4px',
    })
  })

  test('has as many columns as fit, of at least 260px, 0.75rem apart', async ({ tab }) => {
    const grid = () =>
      tab.locator('.cards').evaluate((list) => {
        const { columnGap, rowGap, gridTemplateColumns } = getComputedStyle(list)
        const columns = gridTemplateColumns.split(' ').map(parseFloat)
        return { columnGap, rowGap, columns, room: list.parentElement?.clientWidth ?? 0 }
      })
    for (const width of [340, 640, 1000, 1280, 1920]) {
      await tab.setViewportSize({ width, height: 800 })
      const { columnGap, rowGap, columns, room } = await grid()
      expect([columnGap, rowGap]).toEqual(['12px', '12px'])
      expect(columns).toHaveLength(Math.floor((room + 12) / (260 + 12)))
      expect(Math.min(...columns)).toBeGreaterThanOrEqual(260)
    }
  })
})

test('a path spelled differently is Not found even if the site itself navigates to it', async ({
  page: tab,
}) => {
  const [, category = '', id = ''] = plain.path.split('/')
  await tab.goto('/')
  await takenOver(tab)
  const { documents } = requestsOf(tab)
  for (const address of [
    `${plain.path}/`,
    plain.path.toUpperCase(),
    `/${category}/%3${id}`,
    `/${category}%2F${id}`,
    `/${category}/${id}/more`,
    `/${category}//${id}`,
    `/${category}`,
    '/__proto__/001',
    unclaimed,
  ]) {
    await tab.evaluate((address) => history.pushState(null, '', address), address)
    await expect(tab.getByRole('heading', { level: 1 }), address).toHaveText('Not found')
    await tab.goBack()
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  }
  expect(documents).toEqual([])
})

test.describe('Not found', () => {
  // server-files.test.ts has the addresses that get this document.
  test('is the screen of an address that is not a page, with a sentence', async ({
    tab,
    baseURL,
  }) => {
    for (const address of [unclaimed, `${plain.path}/`, '/<b>/"\'']) {
      await tab.goto(baseURL + address)
      await takenOver(tab)
      await expect(tab.getByRole('heading', { level: 1 }), address).toHaveText('Not found')
      await expect(tab.getByText('No page has this address.')).toBeVisible()
      await expect(tab, address).toHaveTitle(`Not found · ${site.name}`)
    }
  })

  test('has one link back to the index, and a search', async ({ tab }) => {
    await tab.goto('/a/b/c')
    await expect(tab.getByRole('link')).toHaveText(['← Back'])
    await tab.getByRole('searchbox').fill('blog 029')
    await tab.getByRole('button', { name: 'Search' }).click()
    await expect(tab).toHaveURL('/?q=blog+029')
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(site.name)
  })

  test('is not shown for a page with a query or fragment in its address', async ({ tab }) => {
    await tab.goto(`${plain.path}?from=index#title`)
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(plain.title)
  })
})

test.describe('a page', () => {
  test('fills a narrow window and is 800px wide at most', async ({ tab }) => {
    await tab.goto(plain.path)
    const widths = []
    for (const width of [320, 768, 1024, 1920]) {
      await tab.setViewportSize({ width, height: 800 })
      const box = await tab.getByRole('main').boundingBox()
      widths.push(box?.width ?? 0)
    }
    expect(widths[0]).toBeGreaterThan(256)
    expect(widths[1]).toBeGreaterThan(640)
    expect(widths.slice(2)).toEqual([800, 800])
  })

  test('says when it was updated', async ({ tab }) => {
    await tab.goto(plain.path)
    await expect(tab.getByText(`Updated ${dayOf(plain.updatedAt)}`)).toBeVisible()
    await expect(tab.locator('time')).toHaveAttribute('datetime', plain.updatedAt)
  })

  test('sets each paragraph in the direction of its text', async ({ tab }) => {
    await tab.goto(plain.path)
    const sides = await tab.locator('.body').evaluate((body) => {
      const texts = ['שלום עולם.', 'Hello, world.']
      body.replaceChildren(
        ...texts.map((text) => {
          const paragraph = document.createElement('p')
          paragraph.textContent = text
          return paragraph
        }),
      )
      return [...body.children].map(({ firstChild }) => {
        const text = firstChild as Text
        const leftOf = (at: number) => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          return range.getBoundingClientRect().left
        }
        return leftOf(text.length - 1) < leftOf(0) ? 'full stop on the left' : 'on the right'
      })
    })
    expect(sides).toEqual(['full stop on the left', 'on the right'])
  })

  test('has nothing at the bottom that looks like a control', async ({ tab }) => {
    await tab.goto(plain.path)
    const content = (sheet: Element) => getComputedStyle(sheet, '::after').content
    expect(await tab.locator('.sheet').evaluate(content)).toBe('none')
  })

  test('does not pass on text typed into its form to another page', async ({ tab }) => {
    await tab.goto(withTwoFields.path)
    await tab.getByRole('link', { name: '← Back' }).click()
    await card(tab, withThreeFields).click()
    await tab.getByLabel('Your Name').fill('Ada')
    // Directly from one page to another, as a long press on Back allows.
    await tab.evaluate(() => history.go(-2))
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(withTwoFields.title)
    await expect(tab.getByLabel('Your Name')).toHaveValue('')
  })

  test('that fails to render says so, and the way back works', async ({ page: tab }) => {
    await tab.addInitScript((body) => {
      const { trustedTypes } = window as unknown as { trustedTypes: TrustedTypes }
      const { createPolicy } = trustedTypes
      trustedTypes.createPolicy = (name, { createHTML }) =>
        createPolicy.call(trustedTypes, name, {
          createHTML(html) {
            if (html === body) throw new Error('a fault in the body')
            return createHTML(html)
          },
        })
    }, plain.contentHtml)
    await tab.goto('/')
    await card(tab, plain).click()
    await expect(tab.getByRole('alert')).toHaveText('Unexpected Application Error!')
    await tab.getByRole('link', { name: '← Back' }).click()
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  })
})

test('every color is there in browsers without light-dark()', async ({ page: tab }) => {
  const colors = () =>
    tab.locator('body *').evaluateAll((all) =>
      all.map((element) => {
        const { color, backgroundColor, borderColor } = getComputedStyle(element)
        return `${element.localName}: ${color}, ${backgroundColor}, ${borderColor}`
      }),
    )
  await tab.goto(withThreeFields.path)
  const whole = await colors()
  await tab.route('**/*.css', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('light-dark(', 'unknown(')
    await route.fulfill({ response, body })
  })
  await tab.reload()
  expect(await colors()).toEqual(whole)
})
