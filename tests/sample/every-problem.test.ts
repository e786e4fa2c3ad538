/** One run reports everything that the schema refuses, and of accepted records what rules refuse. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { content } from '../../src/content.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, emailField, formOf, page, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

/** What is written into a valid record, and the problems that it makes, as `place code`. */
type Fault = [change: object, ...expected: string[]]

const OF_SCHEMA: Fault[] = [
  [{ path: '/Blog/29' }, '/path schema.pattern'],
  [{ title: 3 }, '/title schema.type'],
  [{ contentHtml: 'Text.' }, '/contentHtml schema.pattern'],
  [
    { form: formOf({ type: 'e-mail', required: 1 }) },
    '/form/fields/0/type schema.enum',
    '/form/fields/0/required schema.type',
  ],
  [{ form: { fields: 1 } }, '/form/fields schema.type'],
  [{ createdAt: undefined }, ' schema.missing-key'],
  [{ q: 1, z: 2 }, '/q schema.unknown-key', '/z schema.unknown-key'],
]

const OF_RULES: Fault[] = [
  [{ title: 'Docs Page 030' }, '/title rule.titleFitsPath'],
  [{ updatedAt: '2025-08-29T10:17:30.000Z' }, '/updatedAt rule.updatedOnTheDayOfCreation'],
  [{ form: { fields: [emailField, emailField] } }, '/form/fields/1/name form.repeated-name'],
]

const keyOf = ([change]: Fault) => Object.keys(change)[0]
const someFaults = fc.uniqueArray(fc.constantFrom(...OF_SCHEMA, ...OF_RULES), {
  selector: keyOf,
  maxLength: 4,
})
const check = compileCheck()

property([fc.array(someFaults, { minLength: 1, maxLength: 5 }), fc.boolean()], {
  numRuns: times(500),
})('whatever the faults of the records, one run reports all', (records, isCut) => {
  const batch = records.map((faults) => Object.assign(page(), ...faults.map(([change]) => change)))
  const text = JSON.stringify(batch, null, 2).slice(0, isCut ? -1 : undefined)
  const expected = records.flatMap((faults, index) => {
    const refused = faults.filter((fault) => OF_SCHEMA.includes(fault))
    const all = refused.length > 0 ? refused : faults
    return all.flatMap(([, ...expected]) => expected.map((each) => `/${index}${each}`))
  })
  const { problems } = validate('a.json', Buffer.from(text), check, 0, content)
  const found = problems.map(({ pointer, code }) => `${pointer} ${code}`)
  expect(found.sort()).toEqual(isCut ? [' json.unclosed'] : expected.sort())
})
