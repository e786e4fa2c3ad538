import { describe, expect, test } from 'vitest'
import type { BatchEntry } from '../../src/dataset/format.ts'
import type { Duplicate } from '../../src/dataset/precedence.ts'
import { fileProblem } from '../../src/explain/problem.ts'
import { NOT_READ } from '../../src/fault/codes.ts'
import { fault } from '../../src/fault/fault.ts'
import {
  describeBatches,
  describeWarnings,
  formatDropped,
  formatRows,
} from '../../src/report/summary.ts'

const duplicates: Duplicate[] = [
  {
    id: '/about/001',
    kept: { batch: 'batch-01.json', index: 3 },
    dropped: [
      {
        batch: 'batch-04.json',
        index: 0,
        kind: 'conflicting',
        fields: ['contentHtml', 'createdAt', 'updatedAt'],
      },
      { batch: 'batch-05.json', index: 12, kind: 'identical', fields: [] },
    ],
  },
  {
    id: '/blog/029',
    kept: { batch: 'batch-02.json', index: 0 },
    dropped: [{ batch: 'batch-02.json', index: 1, kind: 'conflicting', fields: ['form'] }],
  },
]

test('every dropped record is reported on its own line, with the kept one and the reason', () => {
  expect([...formatDropped(duplicates, 'in')]).toEqual([
    '/about/001  kept in/batch-01.json record 4; dropped in/batch-04.json record 1 (conflicting: contentHtml, createdAt, updatedAt)\n',
    '/about/001  kept in/batch-01.json record 4; dropped in/batch-05.json record 13 (identical)\n',
    '/blog/029  kept in/batch-02.json record 1; dropped in/batch-02.json record 2 (conflicting: form)\n',
  ])
})

describe('the summary says what each batch contributed', () => {
  const entry = (file: string, records: number, dropped: number): BatchEntry => {
    return { file, sha256: '', records, kept: records - dropped, dropped, refused: 0 }
  }
  const lost = (
    to: string,
    ...dropped: [batch: string, kind: 'identical' | 'conflicting'][]
  ): Duplicate => ({
    id: '/about/001',
    kept: { batch: to, index: 0 },
    dropped: dropped.map(([batch, kind], index) => ({ batch, index, kind, fields: [] })),
  })
  const lossesIn = (batches: BatchEntry[], duplicates: Duplicate[]) => {
    const rows = describeBatches({ batches, duplicates }, '')
    return rows.length === 0 ? '' : formatRows(rows)
  }

  test('how many records it had, how many were kept and dropped, and for which batches', () => {
    const batches = [
      entry('a.json', 1234, 0),
      entry('batch-06.json', 1, 1),
      entry('c.json', 4, 3),
      entry('d.json', 3, 3),
      entry('e.json', 2, 1),
      entry('f.json', 0, 0),
    ]
    const duplicates = [
      lost(
        'a.json',
        ['batch-06.json', 'conflicting'],
        ['c.json', 'identical'],
        ['d.json', 'conflicting'],
      ),
      lost(
        'a.json',
        ['c.json', 'conflicting'],
        ['c.json', 'conflicting'],
        ['d.json', 'conflicting'],
      ),
      lost('c.json', ['d.json', 'conflicting']),
      lost('e.json', ['e.json', 'identical']),
    ]
    expect(
      lossesIn(batches, duplicates),
    ).toBe(`batch-06.json  1 record: 0 kept, 1 dropped (conflicting with a.json)
c.json         4 records: 1 kept, 3 dropped (1 identical to, 2 conflicting with a.json)
d.json         3 records: 0 kept, 3 dropped (conflicting with a.json and c.json)
e.json         2 records: 1 kept, 1 dropped (identical to its own earlier records)
`)
  })

  test('and only counts the batches that kept the paths if they are more than two', () => {
    const duplicates = ['a', 'b', 'c'].map((to) => lost(to, ['d', 'conflicting']))
    expect(lossesIn([entry('d', 3, 3)], duplicates)).toContain('(conflicting with 3 files)')
    const itself = lost('d', ['d', 'conflicting'])
    expect(lossesIn([entry('d', 4, 3)], [...duplicates, itself])).toContain(
      '(conflicting with 3 files and its own earlier records)',
    )
  })

  const many = (count: number, dropped: number) =>
    Array.from({ length: count }, (_, index) => entry(`${index}.json`, 2, dropped))

  test('one by one, for up to twenty batches that lost records', () => {
    expect(lossesIn([...many(20, 1), ...many(5, 0)], []).split('\n')).toHaveLength(21)
    expect(lossesIn(many(21, 0), [])).toBe('')
  })

  test('only of those that kept nothing, if there are more', () => {
    const batches = [...many(21, 1), entry('x.json', 1, 1)]
    const duplicates = [lost('0.json', ['x.json', 'identical'], ['1.json', 'identical'])]
    expect(lossesIn(batches, duplicates)).toBe(
      'x.json  1 record: 0 kept, 1 dropped (identical to 0.json)\n',
    )
  })

  test('and of at most twenty of those', () => {
    const lines = lossesIn([...many(21, 1), ...many(57, 2)], []).split('\n')
    expect(lines.slice(-2)).toEqual(['         and 37 more: 0 kept', ''])
    expect(lines).toHaveLength(22)
  })
})

test('the summary names ten files that are not read, and counts the others', () => {
  const unread = Array.from({ length: 12 }, (_, at) =>
    fileProblem(`${at}.csv`, fault(NOT_READ, [], { kind: 'file', reason: 'not JSON' })),
  )
  const rows = describeWarnings(unread, 'in')
  expect(rows).toHaveLength(11)
  expect(rows.slice(-2)).toEqual([
    ['Unread', "in/9.csv: This file isn't read (not JSON).", 'warning'],
    ['', 'and 2 more', 'warning'],
  ])
})
