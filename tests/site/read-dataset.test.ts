import { constants } from 'node:buffer'
import { expect, it } from 'vitest'
import { parseDataset } from '../../src/site/static/read-dataset.ts'
import { page } from '../helpers/page.ts'

it('a dataset is parsed regardless of its layout', () => {
  const pages = [
    page({ path: '/blog/001', contentHtml: '<p>Grüße, 田中 😀, [a], {b},</p>' }),
    page({ path: '/blog/002', form: { fields: [] } }),
  ]
  for (const space of [0, 2]) {
    expect(parseDataset(Buffer.from(JSON.stringify(pages, null, space)))).toEqual(pages)
  }
})

it('a truncated dataset is refused', () => {
  const text = JSON.stringify([page()])
  expect(() => parseDataset(Buffer.from(text.slice(0, -1)))).toThrow(SyntaxError)
})

it('a dataset that is too long for a string is refused with its size and the limit', () => {
  const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH + 1)
  expect(() => parseDataset(bytes)).toThrow(
    `the dataset has ${bytes.length} bytes, but the site can show at most ${constants.MAX_STRING_LENGTH}.`,
  )
})
