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

const WAIT_MS = 10_000
const LOOK_MS = 20

/**
 * Waits until no other process puts files into a folder.
 *
 * @param wait the timeout in milliseconds
 * @param signal stops waiting; its reason is thrown
 * @returns a function that ends the turn
 * @throws BuildError on timeout
 */
export async function takeTurn(
  folder: string,
  { wait = WAIT_MS, signal }: { wait?: number; signal?: AbortSignal | undefined } = {},
): Promise<() => void> {
  const mine = temporaryName('lock')
  const end = performance.now() + wait
  for (;;) {
    sweep(folder)
    fs.writeFileSync(path.join(folder, mine), '')
    // Of two that mark the folder at once, at least one sees both marks.
    const marks = fs.readdirSync(folder).filter((name) => name.startsWith('.lock-'))
    if (marks.length === 1) return () => remove(path.join(folder, mine))
    remove(path.join(folder, mine))
    signal?.throwIfAborted()
    if (performance.now() > end) {
      const others = marks.filter((name) => name !== mine).sort()
      const files = others.map((name) => path.join(folder, name)).join(' and ')
      throw new BuildError(
        `another build has been writing ${folder} for ${wait / 1000} seconds; try again when it is done, or remove ${files} if it is gone`,
      )
    }
    // Two that stepped back together would meet again after equal pauses.
    await sleep(2 * LOOK_MS * Math.random())
  }
}
