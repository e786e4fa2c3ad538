/** Says in our words why `parseArgs` of Node refuses the arguments of a command. */
import { nearest } from '../text/wording.ts'

/**
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
