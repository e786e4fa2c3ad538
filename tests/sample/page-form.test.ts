import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PageForm } from '../../src/app/screens/PageForm.tsx'
import type { FieldDefinition } from '../../src/page/form-fields.ts'

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
