import { expect, test } from 'vitest'
import { foldProblems, kindOf } from '../src/dataset/kinds.ts'
import { fileProblem } from '../src/dataset/problem.ts'

test('the same mistake in another record is of the same kind, whatever its values', () => {
  const kind = kindOf('/27/title', 'must be "Blog Page 029" to fit the path, but is "a \\" b"')
  expect(kindOf('/3/title', 'must be "Docs Page 001" to fit the path, but is "x"')).toBe(kind)
  expect(kindOf('/3/path', 'must be "Docs Page 001" to fit the path, but is "x"')).not.toBe(kind)
  expect(kindOf('/3/title', 'must be "Docs Page 001", but is "x"')).not.toBe(kind)
})

test('a kind of more than three problems is shown by its first', () => {
  const problems = Array.from({ length: 4 }, (_, index) => fileProblem('a.json', `is ${index}`))
  const [first, ...others] = problems
  expect(foldProblems(problems)).toEqual([{ problem: first, others }])
  expect(foldProblems(others)).toEqual(others.map((problem) => ({ problem, others: [] })))
})
