/**
 * Hides how claimed paths are kept: in a hash table with open addressing (Knuth, volume 3, section
 * 6.4). Hashes find, but bytes decide: no two paths are ever taken for one. The program
 * knows a path faster than JavaScript does (see path-program.ts); the plain version is its oracle.
 */
import type { Allocator } from './allocator.ts'
import { Column } from './column.ts'
import { ENTRY } from './path-program.ts'

/** Strings of bytes, numbered from 0 in the order in which they were added. */
export interface PathSet {
  readonly size: number
  /** @returns the number of the path; what `size` was where it is new */
  add(bytes: Buffer, start: number, end: number): number
  /** The path of a number, of which the bytes are those of a JSON string. */
  get(number: number): string
}

/** What the program exports for a set. */
export type PathExports = {
  addPath(start: number, end: number): number
  placePaths(): void
} & Record<'slots' | 'mask' | 'entries' | 'pathCount' | 'free' | 'freeEnd', WebAssembly.Global>

/** How many paths there is room for at first, and how many bytes of them are allocated at once. */
const LEAST = 2 ** 10
const BLOCK = 2 ** 20

const NO_BYTES: Buffer = Buffer.alloc(0)

/** The set whose table the program keeps in its memory, for as long as that has room. */
export class ProgramPathSet implements PathSet {
  readonly #exports: PathExports
  readonly #allocator: Allocator
  readonly #blocks: Buffer[] = []
  #slots = NO_BYTES
  #entries = NO_BYTES
  /** For a path that stands outside the memory. */
  #copy = NO_BYTES
  /** The bytes in which the last path stood, and where they are if that is in the memory. */
  #seen = NO_BYTES
  #seenAt: number | undefined
  /** All of the memory, or what was all of it. */
  #memory = NO_BYTES
  /** Instead of this one, when the memory is full. */
  #plain: PlainPathSet | undefined

  constructor(exports: PathExports, allocator: Allocator) {
    this.#exports = exports
    this.#allocator = allocator
    exports.pathCount.value = exports.free.value = exports.freeEnd.value = 0
    if (!this.#grow(LEAST)) this.#plain = new PlainPathSet()
  }

  get size(): number {
    return this.#plain?.size ?? this.#exports.pathCount.value
  }

  add(bytes: Buffer, start: number, end: number): number {
    while (!this.#plain) {
      const at = this.#find(bytes, start, end)
      const number = at === undefined ? -1 : this.#exports.addPath(at, at + end - start)
      if (number >= 0) return number
      if (at === undefined || !this.#makeRoom(end - start)) this.#plain = this.#toPlain()
    }
    return this.#plain.add(bytes, start, end)
  }

  get(number: number): string {
    if (this.#plain) return this.#plain.get(number)
    const { start, end } = this.#placeOf(number)
    return toText(this.#memory.toString('utf8', start, end))
  }

  /** Where a path stands in the memory; nothing when there is no room for it. */
  #find(bytes: Buffer, start: number, end: number): number | undefined {
    if (bytes !== this.#seen) {
      const isOurs = this.#allocator.endOf(bytes) !== undefined
      this.#seenAt = isOurs ? bytes.byteOffset : undefined
      this.#seen = bytes
    }
    if (this.#seenAt !== undefined) return this.#seenAt + start
    if (this.#copy.length < end - start || this.#copy === NO_BYTES) {
      const larger = this.#allocator.tryAllocate(end - start)
      if (!larger) return undefined
      this.#allocator.free(this.#copy)
      this.#copy = larger
    }
    bytes.copy(this.#copy, 0, start, end)
    return this.#copy.byteOffset
  }

  #makeRoom(length: number): boolean {
    const { pathCount, mask, free, freeEnd } = this.#exports
    const slots = mask.value + 1
    if (pathCount.value * 2 === slots && !this.#grow(slots * 2)) return false
    if (free.value + length <= freeEnd.value) return true
    const block = this.#allocator.tryAllocate(Math.max(BLOCK, length))
    if (!block) return false
    this.#blocks.push(block)
    free.value = block.byteOffset
    freeEnd.value = block.byteOffset + block.length
    return true
  }

  /** @returns whether there was room */
  #grow(count: number): boolean {
    const allocator = this.#allocator
    const slots = allocator.tryAllocate(4 * count)
    const entries = slots && allocator.tryAllocate((ENTRY * count) / 2)
    if (!entries) {
      if (slots) allocator.free(slots)
      return false
    }
    slots.fill(0)
    this.#entries.copy(entries)
    allocator.free(this.#slots)
    allocator.free(this.#entries)
    this.#slots = slots
    this.#entries = entries
    this.#exports.slots.value = slots.byteOffset
    this.#exports.mask.value = count - 1
    this.#exports.entries.value = entries.byteOffset
    this.#exports.placePaths()
    return true
  }

  #toPlain(): PlainPathSet {
    const plain = new PlainPathSet()
    for (let number = 0; number < this.size; number++) {
      const { start, end } = this.#placeOf(number)
      plain.add(this.#memory, start, end)
    }
    for (const block of [...this.#blocks, this.#slots, this.#entries, this.#copy]) {
      this.#allocator.free(block)
    }
    return plain
  }

  /** Where the bytes of a path are in the memory. */
  #placeOf(number: number): { start: number; end: number } {
    const start = this.#entries.readInt32LE(number * ENTRY + 4)
    const end = start + this.#entries.readInt32LE(number * ENTRY + 8)
    // A buffer for each path would take longer than all else that is done for it.
    if (end > this.#memory.length) this.#memory = Buffer.from(this.#allocator.memory.buffer)
    return { start, end }
  }
}

/** The plain version, in memory of its own. */
export class PlainPathSet implements PathSet {
  size = 0
  /** The number of a path plus 1, or 0 where there is none. */
  #slots = new Uint32Array(1024)
  readonly #hashes = new Column()
  readonly #starts = new Column()
  readonly #lengths = new Column()
  readonly #blocks: Buffer[] = [Buffer.allocUnsafe(BLOCK)]
  /** The number of the block of each path. */
  readonly #block = new Column()
  #free = 0

  /** @returns the number of the path; the present `size` where it is new */
  add(bytes: Buffer, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1
      if (number < 0) break
      if (this.#hashes.at(number) === hash && this.#isEqual(number, bytes, start, end)) {
        return number
      }
    }
    this.#slots[slot] = this.#store(hash, bytes, start, end) + 1
    if (this.size * 2 > this.#slots.length) this.#grow()
    return this.size - 1
  }

  get(number: number): string {
    const start = this.#starts.at(number)
    const block = this.#blocks[this.#block.at(number)] as Buffer
    return toText(block.toString('utf8', start, start + this.#lengths.at(number)))
  }

  #isEqual(number: number, bytes: Buffer, start: number, end: number): boolean {
    if (this.#lengths.at(number) !== end - start) return false
    const block = this.#blocks[this.#block.at(number)] as Buffer
    const first = this.#starts.at(number) - start
    for (let at = start; at < end; at++) if (block[first + at] !== bytes[at]) return false
    return true
  }

  #store(hash: number, bytes: Buffer, start: number, end: number): number {
    const length = end - start
    if (this.#free + length > (this.#blocks.at(-1) as Buffer).length) {
      this.#blocks.push(Buffer.allocUnsafe(Math.max(BLOCK, length)))
      this.#free = 0
    }
    const block = this.#blocks.at(-1) as Buffer
    for (let at = 0; at < length; at++) block[this.#free + at] = bytes[start + at] as number
    this.#hashes.push(hash)
    this.#block.push(this.#blocks.length - 1)
    this.#starts.push(this.#free)
    this.#lengths.push(length)
    this.#free += length
    return this.size++
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.at(number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

/** @param text the inside of a JSON string */
function toText(text: string): string {
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}

/** FNV-1a, with the finalizer of MurmurHash3, for its low bits alone choose a slot. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
