/**
 * `npm run build-data`: compiles the delivered batches into the dataset. The package.json beside it
 * makes it CommonJS: `tsx/cjs` starts in half the time of `tsx`. It does not reach `import()` of our
 * own modules, so this file loads those that are loaded on demand.
 */

import { buildData, printError } from '../../src/command/build-data.ts'
import { BuildError } from '../../src/machine/errors.ts'
import { moduleLoader } from '../../src/machine/modules.ts'

const args = process.argv.slice(2)
const interruption = new AbortController()
const modules = moduleLoader(require)
const terminal = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interruption.signal,
  load(file: string) {
    // Without this, React checks what it renders, which takes twice as long.
    process.env.NODE_ENV ??= 'production'
    return modules.load(file)
  },
  loadedFiles: modules.loadedFiles,
}

for (const [name, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  // A second Ctrl-C must not interrupt the clean-up.
  const reason = new BuildError(`stopped by ${name}; nothing was written`, 128 + number)
  process.on(name, () => interruption.abort(reason))
}

// A reader that closes the pipe (`| head`) must not cause a stack trace.
process.stderr.on('error', () => {})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`build-data: cannot write to standard output: ${error.message}\n`)
  process.exit(2)
})

// Without this, Node would exit with status 0 if a promise never settles.
process.once('beforeExit', async () => {
  if (process.exitCode !== undefined) return
  process.exitCode = await printError(new Error('a promise was never settled'), args, terminal)
})

buildData(args, terminal)
  // If standard error cannot be written, nothing can be said.
  .catch(() => 2)
  .then((status) => {
    process.exitCode = status
  })
