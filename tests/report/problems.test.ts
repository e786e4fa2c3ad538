import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileProblem, type Problem } from '../../src/explain/problem.ts'
import { SHOWN_PER_BATCH } from '../../src/page/shown.ts'
import { formatAnnotations } from '../../src/report/github.ts'
import { foldProblems, formatEach, formatProblem } from '../../src/report/problems.ts'
import { formatDropped } from '../../src/report/summary.ts'
import { faultOf } from '../helpers/fault.ts'
import { compileCheck, emailField, nameField, page, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const check = compileCheck()
const problemsOf = (text: string, batch = 'b.json') =>
  validate(batch, Buffer.from(text), check, SHOWN_PER_BATCH).problems
const pretty = (...records: unknown[]) => JSON.stringify(records, null, 2)
const report = (problems: Problem[], shown = SHOWN_PER_BATCH) =>
  [...formatEach(problems, { folder: 'raw-batches', shown })].join('')
/** The lines around the problems of a text, without the messages. */
const frameOf = (text: string) =>
  problemsOf(text).map((problem) => formatProblem(problem, 'in').slice(2).join('\n'))

test('problems are reported with their place, what is wrong and the lines around it', () => {
  const form = { fields: [nameField, { ...emailField, type: 'e-mail' }] }
  const { title, ...untitled } = page({ path: '/api/100' })
  const records = [
    ...Array.from({ length: 27 }, () => page()),
    page({ form }),
    { ...untitled, titel: title },
  ]
  const problems = [
    ...problemsOf('', 'batch-02.json'),
    ...problemsOf(pretty(...records), 'new/batch-03.json'),
  ]
  problems.push(
    fileProblem(
      'z.json',
      faultOf('rule.unreadable', [], "This file can't be read: permission denied (EACCES)."),
    ),
  )
  expect(report(problems)).toBe(`
raw-batches/batch-02.json:1:1
  This file has no data. It needs at least [] or {}.

raw-batches/new/batch-03.json:234:19  record 28 (/blog/029)  /27/form/fields/1/type
  "e-mail" isn't allowed here. Allowed: "text", "email", "textarea". Nearest: "email" (--fix writes it).
    232 |           "name": "email",
    233 |           "label": "Email Address",
  > 234 |           "type": "e-mail",
        |                   ^^^^^^^^

raw-batches/new/batch-03.json:249:5  record 29 (/api/100)  /28/titel
  The key "titel" isn't allowed here. Nearest: "title", which is missing.
    247 |     "createdAt": "2025-08-28T10:15:00.000Z",
    248 |     "updatedAt": "2025-08-28T10:17:30.000Z",
  > 249 |     "titel": "Api Page 100"
        |     ^^^^^^^

raw-batches/z.json:1:1
  This file can't be read: permission denied (EACCES).
`)
})

test('the report leaves out the record, path or pointer that a problem does not have', () => {
  expect(report(problemsOf('{}'), 1)).toBe(`
raw-batches/b.json:1:1
  This must be a list [ ], but it is an object.
  > 1 | {}
      | ^
`)
  expect(report(problemsOf('[\n  8\n]'), 2)).toContain(
    'b.json:2:3  record 1  /0\n  This must be an object { }, but it is the number 8.\n',
  )
})

test('a record that is the whole file has no number', () => {
  const one = compileCheck({ type: 'object', required: ['path'], properties: { n: { const: 1 } } })
  const content = { records: (file: object) => [Object(file)] }
  const bytes = Buffer.from('{"path": "/a", "n": 2}')
  const { problems } = validate('a.json', bytes, one, 0, content)
  expect(problems.map((problem) => formatProblem(problem, 'in').join('\n'))).toEqual([
    "in/a.json:1:21  (/a)  /n\n  The number 2 isn't allowed here. Allowed: 1.",
  ])
})

test('problems are grouped by batch, in the order in which they came', () => {
  const [first, second] = problemsOf('[8, 9]', 'a.json') as [Problem, Problem]
  const names = report([first, ...problemsOf('[8]'), second]).match(/[ab]\.json/g)
  expect(names).toEqual(['a.json', 'a.json', 'b.json'])
})

describe('the marker is under the fault', () => {
  test.each([
    [
      'after wide characters',
      '["語😀", 8]',
      ['  > 1 | ["語😀", 8]\n      |  ^^^^^^', '  > 1 | ["語😀", 8]\n      |          ^'],
    ],
    [
      'after a combining mark',
      '[8, "e\u0301"]',
      ['  > 1 | [8, "e\u0301"]\n      |  ^', '  > 1 | [8, "e\u0301"]\n      |     ^^^'],
    ],
    ['after tabs', '[\n\t\t8]', ['    1 | [\n  > 2 |   8]\n      |   ^']],
    ['at the end of the file', '[', ['  > 1 | [\n      |  ^']],
    ['after the last line', '[8]\n\n[', ['    1 | [8]\n    2 |\n  > 3 | [\n      | ^']],
    ['after lines of CRLF', '[\r\n\r\n8]\r\n', ['    1 | [\n    2 |\n  > 3 | 8]\n      | ^']],
    [
      'beside line numbers of different lengths',
      `${'\n'.repeat(9)}8`,
      ['     8 |\n     9 |\n  > 10 | 8\n       | ^'],
    ],
    ['and no further', '["\\\n"]', ['  > 1 | ["\\\n      |   ^']],
  ])('%s', (_, text, frames) => {
    expect(frameOf(text)).toEqual(frames)
  })
})

describe('a long line', () => {
  const frame = (text: string) => {
    const [problem] = problemsOf(text) as [Problem]
    return formatProblem(problem, 'in').slice(-2) as [string, string]
  }

  test('is cut to eighty columns', () => {
    const line = `[8,"${'x'.repeat(66)}"]`
    expect(frame(line)).toEqual([`  > 1 | ${line}`, '      |  ^'])
    expect(frame(`${line} `)[0]).toBe(`  > 1 | [8,"${'x'.repeat(66)}"…`)
    for (const length of [80, 300]) {
      const [x, y] = ['x', 'y'].map((letter) => letter.repeat(length))
      for (const lines of ['', '\n'.repeat(12_345)]) {
        const shown = frame(`${lines}["${x}" 8, "${y}"]`)
        expect(shown[0]).toHaveLength(80)
        expect(shown[1].length).toBeLessThanOrEqual(80)
      }
    }
  })

  test('counts a character of two columns as two', () => {
    const [shown] = frame(`["${'語'.repeat(100)}" 8]`)
    expect(shown).toBe(`  > 1 | …${'語'.repeat(33)}" 8]`)
  })

  test('is cut on both sides, if the fault is in the middle', () => {
    const [shown, marker] = frame(`["${'x'.repeat(200)}" 8, "${'y'.repeat(200)}"]`)
    expect(shown).toBe(`  > 1 | …${'x'.repeat(34)}" 8, "${'y'.repeat(30)}…`)
    expect(marker).toBe(`      | ${' '.repeat(36)}^`)
  })

  test('has a long value marked as far as it is shown', () => {
    const [shown, marker] = frame(`[${' '.repeat(79)}"${'x'.repeat(200)}"]`)
    expect(shown).toBe(`  > 1 | …${' '.repeat(35)}"${'x'.repeat(34)}…`)
    expect(marker).toBe(`      | ${' '.repeat(36)}${'^'.repeat(36)}`)
  })
})

test('a path and a pointer of any length are each cut to a hundred characters', () => {
  const text = report(
    problemsOf(pretty({ ...page(), path: 'p'.repeat(1000), ['k'.repeat(1000)]: 1 })),
  )
  expect(text).toContain(`record 1 (${'p'.repeat(99)}…)  /0/path\n`)
  expect(text).toContain(`record 1 (${'p'.repeat(99)}…)  /0/${'k'.repeat(96)}…\n`)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400)
})

describe('nothing that controls a terminal reaches it', () => {
  const evil = [
    '\x1b[31m',
    '\x1b]8;;http://x\x07',
    '\0',
    '\b',
    '\x7f',
    '\x9b',
    '\r',
    '\u2028',
    '\u2029',
  ].concat('\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\ud800', 'x')
  // Of these characters, the report itself contains only line breaks.
  const STEERS = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
  const steers = (text: string) => STEERS.test(text.replaceAll('\n', ''))
  const bad = fc.string({ unit: fc.constantFrom(...evil) })

  property([bad, bad, bad])(
    'from the name, the text, a key, a value or a path of a batch',
    (name, key, value) => {
      const record = {
        ...page(),
        path: `/${value}`,
        title: value,
        form: { fields: [{ [key]: value }] },
        [key]: value,
      }
      const problems = [
        ...problemsOf(pretty(record), `${name}.json`),
        ...problemsOf(`[\n${value.toWellFormed()}\n8 8]`, `${name}.json`),
        ...problemsOf(
          `["${value.toWellFormed().replaceAll(/\p{Cc}/gu, '')}\x9b", 8]`,
          `${name}.json`,
        ),
      ]
      expect(problems.length).toBeGreaterThan(3)
      expect(steers(report(problems))).toBe(false)
      expect(steers(formatAnnotations(problems, name))).toBe(false)
      const dropped = [{ batch: key, index: 1, kind: 'conflicting' as const, fields: [key] }]
      const duplicate = { id: value, kept: { batch: name, index: 0 }, dropped }
      expect(steers([...formatDropped([duplicate], name)].join(''))).toBe(false)
    },
  )
})

test('the same mistake in another record is of the same kind, whatever its values', () => {
  const form = (...labels: string[]) => ({
    fields: labels.map((label, index) => ({ ...nameField, name: `n${index}`, label })),
  })
  const kinds = problemsOf(
    pretty(
      page({ title: 'x', form: form('', 'a', 'b') }),
      page({ title: 'y', form: form('a', 'b', '') }),
      page({ path: 'x' }),
    ),
  ).map(({ kind }) => kind)
  const [title, label, sameTitle, sameLabel, path] = kinds
  expect([sameTitle, sameLabel]).toEqual([title, label])
  expect(new Set([title, label, path]).size).toBe(3)
})

test('a kind of more than three problems is shown by its first', () => {
  const problems = Array.from({ length: 4 }, (_, index) =>
    fileProblem('a.json', faultOf('rule.x', [], `is ${index}`)),
  )
  const [first, ...others] = problems
  expect(foldProblems(problems)).toEqual([{ problem: first, repeats: others }])
  expect(foldProblems(others)).toEqual(others.map((problem) => ({ problem, repeats: [] })))
})
