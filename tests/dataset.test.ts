import { constants } from 'node:buffer'
import { expect, it } from 'vitest'
import { DATASET } from '../src/dataset/emit.ts'
import { parseDataset } from '../src/site/dataset.ts'
import { page } from './page.ts'

const pages = [
  page({ path: '/blog/001', contentHtml: '<p>Grüße, 田中 😀, [a], {b},</p>' }),
  page({ path: '/blog/002', form: { fields: [] } }),
  page({ path: '/blog/003' }),
]
const { start, between, end, empty } = DATASET

it.each([
  [
    'as build-data writes it',
    start + pages.map((page) => JSON.stringify(page)).join(between) + end,
  ],
  ['on one line', JSON.stringify(pages)],
  [
    'with the line breaks of Windows',
    `[\r\n${pages.map((page) => JSON.stringify(page)).join(',\r\n')}\r\n]`,
  ],
])('a dataset %s is read', (_, text) => {
  expect(parseDataset(Buffer.from(text))).toEqual(pages)
})

it('a dataset without a page is read', () => {
  expect(parseDataset(Buffer.from(empty))).toEqual([])
})

it.each([
  ['within a page', -1],
  ['after a page', undefined],
])('a dataset that is cut off %s is no dataset', (_, cut) => {
  const text = (start + JSON.stringify(pages[0])).slice(0, cut)
  expect(() => parseDataset(Buffer.from(text))).toThrow(SyntaxError)
})

it('a dataset may be longer than any string', () => {
  const line = Buffer.from(JSON.stringify(pages[0]).padEnd(2 ** 20) + between)
  const count = Math.ceil(constants.MAX_STRING_LENGTH / line.length)
  const bytes = Buffer.concat([
    Buffer.from(start),
    ...Array.from({ length: count }, () => line),
    Buffer.from(JSON.stringify(pages[1]) + end),
  ])
  expect(bytes.length).toBeGreaterThan(constants.MAX_STRING_LENGTH)
  const read = parseDataset(bytes)
  expect(read).toHaveLength(count + 1)
  expect(read.at(-1)).toEqual(pages[1])
})
