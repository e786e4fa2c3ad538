/** Turns errors of SQLite and the system into sentences for the owner. */
import { statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, messageOf } from '../machine/errors.ts'
import { StoreError } from './submission.ts'

/** Codes of SQLite, as libsql gives them, and of the system, such as ENOSPC. */
const KNOWN_CODE = /^(SQLITE_|UNKNOWN_SQLITE_|E[A-Z]+$)/

/** What libsql calls SQLITE_CORRUPT_INDEX, which has the number 779. */
const UNNAMED_CORRUPT_INDEX = 'UNKNOWN_SQLITE_ERROR_779'

/** A backup comes last: it lacks what was sent since it was made. */
const RESCUE = 'deploy/README.md says under "Damage" how to recover it'

/** A disk with less room than this is full, in bytes: a submission changes several pages. */
const NO_ROOM = 2 ** 20

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_BUSY', 'another process kept the database locked for too long; try again'],
  ['SQLITE_FULL', 'the disk is full'],
  [
    'SQLITE_NOTADB',
    'this is not a SQLite database, or its beginning is damaged. Correct SUBMISSIONS_FILE, or restore the last backup, as deploy/README.md says under "Backup"',
  ],
  ['SQLITE_CORRUPT', `the database is damaged. ${RESCUE}`],
  ['SQLITE_READONLY_DBMOVED', 'the file is gone; put it back, or restart for a new one'],
  ['SQLITE_READONLY', 'may not be written; its owner, its folder or its disk forbids it'],
]

/** The beginnings of codes that mean damage. The statements of the store have no errors of their own. */
const DAMAGE = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR']

/**
 * Runs work on a file. Turns errors of SQLite or the system into one line.
 *
 * @param words what the error means for the file
 */
export async function onFile<T>(file: string, work: () => Promise<T>, words = ''): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error

    const code = sqliteCodeOf(error)
    if (!KNOWN_CODE.test(code)) throw error

    const reason = describe(error, file)
    throw new StoreError(`${file}: ${words}${reason}`, { damage: damageOf(error) })
  }
}

/**
 * Returns SQLite's own words, such as `database disk image is malformed (SQLITE_CORRUPT)`, if an error
 * means damage.
 */
export function damageOf(error: unknown): string | undefined {
  const code = sqliteCodeOf(error)
  const isDamage = DAMAGE.some((prefix) => code.startsWith(prefix))
  return isDamage ? `${messageOf(error)} (${code})` : undefined
}

/** Says what an error about a file means and what to do, with its code. */
export function describe(error: unknown, file: string): string {
  const code = sqliteCodeOf(error)
  if (code === 'SQLITE_OK') return `${guessReason(file)} (${code})`

  const [, advice] = ADVICE.find(([prefix]) => code.startsWith(prefix)) ?? []
  if (advice) return `${advice} (${code})`

  const words = `${messageOf(error)} (${code})`
  return code === 'SQLITE_ERROR' ? `${words}. The file may be damaged. ${RESCUE}` : words
}

/** libsql reads the code of an error late, when another call may have succeeded. */
function guessReason(file: string): string {
  const { bavail, bsize } = statfsSync(dirname(resolve(file)))
  return bavail * bsize < NO_ROOM ? 'the disk is full' : 'SQLite failed and does not say why'
}

function sqliteCodeOf(error: unknown): string {
  const code = codeOf(error)
  return code === UNNAMED_CORRUPT_INDEX ? 'SQLITE_CORRUPT_INDEX' : code
}
