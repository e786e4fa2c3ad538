import { expect, test } from 'vitest'
import { fileProblem } from '../../src/batch/problem.ts'
import { formatStepProblems, formatStepSummary } from '../../src/report/github.ts'

test('a good build has its totals and its batches as tables', () => {
  const summary = formatStepSummary(
    [
      ['Batches', '2'],
      ['Kept', '5 (1 with forms)'],
    ],
    [['a_1.json', '5 records: 5 kept, 0 dropped']],
  )
  expect(summary).toBe(`| build-data |  |
| --- | --- |
| Batches | 2 |
| Kept | 5 \\(1 with forms\\) |

| Batch | Records |
| --- | --- |
| a\\_1.json | 5 records\\: 5 kept, 0 dropped |

`)
})

test('a build with problems has a table of them', () => {
  const problem = { ...fileProblem('b.json', 'unknown key "x"'), record: 5, path: '/blog/029' }
  const problems = [problem, fileProblem('c.json', 'the file is empty')]
  expect(
    formatStepProblems(problems, 'raw-batches'),
  ).toBe(`| Nothing was written. Problems\\: 2 | Record |  |
| --- | --- | --- |
| raw-batches/b.json\\:1\\:1 | 5 \\(/blog/029\\) | unknown key "x" |
| raw-batches/c.json\\:1\\:1 |  | the file is empty |

`)
})

test('at most two hundred problems are shown, so that they fit in a summary', () => {
  const problems = Array.from({ length: 250 }, (_, index) =>
    fileProblem('b.json', `${'x'.repeat(9_000)}${'y'.repeat(index)}`),
  )
  const text = formatStepProblems(problems, 'in')
  expect(text.match(/^\| in\/b\\.json|^\| in\/b\.json/gm)).toHaveLength(200)
  expect(text).toMatch(/\| … \| {2}\| and 50 more \|\n\n$/)
  expect(text.length).toBeLessThan(100_000)
})

test('nothing in a batch is interpreted as Markdown or HTML', () => {
  const message = '<b>|*a*_b_`c`[d](http://e)\n# f @g ~h~ &amp; \\ \u200b'
  const text = formatStepProblems([fileProblem('b.json', message)], 'in')
  expect(text).toContain(
    String.raw`| \<b\>\|\*a\*\_b\_\`c\`\[d\]\(http\://e\)\\u000a\# f \@g \~h\~ \&amp; \\ \\u200b |`,
  )
})
