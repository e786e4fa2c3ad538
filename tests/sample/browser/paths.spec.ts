/** Sites with other paths, under another address, and without forms, as visitors see them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page as Tab } from '@playwright/test'
import type { Content } from '../../../src/page/content.ts'
import { answers, site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { hydrated, messagesOf } from '../../browser/watch.ts'
import { isLong } from '../../helpers/long.ts'
import { startReceiver } from '../../helpers/receiver.ts'
import { buildSite } from './build-site.ts'
import { withTwoFields } from './dataset.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const PATHS = ['/about', '/guides', '/guides/a/b', '/guides/a b', '/über-uns']

/** Builds a site and serves it for the time of a test. Returns its address. */
async function serve(
  pages: object[],
  base: string,
  visit: (address: string) => Promise<void>,
  shows?: Content,
) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-paths-'))
  const dist = join(folder, 'dist')
  await buildSite(pages, dist, { address: base ? `https://example.com${base}` : undefined, shows })
  const receiver = await startReceiver({}, dist)
  try {
    await visit(receiver.origin + base)
  } finally {
    await receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

// The tests of the other files visit a site without a base, with usual paths.
for (const base of isLong ? ['', '/docs'] : ['/docs']) {
  test(`paths of any depth and script are pages, under "${base}/"`, async ({ tab }) => {
    const pages = PATHS.map((path) => ({ ...withTwoFields, path, title: `At ${path}` }))
    await serve(pages, base, async (address) => {
      const messages = messagesOf(tab)
      const documents: string[] = []
      await tab.goto(address)
      await expect(tab).toHaveURL(`${address}/`)
      await hydrated(tab)
      tab.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url())
      })
      await expect(tab.locator('.cards a')).toHaveCount(PATHS.length)
      for (const path of PATHS) {
        await tab
          .getByRole('link', { name: `At ${path}`, exact: false })
          .first()
          .click()
        await expect(heading(tab)).toHaveText(`At ${path}`)
        await expect(tab).toHaveURL(new URL(base + path, address).href)
        await tab.goBack()
        await expect(tab.locator(`.cards a[href="${base}${path}"]`)).toBeFocused()
      }
      await tab.getByLabel(site.words.category).selectOption('guides')
      await expect(tab.locator('.cards a:visible')).toHaveCount(3)
      await expect(tab).toHaveURL(`${address}/?category=guides`)
      expect(await tab.getByLabel(site.words.category).locator('option').allTextContents()).toEqual(
        [site.words.all, 'Guides'],
      )
      await tab.getByRole('link', { name: 'At /guides/a/b' }).click()
      await tab.getByRole('link', { name: site.words.next }).click()
      await expect(heading(tab)).toHaveText('At /guides/a b')
      await tab.getByRole('link', { name: site.words.back }).click()
      await expect(tab).toHaveURL(`${address}/?category=guides`)
      expect(documents).toEqual([])

      for (const path of PATHS) {
        await tab.goto(address + path)
        await hydrated(tab)
        await expect(heading(tab)).toHaveText(`At ${path}`)
      }
      await tab
        .getByRole('button', { name: site.words.submit })
        .evaluate((button: HTMLButtonElement) => {
          if (button.form) button.form.noValidate = true
        })
      await tab.getByRole('button', { name: site.words.submit }).click()
      await expect(tab.getByRole('alert')).toContainText(answers.fillIn('Your Name'))
      await tab.getByLabel('Your Name').fill('Ada')
      await tab.getByLabel('Email Address').fill('ada@example.com')
      await tab.getByRole('button', { name: site.words.submit }).click()
      await expect(heading(tab)).toHaveText(answers.thanks)
      await tab.getByRole('link', { name: answers.backToPage }).click()
      await expect(heading(tab)).toHaveText('At /über-uns')

      for (const wrong of ['/About', '/about/', '/guides/a', '/%c3%bcber-uns', '/a/b/c']) {
        await tab.goto(address + wrong)
        await expect(heading(tab), wrong).toHaveText(site.words.notFound)
        await hydrated(tab)
      }
      await tab.getByRole('link', { name: site.words.back }).click()
      await expect(tab).toHaveURL(`${address}/`)
      expect(messages.filter((each) => each.includes('Content Security Policy'))).toEqual([])
    })
  })
}

test('a site without forms says nothing of forms, and shows facts below a body', async ({
  tab,
}) => {
  const pages = ['/a', '/b'].map((path) => {
    return { path, title: `At ${path}`, contentHtml: '<p>Text.</p>' }
  })
  const shows: Content = {
    facts: ({ path }) => [
      ['Price', '78 kr'],
      ['Price', '90 kr'],
      ['Other', { href: path === '/a' ? '/b' : '/a' }],
    ],
  }
  const visit = async (address: string) => {
    const messages = messagesOf(tab)
    await tab.goto(address)
    await hydrated(tab)
    await expect(tab.getByText(site.words.counts(2, undefined), { exact: true })).toBeVisible()
    await expect(tab.getByRole('search')).toBeVisible()
    await expect(tab.getByRole('combobox')).toHaveCount(0)
    expect(await tab.getByRole('main').textContent()).not.toMatch(/form/i)
    await tab.getByRole('link', { name: 'At /a' }).click()
    for (const other of ['/b', '/a']) {
      await expect(tab.locator('.body')).toHaveText('Text.')
      await expect(tab.locator('form, time')).toHaveCount(0)
      await expect(tab.locator('.body + dl dt')).toHaveText(['Price', 'Price', 'Other'])
      await expect(tab.locator('dl dd')).toHaveText(['78 kr', '90 kr', other])
      await tab.locator('dl').getByRole('link').click()
      await expect(tab).toHaveURL(address + other)
    }
    expect(messages).toEqual([])
  }
  await serve(pages, '/docs', visit, shows)
})
