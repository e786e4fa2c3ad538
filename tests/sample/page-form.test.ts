import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { FieldDefinition } from '../../src/page/fields.ts'
import { PageForm } from '../../src/site/screens/PageForm.tsx'
import { withThreeFields } from '../helpers/site.ts'

it('a control has the attributes of its field, what was sent, and its error', () => {
  const values = new Map([
    ['name', 'Ada'],
    ['message', 'Hello'],
  ])
  const errors = new Map([['name', 'Fill in <b>']])
  const html = renderToStaticMarkup(
    PageForm({ ...withThreeFields, base: '', sent: { values, errors } }),
  )
  expect(html).toContain(
    '<p class="error" id="field-name-error">Fill in &lt;b&gt;</p><input type="text" id="field-name" placeholder=" " required="" autoComplete="name" dir="auto" aria-invalid="true" aria-describedby="field-name-error" name="name" value="Ada"/>',
  )
  expect(html).toContain(
    '<textarea rows="5" id="field-message" name="message" placeholder=" " dir="auto">Hello</textarea>',
  )
  expect(html.match(/aria-invalid/g)).toHaveLength(1)
})

it('a choice and a tick are controls of their own, which are filled in again', () => {
  const fields: FieldDefinition[] = [
    { name: 'tel', label: 'Phone', type: 'tel', required: false },
    { name: 'size', label: 'Size', type: 'select', required: true, options: ['S', 'M & L'] },
    { name: 'consent', label: 'Consent', type: 'checkbox', required: true },
  ]
  const html = (values: [string, string][]) => {
    const sent = { values: new Map(values), errors: new Map() }
    return renderToStaticMarkup(PageForm({ form: { fields }, path: '/a', base: '', sent }))
  }
  const filled = html([
    ['size', 'M & L'],
    ['consent', 'yes'],
  ])
  expect(filled).toContain('<input type="tel" id="field-tel" placeholder=" " autoComplete="tel"')
  expect(filled).toContain(
    '<select id="field-size" name="size" required=""><option value="">Choose…</option><option>S</option><option selected="">M &amp; L</option></select>',
  )
  expect(filled).toContain(
    'type="checkbox" id="field-consent" required="" name="consent" checked="" value="yes"/>',
  )
  expect(html([])).not.toMatch(/<option selected|checked/)
})
