import { describe, expect, test } from 'vitest'
import { createBuild, testEach } from '../helpers/fault-table.ts'
import { compileCheck, page, validate } from '../helpers/page.ts'
import { SAMPLE_FAULTS } from './faults.ts'

describe("a mistake that the sample's rules and explanations are about is one problem, with what to do", () => {
  testEach(SAMPLE_FAULTS, createBuild())
})

test('a path with several faults has one problem', () => {
  const told = (path: string) =>
    validate('b.json', Buffer.from(JSON.stringify([page({ path })])), compileCheck(), 0)
      .problems.filter(({ pointer }) => pointer === '/0/path')
      .map(({ message }) => message)
  expect(told('/wiki/000')).toEqual([expect.stringMatching(/^unknown category "wiki"/)])
  expect(told('blоgs/29/')).toEqual([expect.stringMatching(/; did you mean "\/blog\/029"\?/)])
})

test('a body with several faults has a problem for each', async () => {
  const contentHtml = '<p>Q & A</p>\n<p class="x">One<br>two</p>'
  const told = validate(
    'b.json',
    Buffer.from(JSON.stringify([page({ contentHtml })])),
    compileCheck(),
    0,
  )
  expect(told.problems.map(({ message }) => message)).toEqual([
    'write & as &amp;',
    'a space or line break is not allowed here; remove it',
    'write the tags as <p> and </p>, without attributes',
    expect.stringMatching(/^the element <br> is not allowed; write <\/p><p> instead/),
  ])
})
