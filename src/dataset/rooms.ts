/**
 * Hides where bytes are kept that WebAssembly works on: in its one memory, which the system reads
 * files into and writes them from, and which another thread sees as well. So nothing is copied to
 * get from one to the other.
 */

/** The unit of WebAssembly's memory, in bytes, and how many of them it can have. */
const PAGE = 2 ** 16
const MOST_PAGES = 2 ** 16

/** How many bytes after a room are its own, too, for what reads or writes sixteen at a time. */
export const SLACK = 64

export class Rooms {
  readonly memory: WebAssembly.Memory
  /** Every buffer that the memory has had: it has a larger one each time it grows. */
  readonly #buffers = new WeakSet<ArrayBufferLike>()
  /** By offset of a room its end, of those in use and of those that are free. */
  readonly #ends = new Map<number, number>()
  readonly #free = new Map<number, number>()
  // No room is at 0, so that no offset is.
  #end = SLACK

  /** @param most how many pages of 64 KiB the memory may come to have */
  constructor(most = MOST_PAGES) {
    this.memory = makeMemory(most)
  }

  /** Finds room for so many bytes: in the memory, or elsewhere when that is full. */
  take(bytes: number): Buffer {
    try {
      return this.takeInMemory(bytes)
    } catch (error) {
      if (error instanceof RangeError) return Buffer.from(new SharedArrayBuffer(bytes))
      throw error
    }
  }

  /** @throws RangeError when the memory is full */
  takeInMemory(bytes: number): Buffer {
    const size = Math.ceil((bytes + SLACK) / SLACK) * SLACK
    let offset = this.#end
    for (const [start, end] of this.#free) {
      if (end - start >= size && end - start <= 2 * size) offset = start
    }
    const end = this.#free.get(offset) ?? offset + size
    if (end > this.#end) this.#grow(end)
    this.#free.delete(offset)
    this.#ends.set(offset, end)
    return Buffer.from(this.memory.buffer, offset, bytes)
  }

  #grow(end: number): void {
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE)
    if (missing > 0) this.memory.grow(missing)
    this.#buffers.add(this.memory.buffer)
    this.#end = end
  }

  /** @param room what was taken, or a part of it from its start on, or any other buffer */
  giveBack(room: Buffer): void {
    const end = this.endOf(room)
    if (end === undefined) return
    this.#ends.delete(room.byteOffset)
    this.#free.set(room.byteOffset, end)
  }

  /** Where in the memory a room ends, its slack included; nothing when it is no room. */
  endOf(room: Buffer): number | undefined {
    return this.#buffers.has(room.buffer) ? this.#ends.get(room.byteOffset) : undefined
  }
}

/** The system is asked for all of it at once, if only for addresses, and may have fewer to give. */
function makeMemory(most: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: most, shared: true })
  } catch (error) {
    if (most === 1 || !(error instanceof RangeError)) throw error
    return makeMemory(Math.floor(most / 2))
  }
}
