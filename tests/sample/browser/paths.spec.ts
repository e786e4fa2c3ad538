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
import { requestsOf } from './record.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const PATHS = ['/about', '/guides', '/guides/a/b', '/guides/a b', '/über-uns']

/** Builds a site, and serves it until `stop` is called. */
async function serve(pages: object[], base: string, shows?: Content) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-paths-'))
  const dist = join(folder, 'dist')
  await buildSite(pages, dist, { address: base ? `https://example.com${base}` : undefined, shows })
  const receiver = await startReceiver({}, dist)
  const stop = async () => {
    await receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { address: receiver.origin + base, stop }
}

// The tests of the other files visit a site without a base, with usual paths.
for (const base of isLong ? ['', '/docs'] : ['/docs']) {
  test.describe(`paths of any depth and script, under "${base}/"`, () => {
    // In one worker, so that the site is built once.
    test.describe.configure({ mode: 'default' })
    let address: string
    let stop: () => Promise<void>

    test.beforeAll(async () => {
      const pages = PATHS.map((path) => ({ ...withTwoFields, path, title: `At ${path}` }))
      const served = await serve(pages, base)
      address = served.address
      stop = served.stop
    })
    test.afterAll(() => stop())

    test('are pages, to which links lead without a document, and back', async ({ tab }) => {
      await tab.goto(address)
      await expect(tab).toHaveURL(`${address}/`)
      await hydrated(tab)
      const { documents } = requestsOf(tab)
      await expect(tab.locator('.cards a')).toHaveCount(PATHS.length)

      for (const path of PATHS) {
        await tab.locator(`.cards a[href="${base}${path}"]`).click()
        await expect(heading(tab)).toHaveText(`At ${path}`)
        await expect(tab).toHaveURL(new URL(base + path, address).href)
        await tab.goBack()
        await expect(tab.locator(`.cards a[href="${base}${path}"]`)).toBeFocused()
      }
      expect(documents).toEqual([])
    })

    test('have the category of their first part', async ({ tab }) => {
      await tab.goto(`${address}/`)
      await hydrated(tab)
      const { documents } = requestsOf(tab)
      const filter = tab.getByLabel(site.words.category)
      await expect(filter.locator('option')).toHaveText([site.words.all, 'Guides'])
      await filter.selectOption('guides')
      await expect(tab.locator('.cards a:visible')).toHaveCount(3)
      await expect(tab).toHaveURL(`${address}/?category=guides`)

      await tab.getByRole('link', { name: 'At /guides/a/b' }).click()
      await tab.getByRole('link', { name: site.words.next }).click()
      await expect(heading(tab)).toHaveText('At /guides/a b')
      await tab.getByRole('link', { name: site.words.back }).click()
      await expect(tab).toHaveURL(`${address}/?category=guides`)
      expect(documents).toEqual([])
    })

    test('are documents, whose forms are stored', async ({ tab }) => {
      const messages = messagesOf(tab)
      for (const path of PATHS) {
        await tab.goto(address + path)
        await hydrated(tab)
        await expect(heading(tab)).toHaveText(`At ${path}`)
      }

      const submit = tab.getByRole('button', { name: site.words.submit })
      await submit.evaluate((button: HTMLButtonElement) => {
        if (button.form) button.form.noValidate = true
      })
      await submit.click()
      await expect(tab.getByRole('alert')).toContainText(answers.fillIn('Your Name'))

      await tab.getByLabel('Your Name').fill('Ada')
      await tab.getByLabel('Email Address').fill('ada@example.com')
      await submit.click()
      await expect(heading(tab)).toHaveText(answers.thanks)
      await tab.getByRole('link', { name: answers.backToPage }).click()
      await expect(heading(tab)).toHaveText('At /über-uns')
      expect(messages.filter((message) => message.includes('Content Security Policy'))).toEqual([])
    })

    test('are Not found if they are spelled differently', async ({ tab }) => {
      for (const wrong of ['/About', '/about/', '/guides/a', '/%c3%bcber-uns', '/a/b/c']) {
        await tab.goto(address + wrong)
        await expect(heading(tab), wrong).toHaveText(site.words.notFound)
        await hydrated(tab)
      }
      await tab.getByRole('link', { name: site.words.back }).click()
      await expect(tab).toHaveURL(`${address}/`)
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
  const { address, stop } = await serve(pages, '/docs', shows)
  try {
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
  } finally {
    await stop()
  }
})
