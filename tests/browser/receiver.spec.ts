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

const TYPES = ['text', 'email', 'tel', 'textarea', 'select', 'checkbox'] as const

/** The values of the select in {@link CONTROLS}. */
const OPTIONS = ['a', 'é']

/** A control of each of the types. */
const CONTROLS = `<form><input><input type="email"><input type="tel"><textarea></textarea>
  <select><option value=""></option><option>a</option><option>é</option></select>
  <input type="checkbox" value="${TICKED}"></form>`

/** Parts of values that a validation could take for something else. */
const PARTS = [
  ...['', ' ', 'a', '.', '-', '@', 'b.c', 'é', '+', '"', '\t', '\r\n', '\u00a0'],
  'x'.repeat(64),
]

/** Every value of two parts, as a text and in an address. */
const VALUES = [TICKED, ...PARTS].flatMap((a) =>
  PARTS.flatMap((b) => [
    ...[`${a}${b}`, `a${a}@${b}b.example`, `${a}a@b${b}`, `a@${a}.${b}`, `${a}@${b}`],
  ]),
)

for (const [index, type] of TYPES.entries()) {
  test(`the receiver validates every value of type ${type} as the browser does`, async ({
    tab,
  }) => {
    // The policy of the document that another test has left refuses this markup.
    await tab.goto('about:blank')
    await tab.setContent(CONTROLS)
    // Of a domain beyond ASCII, browsers check its form in ASCII (Chromium while it is typed).
    const values = type === 'email' ? VALUES.map(withAsciiDomain) : VALUES

    for (const required of [true, false]) {
      const byBrowser = await tab.evaluate(validity, { index, required, values })
      const different = VALUES.filter((value, at) => {
        return byBrowser[at] !== isValidForReceiver(value, type, required)
      })
      expect(different, required ? 'required' : 'not required').toEqual([])
    }
  })
}

test('these are all types of fields, and more than 1,000 values', () => {
  expect(VALUES.length).toBeGreaterThan(1000)
  expect([...TYPES].sort()).toEqual(Object.keys(FIELD_TYPES).sort())
})

/** Runs in the browser: returns which values a control accepts. */
function validity({
  index,
  required,
  values,
}: {
  index: number
  required: boolean
  values: string[]
}) {
  const control = document.querySelector('form')?.elements[index] as HTMLInputElement
  control.required = required
  return values.map((value) => {
    if (control.type === 'checkbox') control.checked = control.value === value
    else control.value = value
    return control.checkValidity()
  })
}

function isValidForReceiver(
  value: string,
  type: (typeof TYPES)[number],
  required: boolean,
): boolean {
  const field = { name: 'f', label: 'F', type, placeholder: 'x', required, options: OPTIONS }
  // Of these, a browser sends no other value, and nothing instead.
  const choices = { select: OPTIONS, checkbox: [TICKED] }[type as string]
  const sent = choices && !choices.includes(value) ? '' : value
  return faultsOfFields({ fields: [field] }, [['f', sent]]).size === 0
}
