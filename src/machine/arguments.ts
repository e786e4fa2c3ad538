/** Says why arguments are refused: Node's `parseArgs` does not know them, or npm kept some for itself. */
import { nearest } from '../text/nearest.ts'
import { messageOf } from './errors.ts'

/**
 * Refuses options that npm kept for itself, which it does if somebody forgets the `--` before them.
 * Without its options, the command would do something that nobody asked for.
 *
 * @param options the names to look for, without those of npm's own settings: npm may have read these
 *   from a file
 * @param usage the command as people type it, before its options
 * @throws an error like those of `parseArgs`, which says how to pass the option on
 */
export function refuseTaken(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  usage: string,
): void {
  const takenOption = options.find((name) => {
    const variable = `npm_config_${name.replaceAll('-', '_')}`
    return env[variable] !== undefined
  })
  if (!takenOption) return

  const error = new Error(
    `npm kept --${takenOption} for itself; to pass it on, write ${usage} --${takenOption}`,
  )
  throw Object.assign(error, { code: 'ERR_PARSE_ARGS_TAKEN' })
}

/** The end of the part of Node's message that helps; what follows is about arguments with a dash. */
const END_OF_REASON = /\n|\. (?=To|This)/
/** Node's message about an option that doesn't exist, such as "Unknown option '--chek'". */
const UNKNOWN_OPTION = /^Unknown option '--(.*)'$/

/**
 * Says why arguments are refused, in one line.
 *
 * @param error of `parseArgs`, or any other with one line
 * @param options the names of all options
 */
export function explainArguments(error: unknown, options: readonly string[]): string {
  const [reason = ''] = messageOf(error).split(END_OF_REASON)
  const [, unknown] = UNKNOWN_OPTION.exec(reason) ?? []
  if (unknown === undefined) return reason

  const [meant] = nearest(unknown, options)
  return meant === undefined ? reason : `${reason} (did you mean --${meant}?)`
}
