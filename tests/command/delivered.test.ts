/** Records as they are delivered: each shape of a file, with its `content.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/explain/problem.ts'
import { createWorkspace, pagesOf, readManifest, runBuildData } from '../helpers/workspace.ts'

const HELPERS = JSON.stringify(join(import.meta.dirname, '../../src/page/content.ts'))

const app = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'text'],
  properties: {
    id: { type: 'integer', unique: true },
    name: { type: 'string', minLength: 1 },
    text: { type: 'string' },
    aliases: { type: 'array', items: { type: 'string', unique: true } },
    see: { type: 'string', pagePath: true },
  },
}
const LIST = { type: 'array', items: app }
const KEYED = { type: 'object', additionalProperties: app }

const PAGE = `page: ({ name, text }, { key, file }) => ({
  path: '/apps/' + (key ?? slug(name)), title: name, contentHtml: paragraphs(text),
}),`

/** A workspace of files as they are delivered, and the build of them. */
function deliver(schema: object, content: string, files: Record<string, string>) {
  const { folder, batches, batch, build, read, out } = createWorkspace()
  const [schemaFile, contentFile] = [join(folder, 'schema.json'), join(folder, 'content.ts')]
  writeFileSync(schemaFile, JSON.stringify(schema))
  writeFileSync(
    contentFile,
    `import { paragraphs, slug } from ${HELPERS}
     export const content = { ${content} }`,
  )
  const own = ['--schema', schemaFile, '--config', contentFile]
  for (const [name, text] of Object.entries(files)) batch(name, text)
  return {
    ...{ out, read, batch, batches },
    pages: (): Record<string, unknown>[] => JSON.parse(read('dataset.json')),
    run: (...args: string[]) => build([...own, ...args]),
    records: () =>
      runBuildData(['--batches', batches, ...own, '--records', join(folder, 'records')]),
    async problems(...args: string[]): Promise<string[]> {
      const { stdout } = await this.run('--json', ...args)
      type Told = Problem & { file: string }
      const { problems = [] }: { problems?: Told[] } = pagesOf({ stdout })
      return problems.map(({ file, line, column, record, id, code }) =>
        [`${file}:${line}:${column}`, record, id, code].join(' '),
      )
    },
  }
}

const ONE = '{ "name": "One", "text": "1 < 2" }'
const TWO = '{ "name": "Two", "text": 5 }'

/** Each shape: its schema, where its records are, a file with a fault, and where that is. */
const SHAPES: [
  shape: string,
  schema: object,
  records: string,
  files: Record<string, string>,
  at: string,
][] = [
  ['a list', LIST, '', { 'a.json': `[\n${ONE},\n${TWO}]` }, 'a.json:3:26 1'],
  [
    'a list under a key',
    { type: 'object', required: ['apps'], properties: { apps: LIST } },
    'records: ({ apps }) => apps,',
    { 'a.json': `{ "apps": [\n${ONE},\n${TWO}] }` },
    'a.json:3:26 1',
  ],
  [
    'an object by key',
    KEYED,
    'records: Object.values,',
    { 'a.json': `{ "one": ${ONE},\n"two": ${TWO} }` },
    'a.json:2:33 1',
  ],
  [
    'values under a key of many files',
    { type: 'object', properties: { 'en/us': { type: 'object', properties: { apps: LIST } } } },
    "records: (file) => file['en/us'].apps,",
    { 'a.json': `{"en/us":{"apps":[${ONE}]}}`, 'b.json': `{"en/us":{"apps":[\n${TWO}]}}` },
    'b.json:2:26 0',
  ],
  [
    'one object a file',
    app,
    'records: (file) => [file],',
    { 'one.json': ONE, 'two.json': TWO },
    'two.json:1:26 0',
  ],
  ['JSON Lines', LIST, '', { 'a.jsonl': `\n${ONE}\r\n\r\n${TWO}\n` }, 'a.jsonl:4:26 1'],
  ['YAML', LIST, '', { 'a.yaml': `# Apps\n- ${ONE}\n\n- ${TWO}\n` }, 'a.yaml:4:28 1'],
  [
    'JSON with comments',
    LIST,
    '',
    { 'a.jsonc': `// Apps\n[\n${ONE},\n${TWO},]` },
    'a.jsonc:4:26 1',
  ],
]

describe.each(SHAPES)('%s', (_, schema, records, files, at) => {
  test('is read as it is delivered, and a fault has its place in the file', async () => {
    const delivery = deliver(schema, records + PAGE, files)
    expect(await delivery.problems()).toEqual([`${at}  schema.type`])
    expect((await delivery.run('--skip-refused')).status).toBe(0)
    const made = { path: '/apps/one', title: 'One', contentHtml: '<p>1 &lt; 2</p>' }
    expect(delivery.pages()).toEqual([{ ...made, name: 'One', text: '1 < 2' }])
  })

  test('is mended by --fix where it was delivered', async () => {
    const typo = (text: string) => text.replace(TWO, '{ "name": "Two", "Text": "5" }')
    const broken = Object.entries(files).map(([name, text]) => [name, typo(text)])
    const delivery = deliver(schema, records + PAGE, Object.fromEntries(broken))
    expect(await delivery.run('--fix')).toMatchObject({ status: 0, stderr: '' })
    for (const [name, text] of Object.entries(files)) {
      const mended = typo(text).replace('"Text"', '"text"')
      expect(readFileSync(join(delivery.batches, name), 'utf8')).toBe(mended)
    }
  })
})

const record = (rest: object) => ({ name: 'A', text: '', ...rest })
const list = (...records: object[]) => ({ 'a.json': JSON.stringify(records.map(record)) })

describe('a page', () => {
  test('is the record, but for the keys that the site knows: those are made, or there are none', async () => {
    const open = { ...app, additionalProperties: true }
    const delivery = deliver(
      { type: 'array', items: open },
      "page: () => ({ path: '/a', title: 'T', contentHtml: '', form: null, price: 2 }),",
      list({ path: 5, language: 'Rust', updatedAt: 1, form: 'round', price: 1, id: 3 }),
    )
    expect((await delivery.run()).status).toBe(0)
    const made = { path: '/a', title: 'T', contentHtml: '', form: null, price: 2 }
    expect(delivery.pages()).toEqual([{ ...made, name: 'A', text: '', id: 3 }])
    expect(Object.keys(delivery.pages()[0] as object).slice(0, 5)).toEqual(Object.keys(made))
  })

  test.each([
    [
      'throws',
      'page: ({ see }) => ({ path: see.x.y })',
      'content.fails',
      '"content.page" fails here',
    ],
    ['makes no path', 'page: () => ({ title: "" })', 'page.no-text', 'must make a "path"'],
    [
      'makes a title of spaces',
      'page: () => ({ path: "/a", title: " ", contentHtml: "" })',
      'page.no-text',
      'must make a "title" of text that is not empty, but it makes " ".',
    ],
    [
      'makes a promise of a body',
      'page: () => ({ path: "/a", title: "A", contentHtml: Promise.resolve("") })',
      'page.not-json',
      'makes a page with a Promise at /contentHtml',
    ],
    [
      'makes a body that no site may have',
      'page: () => ({ path: "/a", title: "A", contentHtml: "<script></script>" })',
      'html.element',
      '(in the "contentHtml" that "content.page" makes)',
    ],
  ])('is a problem at its record if "page" %s', async (_, content, code, says) => {
    const delivery = deliver(LIST, content, list({}))
    const { stdout } = await delivery.run('--json')
    const [problem] = pagesOf({ stdout }).problems
    expect(problem).toMatchObject({ code, line: 1, column: 2, record: 0, pointer: '/0' })
    expect(problem.message).toContain(says)
  })

  test.each<[returns: string, code: string, says: string]>([
    ['undefined', 'page.no-object', 'must return a plain object, but it returns no value.'],
    ['[]', 'page.no-object', 'but it returns an empty list'],
    ['new Map()', 'page.no-object', 'but it returns a Map'],
    ['Promise.reject(new Error("no"))', 'content.promise', "the build doesn't wait for it"],
    ['({ ...made, path: undefined })', 'page.no-text', 'a "path" of text that is not empty'],
    ['({ ...made, title: "cut \\ud83d" })', 'page.half-character', 'at /title'],
    ['({ ...made, extra: [{ "\\ude00": 1 }] })', 'page.half-character', 'at /extra/0/\ude00'],
    ['({ ...made, size: 10n })', 'page.not-json', 'a page with 10n at /size'],
    ['({ ...made, size: NaN })', 'page.not-json', 'a page with NaN at /size'],
    ['({ ...made, tags: new Set() })', 'page.not-json', 'a page with a Set at /tags'],
    ['({ ...made, date: new Date() })', 'page.not-json', 'a page with a Date at /date'],
    ['({ ...made, show() {} })', 'page.not-json', 'a page with a function at /show'],
    ['(made.self = made)', 'page.not-json', 'a page with an object that it is in itself at /self'],
    ['({ ...made, toJSON() { throw 1 } })', 'page.not-json', 'a function at /toJSON'],
    ['({ ...made, get a() { throw "no price" } })', 'content.fails', 'fails here: no price'],
    ['new Proxy(made, { get() { throw null } })', 'content.fails', 'it throws null'],
    [
      '({ ...made, a: Promise.reject(new Error("a")), b: Promise.reject(new Error("b")) })',
      'page.not-json',
      'a page with a Promise at /a',
    ],
  ])('is a problem at its record if "page" returns %s', async (returns, code, says) => {
    const made = '{ path: "/a", title: "A", contentHtml: "" }'
    const page = `page: () => { const made = ${made}; return ${returns} },`
    const delivery = deliver(LIST, page, list({}))
    const [problem] = pagesOf(await delivery.run('--json')).problems
    expect(problem).toMatchObject({ code, line: 1, column: 2, record: 0, pointer: '/0' })
    expect(problem.message).toContain(says)
  })

  test('is left out by --skip-refused if it cannot be written', async () => {
    const delivery = deliver(
      LIST,
      `page: ({ name }) => ({ path: '/' + name, title: name, contentHtml: '', cut: name === 'A' ? '\\ud83d' : '' }),`,
      list({}, { name: 'B' }),
    )
    expect((await delivery.run('--skip-refused')).status).toBe(0)
    expect(delivery.pages()).toMatchObject([{ path: '/B' }])
  })

  test('is written as it is made, though "page" makes the next one of the same objects', async () => {
    const delivery = deliver(
      LIST,
      `page: (() => {
        const about = {}
        return ({ name }) => {
          about.name = name
          return { path: '/' + name, title: name, contentHtml: '', about }
        }
      })(),`,
      list({ name: 'A' }, { name: 'B' }),
    )
    expect((await delivery.run()).status).toBe(0)
    expect(delivery.pages()).toMatchObject([
      { path: '/A', about: { name: 'A' } },
      { path: '/B', about: { name: 'B' } },
    ])
  })

  test('that "page" makes only once is an error in one line when its batch is read again', async () => {
    const delivery = deliver(
      LIST,
      `page: (() => {
        const names = new Set()
        return ({ name }) => {
          if (names.has(name)) throw 'a second ' + name
          names.add(name)
          return { path: '/' + name, title: name, contentHtml: '<p></p>' }
        }
      })(),`,
      list({ see: '/nowhere' }),
    )
    const { status, stderr } = await delivery.run()
    expect(status).toBe(2)
    expect(stderr).toMatch(
      /^build-data: Your functions accepted record 1 of a\.json, and now refuse it\. .+\n$/,
    )
  })

  test('of a record that a rule has changed is a problem at it if it cannot be written', async () => {
    const rule = 'rules: [(record) => { record.id = 10n; return [] }],'
    const delivery = deliver(LIST, PAGE + rule, list({}))
    const [problem] = pagesOf(await delivery.run('--json')).problems
    expect(problem).toMatchObject({ code: 'record.not-json', record: 0, pointer: '/0' })
    expect(problem.message).toMatch(/^content\.ts has changed this record, .*BigInt/)
  })

  test('may have the HTML that "elements" lists, and its message names that', async () => {
    const body = "page: () => ({ path: '/a', title: 'A', contentHtml: '<p><em>a</em></p>' }),"
    const delivery = deliver(LIST, `${body} elements: { p: {}, em: {} },`, list({}))
    expect((await delivery.run()).status).toBe(0)

    const { stderr } = await deliver(LIST, body, list({})).run()
    expect(stderr).toContain('"content.elements" allows <p>')
  })

  test('that a record names, but is not there, is a problem at its place', async () => {
    const delivery = deliver(LIST, PAGE, list({ see: '/apps/a' }, { name: 'B', see: '/apps/c' }))
    expect(await delivery.problems()).toEqual(['a.json:1:69 1 /apps/b link.nowhere'])
  })
})

describe('JSON Lines', () => {
  test.each([
    ['a record over several lines', '{"name":"A",\n"text":""}', '1:13   json.line'],
    ['a line break in a text', '{"name":"A","text":"a\nb"}', '1:20   json.line'],
    ['two records in a line', `${ONE} ${ONE}\n`, '1:36   json.line'],
    ['a comma between lines', `${ONE},\n${ONE}`, '1:35   json.comma-trailing'],
    ['a line that is not a record', `${ONE}\nhello`, '2:1   json.line'],
    ['a syntax error in a line', `${ONE}\n{"name":"B" "text":""}`, '2:12   json.comma-missing'],
    ['a repeated key', `${ONE}\n\n{"name":"B","text":"","text":""}`, '3:23 1  loss.repeated-key'],
    ['a merge conflict', `${ONE}\n<<<<<<< ours\n=======\n>>>>>>> b\n`, '2:1   json.conflict'],
    ['nothing but blank lines', '\n \r\n', '1:1   file.empty'],
    ['nothing at all', '', '1:1   file.empty'],
  ])('%s is a problem at its place', async (_, text, at) => {
    const delivery = deliver(LIST, PAGE, { 'a.ndjson': text })
    expect(await delivery.problems()).toEqual([`a.ndjson:${at}`])
  })
})

describe('one path of two records', () => {
  const SAME = "page: () => ({ path: '/a', title: 'A', contentHtml: '' }),"

  test('is a duplicate if nothing says what they are about, or both are about the same', async () => {
    const files = list({ id: 1, name: 'A' }, { id: 2, name: 'A' })
    for (const identity of ['', 'identity: ({ name }) => name,']) {
      const delivery = deliver(LIST, SAME + identity, files)
      const { stdout } = await delivery.run('--json')
      expect(pagesOf({ stdout }).manifest.totals).toMatchObject({ kept: 1, dropped: 1 })
    }
  })

  test('is a problem that names both if they are about different things, in any batches', async () => {
    const files = { ...list({ id: 1 }), 'b.json': `[\n${JSON.stringify(record({ id: 2 }))}]` }
    const delivery = deliver(LIST, `${SAME} identity: ({ id }) => id,`, files)
    expect(await delivery.problems()).toEqual(['b.json:2:1 0 /a path.two-records'])
    const { stderr } = await delivery.run('--skip-refused')
    expect(stderr).toContain('this one is 2, and record 1 of a.json is 1')
    expect(stderr).toMatch(
      /\n\n--skip-refused only leaves out records that the schema or a function refuses\n$/,
    )
    expect(await delivery.records()).toMatchObject({ status: 0, stderr: '' })
  })

  test.each([
    ['throws', 'see.x.y', 'content.fails'],
    ['says none', 'see', 'page.no-identity'],
    ['says NaN', 'Number(see)', 'page.no-identity'],
    ['says a number that is not finite', '1 / 0', 'page.no-identity'],
    ['says a BigInt', '10n', 'page.no-identity'],
    ['says a symbol', 'Symbol()', 'page.no-identity'],
    ['must be awaited', 'Promise.resolve(1)', 'content.promise'],
  ])('is a problem of the record if "identity" %s', async (_, says, code) => {
    const delivery = deliver(LIST, `${PAGE} identity: ({ see }) => ${says},`, list({}))
    expect(await delivery.problems()).toEqual([`a.json:1:2 0 /apps/a ${code}`])
  })
})

test('a value that only one kept record may have is a problem of the second, which names the first', async () => {
  const a = record({ name: 'A', id: 1, aliases: ['x', 'y', 'x'] })
  const b = record({ name: 'B', id: 2, aliases: ['z', 'y'] })
  const files = {
    'a.json': JSON.stringify([a, a, { ...b, name: 'C', id: 3, aliases: [] }]),
    'b.json': JSON.stringify([b, { ...a, name: 'D', aliases: [] }]),
  }
  const delivery = deliver(LIST, PAGE, files)
  expect(await delivery.problems()).toEqual([
    'b.json:1:46 0 /apps/b schema.unique',
    'b.json:1:79 1 /apps/d schema.unique',
  ])
  const { stderr } = await delivery.run()
  expect(stderr).toContain('"y" is also in record 1 of a.json')
  expect(await delivery.records()).toMatchObject({ status: 0, stderr: '' })
})

/** Schemas of a list, or of something else. */
const CHOICES: [choice: string, schema: object][] = [
  ['anyOf', { anyOf: [LIST, app] }],
  ['oneOf', { oneOf: [app, LIST] }],
  ['if', { if: { type: 'object' }, else: LIST }],
  ['anyOf in allOf', { allOf: [{ anyOf: [{ type: 'object' }, LIST] }] }],
]

describe.each(CHOICES)('in a file whose schema has a choice (%s)', (_, schema) => {
  const content = `records: (file) => Array.isArray(file) ? file : [file], ${PAGE}`

  test('content.ts sees no record that the schema refuses, and that one is left out', async () => {
    const delivery = deliver(schema, content, { 'a.json': `[${ONE}, ${TWO}]` })
    expect(await delivery.problems()).toEqual(['a.json:1:63 1  schema.type'])
    expect((await delivery.run('--skip-refused')).status).toBe(0)
    expect(delivery.pages()).toMatchObject([{ path: '/apps/one' }])
  })

  test('a link to a refused record is not a second problem', async () => {
    const link = { name: 'C', text: 'C', see: '/apps/two' }
    const files = { 'a.json': `[${TWO}]`, 'b.json': JSON.stringify([link]) }
    const delivery = deliver(schema, content, files)
    expect(await delivery.problems()).toEqual(['a.json:1:27 0  schema.type'])
  })
})

test('a fault outside of the records does not hide what is wrong with one of them', async () => {
  const schema = { anyOf: [{ ...LIST, maxItems: 1 }, app] }
  const delivery = deliver(schema, PAGE, { 'a.json': `[${ONE}, ${TWO}]` })
  expect(await delivery.problems('--skip-refused')).toEqual([
    'a.json:1:1   schema.limit',
    'a.json:1:63 1  schema.type',
  ])
})

describe('with --skip-refused', () => {
  const bad = record({ name: 'B', text: 5 })

  test('refused records are left out, counted and named, and claim no path', async () => {
    const files = {
      'a.json': `[\n${JSON.stringify(bad)},\n${JSON.stringify(record({ name: 'Rule' }))}]`,
      ...{ 'b.json': JSON.stringify([record({ name: 'B' }), record({ name: 'B', id: 1 })]) },
    }
    const rule =
      "rules: [function noRule({ name }) { return name === 'Rule' ? [{ pointer: [], message: 'x' }] : [] }],"
    const delivery = deliver(LIST, PAGE + rule, files)
    expect((await delivery.run()).status).toBe(1)
    const report = join(delivery.out, '../report.html')
    const { status, stdout, stderr } = await delivery.run('--skip-refused', '--report', report)
    expect(status).toBe(0)
    expect(stdout).toContain('\npages: 1 of 4 records, 2 left out, 1 duplicate dropped\n')
    expect(stdout).toContain('a.json  2 records: 0 kept, 0 dropped, 2 refused\n')
    expect(stderr).toMatch(/^pages: 2 records left out, because of 2 problems\n/)
    expect(stderr).toContain('a.json:2:20  record 1')
    expect(readFileSync(report, 'utf8')).toContain('a.json:2:20  record 1')
    expect(delivery.pages().map(({ path }) => path)).toEqual(['/apps/b'])
    const { totals, refused, batches } = readManifest(delivery.read('manifest.json'))
    expect(totals).toMatchObject({ records: 4, kept: 1, dropped: 1, refused: 2 })
    expect(batches[0]).toMatchObject({ records: 2, kept: 0, refused: 2 })
    expect(refused).toEqual([
      { batch: 'a.json', index: 0, pointer: '/0/text', code: 'schema.type' },
      { batch: 'a.json', index: 1, pointer: '/1', code: 'rule.noRule' },
    ])
    const { warnings } = pagesOf(await delivery.run('--skip-refused', '--json'))
    expect(warnings.map(({ code }: Problem) => code)).toEqual(['schema.type', 'rule.noRule'])
  })

  test.each([
    [
      'a repeated key',
      { 'a.json': `[${ONE}, {"name":"B","name":"C","text":""}]` },
      'loss.repeated-key',
    ],
    ['a file that is not JSON', { 'a.json': `[${ONE}]`, 'b.json': '[' }, 'json.unclosed'],
    ['a link to what is left out', list({ see: '/apps/b' }, { ...bad }), 'link.nowhere'],
    ['a value of two records', list({ id: 1 }, { name: 'B', id: 1 }), 'schema.unique'],
    ['a fault outside of the records', { 'a.json': `[${ONE}, ${ONE}, ${ONE}]` }, 'schema.limit'],
    ['the refusal of all', { 'a.json': JSON.stringify([bad]) }, 'schema.type'],
  ])('%s still stops the build', async (_, files, code) => {
    const delivery = deliver({ ...LIST, maxItems: 2 }, PAGE, files)
    expect(
      (await delivery.problems('--skip-refused')).map((problem) => problem.split(' ').at(-1)),
    ).toEqual([code])
  })

  test('a list where the file itself is the record stops the build, and is not left out', async () => {
    const files = { 'a.json': ONE, 'b.jsonl': `${ONE}\n${TWO}\n` }
    const delivery = deliver(LIST.items, `${PAGE} records: (file) => [file],`, files)
    expect(await delivery.problems('--skip-refused')).toContain('b.jsonl:1:1   schema.type')
  })
})
