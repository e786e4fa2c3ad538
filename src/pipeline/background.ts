/**
 * Hides what is done in a second thread, and when: to compute SHA-256 of what goes in and what comes
 * out and to scan batches take as long together as all else that a large build does.
 */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { RecordReader } from '../dataset/records.ts'

/** So many bytes are handed over; fewer are dealt with sooner than that. */
const OFFLOADED = 2 ** 18

type BatchReader = Pick<RecordReader, 'program' | 'toScanTask'>

/** A digest of bytes that come one after another. */
export interface RunningDigest {
  /** @returns when the bytes may be changed again; nothing when they may at once */
  update(bytes: Buffer): Promise<unknown> | undefined
  /** @returns the SHA-256 in hexadecimal */
  end(): Promise<string> | string
}

/** A scan that has been handed over. */
export interface OffloadedScan {
  /** Takes it back, for whoever would wait to do it. @returns whether it had not begun */
  takeBack(): boolean
  /** What tells the reader that the batch has been scanned; nothing when it was taken back. */
  outcome: Promise<number | undefined>
}

export class Background {
  /** Nothing before it is needed, and where the system has no thread to give. */
  #worker: Worker | undefined
  #isAlone = false
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

  /** Where it is made is decided by how many bytes come first. */
  beginDigest(): RunningDigest {
    const digest = ++this.#digests
    const inline = createHash('sha256')
    let isOffloaded: boolean | undefined
    return {
      update: (bytes) => {
        isOffloaded ??= bytes.length >= OFFLOADED && this.#start()
        if (isOffloaded) return this.#ask({ task: 'update', digest, bytes })
        inline.update(bytes)
        return undefined
      },
      end: () =>
        isOffloaded
          ? (this.#ask({ task: 'end', digest }) as Promise<string>)
          : inline.digest('hex'),
    }
  }

  /**
   * @param bytes a batch, whose memory must not be used for anything else before there is an outcome
   * @returns nothing where it is not to be scanned in the second thread
   */
  scan(bytes: Buffer): OffloadedScan | undefined {
    if (bytes.length < OFFLOADED || !this.#isLoaded) return undefined
    const task = this.#reader?.toScanTask(bytes)
    if (!task) return undefined
    const begun = new Int32Array(new SharedArrayBuffer(4))
    const outcome = this.#ask({ task: 'scan', ...task, begun }) as OffloadedScan['outcome']
    return { takeBack: () => Atomics.exchange(begun, 0, 1) === 0, outcome }
  }

  /** Starts the thread, unless it has been. @returns whether there is one */
  #start(): boolean {
    if (this.#worker || this.#isAlone) return !this.#isAlone
    try {
      // Not with the options of this thread: they would have it load what reads TypeScript.
      this.#worker = new Worker(new URL('./worker.cjs', import.meta.url), { execArgv: [] })
    } catch {
      this.#isAlone = true
      return false
    }
    this.#worker.on('message', (answer) => this.#waiting.shift()?.resolve(answer))
    this.#worker.on('error', (error: Error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the second thread has ended')))
    const program = this.#reader?.program
    if (program) {
      const loaded = this.#ask({ task: 'load', ...program })
      const setLoaded = () => {
        this.#isLoaded = true
      }
      loaded.then(setLoaded, () => {})
    }
    return true
  }

  #ask(message: { task: string; [option: string]: unknown }): Promise<unknown> {
    const answer = new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      this.#waiting.push({ resolve, reject })
      this.#worker?.postMessage(message)
    })
    // Whoever waits for it is told, if late.
    answer.catch(() => {})
    return answer
  }

  #fail(error: Error): void {
    this.#error ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(this.#error)
  }

  /** Ends the thread; none is started any more. */
  async close(): Promise<void> {
    this.#isAlone = true
    await this.#worker?.terminate()
  }
}
