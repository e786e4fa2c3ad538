/** The terminal of a command: how it was called, and where its messages go. */
import type { ExplainRoom } from '../build/explainer.ts'
import { print } from '../machine/print.ts'
import type { DeliveryPlace } from '../page/content.ts'
import { withoutCommands } from '../report/github.ts'

export type ReportRoom = typeof import('../report/html/write-report.ts')

/** How a command is called. */
export interface Command {
  /** As it names itself before its messages: `build-data`. */
  name: string
  /** As people type it, before its options: `npm run build-data --`. */
  usage: string
  /** How to install a package that is missing: `run "npm ci"`. */
  howToInstall: string
}

/** `npm run build-data`, and where its site is. */
export interface SiteCommand extends Command {
  /** The file that says what a record is, unless `--content` names another. */
  content: { file: string; name: string }
  /** Where the delivery is, unless `delivery` or an option says it. */
  delivery: Required<DeliveryPlace>
  /** The folder of the dataset, unless `--out` names another. */
  out: string
}

export interface Terminal<C extends Command = Command> {
  command: C
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  env: NodeJS.ProcessEnv
  /** Loads the file that says what a record is. */
  load(file: string): Promise<unknown>
  /** Loads what explains faults. Most builds have none. */
  loadExplain(): Promise<ExplainRoom>
  /** Loads what makes a report. Most builds have none. */
  loadReport(): Promise<ReportRoom>
}

/** Prints on standard output or standard error. What is printed is never a command for GitHub. */
export async function say(
  { env, ...streams }: Pick<Terminal, 'env' | 'stdout' | 'stderr'>,
  stream: 'stdout' | 'stderr',
  pieces: Iterable<string>,
): Promise<void> {
  const isOnGitHub = env.GITHUB_ACTIONS === 'true'
  await print(streams[stream], isOnGitHub ? escaped(pieces) : pieces)
}

function* escaped(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield withoutCommands(piece)
}
