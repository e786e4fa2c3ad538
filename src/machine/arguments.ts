/** Says why arguments are refused: `parseArgs` of Node does not take them, or npm took some itself. */
import { nearest } from '../text/nearest.ts'

/**
 * Refuses options that npm took for itself, because no `--` precedes them. Without them, the command
 * would do something else than it was asked to.
 *
 * @param options none that npm has as a setting of its own, because that may come from a file
 * @param script the command's name for `npm run`
 * @throws an error like those of `parseArgs`, which says how to pass the option on
 */
export function refuseTaken(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  script: string,
): void {
  const taken = options.find((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
  if (!taken) return
  const error = new Error(`npm took --${taken}; write npm run ${script} -- --${taken}`)
  throw Object.assign(error, { code: 'ERR_PARSE_ARGS_TAKEN' })
}

/**
 * Says in our words why `parseArgs` refuses arguments.
 *
 * @param error any error; the message of others is returned as it is
 * @param options the names of all options
 */
export function explainArguments(error: Error, options: readonly string[]): string {
  const { code, message } = error as NodeJS.ErrnoException
  const [, found = ''] = /'(?:-\w, )?([^' ]*)/.exec(message) ?? []
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const meant = found.startsWith('--') ? nearest(found, options) : undefined
      return `there is no option ${found}${meant ? ` (did you mean --${meant}?)` : ''}`
    }
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return `${found} ${message.includes('does not take') ? 'takes no value' : 'needs a value'}`
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return `${JSON.stringify(/'(.*)'/.exec(message)?.[1])} is not an option`
    default:
      return message
  }
}
