import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import schema from '../schema/batch.schema.json'
import { Allocator } from '../src/dataset/allocator.ts'
import { type Grammar, toGrammar } from '../src/dataset/grammar.ts'
import { type PathSet, PlainPathSet, ProgramPathSet } from '../src/dataset/path-set.ts'
import { RecordReader } from '../src/dataset/records.ts'
import { Scanner } from '../src/dataset/scan.ts'
import { compileCheck } from './page.ts'

const grammar = toGrammar(schema)
if (!grammar) throw new Error('the schema has no grammar')

const allocator = new Allocator()
const scanner = new Scanner(grammar, allocator)
const sets: [string, () => PathSet][] = [
  ['in JavaScript', () => new PlainPathSet()],
  ['in the program', () => scanner.makePathSet()],
]

/** Adds a path that stands somewhere in the memory of the program, or elsewhere. */
function add(set: PathSet, path: string, isInMemory: boolean, before = 3): number {
  const bytes = Buffer.from(path)
  const block = isInMemory
    ? allocator.allocate(before + bytes.length)
    : Buffer.alloc(before + bytes.length)
  block.fill('#')
  bytes.copy(block, before)
  const number = set.add(block, before, before + bytes.length)
  // What it stood in is used for something else.
  block.fill('!')
  allocator.free(block)
  return number
}

// Eight bytes are hashed and sixteen compared at a time.
const anyPath = fc
  .tuple(
    fc.constantFrom(0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 300),
    fc.constantFrom('a', 'b', '/', '漢', '\\"'),
    fc.constantFrom('', 'a', 'b', '0'),
  )
  .map(([length, unit, end]) => unit.repeat(length) + end)

describe.each(sets)('a set of paths %s', (_, makeSet) => {
  test.prop([fc.array(fc.tuple(anyPath, fc.boolean(), fc.nat(20)))], { numRuns: 300 })(
    'numbers them in the order in which they were new, and knows them again',
    (paths) => {
      const set = makeSet()
      const expected = new Map<string, number>()
      for (const [path, isInMemory, before] of paths) {
        if (!expected.has(path)) expected.set(path, expected.size)
        expect(add(set, path, isInMemory, before)).toBe(expected.get(path))
        expect(set.size).toBe(expected.size)
      }
      for (const [path, number] of expected) expect(set.get(number)).toBe(JSON.parse(`"${path}"`))
    },
  )

  test('holds as many as come, and long ones', () => {
    const set = makeSet()
    const before = allocator.memory.buffer.byteLength
    const long = '/long/'.repeat(400_000)
    expect(add(set, long, false)).toBe(0)
    // Before the memory has grown to what it is when the last one is read.
    expect(set.get(0)).toBe(long)
    for (const round of [1, 2]) {
      for (let number = 1; number < 5_000; number++) {
        const isAsExpected = add(set, `/blog/${number}`, (number + round) % 2 === 0) === number
        if (!isAsExpected) expect.fail(`path ${number} in round ${round}`)
      }
    }
    expect(add(set, long, true)).toBe(0)
    expect(set.get(0)).toBe(long)
    expect(set.get(4_999)).toBe('/blog/4999')
    expect(set.size).toBe(5_000)
    expect(allocator.memory.buffer.byteLength - before).toBeLessThan(2 ** 25)
  })

  test('is empty when another one was filled before', () => {
    add(makeSet(), '/blog/001', true)
    const set = makeSet()
    expect(set.size).toBe(0)
    expect(add(set, '/blog/002', true)).toBe(0)
    expect(set.get(0)).toBe('/blog/002')
  })
})

// The least has room for the tables of a grammar; the next have some for paths, too.
test.each([0, 1, 4, 20, 60])(
  'a set of paths goes on when a memory of %d pages is full',
  (pages) => {
    const { allocator: small, set } = makeSmallSet(pages)
    const paths = Array.from({ length: 60_000 }, (_, number) => `/${number}/${'x'.repeat(40)}`)
    const numbers = paths.map((path) => set.add(Buffer.from(path), 0, path.length))
    expect(numbers).toEqual([...paths.keys()])
    expect(paths.map((path) => set.add(Buffer.from(path), 0, path.length))).toEqual(numbers)
    expect(numbers.map((number) => set.get(number))).toEqual(paths)
    // What it took is there for others again.
    if (pages > 0) expect(small.tryAllocate((pages / 2) * 2 ** 16)).toBeDefined()
  },
)

/** A set in a memory that has so many pages besides those of the grammar. */
function makeSmallSet(pages: number): { allocator: Allocator; set: PathSet } {
  for (let least = 1; ; least++) {
    try {
      if (grammar) new Scanner(grammar, new Allocator(least))
    } catch (error) {
      if (error instanceof RangeError) continue
      throw error
    }
    const small = new Allocator(least + pages)
    return { allocator: small, set: new Scanner(grammar as Grammar, small).makePathSet() }
  }
}

test('paths are claimed in the program where batches are scanned by it', () => {
  const check = compileCheck()
  expect(new RecordReader({ check, grammar }, 20).makePathSet()).toBeInstanceOf(ProgramPathSet)
  expect(new RecordReader({ check }, 20).makePathSet()).toBeInstanceOf(PlainPathSet)
})
