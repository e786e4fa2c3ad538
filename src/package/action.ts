/**
 * The entry of the GitHub action: `manyurls check` in a folder of the repository. GitHub sets a variable
 * for each input, such as `INPUT_ARGS`.
 */
import fs from 'node:fs'
import { formatError } from '../report/github.ts'
import { wordsOf } from './action-words.ts'
import { manyurls } from './manyurls.ts'

const { env } = process
// An input that isn't set is empty.
const folder = env['INPUT_WORKING-DIRECTORY'] || '.'
const isFolder = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
const args = wordsOf(env.INPUT_ARGS ?? '')

if (!isFolder) {
  refuse(`the input "working-directory" is ${JSON.stringify(folder)}, but there is no such folder`)
} else if (args === undefined) {
  refuse('a quote in the input "args" isn\'t closed')
} else {
  process.chdir(folder)
  await manyurls(['check', ...args], env)
}

/** Says why an input is refused: in the log, and beside the workflow. */
function refuse(sentence: string): void {
  const line = `manyurls check: ${sentence}`
  process.stderr.write(`${line}\n${formatError(line)}`)
  process.exitCode = 2
}
