import { describe, expect, test } from 'vitest'
import type { Duplicate } from '../src/dataset/dedupe.ts'
import type { Manifest } from '../src/dataset/emit.ts'
import { fileProblem, type Problem } from '../src/dataset/problem.ts'
import { formatBytes, formatDropped, formatJson, formatSummary } from '../src/dataset/summary.ts'
import { formatNumber } from '../src/dataset/wording.ts'
import { validate } from './page.ts'

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

test('every dropped record is told in a line of its own, with the record that beat it and why', () => {
  expect([...formatDropped(duplicates)]).toEqual([
    '/about/001  kept batch-01.json record 3; dropped batch-04.json record 0 (conflicting: contentHtml, createdAt, updatedAt)\n',
    '/about/001  kept batch-01.json record 3; dropped batch-05.json record 12 (identical)\n',
    '/blog/029  kept batch-02.json record 0; dropped batch-02.json record 1 (conflicting: form)\n',
  ])
})

test('where nothing was dropped nothing is told', () => {
  expect([...formatDropped([])]).toEqual([])
})

test('a dropped record has no character that steers a terminal', () => {
  const [duplicate] = duplicates as [Duplicate]
  const kept = { batch: 'a\x1b[31m\n.json', index: 0 }
  const dropped = [{ batch: 'b\u202e.json', index: 1, kind: 'identical' as const, fields: [] }]
  expect(join(formatDropped([{ ...duplicate, kept, dropped }]))).toBe(
    '/about/001  kept a\\u001b[31m\\u000a.json record 0; dropped b\\u202e.json record 1 (identical)\n',
  )
})

describe('the summary', () => {
  test('says what went in, what came out and where it is', () => {
    expect(formatSummary(manifest, 'src/generated/dataset.json (112.4 kB)', 1234)).toBe(
      `Batches  5
Records  1,103
Kept     1,100 (30 with forms)
Dropped  3 (1 identical, 2 conflicting)
Output   src/generated/dataset.json (112.4 kB)
SHA-256  ${manifest.dataset.sha256}
Time     1.23 s
`,
    )
  })

  test('has its names set off, padded before they are', () => {
    const paint = { strong: (text: string) => `<b>${text}</b>`, mark: (text: string) => text }
    const lines = formatSummary(manifest, 'here', 5, paint).split('\n')
    expect(lines[0]).toBe('<b>Batches  </b>5')
    expect(lines[4]).toBe('<b>Output   </b>here')
    expect(lines[6]).toBe('<b>Time     </b>0.01 s')
  })

  test('has large numbers in groups of three', () => {
    const totals = {
      batches: 1e3,
      records: 1e6,
      kept: 1e5,
      withForms: 1e4,
      dropped: 9e5,
      identical: 4e5,
      conflicting: 5e5,
    }
    const lines = formatSummary({ ...manifest, totals }, '', 0).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'Batches  1,000',
      'Records  1,000,000',
      'Kept     100,000 (10,000 with forms)',
      'Dropped  900,000 (400,000 identical, 500,000 conflicting)',
    ])
  })
})

describe('the report as JSON', () => {
  const check = () => [{ pointer: [0], at: 'value' as const, message: 'x' }]
  const { problems } = validate('a.json', Buffer.from('[\n8]'), check, 1)

  test('has the manifest of a good build', () => {
    expect(JSON.parse(join(formatJson({ ok: true, manifest })))).toEqual({ ok: true, manifest })
  })

  test.each<[string, Problem[]]>([
    ['one problem', problems],
    ['two problems', [...problems, fileProblem('b\n"\ud800.json', 'unreadable')]],
    ['no problem at all', []],
  ])('has %s of a bad one, without the lines around it', (_, problems) => {
    const expected = problems.map(({ frame, ...problem }) => problem)
    expect(JSON.parse(join(formatJson({ ok: false, problems })))).toEqual({
      ok: false,
      problems: expected,
    })
  })

  test('has all that a program needs to find a problem', () => {
    expect(problems[0]?.frame).toHaveLength(2)
    expect(JSON.parse(join(formatJson({ ok: false, problems }))).problems).toEqual([
      {
        batch: 'a.json',
        line: 2,
        column: 1,
        endColumn: 2,
        record: 0,
        path: null,
        pointer: '/0',
        message: 'x',
      },
    ])
  })

  test('has a problem a line', () => {
    const text = join(formatJson({ ok: false, problems: [...problems, ...problems] }))
    expect(text.split('\n').filter((line) => line.startsWith('{"batch"'))).toHaveLength(2)
    expect(text.endsWith('\n]\n}\n')).toBe(true)
  })
})

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1049, '1.0 kB'],
  [112_400, '112.4 kB'],
  [999_900, '999.9 kB'],
  [1e6, '1.0 MB'],
  [52_428_800, '52.4 MB'],
  [1e9, '1.0 GB'],
  [1e12, '1.0 TB'],
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
