/** Writes a new file, computes its digest, and reads what was added to it so far. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'

/** How many bytes are written at once: a system call for each page costs more than a copy. */
const AT_ONCE = 2 ** 20

export interface Digest {
  /** In hexadecimal. */
  sha256: string
  bytes: number
}

/** All methods throw the system's errors. */
export class GrowingFile {
  readonly #file: number
  readonly #hash = createHash('sha256')
  /** How many bytes were added. */
  size = 0
  /** How many of them are in the file; the others wait. */
  #written = 0
  #waiting: Uint8Array[] = []

  /** @param file must not exist yet */
  constructor(file: string) {
    this.#file = fs.openSync(file, 'wx+')
  }

  /** @param bytes stay as they are: they may be written later */
  add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.size += bytes.length
    if (this.size >= this.#written + AT_ONCE) this.#write()
  }

  /** Writes the bytes that wait. */
  #write(): void {
    const bytes = Buffer.concat(this.#waiting)
    fs.writeFileSync(this.#file, bytes)
    this.#hash.update(bytes)

    this.#written = this.size
    this.#waiting = []
  }

  /** @param start its offset in the file */
  read(start: number, length: number): Buffer {
    if (start + length > this.#written) this.#write()

    const bytes = Buffer.allocUnsafe(length)
    const bytesRead = fs.readSync(this.#file, bytes, 0, length, start)
    if (bytesRead < length) throw new Error('the file being written has become shorter')
    return bytes
  }

  /** Flushes the file to the disk, so that it survives a power cut. */
  seal(): Digest {
    this.#write()
    fs.fsyncSync(this.#file)
    return { sha256: this.#hash.digest('hex'), bytes: this.size }
  }

  close(): void {
    fs.closeSync(this.#file)
  }
}

/** Writes a whole new file. */
export function writeFile(file: string, pieces: Iterable<string>): Digest {
  const growing = new GrowingFile(file)

  try {
    for (const piece of pieces) growing.add(Buffer.from(piece))
    return growing.seal()
  } finally {
    growing.close()
  }
}
