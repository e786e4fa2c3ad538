import { expect, test } from 'vitest'
import { checkMarkup } from '../../src/batch/markup.ts'
import { ELEMENTS, refusedMarkup } from '../../src/page/html.ts'

test('what is shipped allows paragraphs of text and nothing else', () => {
  const refused = refusedMarkup(ELEMENTS)
  const messages = (html: string) =>
    checkMarkup(html, refused, ELEMENTS).map(({ message }) => message)
  expect(messages('<p>A &amp; B</p><p>&#8364;</p>')).toEqual([])
  for (const tag of ['<b>', '<P>', '<p >', '<p/>', '</p >', '<p class="a">', '<!--', '<em>', '<']) {
    expect(messages(`<p>a</p>${tag}`), tag).toHaveLength(1)
  }
})
