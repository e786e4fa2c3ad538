import { expect, test } from 'vitest'
import { isBeforeRecord, isRefusal, stageOf } from '../../src/fault/codes.ts'
import type { AnyCode } from '../../src/fault/facts.ts'

test.each<AnyCode>([
  'schema.type',
  'content.fails',
  'html.tag',
  'id.missing',
  'path.repeated',
  'reference.value',
  'rule.path',
])('a problem of the code %s refuses its record', (code) => {
  expect(isRefusal({ code, record: 3 })).toBe(true)
  expect(isRefusal({ code, record: null })).toBe(false)
})

test.each<AnyCode>([
  'json.end',
  'front-matter.end',
  'loss.number',
  'path.conflict',
  'link.nowhere',
  'reference.nowhere',
  'order.before',
  'schema.unique',
  'schema.near-key',
])('a problem of the code %s refuses no single record', (code) => {
  expect(isRefusal({ code, record: 3 })).toBe(false)
})

test.each<AnyCode>(['json.end', 'yaml.tab'])('%s is a code of the syntax', (code) => {
  expect(stageOf(code)).toBe('syntax')
})

test.each<AnyCode>(['yaml.tab', 'front-matter.end', 'loss.number', 'schema.type'])(
  '%s shows before a function of the owner sees the record',
  (code) => {
    expect(isBeforeRecord(code)).toBe(true)
  },
)

test.each<AnyCode>(['schema.unique', 'rule.schema', 'path.repeated', 'html.tag'])(
  '%s shows only after a function of the owner has seen the record',
  (code) => {
    expect(isBeforeRecord(code)).toBe(false)
  },
)
