/** Tests the receiver in a browser, whatever forms the pages have, if any. */
import { expect } from '@playwright/test'
import { RECEIPTS } from '../../src/page/address.ts'
import { FIELD_TYPES, TICKED } from '../../src/page/fields.ts'
import { faultsOf as faultsOfFields } from '../../src/server/receive/request.ts'
import { withAsciiDomain } from '../../src/text/domain.ts'
import { faultsOf } from './axe.ts'
import { addressOf, kinds } from './built.ts'
import { test } from './hosts.ts'
import { errorsIn } from './validity.ts'

const page = kinds.findLast(({ form }) => form)

if (page) {
  test.describe('the receipt', () => {
    test('of a form that was filled in is valid and accessible', async ({ tab, request }) => {
      await tab.goto(addressOf(page.path))
      const form = tab.locator('form[method="post"]')
      for (const { name, type, options: [option = ''] = [] } of page.form?.fields ?? []) {
        const control = form.locator(`[name="${name}"]`)
        if (type === 'checkbox') await control.check()
        else if (type === 'select') await control.selectOption(option)
        else await control.fill(type === 'email' ? 'ada@example.com' : 'Ada')
      }
      await form.locator('[type="submit"]').click()
      await expect(tab).toHaveURL((url) => url.pathname.includes(RECEIPTS))
      const response = await request.get(tab.url())
      expect(response.status()).toBe(200)
      expect(await errorsIn(await response.text())).toEqual([])
      expect(await faultsOf(tab)).toEqual([])
    })
  })
}

test('the receiver validates every value as the browser does', async ({ tab }) => {
  // The policy of the document that another test has left refuses this markup.
  await tab.goto('about:blank')
  await tab.setContent(`<form><input><input type="email"><input type="tel"><textarea></textarea>
    <select><option value=""></option><option>a</option><option>é</option></select>
    <input type="checkbox" value="${TICKED}"></form>`)
  const parts = [
    '',
    ' ',
    'a',
    '.',
    '-',
    '@',
    'b.c',
    'é',
    '+',
    '"',
    '\t',
    '\r\n',
    '\u00a0',
    'x'.repeat(64),
  ]
  const values = [TICKED, ...parts].flatMap((a) =>
    parts.flatMap((b) => [
      `${a}${b}`,
      `a${a}@${b}b.example`,
      `${a}a@b${b}`,
      `a@${a}.${b}`,
      `${a}@${b}`,
    ]),
  )
  expect(values.length).toBeGreaterThan(1000)
  const types = ['text', 'email', 'tel', 'textarea', 'select', 'checkbox'] as const
  expect([...types].sort()).toEqual(Object.keys(FIELD_TYPES).sort())
  for (const [index, type] of types.entries()) {
    for (const required of [true, false]) {
      // Of a domain beyond ASCII, browsers check its form in ASCII (Chromium while it is typed).
      const found = await tab.evaluate(
        ({ index, required, values }) => {
          const control = document.querySelector('form')?.elements[index] as HTMLInputElement
          control.required = required
          return values.map((value) => {
            if (control.type === 'checkbox') control.checked = control.value === value
            else control.value = value
            return control.checkValidity()
          })
        },
        {
          ...{ index, required },
          values: type === 'email' ? values.map(withAsciiDomain) : values,
        },
      )
      const options = ['a', 'é']
      const field = { name: 'f', label: 'F', type, placeholder: 'x', required, options }
      // Of these, a browser sends no other value, and nothing instead.
      const choices = { select: options, checkbox: [TICKED] }[type as string]
      const judged = values.map((value) => {
        const sent = choices && !choices.includes(value) ? '' : value
        return faultsOfFields({ fields: [field] }, [['f', sent]]).length === 0
      })
      const different = values.filter((_, at) => found[at] !== judged[at])
      expect(different, `${type}, ${required}`).toEqual([])
    }
  }
})
