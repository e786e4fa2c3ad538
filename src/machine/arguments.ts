/** Says why the arguments of a command are refused: by `parseArgs` of Node, or because npm took some. */
import { nearest } from '../text/nearest.ts'

/**
 * Refuses options that npm took for itself, because no `--` precedes them. Without them the command
 * would do something else than was asked.
 *
 * @param options those that are no settings of npm: these may come from a file, and prove nothing
 * @param script the command's name for `npm run`
 * @throws an error as those of `parseArgs`, whose message names the option and the way to pass it on
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
