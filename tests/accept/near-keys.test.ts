import { describe, expect, test } from 'vitest'
import { KeySearch } from '../../src/accept/near-keys.ts'
import { upgradeAlone } from '../../src/schema/upgrade.ts'
import { formatPointer } from '../../src/text/pointer.ts'

/**
 * Looks for keys in files, each with some records of a schema. Returns the declared key near to each,
 * by its place.
 */
function nearKeysInFiles(files: unknown[][], record: object): Record<string, unknown> {
  const { schema: root } = upgradeAlone({ type: 'array', items: record })
  const search = new KeySearch()
  for (const [index, records] of files.entries()) {
    const parts = () => [{ value: records, pointer: [] }]
    search.add(index === 0 ? '' : String(index), {
      root,
      parts,
      refused: new Set(),
      faulty: new Set(),
    })
  }

  const faults = search.findFaults()
  return Object.fromEntries(
    faults.map(({ file, fault }) => [
      file + formatPointer(fault.pointer),
      'facts' in fault && 'near' in fault.facts ? String(fault.facts.near) : undefined,
    ]),
  )
}

const nearKeysIn = (records: unknown[], record: object) => nearKeysInFiles([records], record)

const pet = { type: 'object', properties: { name: {}, colour: {}, petType: {}, phone1: {} } }

const usual = { name: 1, colour: 1, petType: 1, phone1: 1 }

describe('a key of an object that may have other keys is named', () => {
  test.each([
    ['that lacks a letter', 'colur', 'colour'],
    ['with a letter too many', 'colours', 'colour'],
    ['with exchanged letters', 'coluor', 'colour'],
    ['in another spelling', 'pet_type', 'petType'],
    ['in another case', 'Name', 'name'],
  ])('%s', (_, key, near) => {
    expect(nearKeysIn([{ [key]: 1 }, usual, usual], pet)).toEqual({ [`/0/${key}`]: near })
  })

  test('wherever it is', () => {
    const owner = { type: 'object', properties: { pets: { type: 'array', items: pet } } }
    const record = { properties: { owner } }
    expect(nearKeysIn([{ owner: { pets: [usual, { colur: 1 }, usual] } }], record)).toEqual({
      '/0/owner/pets/1/colur': 'colour',
    })
  })

  test('at each place', () => {
    const records = [{ colur: 1, name: 1 }, usual, { colur: 3, name: 1 }, usual]
    expect(nearKeysIn(records, pet)).toEqual({ '/0/colur': 'colour', '/2/colur': 'colour' })
  })

  test.each([
    ['that far more objects have than the near one', 'colur', 10],
    ['that two objects have, if the near one is the same word', 'pet_type', 2],
    ['that two objects have, if only the case differs', 'Colour', 2],
  ])('near to an optional key %s', (_, key, count) => {
    const usualObjects = Array.from({ length: count }, () => usual)
    const objectsWithoutIt = Array.from({ length: 500 }, () => ({ name: 1 }))
    const records = [{ [key]: 1 }, ...usualObjects, ...objectsWithoutIt]
    expect(Object.keys(nearKeysIn(records, pet))).toEqual([`/0/${key}`])
    expect(nearKeysIn([...records.slice(0, count), ...objectsWithoutIt], pet)).toEqual({})
  })

  test('if the others are in other files', () => {
    const misspelled = { name: 1, colur: 1, petType: 1 }
    expect(nearKeysInFiles([[usual], [usual], [misspelled]], pet)).toEqual({
      '2/0/colur': 'colour',
    })
  })
})

describe('no key is named', () => {
  test.each<[string, object, object]>([
    ['that is not near', { weight: 1 }, pet],
    ['that is two letters off', { colr: 1 }, pet],
    ['that differs in a digit', { phone2: 1 }, pet],
    ['that is short', { nam: 1 }, { properties: { nme: {} } }],
    ['that is near to two', { tagsx: 1 }, { properties: { tagsa: {}, tagsb: {} } }],
    ['beside the one that it is near to', { colur: 1, colour: 2 }, pet],
    ['that a pattern declares', { colur: 1 }, { ...pet, patternProperties: { '^c': {} } }],
    [
      'of an object whose keys all have a schema',
      { colur: 1 },
      { ...pet, additionalProperties: { type: 'number' } },
    ],
  ])('%s', (_, record, schema) => {
    const others = [
      { ...usual, tagsa: 1, tagsb: 1, nme: 1 },
      { ...usual, tagsa: 1, tagsb: 1, nme: 1 },
    ]
    expect(nearKeysIn([record, ...others], schema)).toEqual({})
  })

  test('that the others lack, too: "from" isn\'t a misspelled "form" there', () => {
    const schema = { properties: { form: {}, name: {} } }
    const records = [{ from: 1, name: 1 }, { name: 1 }, { name: 1 }, { name: 1, form: 1 }]
    expect(nearKeysIn(records, schema)).toEqual({})
  })

  test('if there is nothing to compare it with', () => {
    expect(nearKeysIn([{ colur: 1 }], pet)).toEqual({})
  })
})
