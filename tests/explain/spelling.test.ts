import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPage } from '../helpers/hostile-batches.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, page, read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const check = compileCheck()

const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
/** The same batch as programs write it. */
const SPELLINGS: Record<string, (batch: unknown) => string> = {
  'JSON.stringify': (batch) => JSON.stringify(batch),
  'our generator': (batch) => `${JSON.stringify(batch, null, 2)}\n`,
  'json_encode of PHP': (batch) =>
    JSON.stringify(batch)
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, toEscape),
  'MarshalIndent of Go': (batch) =>
    JSON.stringify(batch, null, '\t').replace(/[<>&\u2028\u2029]/g, toEscape),
  'a program of Windows': (batch) => JSON.stringify(batch, null, 4).replaceAll('\n', '\r\n'),
  'one that escapes every letter': (batch) =>
    JSON.stringify(batch).replace(/\\u[0-9a-f]{4}|\\.|[a-z]/g, (one, at, text) => {
      const isInString = (text.slice(0, at).replace(/\\./g, '').split('"').length - 1) % 2 === 1
      return isInString && one.length === 1 ? toEscape(one).toUpperCase().replace('U', 'u') : one
    }),
}

/** The pages of a batch and its problems, without their places. */
function readText(text: string) {
  const { records, items, problems } = read('a.json', Buffer.from(text), check)
  const messages = problems.map(({ record, id, pointer, message }) => [
    record,
    id,
    pointer,
    message,
  ])
  return { records, items, messages }
}

describe('a batch has the same pages and the same problems, however it is spelled', () => {
  const anyRecord = fc.oneof(
    { weight: 3, arbitrary: anyPage },
    fc.constantFrom({}, null, 7, page({ title: 'Größe "/<&>" \\ 😀' }), { ...page(), 'é/': 1 }),
  )
  property([fc.array(anyRecord, { maxLength: 6 })], { numRuns: times(60) })(
    'by any program',
    (batch) => {
      const expected = readText(JSON.stringify(batch))
      expect(expected.records).toBe(batch.length)
      for (const [program, spell] of Object.entries(SPELLINGS)) {
        expect({ program, ...readText(spell(batch)) }).toEqual({ program, ...expected })
      }
    },
  )
})

test('the order of keys does not change whether a record is valid', () => {
  const { items } = read(
    'a.json',
    Buffer.from(JSON.stringify([page(), Object.fromEntries(Object.entries(page()).reverse())])),
    check,
  )
  expect(items.map(({ index }) => index)).toEqual([0, 1])
})
