/** Commits waiting items in groups, so that many visitors share the cost of one flush to disk. */
import { StoreError } from './store.ts'

/** Limited so that a group's transaction stays short and holds few locks. */
const LARGEST_GROUP = 200

/** How long a call may wait, in the queue and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/**
 * A queue for everything that uses one connection. Work gets a deadline, by `performance.now()`:
 * {@link PATIENCE} after it joined the queue, so that the time in the queue and the wait for locks
 * share one limit.
 *
 * @param commit commits a group of items in one transaction, and resolves to their results in order
 */
export class GroupCommit<Item, Result> {
  #commit: (items: Item[], deadline: number) => Promise<Result[]>
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] =
    []
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(commit: (items: Item[], deadline: number) => Promise<Result[]>) {
    this.#commit = commit
  }

  /** Resolves once the item's group is committed. Rejects with the error that prevented it. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      this.#waiting.push({ item, resolve, reject })
      // The first item of a group queues a turn for it. Items added before that turn join.
      if (this.#waiting.length % LARGEST_GROUP === 1)
        this.#inTurn((deadline) => this.#commitGroup(deadline))
    })
  }

  /** Runs other work on the connection when its turn comes. */
  async run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed()
    return this.#inTurn(work)
  }

  /** Finishes the queued work, then runs `last`. Rejects work that is added later. */
  async close(last: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#inTurn(last)
  }

  async #commitGroup(deadline: number): Promise<void> {
    const group = this.#waiting.splice(0, LARGEST_GROUP)
    try {
      const results = await this.#commit(
        group.map(({ item }) => item),
        deadline,
      )
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  #inTurn<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE
    const done = this.#turn.then(() => work(deadline))
    this.#turn = done.catch(() => {})
    return done
  }
}

function closed(): StoreError {
  return new StoreError('the store is closed')
}
