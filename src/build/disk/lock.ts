/**
 * The lock of a folder: builds wait for their turn to put files into place. Each marks the folder with
 * a file of its own name, and steps back if it finds another one. As no two processes share a name, the
 * mark of a process that is gone can be removed by anyone, at any time.
 */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BuildError } from '../../machine/errors.ts'
import { remove, sweep, temporaryName } from '../../machine/files.ts'

/** How long a build waits for its turn. */
const WAIT_MS = 10_000
/** The time between two looks, on average. */
const LOOK_MS = 20

/**
 * Waits until no other process puts files into a folder.
 *
 * @param wait the timeout in milliseconds
 * @returns a function that ends the turn
 * @throws BuildError on timeout
 */
export async function takeTurn(
  folder: string,
  { wait = WAIT_MS }: { wait?: number } = {},
): Promise<() => void> {
  const mark = temporaryName('lock')
  const end = performance.now() + wait

  for (;;) {
    sweep(folder)
    const marks = markFolder(folder, mark)
    const isAlone = marks.length === 1
    if (isAlone) return () => remove(path.join(folder, mark))

    remove(path.join(folder, mark))
    if (performance.now() > end) {
      const marksOfOthers = marks.filter((name) => name !== mark)
      throw timeout(folder, marksOfOthers, wait)
    }

    // Two that stepped back together would meet again after equal pauses.
    await sleep(2 * LOOK_MS * Math.random())
  }
}

/**
 * Marks a folder. Of two processes that do so at once, at least one sees both marks.
 *
 * @returns the marks of all processes
 */
function markFolder(folder: string, mark: string): string[] {
  fs.writeFileSync(path.join(folder, mark), '')
  return fs.readdirSync(folder).filter((name) => name.startsWith('.lock-'))
}

function timeout(folder: string, marks: readonly string[], wait: number): BuildError {
  const files = [...marks].sort().map((name) => path.join(folder, name))
  return new BuildError(
    `another build has been writing ${folder} for ${wait / 1000} seconds; try again when it is done, or remove ${files.join(' and ')} if it is gone`,
  )
}
