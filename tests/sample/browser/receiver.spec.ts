/** Tests the receiver as visitors use it, with and without scripts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page as Tab } from '@playwright/test'
import { answers, site } from '../../../src/site.ts'
import { DIST } from '../../browser/built.ts'
import { test } from '../../browser/hosts.ts'
import { messagesOf } from '../../browser/watch.ts'
import { type Receiver, startReceiver } from '../../helpers/receiver.ts'
import { withThreeFields } from './dataset.ts'

const { path, title } = withThreeFields
const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const submit = (tab: Tab) => tab.getByRole('button', { name: site.words.submit })

async function fillIn(tab: Tab, { name = 'Ada', email = 'ada@example.com', message = '' }) {
  await tab.getByLabel('Your Name').fill(name)
  await tab.getByLabel('Email Address').fill(email)
  await tab.getByLabel('Message').fill(message)
}

/** Opens the page with an altered form, like that of an older document or a curious visitor. */
async function openAltered(tab: Tab, origin: string, alter: (html: string) => string) {
  await tab.route(origin + path, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    await route.fulfill({ response, body: alter(await response.text()) })
  })
  await tab.goto(origin + path)
  await tab.unroute(origin + path)
}

const unchecked = (html: string) => html.replace('<form ', '<form novalidate ')

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
    test.use({ javaScriptEnabled })
    test.describe.configure({ mode: 'default' })
    let receiver: Receiver
    let origin: string

    test.beforeAll(async () => {
      receiver = await startReceiver({}, DIST)
      origin = receiver.origin
    })
    test.afterAll(() => receiver?.stop())

    test('a form is stored, and the visitor gets a receipt', async ({ tab }) => {
      const messages = messagesOf(tab)
      await tab.goto(origin + path)
      await fillIn(tab, { message: 'One\nTwo 📝' })
      await submit(tab).click()
      await expect(tab).toHaveURL(/\/forms\/received\/[0-9a-z-]{34}$/)
      await expect(heading(tab)).toHaveText(answers.thanks)
      await expect(tab).toHaveTitle(`${answers.thanks} · ${site.name}`)
      const receipt = new URL(tab.url()).pathname.split('/').at(-1) ?? ''
      await expect(tab.locator('.receipt')).toHaveText(receipt)
      await expect(tab.locator('.body p')).toHaveText([
        answers.received,
        /\S/,
        `${answers.receipt} ${receipt}`,
        answers.backToPage,
      ])
      const [stored] = (await receiver.stored()).slice(-1)
      expect(stored).toMatchObject({ receipt, path })
      expect(stored?.fields).toEqual([
        ['name', 'Ada'],
        ['email', 'ada@example.com'],
        ['message', 'One\r\nTwo 📝'],
      ])
      await expect(tab.locator('time')).toHaveAttribute('datetime', stored?.receivedAt ?? '')
      await tab.reload()
      await expect(tab.locator('.receipt')).toHaveText(receipt)
      await tab.getByRole('link', { name: answers.backToPage }).click()
      await expect(heading(tab)).toHaveText(title)
      await expect(tab).toHaveURL(origin + path)
      expect(messages).toEqual([])
    })

    test('an invalid form comes back as it was sent, with links to its invalid fields', async ({
      tab,
    }) => {
      const before = await receiver.stored()
      await openAltered(tab, origin, unchecked)
      await fillIn(tab, { name: '', email: 'ada<b>', message: '\n</textarea><b>kept' })
      await submit(tab).click()
      await expect(tab).toHaveTitle(`${answers.error}${title} · ${site.name}`)
      await expect(heading(tab)).toHaveText(title)
      const summary = tab.getByRole('alert', { name: answers.invalid.title })
      await expect(summary).toBeFocused()
      await expect(summary.getByRole('link')).toHaveText([
        answers.fillIn('Your Name'),
        answers.fillInEmail('Email Address'),
      ])
      for (const [label, message] of [
        ['Your Name', answers.fillIn('Your Name')],
        ['Email Address', answers.fillInEmail('Email Address')],
      ] as const) {
        const field = tab.getByLabel(label)
        await expect(field).toHaveAttribute('aria-invalid', 'true')
        await expect(field).toHaveAccessibleDescription(message)
      }
      await expect(tab.getByLabel('Message')).not.toHaveAttribute('aria-invalid')
      await expect(tab.getByLabel('Email Address')).toHaveValue('ada<b>')
      await expect(tab.getByLabel('Message')).toHaveValue('\n</textarea><b>kept')
      await summary.getByRole('link').nth(1).click()
      await expect(tab.getByLabel('Email Address')).toBeFocused()
      expect(await receiver.stored()).toEqual(before)

      await tab.getByLabel('Your Name').fill(`Mended ${javaScriptEnabled}`)
      await tab.getByLabel('Email Address').fill('ada@example.com')
      await submit(tab).click()
      await expect(heading(tab)).toHaveText(answers.thanks)
      expect((await receiver.stored()).at(-1)?.fields[2]?.[1]).toBe('\r\n</textarea><b>kept')
    })
  })
}

test.describe('whether or not scripts run', () => {
  // What does not depend on the browser is in receiver.test.ts.
  test.use({ javaScriptEnabled: false })
  test.describe.configure({ mode: 'default' })
  let receiver: Receiver
  let origin: string

  test.beforeAll(async () => {
    receiver = await startReceiver({}, DIST)
    origin = receiver.origin
  })
  test.afterAll(() => receiver?.stop())

  test('a double click stores the form once', async ({ tab }) => {
    const before = (await receiver.stored()).length
    await tab.goto(origin + path)
    await fillIn(tab, { name: 'Eager' })
    await submit(tab).dblclick()
    await expect(heading(tab)).toHaveText(answers.thanks)
    expect(await receiver.stored()).toHaveLength(before + 1)
  })

  test('a page of another site cannot send a form here', async ({ tab }) => {
    const other = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        `<form method="post" action="${origin}/api/forms${path}"><input name="name" value="Eve"><input name="email" value="eve@example.com"><button>${site.words.submit}</button></form>`,
      )
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const before = await receiver.stored()
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await submit(tab).click()
    await expect(tab.getByRole('alert')).toContainText(answers.fromElsewhere.detail)
    await expect(tab.getByLabel('Your Name')).toHaveValue('Eve')
    expect(await receiver.stored()).toEqual(before)
    other.close()
  })
})
