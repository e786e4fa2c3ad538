/** The terminal of a command: how it was called, and where its messages go. */
import type { ExplainRoom } from '../build/explainer.ts'
import { print } from '../machine/print.ts'
import { withoutCommands } from '../report/github.ts'
import type { Progress } from './progress.ts'
import type { Screen } from './style.ts'

export type ReportRoom = typeof import('../report/html/write-report.ts')

/** What is checked, fixed or built. */
export type Task = 'check' | 'fix' | 'build'

/** How a command is called, and what it reads and writes unless an option says it. */
export interface Command {
  /** As it names itself before its messages: `build-data`, `manyurls check`. */
  name: string
  /** As people type it, before its options: `npm run build-data --`. */
  usage: string
  /** How to install a package that is missing: `run "npm ci"`. */
  howToInstall: string
  /** Whether it's that of a site: its options say what it does, and its configuration is a `content.ts`. */
  isSite: boolean
  task: Task
  /** The file of the configuration; undefined if there is none. */
  config: string | undefined
  /** The message if there is none. */
  withoutConfig: string
  /** The folder of the datasets, from that of the configuration. */
  out: string
  /** The command that only checks, as people type it. */
  check: string
  /** The command that writes datasets, as people type it. */
  build: string
  /** The command that makes certain fixes, as messages name it. */
  fix: string
}

export interface Terminal {
  command: Command
  stdout: Screen
  stderr: Screen
  env: NodeJS.ProcessEnv
  /** Shows how far a build is, if standard error is a terminal. */
  progress?: Progress | undefined
  /** Loads the configuration. */
  load(file: string): Promise<unknown>
  /** Loads what explains faults. Most builds have none. */
  loadExplain(): Promise<ExplainRoom>
  /** Loads what makes a report. Most builds have none. */
  loadReport(): Promise<ReportRoom>
}

/** Prints on standard output or standard error. What is printed is never a command for GitHub. */
export async function say(
  { env, progress, ...streams }: Pick<Terminal, 'env' | 'progress' | 'stdout' | 'stderr'>,
  stream: 'stdout' | 'stderr',
  pieces: Iterable<string>,
): Promise<void> {
  progress?.clear()

  const isOnGitHub = env.GITHUB_ACTIONS === 'true'
  await print(streams[stream], isOnGitHub ? escaped(pieces) : pieces)
}

function* escaped(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield withoutCommands(piece)
}
