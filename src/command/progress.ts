/** Shows how far a build is, in a line of the terminal that is erased before anything else is printed. */
import type { ReadProgress } from '../build/options.ts'
import { printable } from '../text/printable.ts'
import { formatNumber, plural } from '../text/wording.ts'
import type { Screen } from './style.ts'

/** When the first line is shown, in milliseconds: most commands are done by then. */
const FIRST = 1000

/** The milliseconds between two lines. */
const PAUSE = 100

/** To the beginning of the line, whose text is erased. */
const ERASE = '\r\x1b[K'

/** Between these, the terminal cuts what is longer than its line: only one line can be erased. */
const WRAP_OFF = '\x1b[?7l'
const WRAP_ON = '\x1b[?7h'

export class Progress {
  readonly #screen: Screen
  readonly #now: () => number
  #isShown = false
  /** When the next line may be shown. */
  #next = FIRST

  /** @param now the milliseconds since the command was started */
  constructor(screen: Screen, now = () => performance.now()) {
    this.#screen = screen
    this.#now = now
  }

  /** Shows how far a build is, unless the last line was shown just now. */
  readonly show = (progress: ReadProgress): void => {
    const now = this.#now()
    if (now < this.#next) return

    this.#screen.write(ERASE + WRAP_OFF + formatProgress(progress) + WRAP_ON)
    this.#isShown = true
    this.#next = now + PAUSE
  }

  /** Removes the line, if there is one. */
  clear(): void {
    if (!this.#isShown) return

    this.#screen.write(ERASE)
    this.#isShown = false
  }
}

/** For example "countries: 4,120 of 15,631 files". */
function formatProgress({ collection, file, read, of }: ReadProgress): string {
  return `${printable(collection)}: ${formatNumber(read)} of ${plural(of, file)}`
}

/** Only a terminal that can erase a line has a progress. */
export function progressOn(screen: Screen, env: NodeJS.ProcessEnv): Progress | undefined {
  const canErase = screen.isTTY === true && env.TERM !== 'dumb'
  return canErase ? new Progress(screen) : undefined
}
