/** A queue for one connection, on which everything runs in turn. */
import { StoreError } from './store.ts'

/** How long a call may wait, in the queue and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/**
 * Work gets a deadline, by `performance.now()`: {@link PATIENCE} after it joined the queue, so that
 * the time in the queue and the wait for locks share one limit.
 */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** Runs work on the connection when its turn comes. Rejects when the queue is closed. */
  function run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new StoreError('the store is closed'))
    const deadline = performance.now() + PATIENCE
    const done = last.then(() => work(deadline))
    last = done.catch(() => {})
    return done
  }

  return {
    run,

    /** Finishes the queued work, then runs `end`. */
    async close(end: () => Promise<void>): Promise<void> {
      if (isClosed) return
      const done = run(end)
      isClosed = true
      await done
    },
  }
}
