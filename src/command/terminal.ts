/** The terminal of a command: where its messages go, and what ends it. */

export interface Terminal {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
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
