/** Which problems are shown as one: only those that read the same. */
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import { createCollections } from '../helpers/collections.ts'

/** Checks a list, and returns the messages that are shown, without what is in quotes. */
async function shownOf(
  records: readonly object[],
  properties: object,
  config: Partial<CollectionConfig> = {},
): Promise<string[]> {
  const list: CollectionConfig = {
    ...{ files: 'list.json', recordSchema: 's.json', id: (_, { index }) => index },
    ...config,
  }
  const { run } = createCollections({ 's.json': properties, 'list.json': records }, { list })
  const { stderr } = await run('check')
  return stderr.split('\n').filter((line) => /^ {2}[^>\s]/.test(line))
}

describe('more than three problems are shown as one', () => {
  test('if only their values differ', async () => {
    const records = ['boss', 'chef', 'cok', 'ann', 5].map((role) => ({ role }))
    const shown = await shownOf(records, { properties: { role: { enum: ['cook', 'clerk'] } } })
    expect(shown).toEqual([
      expect.stringContaining('"boss" isn\'t allowed here'),
      expect.stringContaining('and the same in 4 more places: '),
    ])
  })

  test('if one rule refuses them, whatever its messages', async () => {
    const records = ['ann', 'bea', 'cleo', 'dan'].map((name) => ({ name }))
    const isKnown = ({ name }: Record<string, unknown>) => {
      return [{ pointer: [], message: `Nobody knows ${name}.` }]
    }
    const shown = await shownOf(records, {}, { rules: [isKnown] })
    expect(shown).toEqual([
      '  Nobody knows ann.',
      expect.stringContaining('and the same rule in 3 more places'),
    ])
  })

  test('if a function fails in the same way, whatever it quotes', async () => {
    const names = ['a"b', 'c', '"d', 'e "f" g']
    const id: CollectionConfig['id'] = (_, { index }) => {
      throw new Error(`no ${JSON.stringify(names[index])} here`)
    }
    const shown = await shownOf([{}, {}, {}, {}], {}, { id })
    expect(shown).toEqual([
      expect.stringContaining('no "a\\"b" here'),
      expect.stringContaining('and the same in 3 more places'),
    ])
  })

  test('if they are in the texts of files, at other lines', async () => {
    const files = ['', '\n', '\n\n', '\n\n\n'].map((lines, index) => [
      `${index}.json`,
      `{${lines}"a": 1,}`,
    ])
    const list: CollectionConfig = { files: '[0-9].json', id: (_, { file }) => file }
    const { run } = createCollections(Object.fromEntries(files), { list })
    expect((await run('check')).stderr).toContain('and the same in 3 more places')
  })
})

describe('problems are not shown as one', () => {
  test.each<[string, object[], object, string[]]>([
    [
      'that lack other keys',
      [{ b: 1, c: 1 }, { a: 1, c: 1 }, { a: 1, b: 1 }, { a: 1 }],
      { required: ['a', 'b', 'c'] },
      ['"a" is missing', '"b" is missing', '"c" is missing', '"b" and "c" are missing'],
    ],
    [
      'that are beyond other limits',
      ['', 'aaaa', '', 'aaaa'].map((text) => ({ text })),
      { properties: { text: { minLength: 1, maxLength: 3 } } },
      ['is empty', 'has 4 characters', 'is empty', 'has 4 characters'],
    ],
    [
      'that something else demands',
      [{ cash: 1 }, { card: 1 }, { cash: 1 }, { card: 1 }],
      { dependentRequired: { cash: ['x'], card: ['x'] } },
      ['"cash" is there', '"card" is there', '"cash" is there', '"card" is there'],
    ],
    [
      'that are in other places of the schema',
      [{ xy: ['a', 1] }, { xy: ['b', 2] }],
      { properties: { xy: { prefixItems: [{ type: 'number' }, { type: 'string' }] } } },
      ['must be a number', 'must be text', 'must be a number', 'must be text'],
    ],
  ])('%s', async (_, records, schema, expected) => {
    const shown = await shownOf(records, schema)
    expect(shown).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  test.each(['code', 'about'])('that a rule distinguishes by its "%s"', async (part) => {
    const sentences = ['It is old.', 'It is new.', 'It is blue.', 'It is red.']
    const rule = (_: unknown, { index }: { index: number }) => {
      const message = sentences[index] ?? ''
      return [{ pointer: [], message, [part]: message }]
    }
    const shown = await shownOf([{}, {}, {}, {}], {}, { rules: [rule] })
    expect(shown).toEqual(sentences.map((sentence) => `  ${sentence}`))
  })

  test('that are misspelled paths of references', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f']
    const references = Object.fromEntries(paths.map((path) => [path, 'list']))
    const shown = await shownOf([{}], {}, { references })
    expect(shown).toEqual(paths.map((path) => expect.stringContaining(`has the path "${path}"`)))
  })

  test('that are values of other kinds on one path of references', async () => {
    const records = [{ of: 'x' }, { of: { id: true } }, { of: 'y' }, { of: { id: false } }]
    const shown = await shownOf(records, {}, { references: { 'of.id': 'list' } })
    expect(shown).toHaveLength(4)
  })

  test('that are copies, and records with other values under the same id', async () => {
    const copies = [1, 1, 1, 1, 1].map((code) => ({ code }))
    const others = [2, 3, 4, 5].map((size) => ({ code: 1, size }))
    const mixed = copies.flatMap((copy, index) => [copy, ...others.slice(index, index + 1)])
    const { run, read, at } = createCollections(
      { 's.json': {}, 'list.json': mixed },
      { list: { files: 'list.json', recordSchema: 's.json', id: 'code' } },
    )
    const { stdout, stderr } = await run('check', '--json', '--report', at('report.html'))
    const { problems } = JSON.parse(stdout).collections.list
    expect(new Set(problems.map(({ kind }: { kind: string }) => kind)).size).toBe(2)

    for (const shown of [stderr, read('report.html').replace(/<[^>]*>/g, '')]) {
      expect(shown.match(/and the same values\. Remove one/g)).toHaveLength(1)
      expect(shown.match(/but other values of/g)).toHaveLength(1)
      expect(shown.match(/the same in 3 more places/g)).toHaveLength(2)
    }
  })

  test('for which a function fails in another way', async () => {
    const reasons = ["isn't old, doesn't", "isn't new, doesn't", "can't go, won't", "it's it, he's"]
    const id: CollectionConfig['id'] = (_, { index }) => {
      throw new Error(reasons[index])
    }
    const shown = await shownOf([{}, {}, {}, {}], {}, { id })
    expect(shown).toEqual(reasons.map((reason) => `  "list.id" fails here: ${reason}.`))
  })

  test('of YAML that the parser describes in other words', async () => {
    const texts = ['a: &x &y 1', 'a: !!int |\n b', '? a\n? [', 'a: !<x 1', '%FOO\n---\na: [1']
    const files = texts.map((text, index) => [`${index}.yaml`, `${text}\n`])
    const list: CollectionConfig = { files: '*.yaml', id: (_, { file }) => file }
    const { run } = createCollections(Object.fromEntries(files), { list })
    const { stdout, stderr } = await run('check', '--json')
    const { problems } = JSON.parse(stdout).collections.list
    const messages = problems.map(({ message }: { message: string }) => message)
    expect(new Set(messages).size).toBeGreaterThan(3)
    for (const message of messages) expect(stderr).toContain(message)
  })
})
