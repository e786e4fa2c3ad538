import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/fix.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { compileCheck, read } from '../helpers/page.ts'

/** Checks the text of a batch by the schema of a record. Returns the messages. */
function messagesAbout(text: string, record: object, more: object = {}): string[] {
  const check = compileCheck({ type: 'array', items: record, ...more })
  return read('a.json', Buffer.from(text), check, 0, {}).problems.map(({ message }) => message)
}

/** Checks one value that a record has under the key `value`. */
function messagesAboutValue(value: unknown, schema: object): string[] {
  const record = { type: 'object', required: ['path'], properties: { value: schema } }
  return messagesAbout(JSON.stringify([{ path: '/a', value }]), record)
}

describe('a message states what is there, what is allowed, and what to do', () => {
  test('a repeated item', () => {
    expect(messagesAboutValue(['x', 'x'], { uniqueItems: true })).toEqual([
      '"x" is already in this list, as item 1.',
    ])
  })

  test.each([
    [
      '{ "n": "A",\n"n": "B" }',
      'another value. Keep the right one. If both are needed, rename one, or put it into another object.',
    ],
    ['{ "n": [1, { "a": 2 }],\n"n": [1,{"a":2}] }', 'the same value. Remove one of the two.'],
    ['{ "n": 1, "m": 1,\n"n": { "a": [1] } }', 'another value. Keep the right one.'],
  ])('a key that is twice in one object: %s', (object, rest) => {
    const [message] = messagesAbout(`[${object}]`, { required: ['n'] })
    expect(message).toContain(`The key "n" is already in this object, at line 1, with ${rest}`)
  })

  test.each([
    ['[1]', '[2]', 'Put the items of both lists under one key.'],
    ['{ "a": 1 }', '{ "b": 1 }', 'Rename one, or put the keys of both under one.'],
  ])('a key that is twice, with %s and %s, loses nothing', (first, second, advice) => {
    expect(messagesAbout(`[{ "n": ${first},\n"n": ${second} }]`, {})).toEqual([
      `The key "n" is already in this object, at line 1. ${advice}`,
    ])
  })

  test.each([
    [{ enum: ['string', 'cidr'] }, 'It must be "string" or "cidr".'],
    [{ $ref: '#/$defs/port' }, 'It must be a whole number.'],
    [{ type: 'array', items: { type: 'string' } }, 'It must be a list [ ].'],
  ])('what a missing key must be: %j', (schema, rest) => {
    const record = { properties: { type: schema }, required: ['type'] }
    const more = { $defs: { port: { type: 'integer' } } }
    expect(messagesAbout('[{}]', record, more)).toEqual([`The key "type" is missing. ${rest}`])
  })

  test('what each of two missing keys must be', () => {
    const record = { properties: { a: { const: 1 }, b: { type: 'string' } }, required: ['a', 'b'] }
    expect(messagesAbout('[{}]', record)).toEqual([
      'The keys "a" and "b" are missing. "a" must be 1. "b" must be text.',
    ])
  })

  test('the number of another field with the same name counts from 1', () => {
    const facts = { name: 'email', earlier: 0 }
    const saying = { code: 'form.repeated-name', facts } as const
    expect(sentenceOf(saying)).toBe('"email" is already the name of field 1.')
  })

  test('an empty item, and null', () => {
    const rule = { items: { pattern: '^[a-f]+$' } }
    expect(messagesAboutValue([''], rule)).toEqual([
      "An empty text doesn't match the pattern ^[a-f]+$ of the schema. Write the item, or remove it.",
    ])
    expect(messagesAboutValue(null, { type: 'string' })).toEqual([
      "This must be text, but it is null. Write a value, or remove the key if it isn't required.",
    ])
  })

  test('a text near to one that a pattern allows', () => {
    expect(messagesAboutValue('2020.06', { pattern: '^\\d{4}-\\d{2}$' })).toEqual([
      '"2020.06" doesn\'t match the pattern ^\\d{4}-\\d{2}$ of the schema. Nearest: "2020-06".',
    ])
  })

  test('an invisible character in a value', () => {
    expect(messagesAboutValue('https://a\u200b.com', { format: 'uri' })).toEqual([
      expect.stringContaining(" (with the invisible character U+200B) isn't a full address"),
    ])
  })

  test.each([
    ['https://a.example/#value③', "An address can't have ③."],
    ['https://a.example/a b', "An address can't have spaces."],
    ['https://a.example/<b>', "An address can't have <."],
  ])('a character that no address has: %s', (value, end) => {
    expect(messagesAboutValue(value, { format: 'uri' })).toEqual([
      `"${value}" isn't a full address such as "https://example.com/about" (format "uri"). ${end}`,
    ])
  })

  test('a number between two multiples', () => {
    expect(messagesAboutValue(78.003, { multipleOf: 0.01 })).toEqual([
      "The number 78.003 isn't a multiple of 0.01. Nearest: 78, 78.01.",
    ])
  })

  test('a key one level too deep', () => {
    const o = { additionalProperties: false, properties: { mail: {} } }
    const schema = { additionalProperties: false, properties: { n: {}, o } }
    expect(messagesAboutValue({ o: { n: 1 } }, schema)).toEqual([
      'The key "n" isn\'t allowed inside "o", but beside it. Allowed here: "mail".',
    ])
  })

  test('a key one level too high', () => {
    const o = { additionalProperties: false, properties: { mail: {} } }
    const schema = { additionalProperties: false, properties: { o } }
    expect(messagesAboutValue({ mail: 1 }, schema)).toEqual([
      'The key "mail" isn\'t allowed here, but inside "o". Allowed here: "o".',
    ])
  })

  test('a key two levels too deep, through a list', () => {
    const item = { additionalProperties: false, properties: { mail: {} } }
    const list = { additionalProperties: false, properties: { list: { items: item } } }
    const schema = { additionalProperties: false, properties: { n: {}, o: list } }
    expect(messagesAboutValue({ o: { list: [{ n: 1 }] } }, schema)).toEqual([
      'The key "n" isn\'t allowed here, but beside "o", 2 levels higher. Allowed here: "mail".',
    ])
  })

  test('a key in a list, of what may also be an object with that key', () => {
    const object = { type: 'object', properties: { n: {} } }
    const list = { type: 'array', items: { additionalProperties: false, properties: { mail: {} } } }
    expect(messagesAboutValue([{ n: 'A' }], { anyOf: [object, list] })).toEqual([
      'The key "n" isn\'t allowed here. Allowed: "mail".',
    ])
  })

  test('a key one level too deep in what may also be in a list', () => {
    const flag = { additionalProperties: false, properties: { type: {} } }
    const one = { additionalProperties: false, properties: { notes: {}, flags: { items: flag } } }
    const schema = { anyOf: [one, { type: 'array', items: one }] }
    expect(messagesAboutValue({ flags: [{ notes: 1 }] }, schema)).toEqual([
      'The key "notes" isn\'t allowed inside "flags", but beside it. Allowed here: "type".',
    ])
  })

  test('a key that the value of another one forbids', () => {
    const schema = {
      if: { properties: { method: { const: 'cash' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { cardNumber: false } },
    }
    expect(messagesAboutValue({ method: 'cash', cardNumber: 1 }, schema)).toEqual([
      '"cardNumber" isn\'t allowed when "method" is "cash".',
    ])
  })

  test('a key that only another kind has', () => {
    const kind = (name: string, key: string) => ({
      ...{ type: 'object', additionalProperties: false, required: ['method'] },
      properties: { method: { const: name }, [key]: {} },
    })
    const schema = { anyOf: [kind('card', 'cardNumber'), kind('cash', 'change')] }
    expect(messagesAboutValue({ method: 'cash', cardNumber: 1 }, schema)).toEqual([
      'The key "cardNumber" isn\'t allowed beside the other keys of this object.',
    ])
  })

  test.each([
    ['12345678901234567000', 'This number is too long: it would be read as 12345678901234567000.'],
    ['1e400', 'This number is too large to be read.'],
    ['1e-400', 'This number is too small: it would be read as 0.'],
  ])('the number %s', (number, beginning) => {
    const text = `[{ "n": ${number.replace(/000$/, '891')} }]`
    expect(messagesAbout(text, { type: 'object', required: ['n'] })).toEqual([
      `${beginning} In double quotes it stays as it is, if the schema allows text here.`,
    ])
  })
})

describe('"contains" and "not" name what they are about', () => {
  test.each<[string, object, unknown, string]>([
    [
      'a value',
      { minContains: 2, contains: { const: 'yes' } },
      ['yes', 'no'],
      'At least 2 items of this list must be "yes"; there is 1.',
    ],
    [
      'a key of an object',
      { minContains: 1, maxContains: 1, contains: { properties: { kind: { const: 'main' } } } },
      [{ kind: 'side' }],
      'Exactly 1 item of this list must have "kind": "main"; there is none.',
    ],
    [
      'no words',
      { contains: { type: 'array', contains: {} } },
      [1],
      'must fit the "contains" of the schema',
    ],
    [
      'two keys',
      { not: { required: ['role', 'video'] } },
      { role: 1, video: 2 },
      'The keys "role" and "video" aren\'t allowed together.',
    ],
    [
      'one key',
      { not: { required: ['draft'] } },
      { draft: 1 },
      'The key "draft" isn\'t allowed here.',
    ],
    [
      'the kind that fits',
      { not: { anyOf: [{ required: ['a'] }, { required: ['b'] }] } },
      { b: 1 },
      'The key "b" isn\'t allowed here.',
    ],
    ['a value', { not: { enum: ['USD', 'EUR'] } }, 'USD', '"USD" isn\'t allowed here.'],
    [
      'the value of a key',
      { not: { required: ['alias'], properties: { alias: { const: 'plain' } } } },
      { alias: 'plain' },
      '"alias" must not be "plain".',
    ],
    [
      'a pattern',
      { not: { pattern: '\\s' } },
      'a b',
      '"a b" must not match the pattern \\s of the schema.',
    ],
    ['a type', { not: { type: 'array' } }, [1], 'This list must not be a list [ ].'],
    ['no words', { not: { items: {} } }, [1], "This list isn't allowed here."],
    [
      'a value of a key that is not there',
      { not: { properties: { status: { const: 'draft' } } } },
      { title: 'a' },
      "This object isn't allowed here.",
    ],
  ])('%s: %j', (_, schema, value, message) => {
    const record = { type: 'object', required: ['path'], properties: { value: schema } }
    const text = JSON.stringify([{ path: '/a', value }])
    expect(messagesAbout(text, record)).toEqual([expect.stringContaining(message)])
  })
})

describe('texts that are cut show the part in which they differ', () => {
  const start = `https://a.example/${'x'.repeat(60)}`
  const [flowers, trees] = [`${start}/flowers`, `${start}/trees`]

  test('a near text', () => {
    const [message] = messagesAboutValue(`${start}/flowrs`, { enum: [flowers, 'a'] })
    expect(message).toMatch(/ Nearest: "…x+\/flowers"\.$/)
  })

  test('the texts that are allowed', () => {
    const [message] = messagesAboutValue('b', { enum: [flowers, trees, 'c'] })
    expect(message).toMatch(/ Allowed: "…x+\/flowers", "…x+\/trees", "c"\.$/)
  })

  test('the only text that is allowed', () => {
    const [message] = messagesAboutValue(`${start}/flowrs`, { const: flowers })
    expect(message).toMatch(/ Allowed: "…x+\/flowers"\.$/)
  })

  test('the kinds that are allowed', () => {
    const schema = { anyOf: [{ type: 'number' }, { enum: [flowers, trees] }] }
    const [message] = messagesAboutValue(true, schema)
    expect(message).toMatch(
      /^This must be a number, "…x+\/flowers" or "…x+\/trees", but it is true/,
    )
  })

  test('a near key', () => {
    const schema = { additionalProperties: false, properties: { [flowers]: {} } }
    const [message] = messagesAboutValue({ [`${start}/flowrs`]: 1 }, schema)
    expect(message).toMatch(/ Nearest: "…x+\/flowers"\.$/)
  })
})

test('the key that demands an item of a list is named', () => {
  const tags = { properties: { tags: { contains: { const: 'new' } } } }
  const schema = { dependentSchemas: { sale: tags } }
  expect(messagesAboutValue({ sale: 1, tags: ['a'] }, schema)).toEqual([
    'At least 1 item of this list must be "new"; there is none. This is required when "sale" is there.',
  ])
})

test('where a text or an object is allowed, the keys of the object are not listed as values', () => {
  const schema = {
    anyOf: [{ type: 'string' }, { type: 'object', propertyNames: { enum: ['en', 'de'] } }],
  }
  expect(messagesAboutValue({ english: 1 }, schema)).toEqual([
    'The key "english" isn\'t allowed here. Allowed: "en", "de".',
  ])
})

test('the patterns of keys are named beside the keys', () => {
  const schema = {
    ...{ additionalProperties: false, properties: { meta: {} } },
    patternProperties: { '^nav-': {}, '^x-': {} },
  }
  expect(messagesAboutValue({ nav_home: 1 }, schema)).toEqual([
    'The key "nav_home" isn\'t allowed here. Allowed: "meta", and keys that match the pattern ^nav- or ^x-.',
  ])
})

test.each([
  ['https://a.example/③', false],
  ['10 m²', false],
  ['1ª edition', false],
  ['drаft', true],
  ['2020–21 draft', true],
  ['ｄraft', true],
])('the message about %j names a character that only looks like ASCII: %s', (value, isSaid) => {
  const [message] = messagesAboutValue(value, { enum: ['x'] })
  expect(/ is U\+[0-9A-F]+, not /.test(message ?? '')).toBe(isSaid)
})

test('texts that differ only in their Unicode normal form are explained and fixed', () => {
  const record = {
    type: 'object',
    required: ['name'],
    properties: { name: { enum: ['café', 'bar'] } },
  }
  const check = compileCheck({ type: 'array', items: record })
  const bytes = Buffer.from(JSON.stringify([{ name: 'cafe\u0301' }]))
  const problemsOf = (text: Buffer) => read('a.json', text, check, 0, {}).problems

  expect(problemsOf(bytes).map(({ message }) => message)).toEqual([
    '"cafe\u0301" isn\'t allowed here. Allowed: "café", "bar". Nearest: "café", which looks the same, but has é as U+00E9 instead of U+0065 U+0301 (--fix writes it).',
  ])
  expect(String(fixBatch(bytes, problemsOf).bytes)).toBe('[{"name":"café"}]')
})

describe('of an object that may have other keys', () => {
  const record = { type: 'object', required: ['petType'], properties: { petType: {} } }

  test('a key that a missing one is near to is named', () => {
    expect(messagesAbout('[{ "petTpye": "cat" }]', record)).toEqual([
      'The key "petTpye" isn\'t in the schema. Nearest: "petType", which is missing.',
    ])
  })

  test('but not one whose name the schema allows', () => {
    const named = { ...record, patternProperties: { '^pett': {} } }
    expect(messagesAbout('[{ "pettype": "cat" }]', named)).toEqual([
      'The key "petType" is missing.',
    ])
    const listed = { ...record, additionalProperties: { type: 'string' } }
    expect(messagesAbout('[{ "pettype": "cat" }]', listed)).toEqual([
      'The key "petType" is missing.',
    ])
  })
})

describe('keys are known', () => {
  const closed = { unevaluatedProperties: false, properties: { children: {} } }

  test('behind a $dynamicRef', () => {
    const node = {
      ...{ $dynamicAnchor: 'node', type: 'object', additionalProperties: false },
      properties: { title: {}, children: { items: { $dynamicRef: '#node' } } },
    }
    const record = { required: ['title'], $ref: '#/$defs/node' }
    const text = '[{ "title": 1, "children": [{ "titel": 1 }] }]'
    expect(messagesAbout(text, record, { $defs: { node } })).toEqual([
      'The key "titel" isn\'t allowed here. Nearest: "title".',
    ])
  })

  test.each(['https://a.example/schema.json#/$defs/node', 'schema.json#node', 'node.json'])(
    'behind the reference %s',
    ($ref) => {
      const node = { $id: 'node.json', $anchor: 'node', type: 'object', properties: { title: {} } }
      const anchored = { $anchor: 'node', type: 'object', properties: { title: {} } }
      const $defs = { node: $ref === 'node.json' ? node : anchored }
      const $id = 'https://a.example/schema.json'
      const record = {
        ...{ type: 'object', required: ['value'] },
        properties: { value: { $ref, ...closed } },
      }
      expect(messagesAbout('[{ "value": { "titel": 1 } }]', record, { $id, $defs })).toEqual([
        'The key "titel" isn\'t allowed here. Nearest: "title".',
      ])
    },
  )
})

test('the text "true" is fixed where only true is allowed', () => {
  expect(messagesAboutValue('true', { const: true })).toEqual([
    '"true" isn\'t allowed here. Allowed: true (--fix writes it).',
  ])
  expect(messagesAboutValue('false', { const: true })).toEqual([
    '"false" isn\'t allowed here. Allowed: true.',
  ])
})

describe('the message about a text that a pattern refuses names what would fit', () => {
  test.each([
    ['@jin', '^[-a-zA-Z0-9]*$', 'Without the @, it would match.'],
    ['#2088ff', '^[0-9a-f]{6}$', 'Without the #, it would match.'],
    ['v1.2.3', '^\\d+\\.\\d+\\.\\d+$', 'Without the v, it would match.'],
    ['https://a.example/', '^https://[a-z.]+$', 'Without the / at its end, it would match.'],
  ])('%s without a sign', (value, pattern, rest) => {
    expect(messagesAboutValue(value, { pattern })).toEqual([
      `"${value}" doesn't match the pattern ${pattern} of the schema. ${rest}`,
    ])
  })

  test('a number without its minus is another one', () => {
    expect(messagesAboutValue('-1', { pattern: '^\\d$' })).toEqual([
      '"-1" doesn\'t match the pattern ^\\d$ of the schema.',
    ])
  })

  test.each([
    ['with the sign before it', '2088ff', '^#[0-9a-f]{6}$', '#2088ff'],
    ['in capitals', '2088ff', '^[0-9A-F]{6}$', '2088FF'],
  ])('%s', (_, value, pattern, near) => {
    expect(messagesAboutValue(value, { pattern })).toEqual([
      `"${value}" doesn't match the pattern ${pattern} of the schema. Nearest: "${near}".`,
    ])
  })

  test('an example of the schema, if it fits', () => {
    const schema = { pattern: '^[A-Z]{2}-\\d+$', examples: ['no', 'AB-12'] }
    expect(messagesAboutValue('twelve', schema)).toEqual([
      '"twelve" doesn\'t match the pattern ^[A-Z]{2}-\\d+$ of the schema. Example: "AB-12".',
    ])
  })

  test('a value of another record that fits', () => {
    const record = {
      type: 'object',
      required: ['path'],
      properties: { tags: { items: { properties: { id: { pattern: '^[a-z]+-\\d$' } } } } },
    }
    const records = [
      { path: '/a', tags: [{ id: 1 }, { id: 'one two' }] },
      { path: '/b', tags: [{ id: 'no' }, { id: 'tram-2' }] },
    ]
    const [message] = messagesAbout(JSON.stringify(records), record)
    expect(message).toBe(
      '"one two" doesn\'t match the pattern ^[a-z]+-\\d$ of the schema. Example: "tram-2".',
    )
  })

  test('what its owner has written, as a part of a sentence or as a whole one', () => {
    const pattern = '^[a-z]+$'
    const part = { pattern, patternErrorMessage: 'must be small letters' }
    expect(messagesAboutValue('1', part)).toEqual([
      '"1" isn\'t allowed here: must be small letters.',
    ])
    const whole = { pattern, patternErrorMessage: 'Write small letters.' }
    expect(messagesAboutValue('1', whole)).toEqual([
      '"1" isn\'t allowed here. Write small letters.',
    ])
  })
})

test('the message about a value that fits no kind of a union names what each demands', () => {
  expect(messagesAboutValue(7, { anyOf: [{ multipleOf: 2 }, { minimum: 10 }] })).toEqual([
    "The number 7 isn't allowed here. It must be a multiple of 2, or be at least 10.",
  ])
})

describe('the message about a text that is not JSON names the mistake and its place', () => {
  /** Returns the message about a text, with the place as `line:column`. */
  function aboutSyntax(text: string): string {
    const check = compileCheck({ type: 'array', items: { type: 'object', required: ['path'] } })
    const [problem] = read('a.json', Buffer.from(text), check, 0, {}).problems
    return `${problem?.line}:${problem?.column} ${problem?.message}`
  }

  test.each([
    ['[None]', "1:2 None isn't valid JSON. Write null. If it's text, put it in double quotes."],
    ['["a""]', '1:5 There is one double quote too many here.'],
    [
      '["a", , "b"]',
      '1:7 A value is missing before this comma. Write it, or remove the comma (--fix removes it).',
    ],
    ['[1, , 3]', '1:5 A value is missing before this comma. Write it, or remove the comma.'],
    [
      '["a", "b",]',
      '1:10 Nothing comes after this comma. Remove it, or add what is missing (--fix removes it).',
    ],
    [
      '["\\d"]',
      '1:3 \\d has no meaning in JSON. To keep the backslash, write it twice: \\\\d. Otherwise, remove it.',
    ],
    [
      '[{ "url": "url": "https://a.example" }]',
      '1:11 Two keys come before one value, and "url" is the second. Remove one of them.',
    ],
    [
      '{"unit": "low": 3}',
      '1:10 Two keys come before one value, and "low" is the second. Write the value of "unit", or remove one of them.',
    ],
    ['{\n"unit":\n"low": 3,\n"high": 9\n}', '2:7 The value of "unit" is missing.'],
    [
      '{\n"unit"\n"low": 3\n}',
      '2:1 An object needs keys with values, but "unit" is alone. Add its value, or its key.',
    ],
    ['["a\tb"]', '1:4 A tab is in this text. Remove it, or write \\t.'],
    [
      '["a\u001bb"]',
      '1:4 An invisible character (U+001B) is in this text. Remove it, or write \\u001b.',
    ],
    [
      '["The word is \\\\"admin\\\\"."]',
      '1:17 The text "The word is \\\\" ends at this quote, but "admin" comes after it. In a text, \\\\ is one backslash: for a quote, write only \\".',
    ],
    ['{ "a": ("b": 1) }', "1:8 ( isn't a bracket of JSON. Write { instead."],
    [
      '{ "a": (1, 2) }',
      "1:8 ( isn't a bracket of JSON. For a list, write [ instead. Otherwise, remove it.",
    ],
    ['{"a": [1\n,\n"b": 2}', '1:9 A ] is missing here to close the list that begins at line 1.'],
    ['[{ "side": *south" }]', '1:12 A double quote is missing before this *.'],
    ['[{ "side": south" }]', '1:12 A double quote is missing before south.'],
    ['[{ "id": "a"" }]', '1:13 There is one double quote too many here.'],
    [
      '[1]\n]',
      '2:1 One ] is too many: the data of this file ends at line 1. Remove this ], or a wrong one before it.',
    ],
    [
      '[1,\u00a02]',
      "1:4 Here is an invisible character that JSON doesn't allow: U+00A0 (--fix writes a space).",
    ],
  ])('%s', (text, message) => {
    expect(aboutSyntax(text)).toBe(message)
  })

  test.each([
    [
      'of an object in a record, though the file only fails in the next one',
      [
        ...['[', '  {', '    "size": {', '      "width": 3', '    "name": "a"', '  },'],
        ...['  {', '    "name": "b"', '  }', ']'],
      ],
      '4:17 A } is missing here to close the object that begins at line 3.',
    ],
    [
      'of an object in a record, whose comma is there',
      [
        ...['[', '  {', '    "size": {', '      "width": 3,', '    "name": "a"', '  },'],
        ...['  {', '    "name": "b"', '  }', ']'],
      ],
      '4:17 A } is missing here to close the object that begins at line 3.',
    ],
    [
      'of a list in a record',
      ['[', '  {', '    "tags": [', '      "a"', '    "name": "a"', '  }', ']'],
      '4:10 A ] is missing here to close the list that begins at line 3.',
    ],
    [
      'of a record',
      ['[', '  {', '    "name": "a"', '  ,', '  {', '    "name": "b"', '  }', ']'],
      '3:16 A } is missing here to close the object that begins at line 2.',
    ],
    [
      'of the last record',
      ['[', '  {', '    "name": "a"', '  },', '  {', '    "name": "b"', ']'],
      '6:16 A } is missing here to close the object that begins at line 5.',
    ],
  ])('a bracket that is missing: %s', (_, lines, message) => {
    expect(aboutSyntax(`${lines.join('\n')}\n`)).toBe(message)
  })

  test('a bracket of the wrong kind is named itself', () => {
    const lines = [
      '[',
      '  {',
      '    "tags": [',
      '      "a"',
      '    },',
      '    "name": "a"',
      '  }',
      ']',
    ]
    expect(aboutSyntax(lines.join('\n'))).toBe(
      '5:5 A ] is needed instead: it closes the list that begins at line 3.',
    )
  })

  test('a fault that no bracket would fix is named itself', () => {
    const lines = ['{', '  "a": {', '    "b": 1', '  },', '"c" = 2', '}']
    expect(aboutSyntax(lines.join('\n'))).toBe('5:5 JSON needs a colon instead of = here.')
  })

  test.each([
    ['without indentation', '[\n{\n"a": {\n"b": 1,\n"c": 2\n},\n{\n"a": 1\n}\n]', '6:2'],
    ['in one line', '[{"a": {"b": 1, "c": 2}, {"a": 1}]', '1:24'],
  ])('the message about a file %s names the bracket that makes it JSON', (_, text, place) => {
    expect(aboutSyntax(text)).toContain(`${place} A } is missing here`)
  })

  test.each([
    ['{"a": #F5F5F5",\n"b": 1}', '1:7 A double quote is missing before this #.'],
    ['{"a": "include": [1] },\n"b": 1}', '1:7 A { is missing before "include".'],
    ['{"tags: ["a", "b"], "c": 1}', '1:7 A double quote is missing before this colon.'],
    ['{"job: "",\n"b": 1}', '1:6 A double quote is missing before this colon.'],
    ['{\n  "name": "a,\n  "b": 1\n}', '2:13 A double quote is missing before this comma.'],
    [
      '[\n{\n"a": "x""\n},\n\n{\n"b": "1",\n"c": 2\n},\n{\n"d": ,\n}\n]',
      '3:9 There is one double quote too many here.',
    ],
    [
      '{"r": {\n"A": {\n"x"\n},\n"B": {\n"y"\n}\n}\n}',
      '2:6 In an object { }, each value needs a key. For a list, write [ ] instead of this { and its } at line 4. For a single value, remove both.',
    ],
    ['{\n"a", 18,\n"b": 1}', '2:4 A colon belongs here instead of this comma.'],
    ['{\n"0.14.0", "broken on Mondays"\n}', '2:9 A colon belongs here instead of this comma.'],
    [
      '{ "a", "b" }',
      '1:6 A colon belongs here instead of this comma. For a list, write [ ] instead of the { } around it.',
    ],
    [
      '{ "a", "b", "c" }',
      '1:1 In an object { }, each value needs a key. For a list, write [ ] instead of this { and its } at line 1.',
    ],
    [
      '[{"a": 1}],\n{"a": 2}]',
      '1:10 This ] closes the list that begins at line 1, but more follows. Remove it.',
    ],
    ['[{"a": 1\n{"a": 2}]', '1:9 A } is missing here to close the object that begins at line 1.'],
    ['{"a": “"x"}', "1:7 “ (U+201C) doesn't belong here. Remove it."],
    ['["a"{, "b"]', '1:5 This { is one too many. Remove it.'],
    ['[\n{"a": 1},\n"a": 2}\n]', '3:1 A { is missing before "a".'],
    [
      '{"l": [\n{"a": 1,\n{"a": 2}\n]}',
      '2:8 A } is missing here to close the object that begins at line 2.',
    ],
    ['{"l": ["a"\n}', '1:11 A ] is missing here to close the list that begins at line 1.'],
    [
      '{"a": 1},\n"b": 2}',
      '1:8 This } closes the object that begins at line 1, but more keys follow. Remove it.',
    ],
    ['{"a" {"b": 1}}', '1:5 A colon is missing after the key "a".'],
    ['{"a", "x",\n"b": 1}', '1:5 A colon belongs here instead of this comma.'],
    ['{"a": \n}', '1:6 The value of "a" is missing.'],
    [
      '{"a": "x\n"}',
      '1:9 The closing quote of this text is at line 2. Move it to the end of this line.',
    ],
    ['json{"a": 1}', "1:1 json doesn't belong here. Remove it."],
    ['hello', "1:1 This file isn't JSON: it begins with hello. JSON begins with { or [."],
    ['{a: 1}', '1:2 A key needs double quotes: "a".'],
    [' \n', '1:1 This file has no data. It needs at least [] or {}.'],
    [
      '[\n  {\n    "a": 1',
      '3:11 The file ends too early. Missing: the } of the object that begins at line 2, and the ] of the list that begins at line 1.',
    ],
  ])('%j: what is wrong is named by the change that makes it JSON', (text, message) => {
    expect(aboutSyntax(text)).toBe(message)
  })

  test.each([
    ['[1,', '1:4 The file ends too early. A value must come, in the list that begins at line 1.'],
    [
      '{"a": 1,',
      '1:9 The file ends too early. A key in double quotes must come, in the object that begins at line 1.',
    ],
    ['{"a"', '1:5 The file ends too early. A colon must come.'],
  ])('the message about %j names what must come, and where', (text, message) => {
    expect(aboutSyntax(text)).toBe(message)
  })

  test('a bracket is only called one too many if the file is JSON without it', () => {
    const closedTooEarly = [
      '{',
      '"a": {',
      '"l": [',
      '1',
      '],',
      '"b": 2',
      '}',
      '],',
      '"c": 3,',
      '"d": 4',
      '}',
      '}',
    ]
    expect(aboutSyntax(closedTooEarly.join('\n'))).toBe(
      '8:1 "]" isn\'t allowed here. A comma must come, or the } of the object that begins at line 1.',
    )
    const noValue = ['{', '"a": {', '"b":', '},', '"c": 1,', '"d": 2', '}']
    expect(aboutSyntax(noValue.join('\n'))).toBe('3:5 The value of "b" is missing.')
  })

  test('an object among keys may lack its key, or have a bracket too many', () => {
    expect(aboutSyntax('{"a": 1,\n{"b": 2}\n}')).toBe(
      '2:1 This { needs a key and a colon before it. If its keys belong to the object around it, remove the { and its } at line 2.',
    )
  })

  test('the marks of a diff are named in one message', () => {
    const lines = [
      ' [',
      '   {',
      '-    "name": "b",',
      '+    "name": "a",',
      '+    "n": -1',
      '   }',
      ' ]',
    ]
    expect(aboutSyntax(lines.join('\n'))).toBe(
      '3:1 A diff was pasted into this file: its + and - signs are at lines 3, 4 and 5. Remove these signs, and each line that begins with -.',
    )
  })
})
