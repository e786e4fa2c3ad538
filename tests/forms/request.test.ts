import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeType,
  faultsOf,
  isFromElsewhere,
  isUrlEncodedForm,
  parseFields,
  sortOut,
} from '../../src/forms/receive/request.ts'
import {
  FIELD_TYPES,
  type FieldDefinition,
  type FieldType,
  HONEYPOT,
  TICKED,
} from '../../src/page/form-fields.ts'
import { anyText, property } from '../helpers/property.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a body', () => {
  property([fc.array(fc.tuple(anyText, anyText))])(
    'that a browser encoded is parsed into the same fields',
    (fields) => {
      expect(parseFields(bytes(new URLSearchParams(fields).toString()))).toEqual(fields)
    },
  )

  for (const text of ['', '&&a=1&&b', '=a', 'a=b=c', 'a+b+c=d+e+f', 'é=ü', '\ufeffa=%EF%BB%BF']) {
    it(`of ${JSON.stringify(text)} is parsed as the URL Standard requires`, () => {
      expect(parseFields(bytes(text))).toEqual([...new URLSearchParams(`?${text}`)])
    })
  }

  it('is decoded only as far as its fields count', () => {
    expect(parseFields(bytes('a=1&&b=2&c=%'), 2)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  for (const [what, body] of [
    ['a percent sign alone', bytes('a=100%')],
    ['a percent sign with letters', bytes('a=%zz')],
    ['a percent sign in a name', bytes('%=a')],
    ['a byte of Latin-1', Uint8Array.of(0x61, 0x3d, 0xfc)],
    ['a lone surrogate', bytes('a=%ED%A0%80')],
  ] as const) {
    it(`with ${what} is malformed`, () => {
      expect(parseFields(body)).toBeUndefined()
    })
  }
})

describe('a form', () => {
  const field = (type: FieldDefinition['type'], required: boolean): FieldDefinition => {
    return { name: 'field', label: 'Field', type, placeholder: 'x', required }
  }
  const isFine = (type: FieldDefinition['type'], value: string, required = true) =>
    faultsOf({ fields: [field(type, required)] }, [['field', value]]).size === 0

  it('accepts missing and empty fields that are optional', () => {
    for (const type of Object.keys(FIELD_TYPES) as FieldType[]) {
      expect(faultsOf({ fields: [field(type, false)] }, [])).toEqual(new Map())
      expect(isFine(type, '', false)).toBe(true)
    }
  })

  it('reports missing required fields, in the order of its fields', () => {
    const fields = [
      { ...field('text', true), name: 'b', label: 'Second Letter' },
      { ...field('email', true), name: 'a', label: 'First Letter' },
    ]
    expect([...faultsOf({ fields }, [])]).toEqual([
      ['b', 'Fill in “Second Letter”'],
      ['a', 'Fill in “First Letter”'],
    ])
  })

  it('accepts white space as text, but not line breaks alone in a single-line field', () => {
    expect(isFine('text', ' ')).toBe(true)
    expect(isFine('text', '\r\n')).toBe(false)
    expect(isFine('textarea', '\r\n')).toBe(true)
    expect(isFine('email', ' \r\n')).toBe(false)
    // Firefox sends the domain as it was typed.
    expect(isFine('email', ' ada@münchen.de')).toBe(true)
    expect(isFine('email', 'ada@müünchen .de')).toBe(false)
    expect(isFine('email', 'ädä@example.com')).toBe(false)
  })

  it('accepts a choice and a tick only as browsers send them', () => {
    const select = { ...field('select', true), options: ['a', 'b'] }
    const checkbox = field('checkbox', true)
    const messages = (of: FieldDefinition, ...sent: string[]) => {
      const fields = sent.map((value) => ['field', value] as const)
      return [...faultsOf({ fields: [of] }, fields).values()]
    }
    expect([messages(select, 'b'), messages(checkbox, TICKED)]).toEqual([[], []])
    for (const sent of [[''], [], ['c'], ['b '], ['constructor']]) {
      expect(messages(select, ...sent)).toEqual(['Choose one of “Field”'])
      expect(messages(checkbox, ...sent)).toEqual(['Tick “Field”'])
    }
    expect(messages({ ...select, required: false }, 'c')).toEqual(['Choose one of “Field”'])
    expect(messages({ ...checkbox, required: false }, 'on')).toEqual(['Tick “Field”'])
  })

  it('says what an e-mail address looks like', () => {
    const faults = faultsOf({ fields: [field('email', true)] }, [['field', 'ada']])
    const message = 'Fill in “Field” with an e-mail address, such as you@example.com'
    expect(faults).toEqual(new Map([['field', message]]))
  })

  it('reports a field that was sent twice, known or not', () => {
    const fields = [
      ['field', 'a'],
      ['field', 'a'],
      ['__proto__', 'b'],
      ['__proto__', 'c'],
      ['once', 'd'],
    ] as const
    expect([...faultsOf({ fields: [field('text', true)] }, fields)]).toEqual([
      ['field', '“Field” was sent twice'],
      ['__proto__', 'A field was sent twice'],
    ])
  })

  it('accepts a field that it does not have', () => {
    const fields = [
      ['constructor', 'a'],
      ['field', 'a'],
    ] as const
    expect(faultsOf({ fields: [field('text', true)] }, fields)).toEqual(new Map())
  })
})

it('fields are stored as sent, and even an empty honeypot makes a submission suspect', () => {
  const sent = [
    ['email', ' a@b.example '],
    ['name', 'x\r\ny'],
  ] as const
  expect(sortOut(sent)).toEqual({ fields: sent, isSuspect: false })
  expect(sortOut([...sent, [HONEYPOT, '']])).toEqual({ fields: sent, isSuspect: true })
})

describe('the media type', () => {
  const type = 'application/x-www-form-urlencoded'
  for (const accepted of [
    type,
    `${type};charset=UTF-8`,
    `${type};charset=utf8`,
    type.toUpperCase(),
    `${type} ; charset="utf-8"`,
  ]) {
    it(`${accepted} is a form`, () => {
      expect(isUrlEncodedForm({ 'content-type': accepted })).toBe(true)
    })
  }
  for (const refused of [
    undefined,
    'text/plain',
    `${type}; charset=iso-8859-1`,
    `${type}; charset=utf-8x`,
    `${type}; charset=not-utf-8`,
    `${type}x`,
    `x, ${type}`,
  ]) {
    it(`${refused} is not a form`, () => {
      expect(isUrlEncodedForm({ 'content-type': refused })).toBe(false)
    })
  }

  it.each([
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 'multipart/form-data'],
    [{ 'content-type': `${type}; charset=iso-8859-1` }, `${type}; charset=iso-8859-1`],
    [{ 'content-type': type, 'content-encoding': 'gzip' }, `${type}, compressed with gzip`],
    [{ 'content-type': type, 'content-encoding': 'identity' }, type],
    [{}, 'a body without a Content-Type'],
    [{ 'content-type': 'x'.repeat(101) }, `${'x'.repeat(99)}…`],
  ])('%j is shown as what it is', (headers, shown) => {
    expect(describeType(headers)).toBe(shown)
  })

  it.each([
    ['identity', true],
    ['gzip', false],
  ])('with the content encoding %s is a form: %s', (encoding, isForm) => {
    expect(isUrlEncodedForm({ 'content-type': type, 'content-encoding': encoding })).toBe(isForm)
  })
})

describe('the origin', () => {
  const host = 'pages.example'
  const trusted = new Set(['https://trusted.example', 'https://trusted.example:8443'])

  /** The cases of Go's own test of `http.CrossOriginProtection`, and those that differ here. */
  const cases = [
    ['same-origin', undefined, true],
    ['none', undefined, true],
    ['same-site', undefined, false],
    ['cross-site', undefined, false],
    ['same-origin', 'https://other.example', true],
    ['cross-site', 'https://pages.example', false],
    ['cross-site', 'https://trusted.example', true],
    ['same-site', 'https://trusted.example:8443', true],
    ['cross-site', 'http://trusted.example', false],
    [undefined, undefined, true],
    [undefined, 'https://pages.example', true],
    [undefined, 'http://pages.example', true],
    [undefined, 'https://pages.example:443', true],
    [undefined, 'https://pages.example:8443', false],
    [undefined, 'https://other.example', false],
    [undefined, 'https://pages.example.other.example', false],
    [undefined, 'null', false],
    [undefined, 'pages.example', false],
    [undefined, 'https://trusted.example', true],
  ] as const

  for (const [secFetchSite, origin, isAllowed] of cases) {
    const from = `Sec-Fetch-Site ${secFetchSite} and Origin ${origin}`
    it(`${from} ${isAllowed ? 'may send' : 'may not send'}`, () => {
      const headers = { 'sec-fetch-site': secFetchSite, origin, host }
      expect(isFromElsewhere(headers, trusted)).toBe(!isAllowed)
    })
  }

  it.each([
    ['http://pages.example', 'pages.example:80', true],
    ['https://pages.example', 'pages.example:443', true],
    ['https://pages.example', 'Pages.Example', true],
    ['https://pages.example', 'pages.example:80', false],
    ['https://pages.example', undefined, false],
    ['http://[::1]:4173', '[::1]:4173', true],
  ])('the origin %s is that of the host %s: %s', (origin, host, isSame) => {
    expect(isFromElsewhere({ origin, host }, new Set())).toBe(!isSame)
  })
})
