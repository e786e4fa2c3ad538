/** Runs a command as a process: signals, closed pipes, and the exit status. */
import { BuildError } from '../machine/errors.ts'
import { printError } from './print-result.ts'
import type { Command, Terminal } from './terminal.ts'

type Program<C extends Command> = Omit<Terminal<C>, 'stdout' | 'stderr' | 'env' | 'signal'>

/**
 * Runs a command with the streams of this process, and sets its exit status.
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
  const interruption = new AbortController()
  const { stdout, stderr, env } = process
  const terminal = { ...program, stdout, stderr, env, signal: interruption.signal }

  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    // A second Ctrl-C must not interrupt the clean-up.
    const reason = new BuildError(`stopped by ${signal}; nothing was written`, 128 + number)
    process.on(signal, () => interruption.abort(reason))
  }

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

    process.exitCode = await printError(new Error('a promise was never settled'), args, terminal)
  })

  run(args, terminal)
    // If standard error cannot be written, nothing can be said.
    .catch(() => 2)
    .then((status) => {
      process.exitCode = status
    })
}
