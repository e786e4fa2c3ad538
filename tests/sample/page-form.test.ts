import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
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
    '<p class="error" id="field-name-error">Fill in &lt;b&gt;</p><input type="text" id="field-name" placeholder="" required="" autoComplete="name" dir="auto" aria-invalid="true" aria-describedby="field-name-error" name="name" value="Ada"/>',
  )
  expect(html).toContain(
    '<textarea rows="5" id="field-message" name="message" placeholder="" dir="auto">Hello</textarea>',
  )
  expect(html.match(/aria-invalid/g)).toHaveLength(1)
})
