/**
 * The entry of the GitHub action: `manyurls check` in a folder of the repository. GitHub sets a variable
 * for each input, such as `INPUT_ARGS`.
 */
import { wordsOf } from './action-words.ts'
import { manyurls } from './manyurls.ts'

const { env } = process
// An input that isn't set is empty.
process.chdir(env['INPUT_WORKING-DIRECTORY'] || '.')

const args = wordsOf(env.INPUT_ARGS ?? '')
if (args) {
  await manyurls(['check', ...args], env)
} else {
  process.stderr.write('manyurls check: a quote in the input "args" isn\'t closed\n')
  process.exitCode = 2
}
