/** The places of references that lead nowhere are found again with as little work as possible. */
import { expect, test } from 'vitest'
import type { Collection } from '../../src/collections/collection.ts'
import { collectionOfConfig, collectionOfContent, PAGES } from '../../src/collections/of-config.ts'
import { explain } from '../../src/explain/explain.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import { fault } from '../../src/fault/fault.ts'

const config = { files: 'a.json', id: 'id', references: { 'to[]': 'b', up: 'c' } }
const page = { path: '/a', contentHtml: '<a href="/x">X</a>' }
const FILE = [{ id: 1, ...page, to: ['x'], up: 'x' }]

/** Explains a link and references to two collections. @returns their places, and how often the schema checks */
function placesIn(collection: Collection) {
  let checks = 0
  const check = () => {
    checks++
    return { faults: [], undecided: [], references: [], uniques: [] }
  }
  const schemas = { kind: 'file', schema: { root: {}, check } } as const

  const missing = [collection.name, 'b', 'c'].map((to) => {
    const isLink = to === PAGES
    const targets = new Map([[isLink ? '/x' : 'x', undefined]])
    const records = new Map([[0, 'accepted'] as const])
    return fault('reference.refused', [], { to, isLink, targets, records })
  })
  const file = { name: 'a.json', bytes: Buffer.from(JSON.stringify(FILE)) }
  const problems = explain(file, missing, { schemas, collection, words: PAGE_WORDS, frames: 0 })
  return { places: problems.map(({ pointer }) => pointer), checks }
}

test('in a collection of the package, the schema is not asked again', () => {
  const { places, checks } = placesIn(collectionOfConfig('a', config, ''))
  expect(places).toEqual(['/0/to/0', '/0/up'])
  expect(checks).toBe(0)
})

test('on a site, the schema is asked once for all of a file', () => {
  const { references } = collectionOfConfig('a', config, '')
  const pages = collectionOfContent({ site: false }, '.')
  const { places, checks } = placesIn({ ...pages, references })
  expect(places).toEqual(['/0/contentHtml', '/0/to/0', '/0/up'])
  expect(checks).toBe(1)
})
