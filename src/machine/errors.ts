/** Errors that stop a build although no batch is at fault. */
import { getSystemErrorMap } from 'node:util'

/** The command line or the machine; the message is one line that says what to do. */
export class BuildError extends Error {
  override name = 'BuildError'
}

/**
 * Runs work on the disk and turns a system error into one line.
 *
 * @param doing the operation, as in "cannot {doing}: no space left on device (ENOSPC)"
 */
export function onDisk<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toBuildError(doing, error)
  }
}

/**
 * Turns a system error into one line.
 *
 * @param doing as for `onDisk`
 * @throws the error itself if it is not a system error
 */
export function toBuildError(doing: string, error: unknown): BuildError {
  if (!isSystemError(error)) throw error

  const advice = ADVICE[error.code ?? ''] ?? 'correct this, and run the command again'
  return new BuildError(`cannot ${doing}: ${describeSystemError(error)}; ${advice}`)
}

/** What to do about the errors of a system that people meet. */
const ADVICE: Record<string, string> = {
  EACCES: 'allow it, or choose another folder',
  EPERM: 'allow it, or choose another folder',
  EROFS: 'choose another folder',
  ENOENT: 'create what is missing, or name another place',
  ENOTDIR: 'a file is where a folder must be; choose another folder',
  EISDIR: 'a folder is where a file must be; name a file',
  ENOSPC: 'make room, or choose another disk',
}

/** Describes an error in the operating system's words, such as "permission denied (EACCES)". */
export function describeSystemError(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error)

  const [, words] = getSystemErrorMap().get(error.errno ?? 0) ?? []
  return words ? `${words} (${error.code})` : error.message
}

/** Returns the message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns what was thrown, with the stack of an error: for faults of ours. */
export function traceOf(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : String(error)
}

/** Returns the code of an error of Node, the system or a database, such as "EACCES"; '' if it has none. */
export function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && 'code' in error && error.code !== undefined
  return hasCode ? String(error.code) : ''
}

/** What Node says of a package that isn't installed, such as "Cannot find package 'ajv' imported from …". */
const MISSING_PACKAGE = /^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*)['/]/

/** Returns the package that is not installed, if an error of Node is about that. */
export function missingPackage(error: unknown): string | undefined {
  if (!codeOf(error).endsWith('MODULE_NOT_FOUND')) return undefined
  return MISSING_PACKAGE.exec(messageOf(error))?.[1]
}

/** Whether an operation of the system has failed, such as on the disk. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'code' in error
}
