/** Turns errors of SQLite and the system into sentences for the owner. */
import { codeOf, messageOf } from '../machine/errors.ts'
import { StoreError } from './submission.ts'

/** Codes of SQLite, as libsql gives them, and of the system, such as ENOSPC. */
const KNOWN_CODE = /^(SQLITE_|UNKNOWN_SQLITE_|E[A-Z]+$)/

/** What libsql calls SQLITE_CORRUPT_INDEX, which has the number 779. */
const UNNAMED_CORRUPT_INDEX = 'UNKNOWN_SQLITE_ERROR_779'

/** A backup comes last: it lacks what was sent since it was made. */
const RESCUE =
  'First save what can still be read, with "npm run submissions -- export", then try "npm run submissions -- repair". deploy/README.md says under "Damage" what else helps'

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_OK', 'SQLite failed and does not say why'],
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

/** Runs work on the file. Turns errors of SQLite or the system into a line that begins with `where`. */
export async function onFile<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error

    const code = sqliteCodeOf(error)
    if (!KNOWN_CODE.test(code)) throw error

    throw new StoreError(`${where}: ${describe(error)}`, { damage: damageOf(error) })
  }
}

/** Returns SQLite's own words, such as `database disk image is malformed (SQLITE_CORRUPT)`. */
function damageOf(error: unknown): string | undefined {
  const code = sqliteCodeOf(error)
  const isDamage = DAMAGE.some((prefix) => code.startsWith(prefix))
  return isDamage ? `${messageOf(error)} (${code})` : undefined
}

/** Says what an error means and what to do, with its code. */
export function describe(error: unknown): string {
  const code = sqliteCodeOf(error)
  const [, advice] = ADVICE.find(([prefix]) => code.startsWith(prefix)) ?? []
  if (advice) return `${advice} (${code})`

  const words = `${messageOf(error)} (${code})`
  return code === 'SQLITE_ERROR' ? `${words}. The file may be damaged. ${RESCUE}` : words
}

function sqliteCodeOf(error: unknown): string {
  const code = codeOf(error)
  return code === UNNAMED_CORRUPT_INDEX ? 'SQLITE_CORRUPT_INDEX' : code
}
