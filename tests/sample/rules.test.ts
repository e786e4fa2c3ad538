import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { checkRecord } from '../../src/accept/rules.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import type { Fault } from '../../src/fault/fault.ts'
import { SAMPLE_RULES } from '../../src/sample/rules.ts'
import { formatPointer } from '../../src/text/pointer.ts'
import { times } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const format = (faults: Fault[]) =>
  faults.map((fault) => {
    const place = `${formatPointer(fault.pointer)}${fault.at === 'key' ? ' (key)' : ''}`
    return `${place}: ${sentenceOf(fault)}`
  })
const check = (page: Page) =>
  format(checkRecord(page, SAMPLE_RULES, { file: 'a.json', key: undefined, index: 0 }))

describe('the title fits the path', () => {
  test.each([
    ['/blog/029', 'Blog Page 029'],
    ['/api/100', 'Api Page 100'],
  ])('%s: %s', (path, title) => {
    expect(check(page({ path, title }))).toEqual([])
  })

  test.each([
    ['/api/001', 'API Page 001', 'Api Page 001'],
    ['/docs/100', 'docs Page 100', 'Docs Page 100'],
    ['/docs/100', 'The Blog Page 100', 'Docs Page 100'],
    ['/docs/100', 'Blog Page 1000', 'Docs Page 100'],
    ['/docs/100', 'Blog Page 100', 'Docs Page 100'],
  ])('%s: not %s but %s', (path, title, fitting) => {
    expect(check(page({ path, title }))).toEqual([
      `/title: "${title}" doesn't fit the path. The title of this path is "${fitting}".`,
    ])
  })
})

describe('updatedAt', () => {
  const judge = (createdAt: string, updatedAt: string) => check(page({ createdAt, updatedAt }))

  test.each([
    ['2025-08-28T10:15:00.001Z', '2025-08-28T10:15:00.000Z', ''],
    ['2025-08-28T10:15:00.5Z', '2025-08-28T10:15:00Z', ''],
    ['2025-08-28T10:15:00Z', '2025-08-28T11:14:59+01:00', ', both in UTC'],
  ])(
    'must be on the UTC day of createdAt, and not before it: not %s, then %s',
    (createdAt, updatedAt, zone) => {
      const [created, updated] = [createdAt, updatedAt].map((time) => new Date(time).toISOString())
      expect(judge(createdAt, updatedAt)).toEqual([
        `/updatedAt: A page is updated on the day of its creation, and not before it. This one was created at ${created} and updated at ${updated}${zone}.`,
      ])
    },
  )

  const anyTime = fc.oneof(
    fc.integer({ min: Date.UTC(1999, 11, 31), max: Date.UTC(2000, 0, 2) }),
    // Often the same second, around midnight.
    fc.integer({ min: -2_000, max: 2_000 }).map((time) => Date.UTC(2000, 0, 1) + time),
  )
  const SPELLINGS: ((date: Date) => string)[] = [
    (date) => date.toISOString(),
    (date) => date.toISOString().replace(/\.?0*Z/, 'Z'),
    (date) => date.toISOString().replace('Z', '000000Z'),
    (date) => new Date(date.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30'),
  ]
  const anySpelling = fc.constantFrom(...SPELLINGS)
  property([anyTime, anyTime, anySpelling, anySpelling], { numRuns: times(300) })(
    'is compared by its instant and UTC day, as Date has them, in any notation',
    (created, updated, spellCreated, spellUpdated) => {
      const [a, b] = [new Date(created), new Date(updated)]
      const isGood = b >= a && a.getUTCDate() === b.getUTCDate()
      expect(judge(spellCreated(a), spellUpdated(b)).length === 0).toBe(isGood)
      expect(judge(spellCreated(a), spellUpdated(a))).toEqual([])
    },
  )
})

// Date does not know leap seconds.
const leap = (createdAt: string, updatedAt: string) => ({ createdAt, updatedAt })

test.each<[string, object]>([
  ['a path without a slash', { path: 'about' }],
  ['a path of three parts', { path: '/docs/blog/029' }],
  ['times that are not date-times', { createdAt: 'today', updatedAt: 'now' }],
  ['a createdAt that is not a date-time', { createdAt: 'today' }],
  ['an updatedAt that is not a date-time', { updatedAt: 'now' }],
  ['a leap second and the next day', leap('2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z')],
  ['a leap second and an earlier time', leap('2016-12-31T23:59:60Z', '2016-12-31T10:00:00Z')],
  ['an update in a leap second', leap('2016-12-31T10:00:00Z', '2017-01-01T05:29:60.5+05:30')],
])('they ignore %s, which another schema may allow', (_, odd) => {
  expect(check({ ...page(), ...odd } as Page)).toEqual([])
})
