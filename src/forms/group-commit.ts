/** Commits what waits together, so that many visitors share the cost of one flush to the disk. */
import { StoreError } from './store.ts'

/** So that a group's transaction stays short, and its locks few. */
const LARGEST_GROUP = 200

/** For how long a call waits, in the line and for locks together, in milliseconds. */
export const PATIENCE = 10_000

/**
 * A line in which everything that touches one connection waits its turn. Work gets the moment until
 * which it may wait, by `performance.now()`: {@link PATIENCE} after it joined the line, so that no
 * call waits longer for those before it than for its own locks.
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

  /** Resolves once the item's group is committed; rejects with what kept it from being. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      this.#waiting.push({ item, resolve, reject })
      // The first of a group takes a turn for it; whoever comes before that turn joins.
      if (this.#waiting.length % LARGEST_GROUP === 1)
        this.#inTurn((deadline) => this.#commitGroup(deadline))
    })
  }

  /** Runs other work on the connection when its turn has come. */
  async run<T>(work: (deadline: number) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed()
    return this.#inTurn(work)
  }

  /** Finishes what waits, then runs `last`; refuses what comes after. */
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
