import { expect, test } from 'vitest'
import type { Manifest } from '../src/dataset/emit.ts'
import { fileProblem } from '../src/dataset/problem.ts'
import { formatStepProblems, formatStepSummary } from '../src/dataset/step-summary.ts'

const file = { file: 'x', sha256: '', bytes: 1 }
const manifest: Manifest = {
  ...{ generatedBy: 'npm run build-data', dataset: file, types: file, schema: { sha256: '' } },
  totals: {
    ...{ batches: 2, records: 1236, kept: 1235, withForms: 30 },
    ...{ dropped: 1, identical: 0, conflicting: 1 },
  },
  batches: [
    { file: 'a_1.json', sha256: '', records: 1235, kept: 1235, dropped: 0 },
    { file: 'b.json', sha256: '', records: 1, kept: 0, dropped: 1 },
  ],
  duplicates: [
    {
      path: '/blog/029',
      kept: { batch: 'a_1.json', index: 0 },
      dropped: [{ batch: 'b.json', index: 0, kind: 'conflicting', fields: ['form'] }],
    },
  ],
}

test('a good build has its totals and its batches as tables', () => {
  const changes = { new: 3, changed: 1, gone: 0, fields: ['contentHtml'] }
  expect(
    [...formatStepSummary(manifest, changes, 'out/dataset.json (1 kB)')].join(''),
  ).toBe(`### build-data: 1,235 pages of 2 batches

| Records | Kept | With forms | Dropped | Identical | Conflicting |
| --- | --- | --- | --- | --- | --- |
| 1,236 | 1,235 | 30 | 1 | 0 | 1 |

out/dataset.json \\(1 kB\\). Changed: 3 new, 1 changed \\(contentHtml\\), 0 gone.

| Batch | Records | Kept | Dropped |  |
| --- | --- | --- | --- | --- |
| a\\_1.json | 1,235 | 1,235 | 0 |  |
| b.json | 1 | 0 | 1 | conflicting with a\\_1.json |
`)
})

test('a build with problems has them as a table', () => {
  const problem = { ...fileProblem('b.json', 'unknown key "x"'), record: 5, path: '/blog/029' }
  const problems = [problem, fileProblem('c.json', 'the file is empty')]
  expect(
    [...formatStepProblems(problems, 'raw-batches', 7)].join(''),
  ).toBe(`### build-data: nothing was written: 2 problems in 2 of 7 batches

| Place | Record | Problem |
| --- | --- | --- |
| raw-batches/b.json\\:1\\:1 | 5 \\(/blog/029\\) | unknown key "x" |
| raw-batches/c.json\\:1\\:1 |  | the file is empty |
`)
})

test('of many problems two hundred are shown, so that they fit a summary', () => {
  const problems = Array.from({ length: 250 }, () => fileProblem('b.json', 'x'.repeat(10_000)))
  const text = [...formatStepProblems(problems, 'in', 1)].join('')
  expect(text.match(/^\| in\/b\.json/gm)).toHaveLength(200)
  expect(text).toMatch(/\nAnd 50 more problems\.\n$/)
  expect(text.length).toBeLessThan(100_000)
})

test('nothing in a batch is taken for Markdown or HTML', () => {
  const message = '<b>|*a*_b_`c`[d](http://e)\n# f @g ~h~ &amp; \\ \u200b'
  const text = [...formatStepProblems([fileProblem('b.json', message)], 'in', 1)].join('')
  expect(text).toContain(
    String.raw`| \<b\>\|\*a\*\_b\_\`c\`\[d\]\(http\://e\)\\u000a\# f \@g \~h\~ \&amp; \\ \\u200b |`,
  )
})
