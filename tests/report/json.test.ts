import { describe, expect, test } from 'vitest'
import { fileProblem, type Problem } from '../../src/explain/problem.ts'
import { formatJson } from '../../src/report/json.ts'
import { faultOf } from '../helpers/fault.ts'
import { compileCheck, validate } from '../helpers/page.ts'

const join = (pieces: Iterable<string>) => [...pieces].join('')

const REFUSED = { isOk: false, outdated: [] }

describe('the report as JSON', () => {
  const { problems } = validate('a.json', Buffer.from('[\n8]'), compileCheck(), 1)

  test('escapes all invisible characters', () => {
    const problem = fileProblem(
      '\u009b\x7f\u202e\u200b\u00a0.json',
      faultOf('rule.x', [], 'a\ufeffb'),
    )
    const text = join(
      formatJson({ ok: false, warnings: [], problems: [problem], batches: [] }, REFUSED),
    )
    expect(text).toContain(String.raw`"\u009b\u007f\u202e\u200b\u00a0.json"`)
    expect(JSON.parse(text).problems[0]).toMatchObject({
      batch: problem.batch,
      message: 'a\ufeffb',
    })
  })

  test.each<[string, Problem[]]>([
    ['one problem', problems],
    [
      'two problems',
      [...problems, fileProblem('b\n"\ud800.json', faultOf('rule.x', [], 'unreadable'))],
    ],
    ['no problem at all', []],
  ])('has %s of a failed build, without the lines around it', (_, problems) => {
    const expected = problems.map(({ frame, id, about, ...problem }) => ({ ...problem, path: id }))
    expect(
      JSON.parse(join(formatJson({ ok: false, warnings: [], problems, batches: [] }, REFUSED))),
    ).toEqual({
      ok: false,
      warnings: [],
      problems: expected,
    })
  })
})
