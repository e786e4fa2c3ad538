import { describe, expect, test } from 'vitest'
import { shownOf } from '../../src/command/print-result.ts'
import { fileProblem, type Problem } from '../../src/explain/problem.ts'
import { formatJson } from '../../src/report/json.ts'
import { siteOf } from '../helpers/build-site.ts'
import { content } from '../helpers/content.ts'
import { faultOf } from '../helpers/fault.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { memorySource, pagesOf, SCHEMA } from '../helpers/workspace.ts'

const join = (pieces: Iterable<string>) => [...pieces].join('')

const REFUSED = { isOk: false, outdated: [] }

/** Formats the problems of the collection "pages". */
function format(problems: readonly Problem[]): string {
  const memory = memorySource([], async () => Buffer.from(''))
  const collection = siteOf(memory, SCHEMA, content)
  const result = {
    ok: false,
    collection,
    problems,
    warnings: [],
    batches: [],
    duplicates: [],
  } as const
  return join(formatJson([shownOf(result, undefined)], REFUSED))
}

describe('the report as JSON', () => {
  const { problems } = validate('a.json', Buffer.from('[\n8]'), compileCheck(), 1)

  test('escapes all invisible characters', () => {
    const problem = fileProblem(
      '\u009b\x7f\u202e\u200b\u00a0.json',
      faultOf('rule.x', [], 'a\ufeffb'),
    )
    const text = format([problem])
    expect(text).toContain(String.raw`"\u009b\u007f\u202e\u200b\u00a0.json"`)
    expect(pagesOf({ stdout: text }).problems[0]).toMatchObject({
      file: problem.batch,
      message: 'a\ufeffb',
    })
  })

  test('says from which number its numbers count', () => {
    const { countedFrom } = JSON.parse(format(problems))
    expect(countedFrom).toEqual({ line: 1, column: 1, record: 0, index: 0 })
  })

  test.each<[string, Problem[]]>([
    ['one problem', problems],
    [
      'two problems',
      [...problems, fileProblem('b\n"\ud800.json', faultOf('rule.x', [], 'unreadable'))],
    ],
    ['no problem at all', []],
  ])('has %s of a failed build, without the lines around it', (_, problems) => {
    const expected = problems.map(({ frame, batch, about, isFile, ...problem }) => {
      return { ...problem, file: batch }
    })
    expect(pagesOf({ stdout: format(problems) })).toEqual({ problems: expected, warnings: [] })
  })
})
