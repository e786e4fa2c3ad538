import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { Rooms, SLACK } from '../src/dataset/rooms.ts'

describe('rooms', () => {
  const anyStep = fc.record({ bytes: fc.nat(300_000), givesBack: fc.option(fc.nat()) })

  test.prop([fc.array(anyStep, { maxLength: 60 })], { numRuns: 200 })(
    'keep what is in them until they are given back, however the memory grows',
    (steps) => {
      const rooms = new Rooms()
      const inUse: { room: Buffer; value: number }[] = []
      for (const [value, { bytes, givesBack }] of steps.entries()) {
        const room = rooms.take(bytes)
        expect(room.length).toBe(bytes)
        const end = rooms.endOf(room) as number
        expect(end - room.byteOffset).toBeGreaterThanOrEqual(bytes + SLACK)
        // What writes sixteen bytes at a time may write into the slack.
        Buffer.from(rooms.memory.buffer, room.byteOffset, bytes + SLACK).fill(value)
        inUse.push({ room, value })
        if (givesBack !== null) {
          const [done] = inUse.splice(givesBack % inUse.length, 1)
          if (done) rooms.giveBack(done.room)
        }
        for (const { room, value } of inUse) {
          expect(room.every((byte) => byte === value)).toBe(true)
        }
      }
    },
  )

  test('that are given back are used again, so that the memory does not grow for ever', () => {
    const rooms = new Rooms()
    for (let round = 0; round < 1_000; round++) rooms.giveBack(rooms.take(1_000_000))
    expect(rooms.memory.buffer.byteLength).toBeLessThan(2_000_000)
  })

  test('are known by any part that starts where they do, and by none of another buffer', () => {
    const rooms = new Rooms()
    const room = rooms.take(100)
    expect(rooms.endOf(room.subarray(0, 10))).toBe(rooms.endOf(room))
    expect(rooms.endOf(room.subarray(1))).toBeUndefined()
    expect(rooms.endOf(Buffer.from(new SharedArrayBuffer(1_000), room.byteOffset))).toBeUndefined()
    rooms.giveBack(room)
    expect(rooms.endOf(room)).toBeUndefined()
  })

  test('are elsewhere once the memory is full', () => {
    const rooms = new Rooms(2)
    expect(rooms.endOf(rooms.take(60_000))).toBeDefined()
    const room = rooms.take(100_000)
    expect(room.length).toBe(100_000)
    expect(rooms.endOf(room)).toBeUndefined()
    expect(() => rooms.takeInMemory(100_000)).toThrow(RangeError)
    expect(rooms.endOf(rooms.take(60_000))).toBeDefined()
  })
})
