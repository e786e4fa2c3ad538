import { expect, test } from 'vitest'
import { compileCheck, refusedBy } from '../helpers/page.ts'

/** Checks a value by a rule. Returns the messages. */
function tell(rule: object, value: unknown): string[] {
  const items = { type: 'object', required: ['path'], properties: { value: rule } }
  const check = compileCheck({ type: 'array', items })
  return refusedBy(check, [{ path: '/a', value }]).map(({ message }) => message)
}

test.each([
  ...['date', 'time', 'date-time', 'duration', 'uri', 'url', 'uri-reference'],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
])('the message about the format "%s" has an example that fits it', (format) => {
  const [message = ''] = tell({ format }, '\\ ')
  const [, example] = /^must have the format "\S+", such as "(.+)", but is /.exec(message) ?? []
  expect(example, message).toBeDefined()
  expect(tell({ format }, example)).toEqual([])
})

test('a date in another order is refused with a date as it must be', () => {
  expect(tell({ format: 'date' }, '11.07.2026')).toEqual([
    'must have the format "date", such as "2026-07-11", but is "11.07.2026"',
  ])
})

test.each([
  [0.01, 0.015, 'must be a multiple of 0.01, so have at most 2 decimals, but is 0.015'],
  [0.1, 0.25, 'must be a multiple of 0.1, so have at most 1 decimal, but is 0.25'],
  [0.05, 0.01, 'must be a multiple of 0.05, but is 0.01'],
  [10, 5, 'must be a multiple of 10, but is 5'],
])('a value that is no multiple of %d is refused in plain words', (multipleOf, value, message) => {
  expect(tell({ multipleOf }, value)).toEqual([message])
})
