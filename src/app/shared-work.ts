/** Work that is under way, by its name, so that nothing is loaded twice at once. */
export class SharedWork {
  readonly #running = new Map<string, Promise<void>>()

  /** Returns the promise of the work with a name that is under way, or begins it. */
  do(name: string, begin: () => Promise<void>): Promise<void> {
    const known = this.#running.get(name)
    if (known) return known

    const work = begin().finally(() => this.#running.delete(name))
    this.#running.set(name, work)
    return work
  }
}
