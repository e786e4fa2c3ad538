/** A queue for one connection. What waits to be stored shares one commit, and one flush to disk. */
import { StoreError } from './submission.ts'

/** Limited so that a group's transaction stays short and holds few locks. */
const LARGEST_GROUP = 200

/** How long a call may wait, in the queue and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/** A call, which ends at the latest at its deadline, by `performance.now()`. */
interface Call<Result> {
  deadline: number
  timer: NodeJS.Timeout
  /** Whether it was rejected at its deadline. Then it never begins. */
  isOver?: true
  /** Whether its item is being committed. */
  isCommitting?: true
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Addition<Item, Result> extends Call<Result> {
  item: Item
}

/**
 * Commits the items that `begin` returns in one transaction, and resolves to their results in order.
 * It calls `begin` once it waits for no lock any more.
 */
export type Commit<Item, Result> = (begin: () => Item[], deadline: number) => Promise<Result[]>

/**
 * Everything that uses a connection runs in turn. A call gets a deadline when it joins the queue, so
 * that the time in the queue and the wait for locks share one limit. What has not begun by then is
 * rejected at once, and never begins.
 */
export class Queue<Item, Result> {
  readonly #commit: Commit<Item, Result>
  readonly #patience: number
  #last: Promise<unknown> = Promise.resolve()
  #additions: Addition<Item, Result>[] = []
  #isCommitPlanned = false
  #isClosed = false

  constructor(commit: Commit<Item, Result>, patience = PATIENCE) {
    this.#commit = commit
    this.#patience = patience
  }

  /** Runs work on the connection when its turn comes, which may take longer than the patience. */
  run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    return this.#inTime((call) => {
      const turn = async () => {
        if (call.isOver) return
        clearTimeout(call.timer)
        call.resolve(await work(call.deadline))
      }

      this.#inTurn(turn).catch(call.reject)
    })
  }

  /**
   * Resolves once the item's group is committed. Rejects with the error that prevented it, or at the
   * deadline, also while it is committed: then it may be stored all the same.
   */
  add(item: Item): Promise<Result> {
    return this.#inTime((call) => {
      this.#additions.push(Object.assign(call, { item }))
      this.#planCommit()
    })
  }

  /** Finishes the queued work, then runs `end`. */
  async close(end: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return

    this.#isClosed = true

    await this.#inTurn(async () => {
      while (this.#additions.length > 0) await this.#commitGroup()
      await end()
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)

    this.#last = done.catch(() => {})
    return done
  }

  /** Returns a promise that the call settles. At its deadline, the timer rejects it. */
  #inTime<T>(start: (call: Call<T>) => void): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreError('the store is closed'))

    return new Promise((resolve, reject) => {
      const expire = () => {
        call.isOver = true
        const words = `the store was busy for ${this.#patience / 1000} seconds`
        reject(new StoreError(words, { mayBeStored: call.isCommitting ?? false }))
      }

      const call: Call<T> = {
        deadline: performance.now() + this.#patience,
        timer: setTimeout(expire, this.#patience),
        resolve,
        reject,
      }

      start(call)
    })
  }

  /**
   * Plans a turn that commits what waits by then. There is one such turn at a time: with one for each
   * item, posts that keep coming would use the turns of earlier ones, and hold up all other work.
   */
  #planCommit(): void {
    if (this.#isCommitPlanned) return

    this.#isCommitPlanned = true
    this.#inTurn(() => this.#commitGroup())
  }

  async #commitGroup(): Promise<void> {
    this.#isCommitPlanned = false

    this.#additions = this.#additions.filter(({ isOver }) => !isOver)
    const group = this.#additions.splice(0, LARGEST_GROUP)

    if (this.#additions.length > 0) this.#planCommit()

    const [first] = group
    if (!first) return

    let begun: typeof group = []

    const begin = () => {
      begun = group.filter(({ isOver }) => !isOver)
      for (const call of begun) call.isCommitting = true
      return begun.map(({ item }) => item)
    }

    try {
      const results = await this.#commit(begin, first.deadline)
      for (const [at, call] of begun.entries()) call.resolve(results[at] as Result)
    } catch (error) {
      for (const call of group) call.reject(error)
    }

    for (const call of group) clearTimeout(call.timer)
  }
}
