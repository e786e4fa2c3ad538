/**
 * Names the tests that run for long: a test is printed when it has ended, so one that hangs would be
 * unknown until its time limit. A reporter names it, in another process than the tests: a test that
 * blocks its process can't name itself.
 */

/** After how long a test is named, and how often, in milliseconds. */
const LONG = 2 * 60_000

export class RunningTests {
  readonly #running = new Map<string, { name: string; since: number }>()

  constructor() {
    const timer = setInterval(() => this.#nameLong(), LONG / 2)
    // It isn't what the process waits for.
    timer.unref()
  }

  begin(id: string, name: string): void {
    this.#running.set(id, { name, since: Date.now() })
  }

  end(id: string): void {
    this.#running.delete(id)
  }

  #nameLong(): void {
    for (const { name, since } of this.#running.values()) {
      const milliseconds = Date.now() - since
      const minutes = Math.floor(milliseconds / 60_000)
      // `scripts/test.ts` prints such a line at once.
      if (milliseconds >= LONG) console.log(`Still running after ${minutes} minutes: ${name}`)
    }
  }
}
