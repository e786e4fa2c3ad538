/** The terminal of a command: where messages go, in which colors, and the progress bar. */
import { styleText } from 'node:util'
import type { SingleBar } from 'cli-progress'
import type { Progress } from '../pipeline/build.ts'
import { type Paint, plain } from '../report/summary.ts'
import { formatNumber } from '../text/wording.ts'

/** Where messages go: a stream of the process, or one like it. */
type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; hasColors?(): boolean }

export interface Terminal {
  stdout: Output
  stderr: Output
  env: NodeJS.ProcessEnv
  /** Loads what makes a report, with React: the one part that most builds do not need. */
  loadReport(): Promise<typeof import('../report/html/report.ts')>
  /** Stops the build; its reason is an `Interrupted`. */
  signal?: AbortSignal
}

/** A signal has asked the process to end. */
export class Interrupted extends Error {
  /** The exit status. */
  readonly status: number

  constructor(signal: string, status: number) {
    super(`stopped by ${signal}; nothing was written`)
    this.status = status
  }
}

export function paintFor(stream: Output): Paint {
  if (!stream.isTTY || !stream.hasColors?.()) return plain
  return {
    strong: (text: string) => styleText('bold', text),
    mark: (text: string) => styleText('red', text),
  }
}

/** Appears when a build takes longer than a second. */
export class ProgressBar {
  #bar: SingleBar | 'loading' | undefined
  #isOver = false

  show(progress: Progress): void {
    if (typeof this.#bar === 'object') this.#update(this.#bar, progress)
    if (this.#bar !== undefined || performance.now() < 1000) return
    this.#bar = 'loading'
    void this.#load(progress)
  }

  async #load(progress: Progress): Promise<void> {
    const { SingleBar } = (await import('cli-progress')).default
    if (this.#isOver) return
    this.#bar = new SingleBar({
      format: '{bar} {value} of {total} batches, {count} records, {eta_formatted} left',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 20,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      etaBuffer: 100,
    })
    this.#bar.start(progress.of, 0, { count: '0' })
    this.#update(this.#bar, progress)
  }

  #update(bar: SingleBar, { batches, records }: Progress): void {
    bar.update(batches, { count: formatNumber(records) })
  }

  stop(): void {
    this.#isOver = true
    if (typeof this.#bar === 'object') this.#bar.stop()
  }
}
