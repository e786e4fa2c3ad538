import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Allocator, PADDING } from '../src/dataset/allocator.ts'

describe('allocated blocks', () => {
  const anyStep = fc.record({ bytes: fc.nat(300_000), givesBack: fc.option(fc.nat()) })

  test.prop([fc.array(anyStep, { maxLength: 60 })], { numRuns: 200 })(
    'keep what is in them until they are freed, however the memory grows',
    (steps) => {
      const allocator = new Allocator()
      const inUse: { block: Buffer; value: number }[] = []
      for (const [value, { bytes, givesBack }] of steps.entries()) {
        const block = allocator.allocate(bytes)
        expect(block.length).toBe(bytes)
        const end = allocator.endOf(block) as number
        expect(end - block.byteOffset).toBeGreaterThanOrEqual(bytes + PADDING)
        // What writes sixteen bytes at a time may write into the slack.
        Buffer.from(allocator.memory.buffer, block.byteOffset, bytes + PADDING).fill(value)
        inUse.push({ block, value })
        if (givesBack !== null) {
          const [done] = inUse.splice(givesBack % inUse.length, 1)
          if (done) allocator.free(done.block)
        }
        for (const { block, value } of inUse) {
          expect(block.every((byte) => byte === value)).toBe(true)
        }
      }
    },
  )

  test('that are freed are used again, so that the memory does not grow for ever', () => {
    const allocator = new Allocator()
    const inUse: Buffer[] = []
    // Each is a little larger than the ones before it, as batches often are.
    for (let round = 0; round < 1_000; round++) {
      inUse.push(allocator.allocate(1_000_000 + 1_000 * round))
      if (inUse.length === 4) allocator.free(inUse.shift() as Buffer)
    }
    expect(allocator.memory.buffer.byteLength).toBeLessThan(20_000_000)
  })

  test('are all free once it is reset', () => {
    const allocator = new Allocator()
    for (let round = 0; round < 100; round++) {
      const block = allocator.allocate(1_000_000)
      expect(allocator.endOf(block)).toBeDefined()
      allocator.reset()
      expect(allocator.endOf(block)).toBeUndefined()
    }
    expect(allocator.memory.buffer.byteLength).toBeLessThan(2_000_000)
  })

  test('are known though another memory has grown since', () => {
    const [allocator, other] = [new Allocator(), new Allocator()]
    allocator.free(allocator.allocate(1_000))
    other.allocate(1_000_000)
    expect(allocator.endOf(allocator.allocate(1_000))).toBeDefined()
  })

  test('are known by any part that starts where they do, and by none of another buffer', () => {
    const allocator = new Allocator()
    const block = allocator.allocate(100)
    expect(allocator.endOf(block.subarray(0, 10))).toBe(allocator.endOf(block))
    expect(allocator.endOf(block.subarray(1))).toBeUndefined()
    expect(
      allocator.endOf(Buffer.from(new SharedArrayBuffer(1_000), block.byteOffset)),
    ).toBeUndefined()
    allocator.free(block)
    expect(allocator.endOf(block)).toBeUndefined()
  })

  test('are elsewhere once the memory is full', () => {
    const allocator = new Allocator(2)
    expect(allocator.endOf(allocator.allocate(60_000))).toBeDefined()
    const block = allocator.allocate(100_000)
    expect(block.length).toBe(100_000)
    expect(allocator.endOf(block)).toBeUndefined()
    expect(allocator.tryAllocate(100_000)).toBeUndefined()
    expect(allocator.endOf(allocator.allocate(60_000))).toBeDefined()
  })
})
