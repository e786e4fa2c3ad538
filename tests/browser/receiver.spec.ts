/** Tests the receiver in a browser, whatever forms the pages have, if any. */
import { expect, type Page as Tab } from '@playwright/test'
import { faultsOf as faultsOfFields } from '../../src/forms/receive/request.ts'
import { FIELD_TYPES, type FieldDefinition, TICKED } from '../../src/page/form-fields.ts'
import { withAsciiDomain } from '../../src/text/domain.ts'
import { faultsOf } from './axe.ts'
import { addressOf, kinds } from './built.ts'
import { test } from './hosts.ts'
import { errorsIn } from './validity.ts'

const page = kinds.findLast(({ form }) => form)

async function fillIn(tab: Tab, { name, type, options: [option = ''] = [] }: FieldDefinition) {
  const control = tab.locator(`form[method="post"] [name="${name}"]`)
  if (type === 'checkbox') await control.check()
  else if (type === 'select') await control.selectOption(option)
  else await control.fill(type === 'email' ? 'ada@example.com' : 'Ada')
}

if (page) {
  const { path, form } = page
  const submit = (tab: Tab) => tab.locator('form[method="post"] [type="submit"]').click()

  const sendEmpty = async (tab: Tab) => {
    // As a program would, without the browser's own validation.
    await tab.locator('form[method="post"]').evaluate((element: HTMLFormElement) => {
      element.noValidate = true
    })
    await submit(tab)
  }

  const sendFilledIn = async (tab: Tab) => {
    for (const field of form?.fields ?? []) await fillIn(tab, field)
    await submit(tab)
  }

  for (const { name, send } of [
    { name: 'an empty form', send: sendEmpty },
    { name: 'a form that was filled in', send: sendFilledIn },
    { name: 'no form', send: (tab: Tab) => tab.goto(addressOf(`/api/forms${path}`)) },
  ]) {
    test(`the answer to ${name} is valid and accessible`, async ({ tab }) => {
      await tab.goto(addressOf(path))
      const answered = tab.waitForResponse((response) => {
        return response.url().includes('/forms/') && response.status() !== 303
      })
      await send(tab)

      const html = await (await answered).text()
      expect(await errorsIn(html)).toEqual([])
      expect(await faultsOf(tab)).toEqual([])
    })
  }
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
        return faultsOfFields({ fields: [field] }, [['f', sent]]).size === 0
      })
      const different = values.filter((_, at) => found[at] !== judged[at])
      expect(different, `${type}, ${required}`).toEqual([])
    }
  }
})
