/** The terminal of a command: where its messages go, and what ends it. */

/** Where messages go: a stream of the process, or one like it. */
type Output = NodeJS.WritableStream & { columns?: number }

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
