/** What a command shows on GitHub besides its output: annotations of a pull request, and the summary of a step. */
import fs from 'node:fs'
import path from 'node:path'
import type { Problem } from '../explain/problem.ts'
import { describeSystemError } from '../machine/errors.ts'
import { print } from '../machine/print.ts'
import { formatAnnotations, formatStepSummary } from '../report/github.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Shows problems in a pull request.
 *
 * @param folder what their files are relative to
 */
export async function annotate(
  problems: readonly Problem[],
  folder: string,
  { env, stderr }: Terminal,
): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return

  const root = path.relative(findRepository(folder, env), folder)
  await print(stderr, [formatAnnotations(problems, root.split(path.sep).join('/'))])
}

/** Returns the folder of the repository where the batches are: it may be checked out in a folder. */
function findRepository(
  folder: string,
  { GITHUB_WORKSPACE: workspace = '.' }: NodeJS.ProcessEnv,
): string {
  let candidate = path.resolve(folder)

  while (isWithin(candidate, workspace)) {
    if (fs.existsSync(path.join(candidate, '.git'))) return candidate

    candidate = path.dirname(candidate)
  }

  return workspace
}

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder)
  return way !== '' && way.split(path.sep)[0] !== '..' && !path.isAbsolute(way)
}

/** Adds what was printed to the summary of a step. */
export async function addStepSummary(pieces: Iterable<string>, terminal: Terminal): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY: file } = terminal.env
  if (GITHUB_ACTIONS !== 'true' || !file) return

  const { name } = terminal.command
  try {
    fs.appendFileSync(file, formatStepSummary(name, pieces))
  } catch (error) {
    const reason = describeSystemError(error)
    await say(terminal, 'stderr', [
      `${name}: the summary of the step cannot be written: ${reason}\n`,
    ])
  }
}
