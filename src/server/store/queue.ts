/** A queue for one connection. What waits to be stored shares one commit, and one flush to disk. */
import { StoreError } from './submission.ts'

/** Limited so that a group's transaction stays short and holds few locks. */
const LARGEST_GROUP = 200

/** How long a call may wait, in the queue and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/** An item that waits for its group. */
interface Waiting<Item, Result> {
  item: Item
  deadline: number
  timer: NodeJS.Timeout
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Everything that uses a connection runs in turn. Work gets a deadline, by `performance.now()`:
 * the patience after it joined the queue, so that the time in the queue and the wait for locks share
 * one limit. What has not begun by then is rejected at once, and never begins.
 *
 * @param commit commits a group of items in one transaction, and resolves to their results in order
 */
export function createQueue<Item, Result>(
  commit: (items: Item[], deadline: number) => Promise<Result[]>,
  patience = PATIENCE,
) {
  let last: Promise<unknown> = Promise.resolve()
  const waiting: Waiting<Item, Result>[] = []
  let isClosed = false

  /** Runs work when its turn comes. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** Runs work on the connection when its turn comes. Rejects when the queue is closed. */
  function run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(closed())
    const deadline = performance.now() + patience
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(busy(patience))
      }, patience)
      inTurn(async () => {
        clearTimeout(timer)
        if (!isLate) resolve(await work(deadline))
      }).catch(reject)
    })
  }

  async function commitGroup(): Promise<void> {
    const group = waiting.splice(0, LARGEST_GROUP)
    for (const { timer } of group) clearTimeout(timer)
    const [first] = group
    if (!first) return
    try {
      const items = group.map(({ item }) => item)
      const results = await commit(items, first.deadline)
      for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return {
    run,

    /** Resolves once the item's group is committed. Rejects with the error that prevented it. */
    add(item: Item): Promise<Result> {
      if (isClosed) return Promise.reject(closed())
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1)
          reject(busy(patience))
        }, patience)
        const deadline = performance.now() + patience
        const entry = { item, deadline, timer, resolve, reject }
        // The first item of a group queues a turn for it. Items added before that turn join.
        if (waiting.push(entry) % LARGEST_GROUP === 1) inTurn(commitGroup)
      })
    },

    /** Finishes the queued work, then runs `end`. */
    async close(end: () => Promise<void>): Promise<void> {
      if (isClosed) return
      isClosed = true
      await inTurn(end)
    },
  }
}

function closed(): StoreError {
  return new StoreError('the store is closed')
}

function busy(patience: number): StoreError {
  return new StoreError(`the store was busy for ${patience / 1000} seconds`)
}
