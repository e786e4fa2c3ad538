/** The commands of the package: `manyurls check`, `fix`, `build` and `init`. */
import path from 'node:path'
import { describeOptions } from '../command/options.ts'
import { runCommand } from '../command/run-command.ts'
import type { Command } from '../command/terminal.ts'
import { moduleLoader } from '../machine/modules.ts'
import { nearest } from '../text/nearest.ts'
import { CONFIGS, findConfig } from './config-file.ts'
import { callOf, VERSION } from './installation.ts'

/** Where a delivery and its dataset are if the file says nothing of that. */
const DELIVERY = { batches: 'data', schema: 'schema.json', out: 'generated' }

/** What each command adds to the options of `npm run build-data`. */
const COMMANDS: Record<string, { options: string[]; isWriting: boolean }> = {
  check: { options: ['--check'], isWriting: false },
  fix: { options: ['--fix'], isWriting: false },
  build: { options: [], isWriting: true },
}

const NAMES = [...Object.keys(COMMANDS), 'init', 'version', 'help']

/**
 * Runs a command, and sets the exit status of the process.
 *
 * @param args the command's name and its options
 * @param env of the process
 */
export async function manyurls([name = '', ...args]: string[], env: NodeJS.ProcessEnv) {
  const call = callOf(env)
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help(call))
    return
  }
  // npx takes `--version` for itself.
  if (name === '--version' || name === '-v' || name === 'version') {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  if (name === 'init') {
    const { runInit } = await import('./init.ts')
    process.exitCode = await runInit(args, process, '.')
    return
  }

  const command = COMMANDS[name]
  if (!command || !Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`manyurls: ${refuse(name)}; "${call} help" explains them\n`)
    process.exitCode = 2
    return
  }
  if (name === 'check' && args.includes('--fix')) {
    process.stderr.write(`manyurls check: changes no file; "${call} fix" makes the fixes\n`)
    process.exitCode = 2
    return
  }
  const program = { command: commandOf(name, command.isWriting, call), ...LOADERS }
  runCommand([...command.options, ...args], program)
}

function refuse(name: string): string {
  const names = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`
  if (name === '') return `name a command: ${names}`
  const [meant] = nearest(name, NAMES)
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  return `there is no command ${JSON.stringify(name)}${hint}; there are ${names}`
}

function commandOf(name: string, isWriting: boolean, call: string): Command {
  const config = findConfig(process.cwd())
  const spelled = config === undefined ? '' : path.relative('', config)
  return {
    name: `manyurls ${name}`,
    usage: `${call} ${name}`,
    howToWrite: `"${call} build" writes it`,
    howToInstall: 'install manyurls again',
    isWriting,
    content: config === undefined ? undefined : { file: config, name: spelled },
    withoutContent: `there is no ${CONFIGS[0]} here or in a folder above; "${call} init" writes one`,
    delivery: DELIVERY,
  }
}

/** Loads what the commands load on demand. */
const LOADERS = {
  ...lazyModules(),
  loadExplain: () => import('../explain/explain.ts'),
  loadReport() {
    // Without this, React checks what it renders, which takes twice as long.
    process.env.NODE_ENV ??= 'production'
    return import('../report/html/write-report.ts')
  },
}

/** Loads the configuration. What loads it is loaded first then: `--help` doesn't need it. */
function lazyModules(): ReturnType<typeof moduleLoader> {
  let modules: ReturnType<typeof moduleLoader> | undefined
  return {
    async load(file) {
      modules ??= await jitiModules()
      return modules.load(file)
    },
    loadedFiles: () => (modules ? modules.loadedFiles() : []),
  }
}

/**
 * By jiti: it compiles TypeScript, which Node 20 doesn't read, resolves 'manyurls' where it isn't
 * installed, and keeps the files that it has loaded in the cache of `require`.
 */
async function jitiModules() {
  const { createJiti } = await import('jiti')
  const api = path.join(import.meta.dirname, `index${path.extname(import.meta.filename)}`)
  const jiti = createJiti(import.meta.url, {
    alias: { manyurls: api },
    // A command changes no file that it wasn't told to.
    fsCache: false,
    interopDefault: false,
  })
  // Its `import` leaves ES modules to Node, which doesn't say what they import.
  const require = Object.assign((file: string) => jiti(file), { cache: jiti.cache })
  return moduleLoader(require, (file) => jiti.import(file))
}

function help(call: string): string {
  return `ManyURLs ${VERSION} checks JSON files by a JSON Schema and your own rules, says where each mistake is,
and builds one deduplicated, typed dataset.

${call} COMMAND [options]

  check    say what is wrong; change nothing
  fix      make the fixes that are certain in the delivered files, then check
  build    check, then write the dataset and its types
  init     look at the files here, and write manyurls.config.ts
  version  say which version this is

The options of check, fix and build:

${describeOptions(commandOf('check', false, call))}`
}
