/** Writes a new file, computes its digest, and reads what was added to it so far. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { inChunks } from './print.ts'

export interface Digest {
  /** In hexadecimal. */
  sha256: string
  bytes: number
}

/** All methods throw the system's errors. Each call of `add` is a system call. */
export class GrowingFile {
  readonly #file: number
  readonly #hash = createHash('sha256')
  /** How many bytes were added. */
  size = 0

  /** @param file must not exist yet */
  constructor(file: string) {
    this.#file = fs.openSync(file, 'wx+')
  }

  add(bytes: Uint8Array): void {
    fs.writeFileSync(this.#file, bytes)
    this.#hash.update(bytes)
    this.size += bytes.length
  }

  /** @param start its offset in the file */
  read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    const count = fs.readSync(this.#file, bytes, 0, length, start)
    if (count < length) throw new Error('the file being written has become shorter')
    return bytes
  }

  /** Flushes the file to the disk, so that it survives a power cut. */
  seal(): Digest {
    fs.fsyncSync(this.#file)
    return { sha256: this.#hash.digest('hex'), bytes: this.size }
  }

  close(): void {
    fs.closeSync(this.#file)
  }
}

/** Writes a whole new file. Pieces may be short: they are written together. */
export async function writeFile(file: string, pieces: Iterable<string>): Promise<Digest> {
  const growing = new GrowingFile(file)
  try {
    for await (const chunk of inChunks(pieces)) growing.add(Buffer.from(chunk))
    return growing.seal()
  } finally {
    growing.close()
  }
}
