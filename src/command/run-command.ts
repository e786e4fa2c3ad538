/** Runs a command as a process: closed pipes, and the exit status. */
import { Console } from 'node:console'
import fs from 'node:fs'
import path from 'node:path'
import { BuildError } from '../machine/errors.ts'
import { printError } from './print-result.ts'
import { progressOn } from './progress.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

type Program = Omit<Terminal, 'stdout' | 'stderr' | 'env' | 'progress'>

/**
 * Runs a command with the streams of this process, and sets its exit status. Nothing listens to signals:
 * they end it at once, also in the middle of a pattern that never ends. What it leaves is removed by the
 * next command.
 *
 * @param args the arguments after the command's name
 */
export function runCommand(args: string[], program: Program): void {
  const { name } = program.command
  const { stdout, stderr, env } = process
  // Standard output is for the JSON only, and the owner's code may write to the console.
  if (args.includes('--json')) globalThis.console = new Console(stderr, stderr)

  /** The owner's file that is being loaded. */
  let loading: string | undefined

  async function load(file: string): Promise<unknown> {
    loading = file
    const module = await program.load(file)
    loading = undefined
    return module
  }
  const progress = progressOn(stderr, env)
  const terminal = { ...program, load, stdout, stderr, env, progress }

  let isDone = false
  const end = (status: number) => {
    isDone = true
    // Whatever the owner's code has left open, such as a timer, must not keep the process.
    process.exit(status)
  }

  // A reader that closes the pipe (`| head`) must not cause a stack trace.
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return

    stderr.write(`${name}: cannot write to standard output: ${error.message}\n`)
    end(2)
  })

  const fail = async (error: Error) => end(await printError(error, args, terminal))

  // Without this, Node would exit with status 0 if a promise never settles.
  process.once('beforeExit', () => fail(describeWait(loading)))

  // After an uncaught error, Node would exit with status 1, which means problems in the data.
  process.once('uncaughtException', fail)

  // The owner's code may end the process, such as a script with a function that they import.
  process.once('exit', () => {
    if (isDone) return

    process.exitCode = 2
    progress?.clear()
    fs.writeSync(stderr.fd, `${name}: ${describeEnd(loading)}\n`)
  })

  run(args, terminal)
    // If standard error cannot be written, nothing can be said.
    .catch(() => 2)
    .then(end)
}

/** Says that something has ended the process before the command was done. */
function describeEnd(loading: string | undefined): string {
  const where = loading === undefined ? 'a function of yours' : path.relative('', loading)
  return `nothing was checked: ${where}, or a file that it imports, ended the process by process.exit()`
}

/** Says why nothing is left to do although the command hasn't ended. */
function describeWait(loading: string | undefined): Error {
  if (loading === undefined) return new Error('a promise was never settled')

  const name = path.relative('', loading)
  return new BuildError(
    `${name} cannot be loaded: an "await" in it, or in a file that it imports, waits for something that never happens`,
  )
}
