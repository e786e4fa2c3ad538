/** The terminal of a command: where its messages go, and what ends it. */
import { print } from '../machine/print.ts'
import { withoutCommands } from '../report/github.ts'

export interface Terminal {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  env: NodeJS.ProcessEnv
  /** Imports a module by its path: `content.ts`, and what makes a report, which most builds do not need. */
  load(file: string): Promise<unknown>
  /** The files of all modules that `load` has led to so far; undefined if some are not known. */
  loadedFiles(): readonly string[] | undefined
  /** Stops the build; its reason is a `BuildError`. */
  signal?: AbortSignal
}

/** Prints on standard output or standard error. What is printed is never a command for GitHub. */
export async function say(
  { env, ...streams }: Terminal,
  stream: 'stdout' | 'stderr',
  pieces: Iterable<string>,
): Promise<void> {
  const isOnGitHub = env.GITHUB_ACTIONS === 'true'
  await print(streams[stream], isOnGitHub ? escaped(pieces) : pieces)
}

function* escaped(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield withoutCommands(piece)
}
