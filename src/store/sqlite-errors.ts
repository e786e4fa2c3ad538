/** Turns errors of SQLite and the system into sentences for the owner. */
import { StoreError } from './submission.ts'

/** Codes of SQLite, as libsql gives them, and of the system, such as ENOSPC. */
const KNOWN_CODE = /^(SQLITE_|UNKNOWN_SQLITE_|E[A-Z]+$)/

/** What libsql calls SQLITE_CORRUPT_INDEX, which has the number 779. */
const UNNAMED_CORRUPT_INDEX = 'UNKNOWN_SQLITE_ERROR_779'

const RESTORE = 'Restore the last backup, as deploy/README.md explains under "Backup"'

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_OK', 'SQLite failed and does not say why'],
  ['SQLITE_BUSY', 'another process kept the database locked for too long; try again'],
  ['SQLITE_FULL', 'the disk is full'],
  [
    'SQLITE_NOTADB',
    `this is not a SQLite database, or its beginning is damaged. ${RESTORE}, or correct SUBMISSIONS_FILE`,
  ],
  ['SQLITE_CORRUPT', `the database is damaged. ${RESTORE}`],
  ['SQLITE_READONLY_DBMOVED', 'the file is gone; put it back, or restart for a new one'],
  ['SQLITE_READONLY', 'may not be written; its owner, its folder or its disk forbids it'],
]

/** Runs work on the file. Turns errors of SQLite or the system into a line that begins with `where`. */
export async function onFile<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (!KNOWN_CODE.test(code)) throw error
    const isDamage = codeOf(error as Error).startsWith('SQLITE_CORRUPT')
    throw new StoreError(`${where}: ${describe(error as Error)}`, { isDamage })
  }
}

/** Says what an error means and what to do, with its code. */
export function describe(error: NodeJS.ErrnoException): string {
  const code = codeOf(error)
  const [, advice] = ADVICE.find(([prefix]) => code.startsWith(prefix)) ?? []
  if (advice) return `${advice} (${code})`
  // The statements of the store have no errors of their own.
  if (code === 'SQLITE_ERROR')
    return `${error.message} (${code}). The file may be damaged. ${RESTORE}`
  return `${error.message} (${code})`
}

function codeOf({ code = '' }: NodeJS.ErrnoException): string {
  return code === UNNAMED_CORRUPT_INDEX ? 'SQLITE_CORRUPT_INDEX' : code
}
