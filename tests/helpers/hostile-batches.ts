/** Batches from someone who tries to mislead the pipeline. */
import fc from 'fast-check'
import type { Page } from '../../scripts/samples/batches.ts'
import { emailField, formOf, nameField, page } from './page.ts'

const SPACES = ['', '', '', ' ', '\n', '\r\n', '\t', '  ', '\n      ']
const FRAGMENTS = [
  ...['A', 'text ', 'x'.repeat(70), '&amp;', '&#160;', '&#x1F600;', '/', '\\', '"', '\t', '\n'],
  ...['é', '’', '–', '漢字', '😀', '\u00a0', '\u2028', '\ufeff', '\uffff', '\u{10ffff}', '\u200b'],
  ...['},{', '",', '": "', '[', ']', '\\"', ',"title":', '\\u0041', '{"path":"/blog/001"}'],
]
const FAULTY_FRAGMENTS = [
  '<',
  '&',
  '\u0000',
  '\u007f',
  '\u0085',
  '</p><p>',
  '\ud800',
  '\udc00x',
  '<p>',
]

const anyText = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 1, arbitrary: fc.constantFrom(...FAULTY_FRAGMENTS) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((fragments) => fragments.join(''))
const anyBody = fc
  .array(anyText, { minLength: 1, maxLength: 5 })
  .map((texts) => texts.map((text) => `<p>${text}</p>`).join(''))
const anyId = fc.integer({ min: 1, max: 4 }).map((id) => `00${id}`)
const TIMES = [
  ...['2025-08-28T10:15:00.000Z', '2025-08-28T10:15:00.001Z', '2025-08-28T10:15:00Z'],
  ...['2025-08-28T12:15:00+02:00', '2024-02-29T00:00:00Z'],
  ...['2025-08-29T00:00:00.000Z', '2025-08-28T00:00:00.000Z'],
]
const FAULTY_TIMES = [
  '2025-02-30T00:00:00Z',
  '2025-08-28',
  '2025-08-28T10:15:61Z',
  '2025-08-28T23:59:60Z',
  '2025-08-28t10:15:00z',
]
const anyTimes = fc.oneof(
  { weight: 8, arbitrary: fc.constant([TIMES[0], TIMES[0]]) },
  { weight: 4, arbitrary: fc.constant([TIMES[0], TIMES[1]]) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...TIMES), fc.constantFrom(...TIMES)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...TIMES), fc.constantFrom(...FAULTY_TIMES)),
  },
)
const anyForm = fc.oneof(
  fc.constant(null),
  fc.constant({ fields: [nameField, emailField] }),
  fc.constant({ fields: [nameField, nameField] }),
  fc.constant(formOf({ label: 'Ä "quoted" \\ label 😀', required: false }) as Page['form']),
)
export const anyPage: fc.Arbitrary<Page> = fc
  .record({
    id: anyId,
    contentHtml: fc.oneof(anyBody, fc.constant('<p>A</p>')),
    form: anyForm,
    times: anyTimes,
  })
  .map(({ id, contentHtml, form, times: [createdAt = '', updatedAt = ''] }) =>
    page({ path: `/blog/${id}`, contentHtml, form, createdAt, updatedAt }),
  )
const anyRecord: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: anyPage },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        anyPage,
        fc.constantFrom('path', 'title', 'form', 'createdAt', 'extra', '__proto__', '1'),
        fc.jsonValue({ depthSize: 'small', maxDepth: 3 }),
      )
      .map(([page, key, value]) => ({ ...page, [key]: value })),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

/** A source of choices for writing JSON. Each is an integer below a limit. */
type Choose = (limit: number) => number

/** Writes a value as JSON in one of many notations, sometimes with a key too many. */
function write(value: unknown, choose: Choose, isWild: boolean): string {
  const space = () => SPACES[choose(SPACES.length)] as string
  const string = (text: string) => {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    if (!isWild) return JSON.stringify(text)
    const units = text.split('').map((unit) => {
      if (choose(12) === 0) return escaped(unit)
      return unit === '/' && choose(3) === 0
        ? '\\/'
        : unit < ' ' || /["\\]/.test(unit)
          ? JSON.stringify(unit).slice(1, -1)
          : unit
    })
    return `"${units.join('')}"`
  }
  if (typeof value === 'string') return string(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => `${space()}${write(item, choose, isWild)}${space()}`)
    return `[${items.join(',') || space()}]`
  }
  let entries = Object.entries(value)
  if (isWild && choose(4) === 0) entries = entries.reverse()
  if (isWild && choose(8) === 0) entries.push(entries[0] ?? ['a', 1])
  const members = entries.map(
    ([key, item]) =>
      `${space()}${string(key)}${space()}:${space()}${write(item, choose, isWild)}${space()}`,
  )
  return `{${members.join(',') || space()}}`
}

export const anyBatch = fc
  .record({
    records: fc.array(fc.tuple(anyRecord, fc.boolean()), { maxLength: 6 }),
    choices: fc.infiniteStream(fc.nat()),
    damage: fc.option(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        remove: fc.nat(3),
        insert: fc.constantFrom(
          '',
          ',',
          ']',
          '}',
          '"',
          '\\',
          ' ',
          'x',
          ':',
          '\u00ff',
          '\ufeff',
          '0',
        ),
        isRaw: fc.boolean(),
      }),
      { freq: 6 },
    ),
  })
  .map(({ records, choices, damage }) => {
    const choose: Choose = (limit) => (choices.next().value as number) % limit
    const space = () => SPACES[choose(SPACES.length)] as string
    const texts = records.map(
      ([record, isWild]) => `${space()}${write(record, choose, isWild)}${space()}`,
    )
    const bytes = Buffer.from(`${space()}[${texts.join(',') || space()}]${space()}`)
    if (!damage) return bytes
    const at = Math.floor(damage.at * bytes.length)
    return Buffer.concat([
      bytes.subarray(0, at),
      // In Latin-1, it is not always valid UTF-8.
      Buffer.from(damage.insert, damage.isRaw ? 'latin1' : 'utf8'),
      bytes.subarray(at + damage.remove),
    ])
  })
