/**
 * The entry of the GitHub action: `manyurls check` in a folder of the repository. GitHub sets a variable
 * for each input, such as `INPUT_ARGS`.
 */
import { manyurls } from './manyurls.ts'

/** An argument, which may have spaces in quotes: `--strict`, `'my data/a.json'`. */
const ARGUMENT = /"([^"]*)"|'([^']*)'|\S+/g

const { env } = process
const { INPUT_ARGS = '' } = env
// An input that isn't set is empty.
process.chdir(env['INPUT_WORKING-DIRECTORY'] || '.')

const args = Array.from(INPUT_ARGS.matchAll(ARGUMENT), ([whole, double, single]) => {
  return double ?? single ?? whole
})
await manyurls(['check', ...args], env)
