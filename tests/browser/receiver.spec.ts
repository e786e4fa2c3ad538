/** Tests the receiver in a browser, whatever forms the pages have, if any. */
import { expect } from '@playwright/test'
import { RECEIPTS } from '../../src/dataset/address.ts'
import { faultsOf as faultsOfFields } from '../../src/forms/receive/request.ts'
import { faultsOf } from './axe.ts'
import { addressOf, kinds } from './built.ts'
import { test } from './hosts.ts'
import { errorsIn } from './validity.ts'

const page = kinds.findLast(({ form }) => form)

if (page) {
  test.describe('the receipt', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } })

    test('of a form that was filled in is valid and accessible', async ({ page: tab, request }) => {
      await tab.goto(addressOf(page.path))
      const form = tab.locator('form[method="post"]')
      for (const field of await form.locator('input:enabled, textarea:enabled').all()) {
        await field.fill((await field.getAttribute('type')) === 'email' ? 'ada@example.com' : 'Ada')
      }
      await form.locator('[type="submit"]').click()
      await expect(tab).toHaveURL((url) => url.pathname.includes(RECEIPTS))
      const response = await request.get(tab.url())
      expect(response.status()).toBe(200)
      // The name of the site may be long.
      expect(await errorsIn(await response.text(), ['long-title'])).toEqual([])
      expect(await faultsOf(tab)).toEqual([])
    })
  })
}

test('the receiver validates every value as the browser does', async ({ page: tab }) => {
  await tab.setContent('<form><input><input type="email"><textarea></textarea></form>')
  const parts = [
    '',
    ' ',
    'a',
    'A9',
    '.',
    '-',
    '@',
    'b.c',
    'é',
    '+',
    '"',
    '\t',
    '\n',
    '\r\n',
    '\f',
    '\v',
    '\u00a0',
    'x'.repeat(64),
  ]
  const values = parts.flatMap((a) =>
    parts.flatMap((b) => [
      `${a}${b}`,
      `a${a}@${b}b.example`,
      `${a}a@b${b}`,
      `a@${a}.${b}`,
      `${a}@${b}`,
    ]),
  )
  expect(values.length).toBeGreaterThan(1000)
  for (const [index, type] of (['text', 'email', 'textarea'] as const).entries()) {
    for (const required of [true, false]) {
      const found = await tab.evaluate(
        ({ index, required, values }) => {
          const control = document.querySelector('form')?.elements[index] as HTMLInputElement
          control.required = required
          return values.map((value) => {
            control.value = value
            return control.checkValidity()
          })
        },
        { index, required, values },
      )
      const field = { name: 'f', label: 'F', type, placeholder: 'x', required }
      const judged = values.map(
        (value) => faultsOfFields({ fields: [field] }, [['f', value]]).length === 0,
      )
      const different = values.filter((_, at) => found[at] !== judged[at])
      expect(different, `${type}, ${required}`).toEqual([])
    }
  }
})
