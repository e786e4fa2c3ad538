/** Runs a command as a process: closed pipes, and the exit status. */
import path from 'node:path'
import { BuildError } from '../machine/errors.ts'
import { printError } from './print-result.ts'
import type { Command, Terminal } from './terminal.ts'

type Program<C extends Command> = Omit<Terminal<C>, 'stdout' | 'stderr' | 'env'>

/**
 * Runs a command with the streams of this process, and sets its exit status. Nothing listens to signals:
 * they end it at once, also in the middle of a pattern that never ends. What it leaves is removed by the
 * next command.
 *
 * @param args the arguments after the command's name
 * @param run the command as a function, which returns the exit status
 */
export function runCommand<C extends Command>(
  args: string[],
  program: Program<C>,
  run: (args: string[], terminal: Terminal<C>) => Promise<number>,
): void {
  const { name } = program.command
  const { stdout, stderr, env } = process
  /** The owner's file that is being loaded. */
  let loading: string | undefined

  async function load(file: string): Promise<unknown> {
    loading = file
    const module = await program.load(file)
    loading = undefined
    return module
  }
  const terminal = { ...program, load, stdout, stderr, env }

  // A reader that closes the pipe (`| head`) must not cause a stack trace.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return

    stderr.write(`${name}: cannot write to standard output: ${error.message}\n`)
    process.exit(2)
  })

  // Without this, Node would exit with status 0 if a promise never settles.
  process.once('beforeExit', async () => {
    if (process.exitCode !== undefined) return

    process.exitCode = await printError(describeWait(loading), args, terminal)
  })

  run(args, terminal)
    // If standard error cannot be written, nothing can be said.
    .catch(() => 2)
    .then((status) => {
      process.exitCode = status
    })
}

/** Says why nothing is left to do although the command hasn't ended. */
function describeWait(loading: string | undefined): Error {
  if (loading === undefined) return new Error('a promise was never settled')

  const name = path.relative('', loading)
  return new BuildError(
    `${name} cannot be loaded: an "await" in it, or in a file that it imports, waits for something that never happens`,
  )
}
