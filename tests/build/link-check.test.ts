import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { run as runTask } from '../../src/command/run.ts'
import { WIDE } from '../../src/page/html.ts'
import { buildSite } from '../helpers/build-site.ts'
import { content as plainContent } from '../helpers/content.ts'
import { property } from '../helpers/property.ts'
import {
  CONTENT,
  createWorkspace,
  importing,
  memorySource,
  pagesOf,
  Text,
} from '../helpers/workspace.ts'

const content = { ...plainContent, elements: WIDE }

const text = { type: 'string' }
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'title', 'contentHtml'],
    properties: {
      ...{ path: text, title: text, contentHtml: text },
      seeAlso: { type: 'array', items: { $ref: '#/$defs/reference' } },
      up: { anyOf: [{ $ref: '#/$defs/reference' }, { type: 'null' }] },
    },
  },
  $defs: { reference: { type: 'string', pagePath: true } },
}
const { folder, batches, out, batch } = createWorkspace(afterAll)
const schema = join(folder, 'schema.json')
writeFileSync(schema, JSON.stringify(SCHEMA))

const record = (path: unknown, contentHtml = '<p>a</p>', rest = {}) => {
  return { path, title: 'A title', contentHtml, ...rest }
}
const link = (address: string) => `<p>See <a href="${address}">it</a>.</p>`

/** Builds batches from memory. Returns the links that lead nowhere, as they stand in the batches. */
async function buildFrom(files: Record<string, string>) {
  const read = async (name: string) => Buffer.from(files[name] as string)
  const source = memorySource(Object.keys(files), read)
  const result = await buildSite({ schema, content, out, source })
  const problems = result.ok ? [] : result.problems
  const nowhere = problems.filter(({ code }) => code === 'link.nowhere')
  const places = nowhere.map(({ batch, record, line, column, endColumn, pointer }) => {
    const lines = (files[batch] as string).split('\n')
    const part = lines[line - 1]?.slice(column - 1, endColumn - 1) ?? ''
    const written = JSON.parse(part.startsWith('"') ? part : `"${part}"`)
    return { batch, record, pointer, written }
  })
  const unchecked = result.warnings.map(({ message }) => message)
  return { places, messages: nowhere.map(({ message }) => message), unchecked, problems }
}

/** Returns the messages about the links in pages of one batch. */
async function messagesOf(...records: object[]) {
  return (await buildFrom({ 'a.json': JSON.stringify(records) })).messages
}

const PATHS = ['/a', '/b/c-d/e', '/kürbis', '/r&d', '/v1.2']

/** A link in a body: how it is written, and the path to which it leads, if it is that of a page. */
const anyLink = fc.constantFrom(...PATHS).chain((path) => {
  const html = path.replaceAll('&', '&amp;')
  const target = path.includes('.') ? undefined : path
  const same = [html, encodeURI(html), `/x/..${html}`, `${html}?q=1&amp;r#s`, `${html}#a.b`]
  const others = [`https://example.com${html}`, '#a', '/', `${html}/x.pdf`]
  return fc.constantFrom<{ written: string; target: string | undefined }[]>(
    ...same.map((written) => ({ written, target })),
    ...others.map((written) => ({ written, target: undefined })),
    { written: `${html}/`, target: `${path}/` },
    { written: html.replace('/a', '/A'), target: target?.replace('/a', '/A') },
    { written: '/%61', target: 'no page, for browsers do not write it so' },
  )
})
const anyRecord = fc.record({
  path: fc.constantFrom(...PATHS),
  links: fc.array(anyLink, { maxLength: 3 }),
  seeAlso: fc.array(fc.constantFrom(...PATHS, '/', '/b'), { maxLength: 2 }),
  fault: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 8 },
    { arbitrary: fc.constant('title'), weight: 2 },
    { arbitrary: fc.constant('path'), weight: 1 },
  ),
})
const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const anySpelling = fc.constantFrom(
  (batch: unknown) => JSON.stringify(batch),
  (batch: unknown) => JSON.stringify(batch, null, 2).replaceAll('/', '\\/'),
  // In JSON, these characters are only in texts.
  (batch: unknown) => JSON.stringify(batch, null, 1).replace(/[<>&=/ü]/g, toEscape),
)
const anyFiles = fc.dictionary(
  fc.constantFrom('1.json', '2.json', '10.json'),
  fc.tuple(fc.array(anyRecord, { maxLength: 4 }), anySpelling),
  { minKeys: 1, noNullPrototype: true },
)

property([anyFiles])(
  'exactly the links and references of kept and refused pages that lead to no page are problems, in order, if all paths are known',
  async (batches) => {
    const files = Object.fromEntries(
      Object.entries(batches).map(([name, [records, spell]]) => {
        const written = records.map(({ path, links, seeAlso, fault }) => {
          const body = `<p>href="/nowhere" &lt;${links.map(({ written }) => link(written).slice(3, -4))}</p>`
          return { ...record(path, body, { seeAlso }), ...(fault && { [fault]: 1 }) }
        })
        return [name, spell(written)]
      }),
    )
    const all = Object.entries(batches)
      .sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .flatMap(([batch, [records]]) => records.map((each, index) => ({ batch, index, ...each })))
    const isThere = (target: string) =>
      all.some(({ path, fault }) => path === target && fault !== 'path')
    const counted = all.filter(({ path, fault }, at) => {
      const isKept = (earlier: (typeof all)[number]) => earlier.path === path && !earlier.fault
      return fault === 'path' || !all.slice(0, at).some(isKept)
    })
    const expected = counted.flatMap(({ batch, index, links, seeAlso }) =>
      [
        ...links
          .filter(({ target }) => target !== undefined && !isThere(target))
          .map(({ written }) => ({ pointer: `/${index}/contentHtml`, written })),
        ...seeAlso.flatMap((written, at) => {
          return isThere(written) ? [] : [{ pointer: `/${index}/seeAlso/${at}`, written }]
        }),
      ].map((place) => ({ batch, record: index, ...place })),
    )
    const { places, unchecked } = await buildFrom(files)
    // A page without a path may be the one that a link means.
    const isUnknown = all.some(({ fault }) => fault === 'path')
    expect(places).toEqual(isUnknown ? [] : expected)
    expect(unchecked).toHaveLength(isUnknown && expected.length > 0 ? 1 : 0)
  },
)

test.each([
  ['/lemoncake', '/lemon-cake'],
  ['/Lemon-Cake/', '/lemon-cake'],
  ['/documentation/of/all/lemon-cake', '/lemon-cake'],
  ['/soups/pumkin', '/soups/pumpkin'],
  ['/soup/pumpkin', '/soups/pumpkin'],
  ['/news/2024-05', undefined],
  ['/nowhere', undefined],
])('instead of %s, %s was meant', async (address, meant) => {
  const all = ['/lemon-cake', '/soups/pumpkin', '/news/2024-06', '/news/2025-05'].map((path) => {
    return record(path, path === '/lemon-cake' ? link(address) : undefined)
  })
  const tip = meant === undefined ? '' : ` Nearest: "${meant}".`
  expect(await messagesOf(...all)).toEqual([`No page is at "${address}".${tip}`])
})

test('links to pages that an unreadable batch may have are reported as unchecked', async () => {
  const { messages, unchecked, problems } = await buildFrom({
    'a.json': JSON.stringify([record('/a', link('/b') + link('/c'))]),
    'b.json': '[',
  })
  expect(messages).toEqual([])
  expect(unchecked).toEqual([
    '2 references to "pages" weren\'t checked, because of what is wrong in b.json.',
  ])
  expect(problems).toHaveLength(1)
})

test('a batch that has changed before its links are located is an error', async () => {
  const texts = [JSON.stringify([record('/a', link('/b'))]), '[]']
  const read = async () => Buffer.from(texts.shift() as string)
  const source = memorySource(['a.json'], read)
  await expect(buildSite({ schema, content, out, source })).rejects.toThrow(
    'a.json has changed while the batches were read; run the command again',
  )
})

describe('the command', () => {
  async function run(...args: string[]) {
    const [stdout, stderr] = [new Text(), new Text()]
    const all = ['--schema', schema, '--config', CONTENT, '--batches', batches, ...args]
    const status = await runTask(all, {
      ...{ stdout, stderr, ...importing() },
      load: async () => ({ content }),
      env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: batches },
    })
    return { status, stdout: stdout.text, stderr: stderr.text }
  }
  const message = 'No page is at "/b".'

  test('shows a link to no page in every format', async () => {
    batch('a.json', [record('/a', link('/b'))])
    for (const option of ['--check', '--strict', '--all']) {
      const { status, stderr } = await run('--out', out, option)
      expect(status).toBe(1)
      expect(stderr).toContain('a.json:5:38  record 1 (/a)  /0/contentHtml')
      expect(stderr).toContain('::error file=a.json,line=5,col=38,endColumn=40')
    }
    const report = join(folder, 'report.html')
    const { stdout } = await run('--out', out, '--json', '--report', report)
    expect(pagesOf({ stdout }).problems).toMatchObject([{ line: 5, column: 38, message }])
    expect(readFileSync(report, 'utf8')).toContain('a.json:5:38')
  })

  test('says that links are not checked', async () => {
    batch('a.json', [record('/a', link('/b'))])
    batch('b.json', '{')
    const { status, stderr } = await run('--out', out)
    rmSync(join(batches, 'b.json'))
    expect(status).toBe(1)
    expect(stderr).toContain(
      '\nUnchecked  1 reference to "pages" wasn\'t checked, because of what is wrong in b.json.',
    )
  })

  test('with --records checks no links, for other shards may have the pages', async () => {
    batch('a.json', [record('/a', link('/b'))])
    expect(await run('--records', join(folder, 'records'))).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'records'))).toHaveLength(1)
  })
})

test('a reference that two kinds of a record mark is one problem', async () => {
  const kind = { properties: { to: { type: 'string', pagePath: true } } }
  const page = { required: ['path'], anyOf: [kind, { ...kind, required: ['to'] }] }
  writeFileSync(schema, JSON.stringify({ type: 'array', items: page }))
  const text = JSON.stringify([record('/a', '', { to: '/x' })])
  const { places } = await buildFrom({ 'a.json': text })
  writeFileSync(schema, JSON.stringify(SCHEMA))
  expect(places.map(({ pointer }) => pointer)).toEqual(['/0/to'])
})

test('a schema marks references wherever it checks a text', async () => {
  const reference = { type: 'string', pagePath: true }
  const section = {
    properties: {
      of: { anyOf: [{ properties: { kind: { const: 'page' }, page: reference } }, text] },
      inner: { type: 'array', items: { $ref: '#/$defs/section' } },
    },
    patternProperties: { '^const': reference },
    dependentSchemas: { default: { properties: { default: reference } } },
  }
  const page = { required: ['path'], allOf: [{ $ref: '#/$defs/section' }] }
  writeFileSync(schema, JSON.stringify({ type: 'array', items: page, $defs: { section } }))
  const inner = [
    { of: '/x' },
    { of: { kind: 'page', page: '/y' }, inner: [{ of: { kind: 'page', page: '/a' } }] },
  ]
  const all = { inner, 'const/': '/z', default: '/z' }
  const { places } = await buildFrom({ 'a.json': JSON.stringify([record('/a', '', all)]) })
  writeFileSync(schema, JSON.stringify(SCHEMA))
  const found = places.map(({ pointer, written }) => `${pointer} ${written}`)
  expect(found).toEqual(['/0/inner/1/of/page /y', '/0/const~1 /z', '/0/default /z'])
})

test('a subschema that a value does not fit marks nothing in it', async () => {
  const kindOf = (kind: string, to: object) => ({ properties: { to, kind: { const: kind } } })
  const kinds = [kindOf('page', { type: 'string', pagePath: true }), kindOf('text', text)]
  const [page] = kinds
  const properties = {
    any: { anyOf: kinds },
    one: { oneOf: kinds },
    all: { type: 'array', contains: page },
    other: { not: page },
    chosen: { if: page, else: kinds[1] },
  }
  writeFileSync(
    schema,
    JSON.stringify({ type: 'array', items: { required: ['path'], properties } }),
  )
  const [fits, other] = [
    { kind: 'page', to: '/x' },
    { kind: 'text', to: '/y' },
  ]
  const { places } = await buildFrom({
    'a.json': JSON.stringify([
      record('/a', '', { any: fits, one: fits, all: [fits, other], other, chosen: fits }),
      record('/b', '', { any: other, one: other, all: [fits, other], other, chosen: other }),
    ]),
  })
  writeFileSync(schema, JSON.stringify(SCHEMA))
  expect(places.map(({ pointer }) => pointer)).toEqual([
    ...['/0/any/to', '/0/one/to', '/0/all/0/to', '/0/chosen/to'],
    '/1/all/0/to',
  ])
})
