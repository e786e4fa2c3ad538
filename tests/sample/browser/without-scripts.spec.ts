/** The site without scripts. Forms without them are in `receiver.spec.ts`. */
import { expect } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { card, pages, plain } from './dataset.ts'

test.use({ javaScriptEnabled: false })

test('the index has no filter, and reserves no space for it', async ({ tab }) => {
  await tab.goto('/?q=nothing-has-this')
  await expect(tab.locator('.cards a:visible')).toHaveCount(pages.length)
  await expect(tab.locator('search, form, input, select').locator('visible=true')).toHaveCount(0)
  const [above, below] = [tab.locator('.masthead'), tab.locator('.cards')]
  const [head, cards] = [await above.boundingBox(), await below.boundingBox()]
  expect((cards?.y ?? 0) - (head?.y ?? 0) - (head?.height ?? 0)).toBeLessThan(60)
})

test('links lead from document to document', async ({ tab }) => {
  await tab.goto('/')
  await card(tab, plain).click()
  await expect(tab).toHaveTitle(`${plain.title} · ${site.name}`)
  await tab.getByRole('link', { name: site.words.back }).click()
  await expect(tab).toHaveURL('/')
})
