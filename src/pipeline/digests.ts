/**
 * Hides in which thread digests are made: SHA-256 of what goes in and what comes out takes as long
 * as all else that is done with it, so of much it is made in a second one.
 */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'

/** What takes longer than to hand it over is handed over. */
const BACKGROUND = 2 ** 18

/** A digest of bytes that come one after another. */
export interface RunningDigest {
  /** @returns when the bytes may be changed again; nothing when they may at once */
  update(bytes: Buffer): Promise<void> | undefined
  /** @returns the digest in hexadecimal */
  end(): Promise<string>
}

export class Digests {
  #worker: Worker | undefined
  #error: Error | undefined
  #streams = 0
  /** What waits for an answer of the worker; it answers in order. */
  readonly #waiting: { resolve(answer: string): void; reject(error: Error): void }[] = []

  /** @returns the SHA-256 in hexadecimal; the bytes must not change before it is there */
  digest(bytes: Buffer): Promise<string> | string {
    if (bytes.length < BACKGROUND) return createHash('sha256').update(bytes).digest('hex')
    return this.#send({ stream: ++this.#streams, bytes, isLast: true })
  }

  begin(): RunningDigest {
    const stream = ++this.#streams
    // Whether in the other thread: the first bytes tell how many there will be.
    let isElsewhere: boolean | undefined
    const here = createHash('sha256')
    return {
      update: (bytes) => {
        isElsewhere ??= bytes.length >= BACKGROUND
        if (isElsewhere) return this.#send({ stream, bytes, isLast: false }).then(() => {})
        here.update(bytes)
        return undefined
      },
      end: async () =>
        isElsewhere ? this.#send({ stream, bytes: NOTHING, isLast: true }) : here.digest('hex'),
    }
  }

  #send(message: { stream: number; bytes: Buffer; isLast: boolean }): Promise<string> {
    this.#worker ??= this.#start()
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      this.#waiting.push({ resolve, reject })
      this.#worker?.postMessage(message)
    })
  }

  #start(): Worker {
    // Not with the options of this thread: they would have it load what reads TypeScript.
    const worker = new Worker(new URL('./digest-worker.cjs', import.meta.url), { execArgv: [] })
    worker.on('message', (answer: string) => this.#waiting.shift()?.resolve(answer))
    worker.on('error', (error: Error) => {
      this.#error = error
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    })
    return worker
  }

  /** Ends the other thread. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}

const NOTHING = Buffer.alloc(0)
