/** Limits how long a step takes, and says what is being done if it takes long. */

/** How long a step may take, in milliseconds. */
const LONGEST = 30_000

/** After how much silence a line says what is being done, in milliseconds. */
const SILENCE = 3_000

export class Watch {
  readonly #say: (line: string) => void
  readonly #now: () => number
  readonly #start: number
  #lastSaid: number

  /** @param now returns a time in milliseconds; only tests change it */
  constructor(say: (line: string) => void, now = () => performance.now()) {
    this.#say = say
    this.#now = now
    this.#start = now()
    this.#lastSaid = this.#start
  }

  isOver(): boolean {
    return this.#now() - this.#start > LONGEST
  }

  /** Says what is being done, if nothing was said for a while. */
  report(line: string): void {
    if (this.#now() - this.#lastSaid < SILENCE) return

    this.#say(line)
    this.#lastSaid = this.#now()
  }
}
