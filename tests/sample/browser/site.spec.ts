/** The built site as a visitor sees it: its screens, against the dataset they were built from. */
import { expect } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { hydrated } from '../../browser/watch.ts'
import { card, pages, plain, unclaimed, withThreeFields, withTwoFields } from './dataset.ts'
import { requestsOf } from './record.ts'

test('a path spelled differently is Not found even if the site itself navigates to it', async ({
  tab,
}) => {
  const [, category = '', id = ''] = plain.path.split('/')
  await tab.goto('/')
  await hydrated(tab)
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
    await expect(tab.getByRole('heading', { level: 1 }), address).toHaveText(site.words.notFound)
    await tab.goBack()
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  }
  expect(documents).toEqual([])
})

test.describe('Not found', () => {
  test('has two links to the index: the name of the site, and back', async ({ tab }) => {
    await tab.goto('/a/b/c')
    await expect(tab.getByRole('link')).toHaveText([site.name, site.words.back])
  })

  test('is not shown for a page with a query or fragment in its address', async ({ tab }) => {
    await tab.goto(`${plain.path}?from=index#title`)
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(plain.title)
  })
})

test('every screen but the index begins with the name of the site, which leads to the index', async ({
  tab,
}) => {
  const name = tab.getByRole('link', { name: site.name })
  for (const path of [plain.path, withThreeFields.path, unclaimed]) {
    await tab.goto(path)
    await expect(name).toHaveAttribute('href', '/')
  }
  await tab.goto(`/api/forms${plain.path}`)
  await name.click()
  await expect(tab).toHaveURL('/')
  await expect(name).toHaveCount(0)
})

test.describe('a page', () => {
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

  test('sets an empty field in the direction of the site, and a text in its own', async ({
    tab,
  }) => {
    await tab.goto(withTwoFields.path)
    await tab.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await expect(tab.getByLabel('Your Name')).toHaveCSS('direction', 'rtl')
    await tab.getByLabel('Your Name').fill('Ada')
    await expect(tab.getByLabel('Your Name')).toHaveCSS('direction', 'ltr')
  })

  test('does not pass on text typed into its form to another page', async ({ tab }) => {
    await tab.goto(withTwoFields.path)
    // In one document: the screens must not keep it.
    await hydrated(tab)
    await tab.getByRole('link', { name: site.words.back }).click()
    await card(tab, withThreeFields).click()
    await tab.getByLabel('Your Name').fill('Ada')
    // Directly from one page to another, as a long press on Back allows.
    await tab.evaluate(() => history.go(-2))
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(withTwoFields.title)
    await expect(tab.getByLabel('Your Name')).toHaveValue('')
  })
})
