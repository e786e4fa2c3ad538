/** YAML values that aren't read as they're written are always reported. */
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import { createCollections } from '../helpers/collections.ts'

const TEXT = { type: 'string' }

/** Returns the messages about a list of records in YAML. */
function createList(list: string, properties?: object) {
  const config: CollectionConfig = { files: 'list.yaml', id: 'id' }
  const schema = { items: { type: 'object', properties } }
  return properties
    ? createCollections(
        { 'list.yaml': list, 's.json': schema },
        { list: { ...config, schema: 's.json' } },
      )
    : createCollections({ 'list.yaml': list }, { list: config })
}

describe('a postcode with a zero before it', () => {
  const LIST = '- id: a\n  zip: 02142\n'
  const SENTENCE =
    'This is read as the number 2142. If each character of 02142 counts, as in a postcode, put it in quotes: "02142". If it\'s a number, write 2142.'

  test.each<[string, object | undefined]>([
    ['without a schema', undefined],
    ['if the schema allows text and numbers', { zip: { type: ['integer', 'string'] } }],
    ['if the schema wants a number', { zip: { type: 'integer' } }],
  ])('is a warning %s, and a problem with --strict', async (_, properties) => {
    const { run, problems } = createList(LIST, properties)
    const { status, stdout } = await run('check')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^YAML {2}1 place where .* the first at list\.yaml:2:8: This is read/m)
    expect(await problems('--strict')).toEqual([`list.yaml:2:8 /0/zip: ${SENTENCE}`])
  })

  test.each<[string, object]>([
    ['text', { zip: TEXT }],
    ['one of two kinds', { zip: { anyOf: [{ type: 'string' }, { type: 'object' }] } }],
  ])('is named once if the schema wants %s', async (_, properties) => {
    const { problems } = createList(LIST, properties)
    const [problem, ...others] = await problems('--strict')
    expect(problem).toContain('list.yaml:2:8 /0/zip: This must be ')
    expect(others).toEqual([])
  })
})

describe('the key NO', () => {
  const LIST = '- id: a\n  names: { NO: Norway }\n'
  const SENTENCE = 'In YAML 1.1, which some programs read, NO is false. Put quotes around it.'

  test.each<[string, object | undefined]>([
    ['without a schema', undefined],
    ['if the schema allows it by a pattern', { names: { patternProperties: { '^..$': TEXT } } }],
  ])('is a warning %s, and a problem with --strict', async (_, properties) => {
    const { run, problems } = createList(LIST, properties)
    const { status, stdout } = await run('check')
    expect(status).toBe(0)
    expect(stdout).toContain(`the first at list.yaml:2:12: ${SENTENCE}`)
    expect(await problems('--strict')).toEqual([`list.yaml:2:12 /0/names/NO: ${SENTENCE}`])
  })

  test.each(['schema', 'recordSchema'])('is known to be text if a %s names it', async (use) => {
    const record = { properties: { names: { properties: { NO: TEXT } } } }
    const { problems } = createCollections(
      { 'list.yaml': LIST, 's.json': use === 'schema' ? { items: record } : record },
      { list: { files: 'list.yaml', id: 'id', [use]: 's.json' } },
    )
    expect(await problems('--strict')).toEqual([])
  })
})

describe('a # without a space after it', () => {
  test('that cuts a text is a warning, and a problem with --strict', async () => {
    const { run, problems } = createList('- id: a\n  title: Etude #3 in blue\n', { title: TEXT })
    const { status, stdout } = await run('check')
    expect(status).toBe(0)
    expect(stdout).toContain('the first at list.yaml:2:16: The value ends before #3 in blue')
    expect(await problems('--strict')).toEqual([
      'list.yaml:2:16 /0/title: The value ends before #3 in blue, because a # after a space begins a comment. If this is part of the text, put the whole text in quotes: "Etude #3 in blue". If it\'s a comment, write a space after the #.',
    ])
  })

  test('that leaves no value is a warning where null is allowed', async () => {
    const { problems } = createList('- id: a\n  title: #3\n')
    expect(await problems('--strict')).toEqual([
      "list.yaml:2:10 /0/title: There's no value here, because #3 is a comment: a # after a space begins one. If it's the value, put it in quotes: \"#3\". If it's a comment, write a space after the #.",
    ])
  })

  test.each<[string, object]>([
    ['This must be text, but it is null', TEXT],
    ['The value null isn\'t allowed here. Allowed: "#3", "b". It\'s null', { enum: ['#3', 'b'] }],
    ["The value null must not be null. It's null", { not: { type: 'null' } }],
  ])('is named once if the schema refuses null: %s', async (beginning, title) => {
    const { problems } = createList('- id: a\n  title: #3\n', { title })
    expect(await problems('--strict')).toEqual([
      `list.yaml:2:3 /0/title: ${beginning}, because #3 is a comment: a # after a space begins one. If it's the value, put it in quotes: "#3".`,
    ])
  })
})

describe('merge keys of one map', () => {
  const LIST = '- &first { id: a }\n- &second { id: b }\n- &third { id: c }\n'

  test('become one, with a list of what they name', async () => {
    const { problems } = createList(
      `${LIST}-\n  <<: *first\n  <<: *second\n  <<: *third\n  id: d\n`,
    )
    const advice = (list: string) => `Write one, with a list: <<: [${list}].`
    expect(await problems()).toEqual([
      expect.stringContaining(advice('*first, *second')),
      expect.stringContaining(advice('*first, *second, *third')),
    ])
  })

  test('that hold objects of their own get an example', async () => {
    const { problems } = createList(`${LIST}-\n  <<: { a: 1 }\n  <<: *second\n  id: d\n`)
    expect(await problems()).toEqual([expect.stringContaining('<<: [*a, *b].')])
  })
})

test('dates stay without a warning where no schema speaks of them', async () => {
  const { problems } = createList('- id: a\n  day: 2026-11-28\n  mode: 0o644\n  count: 1_000\n')
  expect(await problems('--strict')).toEqual([])
})
