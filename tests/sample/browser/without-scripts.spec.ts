/** The site without scripts: a whole visit with documents only. */
import { expect } from '@playwright/test'
import { site } from '../../../src/site/site.ts'
import { test } from '../../browser/hosts.ts'
import { card, pages, paragraphs, unclaimed, withThreeFields } from './dataset.ts'

test.use({ javaScriptEnabled: false })

test('the index has no filter, and reserves no space for it', async ({ tab }) => {
  await tab.goto('/?q=nothing-has-this')
  await expect(tab.locator('.cards a:visible')).toHaveCount(pages.length)
  await expect(tab.locator('search, form, input, select').locator('visible=true')).toHaveCount(0)
  const [above, below] = [tab.locator('.masthead'), tab.locator('.cards')]
  const [head, cards] = [await above.boundingBox(), await below.boundingBox()]
  expect((cards?.y ?? 0) - (head?.y ?? 0) - (head?.height ?? 0)).toBeLessThan(60)
})

test('a visitor opens a page, sends its form and finds the way back', async ({ tab }) => {
  await tab.route('**/api/forms/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>received</h1>' }),
  )
  await tab.goto('/')
  await card(tab, withThreeFields).click()
  await expect(tab).toHaveURL(withThreeFields.path)
  await expect(tab).toHaveTitle(`${withThreeFields.title} · ${site.name}`)
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(withThreeFields.title)
  await expect(tab.locator('.body p')).toHaveText(paragraphs(withThreeFields.contentHtml))

  await tab.getByLabel('Your Name').fill('Ada')
  await tab.getByLabel('Email Address').fill('ada@example.com')
  await tab.getByLabel('Message').fill('No script ran.')
  const sent = tab.waitForRequest('**/api/forms/**')
  await tab.getByRole('button', { name: site.words.submit }).click()
  const request = await sent
  expect(request.method()).toBe('POST')
  expect(new URL(request.url()).pathname).toBe(`/api/forms${withThreeFields.path}`)
  expect(request.headers()['content-type']).toBe('application/x-www-form-urlencoded')
  expect(request.postData()).toBe('name=Ada&email=ada%40example.com&message=No+script+ran.')
  await expect(tab.getByRole('heading')).toHaveText('received')

  await tab.goBack()
  await tab.getByRole('link', { name: site.words.back }).click()
  await expect(tab).toHaveURL('/')
  await expect(tab.locator('.cards a')).toHaveCount(pages.length)
})

test('an address that is not a page says Not found, with a link back', async ({ tab }) => {
  await tab.goto(unclaimed)
  await expect(tab.getByRole('heading')).toHaveText(site.words.notFound)
  await expect(tab.getByRole('searchbox')).toHaveCount(0)
  await tab.getByRole('link', { name: site.words.back }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(site.name)
})
