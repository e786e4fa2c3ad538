/** The same file with other line endings, as Git writes it on Windows, means the same. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/explain.ts'
import type { Problem } from '../../src/explain/problem.ts'
import { frontMatter } from '../../src/formats/front-matter.ts'
import type { Content } from '../../src/page/content.ts'
import { compileCheck, read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'
import { treeOf } from '../helpers/tree.ts'

const HEAD = '---\r\ntitle: A\r\n---\r\n'

/** Lines of a body, some of them equal or blank. */
const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀'), maxLength: 3 }))

const ending = fc.constantFrom('\n', '\r\n', '\r')

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

property([fc.array(fc.tuple(fc.constantFrom('', 'a', 'bb'), ending)), fc.nat(9), fc.nat(9)])(
  'a part of a body stands where it is written, whatever ends the lines',
  (linesWithEndings, start, length) => {
    const body = linesWithEndings.flat().join('')
    const text = HEAD + body
    const value = withLineFeeds(body)
    expect(frontMatter.parse(text).value).toEqual({ title: 'A', body: value })

    const within = { start, end: Math.min(start + length, value.length) }
    fc.pre(start <= within.end)
    const [range] = treeOf(frontMatter, text).locate([{ pointer: ['body'], at: 'value', within }])
    const written = text.slice(range?.start, range?.end)
    expect(withLineFeeds(written)).toBe(value.slice(within.start, within.end))
  },
)

property([lines, lines, ending])(
  'a body is written with the line endings that it has',
  (before, after, lineEnding) => {
    fc.pre(before.length > 1)
    const text = HEAD + before.join(lineEnding)
    const instead = after.join('\n')
    const replacement = { pointer: ['body'], at: 'value', instead } as const
    const [edit] = treeOf(frontMatter, text).write([replacement])
    const written = text.slice(0, edit?.start) + edit?.text + text.slice(edit?.end)
    expect(written).toBe(HEAD + after.join(lineEnding))
  },
)

/** Each file is one record. */
const CONTENT: Content = {
  records: (file) => [file as never],
  page: () => ({ path: '/a', title: 'A', contentHtml: '' }),
}

const CHECK = compileCheck({
  type: 'object',
  properties: {
    kind: { enum: ['grid'] },
    body: { enum: ['one\ntwo\n'] },
    html: { pattern: '^x' },
  },
  additionalProperties: false,
})

function problemsOf(name: string, bytes: Buffer): Problem[] {
  return read(name, bytes, CHECK, 3, CONTENT).problems
}

/** Problems without the offsets of their edits. */
function shown(problems: readonly Problem[]) {
  return problems.map(({ fix, ...problem }) => problem)
}

describe('with the line endings of Windows', () => {
  test.each([
    ['a.md', '---\nkind: Grid\n---\nOne\nTwo\n', '---\nkind: grid\n---\none\ntwo\n'],
    ['a.md', '---\nother: 1\n---\n\n\nThree\nFour', undefined],
    ['a.md', '---\n\n# nothing\n---\none\ntwo\n', undefined],
    ['a.yaml', 'kind: Grid\nbody: |\n  One\n  two\n', 'kind: grid\nbody: |\n  one\n  two\n'],
    ['a.yaml', 'html: "a\n  b\n\n  c"\nbody: >\n  one\n\n  two\nother: one\n  two\n', undefined],
    ['a.yaml', 'kind: "a\nb: 1\n', undefined],
    ['a.json', '{\n  "kind": "Grid",\n}\n', '{\n  "kind": "grid"\n}\n'],
    ['a.json', '{\n  "kind": "grid\n}\n', undefined],
    ['a.jsonl', '{\n"kind": "grid"}\n', undefined],
    ['a.jsonc', '{\n  // one\n  "kind": "Grid" /* two\n */ ,\n}\n', undefined],
  ])('%s has the same problems, and gets the same fixes: %j', (name, text, fixed) => {
    const windows = Buffer.from(text.replaceAll('\n', '\r\n'))
    const problems = problemsOf(name, Buffer.from(text))
    expect(shown(problemsOf(name, windows))).toEqual(shown(problems))
    if (fixed === undefined) return

    const check = (bytes: Buffer) => problemsOf(name, bytes)
    expect(fixBatch(Buffer.from(text), check).bytes.toString()).toBe(fixed)
    expect(fixBatch(windows, check).bytes.toString()).toBe(fixed.replaceAll('\n', '\r\n'))
  })
})
