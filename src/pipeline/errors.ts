/** What keeps a build from being made although no batch is at fault: exit status 2. */
import { getSystemErrorMap } from 'node:util'

/** The command line or the machine is at fault; the message is one line that says what to do. */
export class BuildError extends Error {
  override name = 'BuildError'
}

/**
 * Runs what touches the disk and turns an error of the system into one line.
 *
 * @param doing what is being done, as in "cannot {doing}: no space left on device (ENOSPC)"
 */
export function onDisk<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toBuildError(doing, error)
  }
}

/**
 * Turns an error of the system into one line.
 *
 * @param doing as for `onDisk`
 * @throws the error itself when it is none of the system
 */
export function toBuildError(doing: string, error: unknown): BuildError {
  if (!isSystemError(error)) throw error
  return new BuildError(`cannot ${doing}: ${describeSystemError(error)}`)
}

/** An error of the operating system in its own words, such as "permission denied (EACCES)". */
export function describeSystemError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error)
  const [, words] = getSystemErrorMap().get(error.errno as number) ?? []
  return words ? `${words} (${error.code})` : error.message
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'code' in error
}
