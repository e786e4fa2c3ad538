/**
 * Hides what is done in a second thread, and when: to compute SHA-256 of what goes in and what comes
 * out and to scan batches take as long together as all else that a large build does.
 */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { RecordReader } from '../dataset/records.ts'

/** Fewer bytes are dealt with sooner than they are handed over. */
const LEAST = 2 ** 18

type BatchReader = Pick<RecordReader, 'program' | 'toScanTask'>

/** A digest of bytes that come one after another. */
export interface RunningDigest {
  /** @returns when the bytes may be changed again; nothing when they may at once */
  update(bytes: Buffer): Promise<unknown> | undefined
  /** @returns the SHA-256 in hexadecimal */
  end(): Promise<string> | string
}

export class Background {
  #worker: Worker | undefined
  /** The reader whose batches the thread can scan, and whether it has loaded what that takes. */
  readonly #reader: BatchReader | undefined
  #isLoaded = false
  #error: Error | undefined
  #digests = 0
  /** Those that wait for an answer; the thread answers in order. */
  readonly #waiting: { resolve(answer: unknown): void; reject(error: Error): void }[] = []

  constructor(reader?: BatchReader) {
    this.#reader = reader
  }

  /** @returns the SHA-256 in hexadecimal; the bytes must not change before it is there */
  digest(bytes: Buffer): Promise<string> | string {
    const digest = this.beginDigest()
    digest.update(bytes)
    return digest.end()
  }

  /** The first bytes tell whether there will be many. */
  beginDigest(): RunningDigest {
    const digest = ++this.#digests
    const here = createHash('sha256')
    let isHere: boolean | undefined
    return {
      update: (bytes) => {
        isHere ??= bytes.length < LEAST
        if (!isHere) return this.#ask({ task: 'update', digest, bytes })
        here.update(bytes)
        return undefined
      },
      end: () =>
        isHere !== false
          ? here.digest('hex')
          : (this.#ask({ task: 'end', digest }) as Promise<string>),
    }
  }

  /**
   * @param bytes a batch
   * @returns what tells the reader that the batch has been scanned; nothing where it is to scan it
   */
  async scan(bytes: Buffer): Promise<number | undefined> {
    if (bytes.length < LEAST || !this.#isLoaded) return undefined
    const task = this.#reader?.toScanTask(bytes)
    return task && ((await this.#ask({ task: 'scan', ...task })) as number)
  }

  #ask(message: { task: string; [option: string]: unknown }): Promise<unknown> {
    this.#worker ??= this.#start()
    const answer = new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      this.#waiting.push({ resolve, reject })
      this.#worker?.postMessage(message)
    })
    // Whoever waits for it is told, if late.
    answer.catch(() => {})
    return answer
  }

  #start(): Worker {
    // Not with the options of this thread: they would have it load what reads TypeScript.
    const worker = new Worker(new URL('./worker.cjs', import.meta.url), { execArgv: [] })
    worker.on('message', (answer) => this.#waiting.shift()?.resolve(answer))
    worker.on('error', (error: Error) => {
      this.#error = error
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    })
    this.#worker = worker
    const program = this.#reader?.program
    if (program) {
      this.#ask({ task: 'load', ...program }).then(
        () => {
          this.#isLoaded = true
        },
        () => {},
      )
    }
    return worker
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}
