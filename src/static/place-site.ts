/** Puts a finished site into the place of the last one. */
import { chmodSync, cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from '../machine/errors.ts'
import { remove, renameWithRetry, sweep, temporaryName } from '../machine/files.ts'

/** A folder without this file is not a finished site: see `site-files.ts`. */
const FINISHED = 'site.json'

/** Replaces the folder of a site by the draft of another one. */
export function placeSite(folder: string, draft: string): void {
  makeReadable(draft)
  try {
    replaceFolder(folder, draft)
  } catch (error) {
    if (!isMount(error)) throw error
    replaceContent(folder, draft)
  }
}

/** Two renames: no system replaces a folder that has files in one. */
function replaceFolder(folder: string, draft: string): void {
  const old = join(dirname(folder), temporaryName())
  if (existsSync(folder)) renameWithRetry(folder, old)

  try {
    renameWithRetry(draft, folder)
  } catch (error) {
    // Unless another build has put its site there in the meantime.
    if (existsSync(old) && !existsSync(folder)) renameWithRetry(old, folder)
    throw error
  } finally {
    remove(old)
  }
}

/**
 * Whether a folder cannot be renamed because a disk is mounted there, such as a volume of Docker, or
 * because it is of an image.
 */
function isMount(error: unknown): boolean {
  return ['EBUSY', 'EXDEV'].includes(codeOf(error))
}

/**
 * Replaces what is in a folder that cannot be replaced itself. Meanwhile, it is not a finished site,
 * so that a receiver does not start with half of one after a crash.
 */
function replaceContent(folder: string, draft: string): void {
  sweep(folder)

  const copy = join(folder, temporaryName())
  try {
    // On the disk of the folder, so that renames suffice from here on.
    cpSync(draft, copy, { recursive: true })

    remove(join(folder, FINISHED))
    for (const name of readdirSync(folder)) {
      if (join(folder, name) !== copy) remove(join(folder, name))
    }

    const names = readdirSync(copy).filter((name) => name !== FINISHED)
    for (const name of [...names, FINISHED]) renameWithRetry(join(copy, name), join(folder, name))
  } finally {
    remove(copy)
  }
}

/** Lets every user of the machine read a site, such as that of a web server, whatever the umask is. */
function makeReadable(folder: string): void {
  if (isReadable(folder) && isReadable(join(folder, FINISHED))) return
  chmodSync(folder, statSync(folder).mode | 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

/** Whether other users may read a file or folder. Windows says so of all. */
const isReadable = (file: string) => (statSync(file).mode & 0o044) === 0o044
