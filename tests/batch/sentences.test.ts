import { expect, test } from 'vitest'
import { compileCheck, refusedBy } from '../helpers/page.ts'

/** Checks a value by a rule. Returns the messages. */
function tell(rule: object, value: unknown): string[] {
  const items = { type: 'object', required: ['path'], properties: { value: rule } }
  const check = compileCheck({ type: 'array', items })
  return refusedBy(check, [{ path: '/a', value }]).map(({ message }) => message)
}

test.each(['date', 'time', 'date-time'])(
  'the message about the format "%s" has an example that fits it',
  (format) => {
    const [message = ''] = tell({ format }, '\\ ')
    const [, example] =
      /^must have the format "\S+", a.+ such as "(.+)", but is /.exec(message) ?? []
    expect(example, message).toBeDefined()
    expect(tell({ format }, example)).toEqual([])
  },
)
