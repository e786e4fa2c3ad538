/** Colors and widths of the problems. */
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { Problem } from '../../src/explain/problem.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import { SHOWN_PER_BATCH } from '../../src/page/shown.ts'
import { formatEach, formatProblem } from '../../src/report/problems.ts'
import { UNSTYLED } from '../../src/report/style.ts'
import { formatRows } from '../../src/report/summary.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const check = compileCheck()
const problemsOf = (text: string, batch = 'b.json') => {
  return validate(batch, Buffer.from(text), check, SHOWN_PER_BATCH).problems
}

/** Shows where a style is, and as what. */
const SHOWN_STYLE = {
  columns: 80,
  place: (text: string) => `place⟨${text}⟩`,
  fault: (text: string) => `fault⟨${text}⟩`,
  warning: (text: string) => `warning⟨${text}⟩`,
  faint: (text: string) => `faint⟨${text}⟩`,
}

const format = (problems: Problem[], folder: string) => {
  return [...formatEach(problems, { folder, shown: 1, style: SHOWN_STYLE })].join('')
}

test('places, marks and the numbers of lines have a style', () => {
  const shown = format(problemsOf('[\n  8\n]'), 'in')
  expect(shown.replace(/ {2}record.*/, '')).toBe(`
place⟨in/b.json:2:3⟩
  This must be an object { }, but it is the number 8.
faint⟨    1 |⟩ [
fault⟨  >⟩faint⟨ 2 |⟩   8
faint⟨      |⟩   fault⟨^⟩
`)
})

test('the names of warnings have a style in rows', () => {
  expect(
    formatRows(
      [
        ['Kept', '1'],
        ['Lost', '2', 'warning'],
      ],
      SHOWN_STYLE,
    ),
  ).toBe('Kept  1\nwarning⟨Lost  ⟩2\n')
})

test('text with a style controls no terminal', () => {
  const shown = format(problemsOf('["\x1b[31m\x9b", 8]', '\x1b[31m.json'), '\x9b')
  expect(shown.match(/\p{Cc}/gu)?.filter((character) => character !== '\n')).toEqual([])
})

const columns = fc.integer({ min: 20, max: 120 })
const wide = fc.string({ unit: fc.constantFrom('a', ' ', '語', '😀', 'e\u0301', '👩‍👩‍👧') })

property([columns, wide, wide, fc.nat(1234)])(
  'at any width, no line around a problem is wider, and its mark is under the fault',
  (columns, before, after, emptyLines) => {
    const text = `${'\n'.repeat(emptyLines)}["${before}",\t8, "${after}"]`
    const problem = problemsOf(text).find(({ pointer }) => pointer === '/1') as Problem
    const lines = formatProblem(problem, 'in', PAGE_WORDS, { ...UNSTYLED, columns })
    const [shown, marks] = lines.slice(-2) as [string, string]
    expect(stringWidth(shown)).toBeLessThanOrEqual(columns)
    expect(marks.length).toBeLessThanOrEqual(columns)
    expect(marks.indexOf('^')).toBe(stringWidth(shown.slice(0, shown.lastIndexOf('8'))))
  },
)
