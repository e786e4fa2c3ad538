/** Commits what waits together, so that many visitors share the cost of one flush to the disk. */
import { StoreError } from './store.ts'

/** So that a group's transaction stays short, and its locks few. */
const LARGEST_GROUP = 200

/**
 * A line in which everything that touches one connection waits its turn.
 *
 * @param commit commits a group of items in one transaction, and resolves to their results in order
 */
export class GroupCommit<Item, Result> {
  #commit: (items: Item[]) => Promise<Result[]>
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] =
    []
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(commit: (items: Item[]) => Promise<Result[]>) {
    this.#commit = commit
  }

  /** Resolves once the item's group is committed; rejects with what kept it from being. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed())
      this.#waiting.push({ item, resolve, reject })
      // The first of a group takes a turn for it; whoever comes before that turn joins.
      if (this.#waiting.length % LARGEST_GROUP === 1) this.#inTurn(() => this.#commitGroup())
    })
  }

  /** Runs other work on the connection when its turn has come. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed()
    return this.#inTurn(work)
  }

  /** Finishes what waits, then runs `last`; refuses what comes after. */
  async close(last: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#inTurn(last)
  }

  async #commitGroup(): Promise<void> {
    const group = this.#waiting.splice(0, LARGEST_GROUP)
    try {
      const results = await this.#commit(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}

function closed(): StoreError {
  return new StoreError('the store is closed')
}
