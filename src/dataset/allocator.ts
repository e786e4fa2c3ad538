/**
 * Hides where bytes are kept that WebAssembly works on: in its one memory, which the system reads
 * files into and writes them from, and which another thread sees as well. So nothing is copied to
 * get from one to the other.
 */

/** The unit of WebAssembly's memory, in bytes. */
const PAGE = 2 ** 16

/** How many pages there can be: 2 GiB, for the program that scans has offsets with a sign. */
export const MOST_PAGES = 2 ** 15

/** How many bytes after a block are its own, too, for what reads or writes sixteen at a time. */
export const PADDING = 64

interface Span {
  start: number
  end: number
}

/** Blocks of one shared memory: first fit, and neighbours that are free become one. */
export class Allocator {
  readonly memory: WebAssembly.Memory
  /** Every buffer that the memory has had: it has a larger one each time it grows. */
  readonly #buffers = new WeakSet<ArrayBufferLike>()
  /** By offset of a block in use where it ends, its padding included. */
  readonly #ends = new Map<number, number>()
  /** What is free before the end, in order. */
  #free: Span[] = []
  // No block is at 0, so that no offset is.
  #end = PADDING

  /** @param most how many pages of 64 KiB the memory may come to have */
  constructor(most = MOST_PAGES) {
    this.memory = makeMemory(most)
  }

  /** Allocates so many bytes: in the memory, or elsewhere when that is full. */
  allocate(bytes: number): Buffer {
    return this.tryAllocate(bytes) ?? Buffer.from(new SharedArrayBuffer(bytes))
  }

  /** @returns nothing when the memory is full */
  tryAllocate(bytes: number): Buffer | undefined {
    const size = Math.ceil((bytes + PADDING) / PADDING) * PADDING
    const index = this.#free.findIndex(({ start, end }) => end - start >= size)
    const span = this.#free[index]
    const offset = span?.start ?? this.#end
    if (span) {
      span.start += size
      if (span.start === span.end) this.#free.splice(index, 1)
    } else if (!this.#grow(offset + size)) return undefined
    this.#ends.set(offset, offset + size)
    // V8 makes new buffers for all shared memories when one of them grows.
    this.#buffers.add(this.memory.buffer)
    return Buffer.from(this.memory.buffer, offset, bytes)
  }

  #grow(end: number): boolean {
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE)
    try {
      if (missing > 0) this.memory.grow(missing)
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
    this.#end = end
    return true
  }

  /** @param block what was allocated, or a part of it from its start on, or any other buffer */
  free(block: Buffer): void {
    const end = this.endOf(block)
    if (end === undefined) return
    const start = block.byteOffset
    this.#ends.delete(start)
    const index = this.#free.findLastIndex((span) => span.end <= start) + 1
    this.#free.splice(index, 0, { start, end })
    this.#merge(index)
    this.#merge(index - 1)
  }

  /** Makes one span of a free one and the next, where they touch. */
  #merge(index: number): void {
    const [span, next] = [this.#free[index], this.#free[index + 1]]
    if (!span || !next || span.end !== next.start) return
    span.end = next.end
    this.#free.splice(index + 1, 1)
  }

  /** Frees all blocks at once. */
  reset(): void {
    this.#ends.clear()
    this.#free = []
    this.#end = PADDING
  }

  /** Where in the memory a block ends, its padding included; nothing when it is none of these. */
  endOf(block: Buffer): number | undefined {
    return this.#buffers.has(block.buffer) ? this.#ends.get(block.byteOffset) : undefined
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
