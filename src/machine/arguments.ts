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
export function refuseTaken(options: readonly string[], env: NodeJS.ProcessEnv, script: string) {
  const taken = options.find((name) => {
    const variable = `npm_config_${name.replaceAll('-', '_')}`
    return env[variable] !== undefined
  })
  if (!taken) return
  const error = new Error(`npm took --${taken}; write npm run ${script} -- --${taken}`)
  throw Object.assign(error, { code: 'ERR_PARSE_ARGS_TAKEN' })
}

/**
 * Says why arguments are refused, in one line.
 *
 * @param error of `parseArgs`, or any other with one line
 * @param options the names of all options
 */
export function explainArguments({ message }: Error, options: readonly string[]): string {
  // What Node adds is about arguments that begin with a dash.
  const [reason = ''] = message.split(/\n|\. (?=To|This)/)
  const [, unknown] = /^Unknown option '--(.*)'$/.exec(reason) ?? []
  const [meant] = unknown === undefined ? [] : nearest(unknown, options)
  if (meant === undefined) return reason
  return `${reason} (did you mean --${meant}?)`
}
