/** Tests the forms of the built site: native, validated and sent by the browser. */
import { expect, type Page as Tab } from '@playwright/test'
import { HONEYPOT } from '../../../src/page/form-fields.ts'
import { answers, site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { hydrated, messagesOf } from '../../browser/watch.ts'
import { type Receiver, startReceiver } from '../../helpers/receiver.ts'
import { withThreeFields, withTwoFields } from './dataset.ts'
import { oddSite, withMethodNames } from './odd-site.ts'

test.describe('a form', () => {
  test('with a bad e-mail address in it is not sent', async ({ tab }) => {
    const sent: string[] = []
    tab.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
    await tab.goto(withThreeFields.path)
    await tab.getByLabel('Your Name').fill('Ada')
    await tab.getByLabel('Email Address').fill('ada.example.com')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.locator('input:invalid:focus')).toHaveAttribute('name', 'email')
    await expect(tab).toHaveURL(withThreeFields.path)
    expect(sent).toEqual([])
  })
})

test('a form has a honeypot, which no visitor can see or fill in and no browser sends', async ({
  tab,
}) => {
  await tab.route('**/api/forms/**', (route) => route.fulfill({ body: 'received' }))
  await tab.goto(withTwoFields.path)
  const control = tab.locator(`form [name="${HONEYPOT}"]`)
  await expect(control).toHaveCount(1)
  await expect(control).toBeDisabled()
  await expect(control).toBeHidden()
  await expect(tab.getByRole('textbox')).toHaveCount(2)
  // Like a program that sets every value it finds.
  await control.evaluate((input: HTMLInputElement) => {
    input.value = 'https://example.com'
  })
  await tab.getByLabel('Your Name').fill('Ada')
  await tab.getByLabel('Email Address').fill('ada@example.com')
  const sent = tab.waitForRequest('**/api/forms/**')
  await tab.getByRole('button', { name: site.words.submit }).click()
  expect((await sent).postData()).toBe('name=Ada&email=ada%40example.com')
})

test.describe('a form with fields that have the names of its own methods', () => {
  const { path } = withMethodNames
  // In one worker, so that the receiver starts once.
  test.describe.configure({ mode: 'default' })
  let receiver: Receiver

  test.beforeAll(async () => {
    receiver = await startReceiver({}, await oddSite())
  })
  test.afterAll(() => receiver.stop())

  // Playwright calls such methods itself.
  const type = async (tab: Tab, text: string) => {
    await tab.evaluate(() => document.getElementById('field-reset')?.focus())
    await tab.keyboard.type(text)
  }
  const typed = (tab: Tab) =>
    tab.evaluate(() => {
      const control = document.getElementById('field-reset')
      return control instanceof HTMLInputElement ? control.value : undefined
    })

  test('keeps what is typed, and its links work', async ({ page: tab }) => {
    const messages = messagesOf(tab)
    await tab.goto(receiver.origin + path)
    await type(tab, 'Ada')
    await tab.reload()
    await hydrated(tab)
    expect(await typed(tab)).toBe('Ada')
    // A click beside its fields.
    await tab.mouse.click(...(await tab.evaluate(cornerOfForm)))
    await tab.evaluate(() => document.querySelector<HTMLElement>('.back a')?.click())
    await tab.locator(`.cards a[href="${path}"]`).click()
    await expect.poll(() => typed(tab)).toBe('Ada')
    expect(messages).toEqual([])
  })

  test('is empty after Back once it was stored', async ({ page: tab }) => {
    await tab.goto(receiver.origin + path)
    await type(tab, 'Ada')
    await tab.keyboard.press('Enter')
    await expect(tab.getByRole('heading', { name: answers.thanks })).toBeVisible()
    await tab.goBack()
    await hydrated(tab)
    await expect.poll(() => typed(tab)).toBe('')
  })
})

/** Returns a point of a form where none of its fields is. */
function cornerOfForm(): [x: number, y: number] {
  const form = document.querySelector('form.form') as Element
  const { left, top } = Element.prototype.getBoundingClientRect.call(form)
  return [left + 1, top + 1]
}

test.describe('what is typed into a form', () => {
  const name = (tab: Tab) => tab.getByLabel('Your Name')
  const message = (tab: Tab) => tab.getByLabel('Message')
  const storage = (tab: Tab) => tab.evaluate(() => JSON.stringify(sessionStorage))

  test('is there again after links, Back, Forward and a reload, in this tab only', async ({
    page: tab,
    context,
  }) => {
    await tab.goto(withThreeFields.path)
    await hydrated(tab)
    await message(tab).fill('One\nTwo 📝')
    await name(tab).fill('<Ada> "&"')
    for (const leave of [site.words.next, site.words.back]) {
      await tab.getByRole('link', { name: leave }).click()
      await expect(tab).not.toHaveURL(withThreeFields.path)
      await tab.goBack()
      await expect(message(tab)).toHaveValue('One\nTwo 📝')
    }
    await tab.goBack({ waitUntil: 'commit' }).catch(() => null)
    await tab.goto(withThreeFields.path)
    await tab.reload()
    await expect(message(tab)).toHaveValue('One\nTwo 📝')
    await expect(name(tab)).toHaveValue('<Ada> "&"')
    expect(await storage(tab)).not.toContain(HONEYPOT)
    const other = await context.newPage()
    await other.goto(withThreeFields.path)
    await hydrated(other)
    await expect(message(other)).toHaveValue('')
    await other.close()
  })

  test('is gone once it was stored; until then, Back leads to what was sent', async ({ tab }) => {
    await tab.goto(withThreeFields.path)
    await hydrated(tab)
    await tab.locator('form').evaluate((form: HTMLFormElement) => {
      form.noValidate = true
    })
    await name(tab).fill('Ada')
    await message(tab).fill('Not an e-mail address.')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.getByRole('alert')).toBeVisible()
    await expect(message(tab)).toHaveValue('Not an e-mail address.')
    await tab.getByLabel('Email Address').fill('ada@example.com')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.getByRole('heading', { name: answers.thanks })).toBeVisible()
    await tab.getByRole('link', { name: answers.backToPage }).click()
    await hydrated(tab)
    await expect(message(tab)).toHaveValue('')
    expect(await storage(tab)).not.toContain('Ada')
    await tab.goBack()
    await expect(tab.getByRole('heading', { name: answers.thanks })).toBeVisible()
    await tab.goBack()
    await expect(tab.getByRole('alert')).toBeVisible()
    await expect(tab.getByLabel('Email Address')).toHaveValue('ada@example.com')
    await tab.goBack()
    await hydrated(tab)
    expect(await storage(tab)).not.toContain('Ada')
    // What the browser fills in again would be sent twice.
    await expect(message(tab)).toHaveValue('')
    await tab.getByRole('link', { name: site.words.next }).click()
    await expect(tab.getByRole('heading', { level: 1 })).not.toHaveText(withThreeFields.title)
    await tab.goBack()
    await expect(message(tab)).toHaveValue('')
  })

  test('is gone once it was stored by a reload', async ({ tab }) => {
    await tab.goto(withThreeFields.path)
    await hydrated(tab)
    const post = `/api/forms${withThreeFields.path}`
    // A refusal as the receiver sends it, with its script.
    const refusal = await tab.request.post(post, { form: { name: '' } })
    expect(refusal.status()).toBe(422)
    const body = await refusal.text()
    await tab.route('**/api/forms/**', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body }),
    )
    await name(tab).fill('Ada')
    await tab.getByLabel('Email Address').fill('ada@example.com')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.getByRole('alert')).toBeVisible()
    await expect.poll(() => tab.evaluate(() => document.readyState)).toBe('complete')
    expect(await storage(tab)).toContain('Ada')
    await tab.unrouteAll()
    await tab.reload()
    await expect(tab.getByRole('heading', { name: answers.thanks })).toBeVisible()
    await expect.poll(() => storage(tab)).not.toContain('Ada')
  })

  test('is what was corrected last after a refusal', async ({ tab }) => {
    await tab.goto(withThreeFields.path)
    await hydrated(tab)
    await tab.locator('form').evaluate((form: HTMLFormElement) => {
      form.noValidate = true
    })
    await name(tab).fill('Ada')
    await message(tab).fill('One')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.getByRole('alert')).toBeVisible()
    await expect.poll(() => tab.evaluate(() => document.readyState)).toBe('complete')
    await message(tab).fill('Two')
    await tab.getByRole('link', { name: site.words.back }).click()
    await tab.goto(withThreeFields.path)
    await expect(name(tab)).toHaveValue('Ada')
    await expect(message(tab)).toHaveValue('Two')
  })

  test('is still there if it was not stored', async ({ tab }) => {
    await tab.goto(withThreeFields.path)
    for (const answer of ['offline', '503', '422', '204']) {
      await hydrated(tab)
      await tab.unrouteAll()
      await tab.route('**/api/forms/**', (route) =>
        answer === 'offline' ? route.abort() : route.fulfill({ status: Number(answer) }),
      )
      await name(tab).fill(answer)
      await tab.getByLabel('Email Address').fill('ada@example.com')
      const sent = tab.waitForRequest('**/api/forms/**')
      await tab.getByRole('button', { name: site.words.submit }).click({ noWaitAfter: true })
      await (await sent).response().catch(() => null)
      // Not by Back: the browser would fill in the fields itself. Its error page may interrupt.
      await expect(() => tab.goto(withThreeFields.path)).toPass()
      await expect(name(tab), answer).toHaveValue(answer)
    }
  })

  test('is still there if it was not stored after another one was', async ({ tab }) => {
    await tab.goto(withThreeFields.path)
    await hydrated(tab)
    await name(tab).fill('Ada')
    await tab.getByLabel('Email Address').fill('ada@example.com')
    await tab.getByRole('button', { name: site.words.submit }).click()
    await expect(tab.getByRole('heading', { name: answers.thanks })).toBeVisible()
    // Its receipt stays in the history, because nothing follows it.
    await tab.goBack()
    await hydrated(tab)
    await tab.route('**/api/forms/**', (route) => route.fulfill({ status: 204 }))
    await name(tab).fill('Grace')
    await tab.getByLabel('Email Address').fill('grace@example.com')
    const sent = tab.waitForResponse('**/api/forms/**')
    await tab.getByRole('button', { name: site.words.submit }).click({ noWaitAfter: true })
    await sent
    // The end of that navigation may interrupt it.
    await expect(() => tab.reload()).toPass()
    await hydrated(tab)
    expect(await storage(tab)).toContain('Grace')
    await expect(name(tab)).toHaveValue('Grace')
  })
})
