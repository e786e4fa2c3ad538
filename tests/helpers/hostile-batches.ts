/** Batches from someone who tries to mislead the pipeline. */
import fc from 'fast-check'
import type { Page } from '../../scripts/samples/batches.ts'
import { emailField, formOf, nameField, page } from './page.ts'

const FRAGMENTS = [
  ...['A', 'text ', 'x'.repeat(70), '&amp;', '&#160;', '&#x1F600;', '/', '\\', '"', '\t', '\n'],
  ...['é', '’', '–', '漢字', '😀', '\u00a0', '\u2028', '\ufeff', '\uffff', '\u{10ffff}', '\u200b'],
  ...['},{', '",', '": "', '[', ']', '\\"', ',"title":', '\\u0041', '{"path":"/blog/001"}'],
]
const FAULTY_FRAGMENTS = ['<', '&', '\u0000', '</p><p>', '\ud800']

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
/** Mostly good ones. */
const anyTimes = fc.constantFrom(
  ...Array(8).fill(['2025-08-28T10:15:00.000Z', '2025-08-28T10:15:00.000Z']),
  ...Array(4).fill(['2025-08-28T10:15:00.000Z', '2025-08-28T10:15:00.001Z']),
  ['2025-08-28T12:15:00+02:00', '2024-02-29T00:00:00Z'],
  ['2025-08-28T10:15:00.000Z', '2025-08-29T00:00:00.000Z'],
  ['2025-02-30T00:00:00Z', '2025-08-28T23:59:60Z'],
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
export const anyRecord: fc.Arbitrary<unknown> = fc.oneof(
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
