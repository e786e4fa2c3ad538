import { describe, expect, test } from 'vitest'
import { comparePages, countChanges } from '../src/dataset/changes.ts'
import { page } from './page.ts'

const [one, two, three] = ['001', '002', '003'].map((id) => page({ path: `/blog/${id}` }))
const pages = [one, two, three] as [typeof one & object, typeof one & object, typeof one & object]

const NONE = { new: 0, changed: 0, gone: 0, fields: [] }

describe('when two datasets are compared', () => {
  test('equal pages are no change, in any order of pages and keys', () => {
    const [one, two, three] = pages
    const { path, ...rest } = one
    const before = JSON.stringify([three, two, { ...rest, path }])
    expect(countChanges(comparePages(before, JSON.stringify(pages)))).toEqual(NONE)
  })

  test('new, changed and gone pages are counted, with the keys that changed', () => {
    const [one, two, three] = pages
    const after = [
      { ...two, contentHtml: '<p>New.</p>' },
      { ...three, form: { fields: [] }, contentHtml: '<p>New.</p>' },
      page({ path: '/api/001' }),
    ]
    const changes = comparePages(JSON.stringify([one, two, three]), JSON.stringify(after))
    expect(countChanges(changes)).toEqual({
      new: 1,
      changed: 2,
      gone: 1,
      fields: ['contentHtml', 'form'],
    })
  })

  test.each(['', '{', 'null', '{"path":"/blog/001"}', '[]'])(
    'a previous one that reads %j has no pages',
    (before) => {
      expect(countChanges(comparePages(before, JSON.stringify(pages)))).toEqual({
        new: 3,
        changed: 0,
        gone: 0,
        fields: [],
      })
    },
  )
})
