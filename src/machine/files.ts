/** Operations on files: temporary names, sweeping, folders, digests, renames. */
import { constants } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sha256Of } from '../text/digest.ts'
import { codeOf } from './errors.ts'

/** How many bytes of a file are read at once. */
const PIECE = 2 ** 20

/**
 * Names this machine, or this container: a process ID means nothing in another one, and containers
 * of one machine may have the same host name.
 */
const HOST = sha256Of(os.hostname() + namespaceOfIds()).slice(0, 8)

/** Names the namespace of process IDs (Linux, pid_namespaces(7)); '' on systems that have only one. */
function namespaceOfIds(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Names this process: its ID may be used again, and is by the next process in a container. */
const RUN = randomBytes(4).toString('hex')
let count = 0

/**
 * Returns a new name for a file or folder of this process. If the process is killed, `sweep` removes
 * it.
 */
export function temporaryName(kind: 'tmp' | 'lock' = 'tmp'): string {
  return `.${kind}-${HOST}-${process.pid}-${RUN}-${count++}`
}

/**
 * Removes what killed processes left in a folder, if it can be removed. A folder that belongs to
 * another user stays: while we empty it, its owner could put a link in it to something of ours.
 */
export function sweep(folder: string): void {
  for (const entry of fs.readdirSync(folder)) {
    if (!isLeftOver(entry)) continue

    const leftOver = path.join(folder, entry)
    try {
      if (!isFolderOfAnother(leftOver)) remove(leftOver)
    } catch {
      // Harmless if it stays.
    }
  }
}

/** Whether a file is a folder of another user. Windows has no user IDs, and each user a temporary folder. */
function isFolderOfAnother(file: string): boolean {
  const status = fs.lstatSync(file)
  const user = process.getuid?.() ?? status.uid
  return status.isDirectory() && status.uid !== user
}

/** What `temporaryName` returns, such as `.tmp-0a1b2c3d-4711-89abcdef-0`: the host, the process, its run. */
const TEMPORARY = /^\.(?:tmp|lock)-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-\d+$/

/** Whether a name is temporary and its process, on this machine or in this container, is gone. */
function isLeftOver(name: string): boolean {
  const [, host, pid, run] = TEMPORARY.exec(name) ?? []
  if (host !== HOST) return false

  const isOfThisId = Number(pid) === process.pid
  return isOfThisId ? run !== RUN : !isAlive(Number(pid))
}

/**
 * Creates a folder and its parents, which survive a power cut. Node's recursive `mkdir` reports a
 * read-only disk as a missing folder, and never returns where the system refuses to create one, as
 * in /proc.
 *
 * @param mode the permissions of what is created; 0o700 for personal data
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return

  const parent = path.dirname(folder)
  if (parent !== folder) makeFolder(parent, mode)

  try {
    fs.mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error
  }

  syncFolder(parent)
}

/**
 * Creates a folder in the temporary folder of the system. Only this user can read it. If the process
 * is killed, the next call by this user removes it.
 *
 * @returns its path
 */
export function makeTemporaryFolder(): string {
  const parent = os.tmpdir()
  sweep(parent)

  const folder = path.join(parent, temporaryName())
  fs.mkdirSync(folder, { mode: 0o700 })
  return folder
}

function isFolder(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** @returns the SHA-256 in hexadecimal */
export function digestFile(file: string): string {
  const hash = createHash('sha256')
  const descriptor = fs.openSync(file, 'r')

  try {
    const buffer = Buffer.allocUnsafe(PIECE)

    for (;;) {
      const length = fs.readSync(descriptor, buffer)
      if (length === 0) return hash.digest('hex')

      hash.update(buffer.subarray(0, length))
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Flushes a folder, so that its renames survive a power cut. Windows cannot flush a folder. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return

  const descriptor = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/**
 * On Windows, how long to wait before each further attempt to rename, in milliseconds: five seconds
 * together. No other system refuses to rename an open file.
 */
const PAUSES = process.platform === 'win32' ? [10, 20, 40, 80, 160, 320, 640, 1280, 2560] : []

/** What Windows answers while another program, such as a virus scanner, has a file open. */
const IN_USE = new Set(['EACCES', 'EBUSY', 'EPERM'])

/**
 * Renames a file or folder. On Windows, waits for a program that has it open to close it.
 *
 * @throws the system's error if it's still refused at the end
 */
export function renameWithRetry(from: string, to: string): void {
  retryWhileInUse(() => fs.renameSync(from, to), PAUSES)
}

/**
 * Runs an action again, after each of the pauses, for as long as it fails because a file is in use.
 *
 * @param pauses in milliseconds
 * @throws what the action throws at last
 */
export function retryWhileInUse(action: () => void, pauses: readonly number[]): void {
  for (const pause of pauses) {
    try {
      action()
      return
    } catch (error) {
      if (!IN_USE.has(codeOf(error))) throw error
    }

    // The thread sleeps: nothing ever wakes it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  action()
}

/**
 * Puts a file in place in one step, so that a reader finds the old one or the new one, complete.
 *
 * @param write writes the file under the temporary name that it gets
 * @param place gives it its name
 * @returns what `write` returns
 */
export async function replaceFile<T>(
  file: string,
  write: (work: string) => T | Promise<T>,
  place: (work: string) => void = (work) => renameWithRetry(work, file),
): Promise<T> {
  const folder = path.dirname(file)
  sweep(folder)
  const work = path.join(folder, temporaryName())

  // `npm run submissions` exits on a signal. Other processes are killed, and the next one sweeps.
  const clear = () => remove(work)
  process.once('exit', clear)

  try {
    const result = await write(work)
    place(work)
    return result
  } finally {
    process.off('exit', clear)
    clear()
  }
}

/**
 * Like `replaceFile`, but replaces no file.
 *
 * @throws the system's error EEXIST if there is one
 */
export async function addFile<T>(file: string, write: (work: string) => T | Promise<T>) {
  return replaceFile(file, write, (work) => {
    // An empty file, which must be new, takes the name first.
    fs.closeSync(fs.openSync(file, 'wx'))

    try {
      renameWithRetry(work, file)
    } catch (error) {
      remove(file)
      throw error
    }
  })
}

/**
 * Changes the content of a file that belongs to its user: its owner, group and mode stay.
 *
 * It is replaced by rename, so that a crash leaves it as it was, or as it will be. A file with an owner
 * or a group that this process may not set is overwritten instead.
 *
 * @param before what was read from it
 * @throws Error that says why not, also if it has another content by now
 */
export async function changeFile(file: string, before: Buffer, after: Buffer): Promise<void> {
  const status = fs.statSync(file)
  let hasSameOwner = false

  const write = (work: string) => {
    hasSameOwner = writeLike(status, work, after)
  }
  const place = (work: string) => {
    if (!hasSameOwner) return overwrite(file, before, after)

    refuseChanged(file, before)
    renameWithRetry(work, file)
  }
  await replaceFile(file, write, place)
}

/**
 * Creates a file with the mode of another one and, if this process may set them, its owner and group.
 *
 * @returns whether it has that owner and group
 */
function writeLike({ mode, uid, gid }: fs.Stats, file: string, bytes: Buffer): boolean {
  fs.writeFileSync(file, bytes, { flag: 'wx', mode, flush: true })

  try {
    fs.chownSync(file, uid, gid)
  } catch {
    // Only root may give a file away. What it has now is compared below.
  }
  // The mode of a new file is less what the umask takes away, and a new owner takes away more.
  fs.chmodSync(file, mode)

  const written = fs.statSync(file)
  return written.uid === uid && written.gid === gid
}

function refuseChanged(file: string, before: Buffer): void {
  if (!fs.readFileSync(file).equals(before)) throw new Error('it has changed since it was read')
}

/**
 * Writes into a file that must stay the same one. A crash may leave it half-written; what protects its
 * content is a copy beside it, with a name that isn't a batch's, until the new one is on the disk.
 */
function overwrite(file: string, before: Buffer, after: Buffer): void {
  const copy = `${file}.before-fix`
  if (fs.existsSync(copy)) {
    const name = path.basename(copy)
    throw new Error(
      `an earlier fix was interrupted. ${name} is the file as it was before; compare the two, and remove ${name}`,
    )
  }

  writeLike(fs.statSync(file), copy, before)
  syncFolder(path.dirname(file))

  try {
    refuseChanged(file, before)
  } catch (error) {
    remove(copy)
    throw error
  }

  // If one of these fails, the copy stays.
  const descriptor = fs.openSync(file, 'r+')
  try {
    fs.writeFileSync(descriptor, after)
    fs.ftruncateSync(descriptor, after.length)
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }

  remove(copy)
}

/** Removes a file or folder, if it exists. */
export function remove(file: string): void {
  fs.rmSync(file, { recursive: true, force: true })
}

/** Whether a process with this ID runs on this machine. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** How many bytes of a file are read at most. */
const LONGEST_START = 2 ** 24

/**
 * Returns the first bytes of a file as text; '' if there is none, or a folder.
 *
 * @throws the system's error if it cannot be read
 */
export function readStart(file: string, most = LONGEST_START): string {
  try {
    return readBytes(file, most).toString()
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes(codeOf(error))) return ''
    throw error
  }
}

/** Returns the text of a file before a mark; '' if there is no such file, no mark in it, or too much before. */
export function readBefore(file: string, mark: string): string {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return ''

  const wanted = Buffer.from(mark)
  const pieces: Buffer[] = []
  let bytes = 0
  let end = Buffer.alloc(0)

  const descriptor = fs.openSync(file, 'r')
  try {
    while (bytes < constants.MAX_STRING_LENGTH) {
      const piece = Buffer.alloc(PIECE)
      const length = fs.readSync(descriptor, piece)
      if (length === 0) return ''

      // The mark may be on both sides of a piece.
      const searched = Buffer.concat([end, piece.subarray(0, length)])
      const found = searched.indexOf(wanted)
      pieces.push(piece.subarray(0, length))
      if (found >= 0) return Buffer.concat(pieces, bytes - end.length + found).toString()

      bytes += length
      end = searched.subarray(-wanted.length)
    }
    return ''
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Returns the first bytes of a file, at most so many. */
function readBytes(file: string, most: number): Buffer {
  const descriptor = fs.openSync(file, 'r')

  try {
    const { size } = fs.fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size, most))
    const length = fs.readSync(descriptor, bytes)
    return bytes.subarray(0, length)
  } finally {
    fs.closeSync(descriptor)
  }
}
