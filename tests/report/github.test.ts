import { describe, expect, test } from 'vitest'
import { fileProblem, type Problem } from '../../src/explain/problem.ts'
import { formatAnnotations, formatStepSummary } from '../../src/report/github.ts'
import { faultOf } from '../helpers/fault.ts'

describe('an annotation', () => {
  const annotate = (problem: Problem, folder: string, others: Problem[] = []) =>
    formatAnnotations([problem, ...others], folder).trimEnd()

  test('names file, line, columns and pointer, then says what is wrong', () => {
    const file = fileProblem('sub/batch-01.json', faultOf('rule.x', [], 'must be null'))
    const problem = { ...file, line: 6, column: 13, endColumn: 17, pointer: '/0/form' }
    expect(annotate(problem, 'raw-batches')).toBe(
      '::error file=raw-batches/sub/batch-01.json,line=6,col=13,endColumn=17,title=/0/form::must be null',
    )
  })

  test('of a file beside the folder is relative to the root of the repository, too', () => {
    expect(annotate(fileProblem('../data/a.json', faultOf('rule.x', [], 'empty')), 'in')).toContain(
      'file=data/a.json,',
    )
  })

  test('has the batch as its title, if it is about the whole file', () => {
    expect(annotate(fileProblem('a.json', faultOf('rule.x', [], 'the file is empty')), 'in')).toBe(
      '::error file=in/a.json,line=1,col=1,endColumn=2,title=a.json::the file is empty',
    )
  })

  test('has no character that would end it, or one of its properties, too soon', () => {
    const problem = {
      ...fileProblem('50%,%a:b:\r\n.json', faultOf('rule.x', [], '100%%: a,\r\n\r\nb')),
      pointer: '/a:b,c,%\n',
    }
    expect(annotate(problem, 'c:,%')).toBe(
      '::error file=c%3A%2C%25/50%25%2C%25a%3Ab%3A%0D%0A.json,line=1,col=1,endColumn=2,title=/a%3Ab%2Cc%2C%25%0A::100%25%25: a,%0D%0A%0D%0Ab',
    )
  })

  test('of two records that have one path is at both', () => {
    const problem = fileProblem('b.json', faultOf('rule.x', [], 'copy of a'))
    const other = { ...fileProblem('a.json', faultOf('rule.x', [], 'copied in b')), line: 3 }
    expect(annotate({ ...problem, other }, '')).toBe(
      '::error file=b.json,line=1,col=1,endColumn=2,title=b.json::copy of a\n' +
        '::error file=a.json,line=3,col=1,endColumn=2,title=a.json::copied in b',
    )
  })

  test('counts the others of its kind', () => {
    const ruleProblem = fileProblem('a.json', faultOf('rule.x', [], 'unknown key'))
    const problem: Problem = { ...ruleProblem, code: 'file.nul' }
    expect(annotate(problem, 'in', Array(1_200).fill(problem))).toMatch(
      /::unknown key \(and 1,200 more of the same\)$/,
    )
  })

  test('has a title of at most a hundred characters', () => {
    const problem = {
      ...fileProblem('a.json', faultOf('rule.x', [], '')),
      pointer: `/${'x'.repeat(500)}`,
    }
    expect(annotate(problem, 'in')).toContain(`title=/${'x'.repeat(98)}…::`)
  })

  test('is one of at most ten, for GitHub shows no more: the last counts the rest', () => {
    const problems = Array.from({ length: 12 }, (_, index) =>
      fileProblem('a.json', faultOf(`rule.x${index}`, [], 'x')),
    )
    const lines = formatAnnotations([...problems, ...problems], 'in')
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toBe('::error::and 15 more problems, which the log shows')
    expect(formatAnnotations(problems.slice(2), 'in').match(/title=/g)).toHaveLength(10)
  })
})

describe('the summary of a step', () => {
  test('shows what a command prints, in a block that no text in it can end', () => {
    expect(formatStepSummary('manyurls check', ['1 problem\n', '```\n'])).toBe(
      '### manyurls check\n\n````text\n1 problem\n```\n````\n\n',
    )
  })

  test.each(['a', 'é', '窯', '😀'])('of many %s has less than 1 MiB in UTF-8', (character) => {
    const pieces = Array.from({ length: 2_000 }, () => `${character.repeat(1_000)}\n`)
    const summary = formatStepSummary('manyurls check', pieces)
    expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20)
    expect(Buffer.byteLength(summary)).toBeGreaterThan(900_000)
    expect(summary).toContain('The log shows the rest.')
  })
})
