/** A lock that names its process, so that builds take turns to put files into place. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BuildError } from './errors.ts'
import { isAlive, remove, temporaryName, whileBusy } from './files.ts'

interface Holder {
  pid: number
  host: string
  /** Unique for each lock: a process may hold several, one after another. */
  id: string
}

/** The locks of this process. IDs are reused: a lock with its ID may be of an earlier process. */
const held = new Set<string>()

const WAIT_MS = 10_000
const LOOK_MS = 20

/**
 * Waits until no other process puts files into a folder. A process that is gone holds no lock.
 *
 * @param wait the timeout in milliseconds
 * @param signal stops waiting; its reason is thrown
 * @returns a function that ends the turn
 * @throws BuildError on timeout
 */
export async function takeTurn(
  folder: string,
  { wait = WAIT_MS, signal }: { wait?: number; signal?: AbortSignal | undefined } = {},
): Promise<() => Promise<void>> {
  const lock = path.join(folder, '.lock')
  // A lock is a folder that is renamed into place. It never exists without its content, even after
  // a kill, and a rename onto an existing lock fails.
  const mine = path.join(folder, temporaryName())
  const id = randomUUID()
  const end = performance.now() + wait
  fs.mkdirSync(mine)
  try {
    const holder: Holder = { pid: process.pid, host: os.hostname(), id }
    fs.writeFileSync(path.join(mine, HOLDER), JSON.stringify(holder))
    while (!renameOnto(mine, lock)) {
      const holder = readHolder(lock)
      if (holder && isGone(holder) && takeOver(lock, holder)) continue
      signal?.throwIfAborted()
      if (performance.now() > end) {
        const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
        throw new BuildError(
          `${who} has been writing ${folder} for ${wait / 1000} seconds; try again when it is done, or remove ${lock} if it is gone`,
        )
      }
      await sleep(LOOK_MS)
    }
  } finally {
    remove(mine)
  }
  held.add(id)
  return async () => {
    await whileBusy(() => removeWhole(lock))
    held.delete(id)
  }
}

const HOLDER = 'holder.json'

/** @returns whether the lock was free */
function renameOnto(draft: string, lock: string): boolean {
  try {
    fs.renameSync(draft, lock)
    return true
  } catch (error) {
    // The last two are from Windows.
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']
    if (isTaken.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Renames the lock first, so that nobody finds it without its content. */
function removeWhole(lock: string): void {
  const removed = path.join(path.dirname(lock), temporaryName())
  fs.renameSync(lock, removed)
  remove(removed)
}

/** @returns undefined when the lock is gone */
function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(lock, HOLDER), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Removes the lock of a process that is gone. Only the process that creates a folder named after
 * the lock's `id` may do so. So nobody removes a lock that another process has taken since.
 *
 * @returns whether it was removed
 */
function takeOver(lock: string, { id }: Holder): boolean {
  const claim = `${lock}-${id}`
  try {
    fs.mkdirSync(claim)
  } catch {
    return false
  }
  try {
    const isStillThere = readHolder(lock)?.id === id
    if (isStillThere) removeWhole(lock)
    return isStillThere
  } catch {
    // Windows cannot rename what someone reads; the caller tries again.
    return false
  } finally {
    fs.rmdirSync(claim)
  }
}

function isGone({ pid, host, id }: Holder): boolean {
  if (host !== os.hostname()) return false
  return pid === process.pid ? !held.has(id) : !isAlive(pid)
}
