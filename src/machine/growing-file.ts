/** Writes a file in chunks, with its digest. What was added can be read at once. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'

const CHUNK = 2 ** 20

export interface Digest {
  /** In hexadecimal. */
  sha256: string
  bytes: number
}

/** Appends to a new file in chunks of a megabyte. All methods throw the system's errors. */
export class GrowingFile {
  readonly #file: number | undefined
  readonly #hash = createHash('sha256')
  readonly #chunk = Buffer.allocUnsafe(CHUNK)
  #filled = 0
  #read = Buffer.alloc(0)
  /** How many bytes are in the file already. */
  #written = 0

  /** @param file must not exist yet; without one, only the digest is computed */
  constructor(file: string | undefined) {
    this.#file = file === undefined ? undefined : fs.openSync(file, 'wx+')
  }

  /** How many bytes were added. */
  get size(): number {
    return this.#written + this.#filled
  }

  /** Adds bytes. They are never split: all go into the chunk, or all into the file. */
  add(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > CHUNK) this.#flush()
    if (bytes.length > CHUNK) {
      this.#write(bytes)
      return
    }
    this.#chunk.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  /**
   * Reads bytes that one call of `add` has added. They are valid until the next call of a method.
   *
   * @param start their offset in the file
   */
  read(start: number, length: number): Buffer {
    if (this.#file === undefined) throw new Error('a file that is not written cannot be read')
    const inChunk = start - this.#written
    if (inChunk >= 0) return this.#chunk.subarray(inChunk, inChunk + length)
    if (this.#read.length < length) this.#read = Buffer.allocUnsafeSlow(2 * length)
    const bytes = this.#read.subarray(0, length)
    for (let at = 0; at < length; ) {
      const count = fs.readSync(this.#file, bytes, at, length - at, start + at)
      if (count === 0) throw new Error('the file being written has become shorter')
      at += count
    }
    return bytes
  }

  /** Writes the rest and flushes the file to the disk, so that it survives a power cut. */
  seal(): Digest {
    this.#flush()
    if (this.#file !== undefined) fs.fsyncSync(this.#file)
    return { sha256: this.#hash.digest('hex'), bytes: this.#written }
  }

  close(): void {
    if (this.#file !== undefined) fs.closeSync(this.#file)
  }

  #flush(): void {
    this.#write(this.#chunk.subarray(0, this.#filled))
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    if (this.#file === undefined) {
      this.#written += bytes.length
      return
    }
    for (let at = 0; at < bytes.length; ) {
      const count = fs.writeSync(this.#file, bytes, at, bytes.length - at, this.#written)
      at += count
      this.#written += count
    }
  }
}

/** Writes a whole file; see the constructor of `GrowingFile`. */
export function writeFile(file: string | undefined, pieces: Iterable<string>): Digest {
  const growing = new GrowingFile(file)
  try {
    for (const piece of pieces) growing.add(Buffer.from(piece))
    return growing.seal()
  } finally {
    growing.close()
  }
}
