import { describe, expect, test } from 'vitest'
import { fileProblem, type Problem } from '../../src/batch/problem.ts'
import type { BatchEntry, Manifest } from '../../src/dataset/output.ts'
import type { Duplicate } from '../../src/dataset/precedence.ts'
import {
  describeBatches,
  formatBytes,
  formatDropped,
  formatJson,
  formatRows,
} from '../../src/report/summary.ts'
import { formatNumber } from '../../src/text/wording.ts'
import { compileCheck, validate } from '../helpers/page.ts'

const duplicates: Duplicate[] = [
  {
    path: '/about/001',
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
    path: '/blog/029',
    kept: { batch: 'batch-02.json', index: 0 },
    dropped: [{ batch: 'batch-02.json', index: 1, kind: 'conflicting', fields: ['form'] }],
  },
]

const manifest: Manifest = {
  generatedBy: 'npm run build-data',
  dataset: { file: 'dataset.json', sha256: 'c0ffee'.repeat(10), bytes: 112_400 },
  types: { file: 'dataset.d.json.ts', sha256: 'beef'.repeat(16), bytes: 2353 },
  schema: { sha256: 'decaf0'.repeat(10) },
  totals: {
    batches: 5,
    records: 1103,
    kept: 1100,
    withForms: 30,
    dropped: 3,
    identical: 1,
    conflicting: 2,
  },
  batches: [{ file: 'batch-01.json', sha256: 'f00d', records: 1103, kept: 1100, dropped: 3 }],
  duplicates,
}

const join = (pieces: Iterable<string>) => [...pieces].join('')

test('every dropped record is reported on its own line, with the kept one and the reason', () => {
  expect([...formatDropped(duplicates, 'in')]).toEqual([
    '/about/001  kept in/batch-01.json record 3; dropped in/batch-04.json record 0 (conflicting: contentHtml, createdAt, updatedAt)\n',
    '/about/001  kept in/batch-01.json record 3; dropped in/batch-05.json record 12 (identical)\n',
    '/blog/029  kept in/batch-02.json record 0; dropped in/batch-02.json record 1 (conflicting: form)\n',
  ])
})

test('a dropped record has no character that controls a terminal', () => {
  const [duplicate] = duplicates as [Duplicate]
  const kept = { batch: 'a\x1b[31m\n.json', index: 0 }
  const dropped = [{ batch: 'b\u202e.json', index: 1, kind: 'identical' as const, fields: [] }]
  expect(join(formatDropped([{ ...duplicate, kept, dropped }], 'in'))).toBe(
    '/about/001  kept in/a\\u001b[31m\\u000a.json record 0; dropped in/b\\u202e.json record 1 (identical)\n',
  )
})

describe('the summary says what each batch contributed', () => {
  const entry = (file: string, records: number, dropped: number): BatchEntry => {
    return { file, sha256: '', records, kept: records - dropped, dropped }
  }
  const lost = (
    to: string,
    ...dropped: [batch: string, kind: 'identical' | 'conflicting'][]
  ): Duplicate => ({
    path: '/about/001',
    kept: { batch: to, index: 0 },
    dropped: dropped.map(([batch, kind], index) => ({ batch, index, kind, fields: [] })),
  })
  const told = (batches: BatchEntry[], duplicates: Duplicate[]) => {
    const rows = describeBatches({ ...manifest, batches, duplicates })
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
    expect(told(batches, duplicates)).toBe(`a.json         1,234 records: 1,234 kept, 0 dropped
batch-06.json  1 record: 0 kept, 1 dropped (conflicting with a.json)
c.json         4 records: 1 kept, 3 dropped (1 identical to, 2 conflicting with a.json)
d.json         3 records: 0 kept, 3 dropped (conflicting with a.json and c.json)
e.json         2 records: 1 kept, 1 dropped (identical to itself)
f.json         0 records: 0 kept, 0 dropped
`)
  })

  test('and only counts the batches that kept the paths if they are more than two', () => {
    const duplicates = ['a', 'b', 'c'].map((to) => lost(to, ['d', 'conflicting']))
    expect(told([entry('d', 3, 3)], duplicates)).toContain('(conflicting with 3 batches)')
    const itself = lost('d', ['d', 'conflicting'])
    expect(told([entry('d', 4, 3)], [...duplicates, itself])).toContain(
      '(conflicting with 3 batches and itself)',
    )
  })

  const many = (count: number, dropped: number) =>
    Array.from({ length: count }, (_, index) => entry(`${index}.json`, 2, dropped))

  test('one by one, for up to twenty batches', () => {
    expect(told(many(20, 0), []).split('\n')).toHaveLength(21)
    expect(told(many(21, 0), [])).toBe('')
  })

  test('only of those that kept nothing, if there are more', () => {
    const batches = [...many(21, 1), entry('x.json', 1, 1)]
    const duplicates = [lost('0.json', ['x.json', 'identical'], ['1.json', 'identical'])]
    expect(told(batches, duplicates)).toBe(
      'x.json  1 record: 0 kept, 1 dropped (identical to 0.json)\n',
    )
  })

  test('and of at most twenty of those', () => {
    const lines = told([...many(21, 1), ...many(57, 2)], []).split('\n')
    expect(lines.slice(-2)).toEqual(['…        and 37 more: 0 kept', ''])
    expect(lines).toHaveLength(22)
  })
})

describe('the report as JSON', () => {
  const { problems } = validate('a.json', Buffer.from('[\n8]'), compileCheck(), 1)

  test('has the manifest of a good build', () => {
    const result = { ok: true as const, manifest, changes: true, takeovers: [], warnings: [] }
    expect(JSON.parse(join(formatJson(result)))).toEqual(result)
  })

  test('escapes all invisible characters', () => {
    const problem = fileProblem('\u009b\x7f\u202e\u200b\u00a0.json', 'a\ufeffb')
    const text = join(formatJson({ ok: false, warnings: [], problems: [problem] }))
    expect(text).toContain(String.raw`"\u009b\u007f\u202e\u200b\u00a0.json"`)
    expect(JSON.parse(text).problems[0]).toMatchObject({
      batch: problem.batch,
      message: 'a\ufeffb',
    })
  })

  test.each<[string, Problem[]]>([
    ['one problem', problems],
    ['two problems', [...problems, fileProblem('b\n"\ud800.json', 'unreadable')]],
    ['no problem at all', []],
  ])('has %s of a failed build, without the lines around it', (_, problems) => {
    const expected = problems.map(({ frame, ...problem }) => problem)
    expect(JSON.parse(join(formatJson({ ok: false, warnings: [], problems })))).toEqual({
      ok: false,
      warnings: [],
      problems: expected,
    })
  })

  test('has one problem per line', () => {
    const text = join(formatJson({ ok: false, warnings: [], problems: [...problems, ...problems] }))
    expect(text.split('\n').filter((line) => line.startsWith('{"batch"'))).toHaveLength(2)
    expect(text.endsWith('\n]\n}\n')).toBe(true)
  })
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [112_400, '112.4 kB'],
  [1e6, '1.0 MB'],
  [1e15, '1000.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
])('the number %d is written %s on every machine', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})
