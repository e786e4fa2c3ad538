/** The commands of the package: `manyurls check`, `fix`, `build` and `init`. */
import nodeModule from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeOptions } from '../command/options.ts'
import { progressOn } from '../command/progress.ts'
import { run } from '../command/run.ts'
import { runCommand } from '../command/run-command.ts'
import type { Command, Task } from '../command/terminal.ts'
import { loadModule } from '../machine/modules.ts'
import { nearest } from '../text/nearest.ts'
import { CONFIGS, findConfig } from './config-file.ts'
import { type Manager, managerOf, VERSION } from './installation.ts'
import { scriptOf, scriptsFrom } from './scripts.ts'

const TASKS: readonly Task[] = ['check', 'fix', 'build']

const NAMES: readonly string[] = [...TASKS, 'init', 'version', 'help']

/**
 * Runs a command, and sets the exit status of the process.
 *
 * @param args the command's name and its options
 * @param env of the process
 */
export async function manyurls(args: string[], env: NodeJS.ProcessEnv) {
  const manager = managerOf(env)
  const request = readRequest(args, manager)

  if (request.kind === 'print') {
    process.stdout.write(request.text)
  } else if (request.kind === 'refuse') {
    process.stderr.write(request.sentence)
    process.exitCode = 2
  } else if (request.kind === 'init') {
    const { runInit } = await import('./init/init.ts')
    const { ask } = await import('./init/ask.ts')
    const { stdin, stdout, stderr } = process
    const isAttended = stdin.isTTY && stdout.isTTY
    const check = () => {
      const command = commandOf('check', manager)
      const progress = progressOn(stderr, env)
      return run([], { command, ...LOADERS, stdout, stderr, env, progress })
    }

    const terminal = {
      ...{ stdout, stderr, call: manager.call, check },
      ask: isAttended ? (question: string) => ask(question, stdin, stdout) : undefined,
    }
    process.exitCode = await runInit(request.args, terminal, '.')
  } else {
    const command = commandOf(request.task, manager)
    runCommand(request.args, { command, ...LOADERS })
  }
}

/** What a command line asks for. */
type Request =
  | { kind: 'print'; text: string }
  | { kind: 'refuse'; sentence: string }
  | { kind: 'init'; args: string[] }
  | { kind: 'run'; task: Task; args: string[] }

/**
 * @param args the command's name and its options
 * @param manager the package manager, which says how to type the command
 */
export function readRequest([name = '', ...args]: string[], manager: Manager): Request {
  if (name === '--help' || name === '-h' || name === 'help') {
    return { kind: 'print', text: help(manager) }
  }
  // npx takes `--version` for itself.
  if (name === '--version' || name === '-v' || name === 'version') {
    return { kind: 'print', text: `${VERSION}\n` }
  }
  if (name === 'init') return { kind: 'init', args }

  const task = TASKS.find((known) => known === name)
  if (task === undefined) {
    const sentence = `manyurls: ${refuse(name)}; "${manager.call} help" explains them\n`
    return { kind: 'refuse', sentence }
  }
  return { kind: 'run', task, args }
}

function refuse(name: string): string {
  const names = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`
  if (name === '') return `name a command: ${names}`

  const [meant] = nearest(name, NAMES)
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
  return `there is no command ${JSON.stringify(name)}${hint}; there are ${names}`
}

/**
 * @param manager the package manager, which says how to type a command, and the script that runs it
 * @param folder in which the command runs
 */
export function commandOf(task: Task, manager: Manager, folder = process.cwd()): Command {
  const config = findConfig(folder)
  const scripts = scriptsFrom(folder, config)

  const typed = (name: Task) => {
    const script = scriptOf(name, scripts)
    return script === undefined ? `${manager.call} ${name}` : `${manager.script} ${script}`
  }
  const hasScript = scriptOf(task, scripts) !== undefined

  return {
    task,
    isSite: false,
    name: `manyurls ${task}`,
    usage: typed(task) + (hasScript ? manager.beforeOptions : ''),
    howToInstall: 'install manyurls again',
    config,
    withoutConfig: `there is no ${CONFIGS[0]} here or in a folder above; "${manager.call} init" writes one`,
    out: 'generated',
    check: typed('check'),
    build: typed('build'),
    fix: `"${typed('fix')}"`,
  }
}

/** Loads what the commands load on demand. */
const LOADERS = {
  load: loadConfiguration,
  loadExplain: () => import('../explain/explain.ts'),
  loadReport() {
    // Without this, React checks what it renders, which takes twice as long.
    process.env.NODE_ENV ??= 'production'
    return import('../report/html/write-report.ts')
  },
}

/** What 'manyurls' exports. */
const API = path.join(import.meta.dirname, `index${path.extname(import.meta.filename)}`)

/** A file that may be an ES module, such as `manyurls.config.ts`. */
const MAY_BE_ES_MODULE = /\.m?[jt]s$/

/** Whether Node reads TypeScript without a warning, as 22.18 and 24.3 do. */
function readsTypeScript(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major === 22) return minor >= 18
  if (major === 24) return minor >= 3
  return major > 24
}

/**
 * Loads the configuration. Node does it if it can, because jiti takes 40 % of a small check. It can't in Node 20
 * or with CommonJS, enums, and names without endings.
 */
export async function loadConfiguration(file: string): Promise<unknown> {
  if (hasHooks(nodeModule) && readsTypeScript() && MAY_BE_ES_MODULE.test(file)) {
    try {
      return await loadByNode(file, nodeModule)
    } catch {
      // A mistake in the file is one for jiti as well, and its message says where.
    }
  }
  return loadByJiti(file)
}

async function loadByNode(file: string, { registerHooks }: NodeWithHooks): Promise<unknown> {
  const hooks = registerHooks({ resolve, load })
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    hooks.deregister()
  }
}

/** Finds a module, and perhaps says of which format it is. */
type Resolve = (name: string, context: object) => { url: string; format?: string | null }

/** Reads a module, and says of which format it is. */
type Load = (url: string, context: object) => { format?: string | null; source?: unknown }

interface NodeWithHooks {
  registerHooks(hooks: { resolve: typeof resolve; load: typeof load }): { deregister(): void }
}

/** Whether this Node lets us change how it finds modules, as all those that read TypeScript do. */
function hasHooks(node: object): node is NodeWithHooks {
  return 'registerHooks' in node
}

/** The formats of the owner's files. If package.json doesn't say so, Node would warn, or take them for CommonJS. */
const FORMATS: Readonly<Record<string, string>> = { '.js': 'module', '.ts': 'module-typescript' }

/** Finds 'manyurls' where it isn't installed, and takes the owner's files for ES modules. */
function resolve(name: string, context: object, next: Resolve) {
  if (name === 'manyurls') return { url: pathToFileURL(API).href, shortCircuit: true }

  const resolved = next(name, context)
  const format = isOfPackage(resolved.url) ? undefined : FORMATS[path.extname(resolved.url)]
  return format === undefined ? resolved : { ...resolved, format }
}

function isOfPackage(url: string): boolean {
  return url.includes('/node_modules/')
}

/** What only CommonJS has, also where it stands in a function that runs later. */
const OF_COMMONJS = /\b(?:require|module\.exports|__dirname|__filename)\b/

/** Leaves CommonJS to jiti: Node gives other exports of it, and a file of an owner may need its names. */
function load(url: string, context: object, next: Load) {
  const loaded = next(url, context)
  const mayNeedNames = !isOfPackage(url) && OF_COMMONJS.test(String(loaded.source))
  if (loaded.format === 'commonjs' || mayNeedNames) throw new Error('jiti loads CommonJS')
  return loaded
}

/** Loads the configuration by jiti, which compiles TypeScript. */
async function loadByJiti(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    alias: { manyurls: API },
    // A command changes no file that it wasn't told to.
    fsCache: false,
    // For `import path from 'node:path'`.
    interopDefault: true,
  })

  return loadModule(file, jiti, (name) => jiti.import(name))
}

function help(manager: Manager): string {
  return `ManyURLs ${VERSION} checks the data of a repository by JSON Schemas and your own rules, says where each
mistake is, and builds typed datasets.

${manager.call} COMMAND [options]

  check    say what is wrong; change nothing
  fix      make the fixes that are certain in the files, then check
  build    check, then write the datasets and their types
  init     look at the files here, write manyurls.config.ts, and check
  version  say which version this is

With init, --scripts adds the scripts "check-data" and "fix-data" to package.json without asking.

The options of check, fix and build:

${describeOptions(commandOf('check', manager))}`
}
