/** The terminal of a command: where messages go, in which colors, and how far it has come. */
import { styleText } from 'node:util'
import type { Progress } from '../pipeline/build.ts'
import { type Paint, plain } from '../report/summary.ts'
import { formatNumber, plural } from '../text/wording.ts'

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

/** A line that says how far a build has come, in place of the one before, after a second. */
export function progressLine(stream: Output) {
  let next = 1_000
  return {
    show({ batches, of, records }: Progress): void {
      if (performance.now() < next) return
      next = performance.now() + PAUSE
      stream.write(
        `\r${formatNumber(batches)} of ${plural(of, 'batch')}, ${plural(records, 'record')}`,
      )
    },
    /** Removes it again. */
    end(): void {
      if (next > 1_000) stream.write('\r\x1b[K')
    },
  }
}

/** In milliseconds: a terminal is slower than batches may be. */
const PAUSE = 100
