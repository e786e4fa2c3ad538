import { expect, test } from 'vitest'
import { findRecords } from '../../src/accept/records.ts'
import { formatPointer, parsePointer } from '../../src/text/pointer.ts'

const a = { id: 'a', parts: [{ id: 'a1' }] }
const b = { id: 'b', parts: [] }

/** Independent of the schema of the project. */
type Yield = (file: ReturnType<typeof JSON.parse>) => unknown

const LIST = { kind: 'file', isAlone: false } as const

const find = (file: unknown, records?: Yield) => {
  return findRecords(file, records ? { kind: 'function', find: records } : LIST)
}

test.each<[shape: string, file: unknown, records: Yield | undefined, places: string[]]>([
  ['a list', [a, b], undefined, ['/0', '/1']],
  ['a list under a key', { of: [a, b] }, ({ of }: { of: object[] }) => of, ['/of/0', '/of/1']],
  ['an object by key', { 'x/y': a, b }, Object.values, ['/x~1y', '/b']],
  ['one object', a, (file) => [file], ['']],
  ['lists in a list', [[a], [b]], (file: object[][]) => file.flat(), ['/0/0', '/1/0']],
  ['some, in an order of their own', [b, {}, a], (all: object[]) => [all[2], all[0]], ['/2', '/0']],
])(
  '%s: each record is found at its place, and each place in its record',
  (_, file, yields, places) => {
    const { all, pointerTo, at } = find(file, yields)
    expect(all.map((_, index) => formatPointer(pointerTo(index)))).toEqual(places)
    for (const [index, place] of places.entries()) {
      const pointer = parsePointer(`${place}/parts/0/id`)
      expect(at(pointer)).toEqual({ index, within: ['parts', '0', 'id'] })
    }
  },
)

test('a place that is in two records is in the inner one, and one outside of all in none', () => {
  const file = { version: 1, all: [a] }
  const { at } = find(file, () => [a, a.parts[0]])
  expect(at(parsePointer('/all/0/parts/0/id'))).toEqual({ index: 1, within: ['id'] })
  expect(at(parsePointer('/all/0/parts/1'))).toEqual({ index: 0, within: ['parts', '1'] })
  expect([at(['version']), at([]), find([a]).at([])]).toEqual([undefined, undefined, undefined])
})

test('an object that "records" puts into what is in it keeps its place', () => {
  const file = { all: [{ id: 'a' }] }
  const { pointerTo, at } = find(file, ({ all }: { all: object[] }) => {
    Object.assign(all[0] as object, { parent: file })
    return all
  })
  expect(pointerTo(0)).toEqual(['all', 0])
  expect(at(['all', 0, 'id'])).toEqual({ index: 0, within: ['id'] })
})

test('the last step to a record is its key in an object, and its position in a list', () => {
  const steps = (file: unknown, yields: Yield) => {
    const { all, pointerTo } = find(file, yields)
    return all.map((_, index) => pointerTo(index).at(-1))
  }
  const inObject = { all: { 'a/1': a, 2: b } }
  const values = ({ all }: typeof inObject) => Object.values(all)
  expect(steps(inObject, values)).toEqual(['2', 'a/1'])
  expect(steps({ all: [a, b] }, ({ all }: { all: object[] }) => all)).toEqual([0, 1])
  expect(steps(a, () => [a])).toEqual([undefined])
})

test.each<[what: string, file: unknown, records: Yield | undefined, code: string]>([
  ['no list and no object', 5, undefined, 'file.no-records'],
  ['records that fail', {}, ({ all }: { all: object[] }) => all.slice(1), 'content.fails'],
  ['records that return nothing', {}, () => undefined, 'content.no-list'],
  ['records that return a text', {}, () => 'a', 'content.no-list'],
  ['records that must be awaited', {}, async () => [], 'content.promise'],
  ['records that are rejected', {}, () => Promise.reject(new Error('no')), 'content.promise'],
  [
    'records that fail halfway',
    [a],
    function* (all: object[]) {
      yield all[0]
      throw 'no price'
    },
    'content.fails',
  ],
  ['a copy', [a, b], () => [a, { ...b }], 'file.no-record'],
  ['a text', ['a'], (all) => all, 'file.no-record'],
  ['a file that is a text', 'a', (file) => [file], 'file.no-record'],
  ['a file that is a number, in which no record is found', 5, Object.values, 'file.no-records'],
  ['a file that is not JSON', undefined, () => [], 'file.no-records'],
  ['a record twice', [a, b], () => [a, b, a], 'file.record-twice'],
])('%s: refused, at the whole file', (_, file, records, code) => {
  expect(find(file, records)).toMatchObject({ all: [], fault: { code, pointer: [] } })
})
