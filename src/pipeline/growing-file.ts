/**
 * Hides how a file is written while there is other work to do, and read again before it is done.
 * Bytes gather in chunks; the system writes full ones in the background. What has not been written
 * is read from its chunk, so a reader sees every byte that was added.
 */
import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Allocator } from '../dataset/allocator.ts'
import type { Background, RunningDigest } from './background.ts'

const CHUNK = 2 ** 20
/** How many bytes may wait for the disk before whoever adds more has to wait, too. */
const MOST_WAITING = 12 * CHUNK
/** How many written bytes may be in the memory of the system only. */
const FLUSH = 16 * CHUNK

interface Chunk {
  /** Where it stands in the file. */
  start: number
  bytes: Buffer
  length: number
  isWritten: boolean
  /** When it is on its way to the disk and in the digest, so that its memory is free. */
  done: Promise<void>
}

export interface Digest {
  sha256: string
  bytes: number
}

export class GrowingFile {
  /** The chunk that is being filled, and how far it is. */
  target: Buffer
  at = 0
  readonly #file: FileHandle
  readonly #digest: RunningDigest
  readonly #allocator: Allocator
  /** Where the present chunk stands in the file. */
  #start = 0
  /** Those that are being written. */
  readonly #chunks: Chunk[] = []
  /** What was read last. What has been written never changes. */
  readonly #window: Omit<Chunk, 'isWritten' | 'done'> = {
    start: 0,
    bytes: Buffer.alloc(0),
    length: 0,
  }
  #waiting = 0
  #unflushed = 0
  #flushed: Promise<unknown> = Promise.resolve()
  #written = Promise.resolve()
  #error: unknown

  private constructor(file: FileHandle, background: Background, allocator: Allocator) {
    this.#file = file
    this.#digest = background.beginDigest()
    this.#allocator = allocator
    this.target = allocator.allocate(CHUNK)
  }

  /** Makes a file that does not exist yet. */
  static async create(
    file: string,
    background: Background,
    allocator: Allocator,
  ): Promise<GrowingFile> {
    return new GrowingFile(await open(file, 'wx+'), background, allocator)
  }

  /** How many bytes it has. */
  get size(): number {
    return this.#start + this.at
  }

  /** Makes room for bytes to be written to `target` at `at`, which is to be moved past them. */
  reserve(most: number): void {
    if (this.at + most > this.target.length) this.#next(most)
  }

  add(bytes: Buffer): void {
    this.reserve(bytes.length)
    for (const byte of bytes) this.target[this.at++] = byte
  }

  /**
   * Finds bytes that were added: from `from` in the buffer returned, until more is added or read.
   *
   * @param window how many bytes to read at once for the sake of the reads that follow
   */
  read(position: number, length: number, window: number): { bytes: Buffer; from: number } {
    if (position >= this.#start) return { bytes: this.target, from: position - this.#start }
    for (const { start, bytes, length: filled } of this.#chunks) {
      if (position >= start && position < start + filled) return { bytes, from: position - start }
    }
    const seen = this.#window
    if (position < seen.start || position + length > seen.start + seen.length) {
      // What could not be written cannot be read.
      if (this.#error) throw this.#error
      // From here up to there all has been written.
      const written = this.#chunks.find(({ start }) => start > position)?.start ?? this.#start
      const wanted = Math.min(Math.max(window, length), written - position)
      if (seen.bytes.length < wanted) {
        this.#allocator.free(seen.bytes)
        seen.bytes = this.#allocator.allocate(wanted)
      }
      seen.start = position
      for (seen.length = 0; seen.length < wanted; ) {
        const at = position + seen.length
        const count = fs.readSync(this.#file.fd, seen.bytes, seen.length, wanted - seen.length, at)
        if (count === 0) throw new Error('the file being written has become shorter')
        seen.length += count
      }
    }
    return { bytes: seen.bytes, from: position - seen.start }
  }

  /** Whether `ready` would have to wait. */
  get isBusy(): boolean {
    return this.#waiting > MOST_WAITING
  }

  /** Waits until the disk has kept up. @throws the system's error where it has failed to */
  async ready(): Promise<void> {
    while (this.isBusy && !this.#error) await this.#chunks[0]?.done
    if (this.#error) throw this.#error
  }

  /** Ends the adding. Nothing may be read any more. */
  async seal(): Promise<Digest> {
    const bytes = this.size
    this.#next(0)
    return { sha256: await this.#digest.end(), bytes }
  }

  /** Waits until all is on the disk, to outlive a power cut. */
  async sync(): Promise<void> {
    await this.#written
    await this.#flushed
    if (this.#error) throw this.#error
    await this.#file.sync()
  }

  /** Ends all work on the file. */
  async close(): Promise<void> {
    await this.#written
    await this.#flushed
    await this.#file.close()
  }

  /** Has the disk begun early: to flush all at the end takes as long as a third of a large build. */
  #flush(): void {
    this.#unflushed = 0
    const flushed = this.#file.datasync().catch((error) => {
      this.#error ??= error
    })
    this.#flushed = Promise.all([this.#flushed, flushed])
  }

  /** Sends the present chunk to the disk and begins another. */
  #next(least: number): void {
    const [start, bytes, length] = [this.#start, this.target, this.at]
    const digested = this.#digest.update(bytes.subarray(0, length))
    this.#written = this.#written.then(() => this.#writeAll())
    const done = Promise.all([this.#written, digested]).then(
      () => this.#forget(full),
      (error) => {
        this.#error ??= error
      },
    )
    const full: Chunk = { start, bytes, length, isWritten: false, done }
    this.#chunks.push(full)
    this.#waiting += length
    this.#start += length
    this.at = 0
    this.target = this.#allocator.allocate(Math.max(CHUNK, least))
  }

  /** Writes, in one go, all chunks that are there by now, for the event loop turns once a batch. */
  async #writeAll(): Promise<void> {
    const chunks = this.#chunks.filter(({ isWritten }) => !isWritten)
    let position = chunks[0]?.start ?? 0
    let rest = chunks.map(({ bytes, length }) => bytes.subarray(0, length))
    try {
      while (rest.length > 0 && !this.#error) {
        const { bytesWritten } = await this.#file.writev(rest, position)
        position += bytesWritten
        this.#unflushed += bytesWritten
        rest = without(rest, bytesWritten)
      }
    } catch (error) {
      this.#error ??= error
    }
    for (const chunk of chunks) chunk.isWritten = true
    if (this.#unflushed > FLUSH && !this.#error) this.#flush()
  }

  #forget(chunk: Chunk): void {
    this.#chunks.splice(this.#chunks.indexOf(chunk), 1)
    this.#waiting -= chunk.length
    this.#allocator.free(chunk.bytes)
  }
}

/** What is left of buffers, one after another, without so many bytes at their start. */
function without(buffers: readonly Buffer[], bytes: number): Buffer[] {
  let skipped = bytes
  return buffers.flatMap((buffer) => {
    const left = buffer.subarray(skipped)
    skipped -= buffer.length - left.length
    return left.length > 0 ? left : []
  })
}
