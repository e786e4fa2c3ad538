/** A queue for one connection. What waits to be stored shares one commit, and one flush to disk. */
import { StoreError } from './submission.ts'

/** Limited so that a group's transaction stays short and holds few locks. */
const LARGEST_GROUP = 200

/** How long a call may wait, in the queue and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/**
 * Everything that uses a connection runs in turn. Work gets a deadline, by `performance.now()`:
 * {@link PATIENCE} after it joined the queue, so that the time in the queue and the wait for locks
 * share one limit.
 *
 * @param commit commits a group of items in one transaction, and resolves to their results in order
 */
export function createQueue<Item, Result>(
  commit: (items: Item[], deadline: number) => Promise<Result[]>,
) {
  let last: Promise<unknown> = Promise.resolve()
  let group: Item[] = []
  let results: Promise<Result[]> | undefined
  let isClosed = false

  /** Runs work on the connection when its turn comes. Rejects when the queue is closed. */
  function run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(closed())
    const deadline = performance.now() + PATIENCE
    const done = last.then(() => work(deadline))
    last = done.catch(() => {})
    return done
  }

  return {
    run,

    /** Resolves once the item's group is committed. Rejects with the error that prevented it. */
    async add(item: Item): Promise<Result> {
      if (isClosed) throw closed()
      // The first item of a group queues a turn for it. Items added before that turn join.
      if (!results || group.length === LARGEST_GROUP) {
        const items: Item[] = []
        group = items
        results = run((deadline) => {
          if (group === items) results = undefined
          return commit(items, deadline)
        })
      }
      const position = group.push(item) - 1
      return (await results)[position] as Result
    },

    /** Finishes the queued work, then runs `end`. */
    async close(end: () => Promise<void>): Promise<void> {
      if (isClosed) return
      const done = run(end)
      isClosed = true
      await done
    },
  }
}

function closed(): StoreError {
  return new StoreError('the store is closed')
}
