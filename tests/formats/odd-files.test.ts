/** Whatever the bytes of a file are: it's read or refused, and each problem has a place and a sentence. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/explain.ts'
import type { Problem } from '../../src/explain/problem.ts'
import type { Target } from '../../src/formats/format.ts'
import { formatOf } from '../../src/formats/formats.ts'
import type { Content } from '../../src/page/content.ts'
import { isObject } from '../../src/text/as-object.ts'
import type { Pointer } from '../../src/text/pointer.ts'
import { createCollections } from '../helpers/collections.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const ENDINGS = ['json', 'jsonl', 'jsonc', 'yaml', 'md'] as const
type Ending = (typeof ENDINGS)[number]

/** Each file is one record, and becomes a page. */
const CONTENT: Content = {
  records: (file) => [file as never],
  page: () => ({ path: '/a', title: 'A', contentHtml: '' }),
}

/** Accepts every file that can be read. */
const ANY = compileCheck({})

/** Refuses nearly every file, so that places in it are looked for. */
const STRICT = compileCheck({
  type: 'object',
  required: ['id'],
  properties: { id: { enum: ['grid'] }, code: { type: 'string' }, list: { items: false } },
  additionalProperties: false,
})

function problemsOf(ending: Ending, bytes: Buffer, compiled = ANY): Problem[] {
  return read(`a.${ending}`, bytes, compiled, 3, CONTENT).problems
}

function bytesOf(content: string | Buffer): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

function bigEndian(text: string): Buffer {
  return utf16(text).swap16()
}

const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'

/** The three kinds of JSON. */
const inJson = (code: string) => [code, code, code]
const everywhere = (code: string) => ENDINGS.map(() => code)

const NO_JSON = ['json.no-json', 'json.line', 'json.no-json'] as const
const NO_HEAD = 'front-matter.missing'

/** The code of the first problem of a file, for each ending; `-` if there is none. */
const CODES: [name: string, content: string | Buffer, codes: readonly string[]][] = [
  ['no bytes', '', [...inJson('file.empty'), 'file.empty', NO_HEAD]],
  ['blank lines', ' \n\r\n', [...inJson('file.empty'), 'file.empty', NO_HEAD]],
  ['a comment', '# a\n', ['json.comment', 'json.line', 'json.comment-sign', 'file.empty', NO_HEAD]],
  [
    'another comment',
    '// a\n',
    ['json.comment', 'json.line', 'file.empty', 'file.no-record', NO_HEAD],
  ],
  ['the line ---', '---\n', [...NO_JSON, 'file.empty', 'front-matter.end']],
  ['only ---', '---', [...NO_JSON, 'file.empty', 'front-matter.end']],
  ['an empty document', '---\n...\n', [...NO_JSON, 'file.empty', '-']],
  ['UTF-16', utf16('{"a": 1}'), everywhere('file.utf-16')],
  ['big-endian UTF-16', bigEndian('{"a": 1}'), everywhere('file.utf-16')],
  ['UTF-16 with a mark', utf16('\ufeff{"a": 1}'), everywhere('file.utf-16')],
  ['big-endian UTF-16 with a mark', bigEndian('\ufeff{"a": 1}'), everywhere('file.utf-16')],
  ['UTF-16 that begins with Cyrillic', utf16('\ufeffимя: 1\n'), everywhere('file.utf-16')],
  [
    'the same without a mark',
    utf16('имя: 1\n'),
    [...inJson('json.invisible'), 'file.nul', 'file.nul'],
  ],
  ['UTF-32', Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]), everywhere('file.utf-16')],
  ['Latin-1', Buffer.from('id: "é"', 'latin1'), everywhere('file.not-utf-8')],
  ['a compressed file', gzipSync('{}'), everywhere('file.other')],
  ['a pointer of Git LFS', LFS, everywhere('file.other')],
  ['a mark', '\ufeff', [...inJson('file.byte-order-mark'), 'file.empty', NO_HEAD]],
  ['zeros', '\0'.repeat(9), [...inJson('json.invisible'), 'file.nul', 'file.nul']],
  [
    'a zero in a text',
    '{"a": "x\0"}',
    [...inJson('json.control-character'), 'file.nul', 'file.nul'],
  ],
  ['a zero in a body', '---\na: b\n---\nx\0', [...NO_JSON, 'file.nul', 'file.nul']],
  ['an anchor', '&a', [...NO_JSON, 'file.no-record', NO_HEAD]],
  ['a tag', '!a', [...NO_JSON, 'yaml.tag', NO_HEAD]],
  ['an alias', '*a', [...NO_JSON, 'yaml.alias-unknown', NO_HEAD]],
  ['a directive', '%YAML 1.2\n', [...NO_JSON, 'yaml.syntax', NO_HEAD]],
  ['a directive before nothing', '%YAML 1.2\n---\n', [...NO_JSON, 'file.empty', NO_HEAD]],
  ['an old directive', '%YAML 1.1\n---\n', [...NO_JSON, 'yaml.version', NO_HEAD]],
  ['front matter without keys', '---\r\n\r\n---\r\n', [...NO_JSON, 'yaml.documents', '-']],
  [
    'an anchor in front matter',
    '---\n&a\n---\n',
    [...NO_JSON, 'yaml.documents', 'front-matter.no-object'],
  ],
  [
    'a directive in front matter',
    '---\n%YAML 1.2\n---\n',
    [...NO_JSON, 'yaml.start', 'yaml.start'],
  ],
]

describe.each(CODES)('a file of %s', (_, content, codes) => {
  test.each(ENDINGS.map((ending, index) => [ending, codes[index]] as const))(
    'as .%s is %s',
    (ending, code) => {
      const problems = problemsOf(ending, bytesOf(content))
      expectPlaces(bytesOf(content), problems)
      expect(problems[0]?.code ?? '-').toBe(code)
    },
  )
})

test('a file that can not be read is named, and the others are checked', async () => {
  const repository = createCollections(
    { 'd/e.yaml': '- id: a\n- id: a\n' },
    { d: { files: 'd', id: 'id' } },
  )
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(repository.folder, 'd', name), content)
  }
  write('a.yaml', '')
  write('b.md', utf16('---\nid: b\n---\n'))
  write('c.yml', gzipSync('id: c\n'))
  symlinkSync('nowhere.yaml', join(repository.folder, 'd/d.yaml'))

  const places = (await repository.problems()).map((problem) => problem.split(': ')[0])
  expect(places).toEqual([
    'd/a.yaml:1:1 ',
    'd/b.md:1:1 ',
    'd/c.yml:1:1 ',
    'd/d.yaml:1:1 ',
    'd/e.yaml:2:7 /1/id',
  ])
})

/** The shapes of JSONTestSuite and yaml-test-suite, and their halves. */
const SHAPES: readonly string[] = [
  ...['[', ']', '{', '{"', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":1,', '[1', '[1,', '["', '"'],
  ...['\\', '[,]', '{,}', '[1,,2]', '[1,,]', '{"a":1,,}', '[[],,]', '{"a":,}', '{"a"}', '{"a" 1}'],
  ...['{:1}', '[1 2]', '["a" "b"]', '{"a":1 "b":2}', '[1]]', '{}}', '[1}', '{"a":1]', '[[[1]'],
  ...['{}[]', '1 2', '[-]', '[+1]', '[01]', '[1.]', '[.5]', '[1e]', '[0x1]', '[1e400]', '[-0]'],
  ...['[NaN]', '[-Infinity]', '[12345678901234567890]', '[0.1234567890123456789]', '[nul]'],
  ...['[True]', 'nulll', '[a]', "['a']", '["\\u12"]', '["\\x"]', '["a\nb"]', '["\t"]'],
  ...['["\\ud83d"]', '{"\\ud83d":1}', '["\ufffd"]', '{"a":1,"a":2}', '{"a":{"b":1},"a":{"b":2}}'],
  ...['{"__proto__":1}', '{"id":"Grid"}', '[[]]', '[{}]', '/*', '/* a', '{} // a', '{}/'],
  ...['[1,/* a */]', '[/* a */,]', '\u2028', '[\u00a0]', '["a"]\ufeff', '- ', '-', '? ', '?', ': '],
  ...[':', '|', '>', '>-\n', '|2\n x', '- - - a', '- -\n -', '? a', '? a\n: b', 'a:', 'a: b'],
  ...['a: b: c', 'a:\n\tb: 1', 'a:\n  b\n c', '{a', '{a: ', '{a: b', '[a', '[a,', '{a, b}'],
  ...['[a: b]', '{? a}', '{: a}', '[? a : b]', '{a: [b, {c: d}]}', 'a: [b\nc: d', '- [a\n- b'],
  ...['{a}: b', '&a', '&a &b c', '&a b: *a', '*a : b', '&a a: *a', '&a [*a]', '&a {b: *a}', '*a'],
  ...['{*a : b}', '&', 'a: &b\nc: *b', '&a\n- b', '&a b: c', '- &a\n- *a', '&a : b', '&a |\n b'],
  ...['a: *b c', '*', '&a *a', '!', '!!', '!!str', '!!map {}', '!<tag:a>', '!a!b c'],
  ...['!!binary aa==', '! a', '!!set {a}', '!a\n- b', '<<: *a', '<<: {b: 1}', '<<: a', '<<: [a]'],
  ...['<<: [{b: 1}, {b: 2}]', '<<:', '<<: {<<: {a: 1}}', 'a: 1\na: 2', '{a: 1, a: 2}'],
  ...['1: a\n1: b', '1.10: a', 'null: a', '~: a', '[a]: b', '? [a]\n: b', '---\n---'],
  ...['---\na\n---\nb', '...', '... a', '--- a', '---a', '--- |\n a', 'a\n...\nb', '%', '%a\n---'],
  ...['"a', "'a", '"a\nb"', "'a''b'", '"\\q"', '"\\u12"', 'a: "b" c', "a: 'b'c", '@a', '`a'],
  ...['a: @b', 'a: .nan', 'a: -.inf', 'a: 0x1g', 'a: 0o8', 'a: 1_000', 'a: 12:30', 'a: no'],
  ...['a: 2026-02-30', 'a: +1', '# a', ' # a', 'a #b', 'a: #b', 'a: |\n# b', '\ta: b'],
  ...[' a: b\nc: d', '\f', '\u0085', '\u2028a: b', '---\nid: a\n---', '---\nid: a\n---x'],
  ...['--- \nid: a\n... \nb', '---\nid\n---\n', '---\nbody: a\n---\n', '---\nid: "\n---\n'],
  ...['---\n- a\n---\n', '+++\nid = 1\n+++\n', '---\r\nid: a\r\n---\r\nb\r', '---\r---\r'],
  ...['<<<<<<< a\n=======\n>>>>>>> b\n', 'a: 1\n<<<<<<< a\nb: 1\n=======\nb: 2\n>>>>>>> b\n'],
  ...['```json\n{}\n```', '['.repeat(5_000), '{"a":'.repeat(5_000), '- '.repeat(5_000)],
  ...['{a: '.repeat(5_000), '? '.repeat(5_000), '&a ['.repeat(5_000)],
  ...[`a: ${'['.repeat(999)}${']'.repeat(999)}`, '---\n---\n'.repeat(99)],
]

test.each(ENDINGS)('a file of any shape is read or refused as .%s', (ending) => {
  for (const shape of SHAPES) expectAnswer(ending, Buffer.from(shape))
})

/** Signs that mean something in a format, and what breaks a text. */
const SIGNS = [
  ...['{', '}', '[', ']', ',', ':', '"', "'", '\\', '/', '*', '&', '!', '%', '#', '|', '>', '?'],
  ...['-', '---', ' ', '  ', '\t', '\n', '\r\n', '\r', '\0', '\ufeff', '\ufffd', '\\ud83d'],
  ...['\u2028', '😀', '1', '.', 'a', 'null', '<<', '//', '/*', '*/', ': ', '- ', '? ', '|\n '],
  ...['\n---\n', '\n...\n', 'id', 'no', '~'],
]

const DOCUMENTS = [
  '{"id": "Grid", "code": 7, "list": [1, {"a": "x"}], "b": null}',
  '{"id": 1}\n{"id": "b", "id": 2}\n',
  '// one\n{"id": [1, 2,], /* two */ "code": {"a": 1,},}\n',
  'id: Grid\ncode: 1.10\nlist:\n  - a: &x {b: 1}\n  - *x\n  - <<: *x\ntext: |\n  one\n  two\n',
  '%YAML 1.2\n---\n"id": >-\n  a\n  b\n? code\n: \'it\'\'s\'\nlist: [a, "b\\n", {c: d}]\n...\n',
  '---\nid: Grid\nlist: [a]\n---\n\nFirst *line*.\n\nSecond & last.\n',
  '---\r\nid: Grid\r\nbody: x\r\n---\r\nFirst line.\r\n',
]

/** A document with some of its parts replaced by others, as bytes, one of which may be wrong. */
const mutated = fc
  .record({
    document: fc.constantFrom(...DOCUMENTS),
    changes: fc.array(
      fc.record({ at: fc.nat(200), cut: fc.nat(9), sign: fc.constantFrom('', ...SIGNS) }),
      { minLength: 1, maxLength: 4 },
    ),
    byte: fc.option(fc.record({ at: fc.nat(200), value: fc.nat(255) }), { freq: 9 }),
  })
  .map(({ document, changes, byte }) => {
    let text = document
    for (const { at, cut, sign } of changes) {
      const start = at % (text.length + 1)
      text = text.slice(0, start) + sign + text.slice(start + cut)
    }
    const bytes = Buffer.from(text)
    if (byte && bytes.length > 0) bytes[byte.at % bytes.length] = byte.value
    return bytes
  })

property([mutated], { numRuns: times(1_000) })(
  'a small change of a document is read or refused in every format',
  (bytes) => {
    for (const ending of ENDINGS) expectAnswer(ending, bytes)
  },
)

/** Expects a file to be read, or to be refused with the right messages. */
function expectAnswer(ending: Ending, bytes: Buffer): void {
  for (const compiled of [ANY, STRICT]) {
    const check = (bytes: Buffer) => problemsOf(ending, bytes, compiled)
    expectPlaces(bytes, check(bytes))
    fixBatch(bytes, check)
  }
  expectRanges(ending, bytes.toString())
}

/** Expects each problem to have a sentence, and a place in the text. */
function expectPlaces(bytes: Buffer, problems: readonly Problem[]): void {
  const lines = bytes
    .toString()
    .replace(/^\ufeff/, ' ')
    .split(/\r\n|\r|\n/)
  for (const { line, column, endColumn, message, frame } of problems) {
    expect(message).toMatch(/[.!?)]$/)
    const { length = Number.NaN } = lines[line - 1] ?? {}
    // The end of a line has a column, too.
    expect(column).toBeLessThanOrEqual(length + 1)
    expect(endColumn).toBeGreaterThan(column)
    expect(endColumn).toBeLessThanOrEqual(Math.max(length + 1, column + 1))
    for (const { text } of frame) expect(text).not.toMatch(/[\r\n]/)
  }
}

/** Expects each value and key of a text that can be read to be found in it. */
function expectRanges(ending: Ending, text: string): void {
  const parsed = formatOf(`a.${ending}`)?.parse(text)
  if (!parsed?.tree) {
    expect(parsed?.faults).not.toEqual([])
    return
  }

  const targets = [...pointersIn(parsed.value)].flatMap((pointer): Target[] => [
    { pointer, at: 'value' },
    { pointer, at: 'key' },
  ])
  for (const { start, end } of parsed.tree.locate(targets)) {
    expect(start).toBeGreaterThanOrEqual(0)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(start).toBeLessThanOrEqual(text.length)
  }
  parsed.tree.write(targets.map((target) => ({ ...target, instead: 'x' })))
}

function* pointersIn(value: unknown, pointer: Pointer = []): Generator<Pointer> {
  yield pointer
  if (!isObject(value)) return

  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key
    yield* pointersIn(inner, [...pointer, step])
  }
}
