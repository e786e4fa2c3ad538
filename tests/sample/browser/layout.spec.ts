/** The layout of every kind of document. It must not depend on the fonts of the machine. */
import { expect, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { misfitsOf } from '../../browser/layout.ts'
import { plain, unclaimed, withThreeFields } from './dataset.ts'

const [, category = ''] = withThreeFields.path.split('/')

const SCREENS: Record<string, (tab: Tab) => Promise<unknown>> = {
  'the index': (tab) => openIndex(tab, '/'),
  'the index, filtered': (tab) => openIndex(tab, `/?category=${category}`),
  'the index without a match': (tab) => openIndex(tab, '/?q=nothing-has-this'),
  'a page with a form': (tab) => tab.goto(withThreeFields.path),
  'a page without a form': (tab) => tab.goto(plain.path),
  'Not found': (tab) => tab.goto(unclaimed),
  'a refused form': (tab) => send(tab, 'ada at example.com'),
  'a receipt': (tab) => send(tab, 'ada@example.com'),
}

async function openIndex(tab: Tab, address: string) {
  await tab.goto(address)
  await tab.getByRole('searchbox').waitFor()
}

/** Sends a form without the browser's own validation, as a program would. */
async function send(tab: Tab, email: string) {
  await tab.goto(withThreeFields.path)
  await tab.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await tab.getByLabel('Your Name').fill('Ada')
  await tab.getByLabel('Email Address').fill(email)
  await tab.getByRole('button', { name: site.words.submit }).click()
  await tab.waitForURL(/forms/)
}

test('nothing is clipped or scrolls sideways', async ({ tab }) => {
  for (const [name, open] of Object.entries(SCREENS)) {
    await test.step(name, async () => {
      await open(tab)
      await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
      expect.soft(await misfitsOf(tab)).toEqual([])
    })
  }
})
