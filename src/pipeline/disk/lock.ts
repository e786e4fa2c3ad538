/** A lock that names its process, so that builds take turns to put files into place. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BuildError } from '../../machine/errors.ts'
import { isAlive, remove, temporaryName, whileBusy } from '../../machine/files.ts'

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
  const lock = path.join(folder, LOCK)
  const end = performance.now() + wait
  for (;;) {
    const id = take(lock)
    if (id !== undefined) {
      return async () => {
        await whileBusy(() => removeWhole(lock))
        held.delete(id)
      }
    }
    signal?.throwIfAborted()
    if (performance.now() > end) {
      const { pid, host } = readHolder(lock) ?? {}
      const who = pid ? `process ${pid} on ${host}` : 'another process'
      const locks = fs.readdirSync(folder).filter((name) => name.startsWith(LOCK))
      const files = locks.sort().map((name) => path.join(folder, name))
      throw new BuildError(
        `${who} has been writing ${folder} for ${wait / 1000} seconds; try again when it is done, or remove ${files.join(' and ')} if it is gone`,
      )
    }
    await sleep(LOOK_MS)
  }
}

const LOCK = '.lock'
const HOLDER = 'holder.json'

/**
 * Takes a lock that is free, or whose holder is gone.
 *
 * Several processes may find the same holder gone. Only one of them may remove its lock, and only as
 * long as it is there, so each first takes a lock named after that holder, in the same way.
 *
 * @returns the ID of the lock; undefined if another process has it
 */
function take(lock: string): string | undefined {
  const id = place(lock)
  if (id !== undefined) return id
  const holder = readHolder(lock)
  if (!holder || !isGone(holder)) return undefined
  const claim = `${lock}-${holder.id}`
  const claimId = take(claim)
  if (claimId === undefined) return undefined
  for (const done of readHolder(lock)?.id === holder.id ? [lock, claim] : [claim]) {
    try {
      removeWhole(done)
    } catch {
      // Windows cannot rename what someone reads; the next look tries again.
    }
  }
  held.delete(claimId)
  return place(lock)
}

/** Puts a lock into place. @returns its ID; undefined if there is one already */
function place(lock: string): string | undefined {
  // A lock is a folder that is renamed into place. It never exists without its content, even after
  // a kill, and a rename onto an existing lock fails.
  const draft = path.join(path.dirname(lock), temporaryName())
  const holder: Holder = { pid: process.pid, host: os.hostname(), id: randomUUID() }
  fs.mkdirSync(draft)
  try {
    fs.writeFileSync(path.join(draft, HOLDER), JSON.stringify(holder))
    if (!renameOnto(draft, lock)) return undefined
    held.add(holder.id)
    return holder.id
  } finally {
    remove(draft)
  }
}

/** @returns whether the lock was free */
function renameOnto(draft: string, lock: string): boolean {
  try {
    fs.renameSync(draft, lock)
    return true
  } catch (error) {
    // ENOTDIR: someone made a file of that name. The last two are from Windows.
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES']
    if (isTaken.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Renames the lock first, so that nobody finds it without its content. */
function removeWhole(lock: string): void {
  const removed = path.join(path.dirname(lock), temporaryName())
  try {
    fs.renameSync(lock, removed)
  } catch (error) {
    // Someone has removed it, as the message of a build that waited too long suggests.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  remove(removed)
}

/** @returns undefined if nothing can be known of the holder, for example because the lock is gone */
function readHolder(lock: string): Holder | undefined {
  let text: string
  try {
    text = fs.readFileSync(path.join(lock, HOLDER), 'utf8')
  } catch {
    return undefined
  }
  try {
    const { pid, host, id } = JSON.parse(text)
    const isKnown = Number.isInteger(pid) && typeof host === 'string' && /^[\w-]+$/.test(id ?? '')
    return isKnown ? { pid, host, id } : undefined
  } catch {
    return BROKEN
  }
}

/** The holder of a lock that was empty or cut off after a power cut: a process writes all of it. */
const BROKEN: Holder = { pid: 0, host: '', id: 'broken' }

function isGone(holder: Holder): boolean {
  const { pid, host, id } = holder
  if (holder === BROKEN) return true
  if (host !== os.hostname()) return false
  return pid === process.pid ? !held.has(id) : !isAlive(pid)
}
