/** `manyurls init`: looks at the files of a repository, and writes `manyurls.config.ts`. */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Cache } from '../../build/disk/cache.ts'
import { createSchemaReader } from '../../build/read-schema.ts'
import { explainArguments } from '../../machine/arguments.ts'
import { BuildError, codeOf, describeSystemError, isSystemError } from '../../machine/errors.ts'
import { printable } from '../../text/printable.ts'
import { CONFIGS } from '../config-file.ts'
import { addScripts } from './add-scripts.ts'
import { describeProposal, describeRest } from './describe.ts'
import { propose } from './propose.ts'
import { readFile, survey } from './survey.ts'
import type { Check } from './trial.ts'
import { writeConfig } from './write-config.ts'

const HELP =
  'Looks at the files here, says what it sees, writes manyurls.config.ts, and checks. It overwrites nothing.'

const HELP_OF_OPTIONS = `  --scripts   add the scripts "check-data" and "fix-data" to package.json without asking
  -h, --help  this text
`

const OPTIONS = {
  scripts: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const

const [CONFIG] = CONFIGS

/** The guide of a configuration. */
const GUIDE = 'docs/configuration.md in the package'

export interface InitTerminal {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** How the command is called here: `npx --no manyurls`. */
  call: string
  /** Asks a question, if somebody is at the terminal. */
  ask?: ((question: string) => Promise<boolean>) | undefined
  /** Runs `check` with the configuration that was written. */
  check(): Promise<unknown>
}

/**
 * @param args the arguments after `init`
 * @param folder of the repository
 * @returns the exit status: 0 a file was written, or is there already, 1 there is nothing to check, 2 the
 *   command line or the machine
 */
export async function runInit(
  args: string[],
  terminal: InitTerminal,
  folder: string,
): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: OPTIONS })
    if (values.help) {
      terminal.stdout.write(`${HELP}\n\n${terminal.call} init [options]\n\n${HELP_OF_OPTIONS}`)
      return 0
    }
    return await init(folder, values.scripts, terminal)
  } catch (error) {
    const reason = explain(error)
    if (reason === undefined) throw error

    terminal.stderr.write(`manyurls init: ${printable(reason)}\n`)
    return 2
  }
}

/** Says in one line what people can change; undefined for a fault of the program. */
function explain(error: unknown): string | undefined {
  if (error instanceof BuildError || isSystemError(error)) return describeSystemError(error)
  if (codeOf(error).startsWith('ERR_PARSE_ARGS'))
    return explainArguments(error, Object.keys(OPTIONS))
  return undefined
}

/** @param isAdding whether scripts are added to `package.json` without a question */
async function init(folder: string, isAdding: boolean, terminal: InitTerminal): Promise<number> {
  const { stdout, call, ask, check } = terminal
  const say = (line: string) => stdout.write(`${printable(line)}\n`)

  const surveyed = await survey(folder, say)
  const read = (name: string) => readFile(folder, name).value
  const choice = await propose(surveyed, { compile: compileIn(folder), read })
  const scripts = { isAdding, say, call, ask }
  const existing = CONFIGS.find((name) => fs.existsSync(path.join(folder, name)))

  for (const line of choice.proposals.flatMap(describeProposal)) say(line)
  for (const line of describeRest(surveyed, choice)) say(line)
  if (choice.proposals.length === 0) {
    say('There are no records here: no list of objects, and no files of one kind.')
    if (existing === undefined) say(`Write ${CONFIG} by hand: ${GUIDE} explains it.`)
    if (isAdding) await sayScripts(folder, scripts)
    return 1
  }

  const text = writeConfig(choice)
  say('')

  if (existing !== undefined) {
    await sayScripts(folder, scripts)
    say(`${existing} is there already, and stays as it is. This is what init would write:`)
    stdout.write(`\n${text}`)
    return 0
  }

  fs.writeFileSync(path.join(folder, CONFIG), text, { flag: 'wx' })
  say(`${CONFIG} is written. Read it, and correct it.`)
  await sayScripts(folder, scripts)

  say('This is what "check" says:')
  say('')
  await check()
  return 0
}

interface ScriptQuestion extends Pick<InitTerminal, 'call' | 'ask'> {
  /** Whether scripts are added without a question. */
  isAdding: boolean
  say(line: string): void
}

/** Adds scripts to the `package.json` of a folder if they're wanted, and says so. */
async function sayScripts(folder: string, question: ScriptQuestion): Promise<void> {
  const { isAdding, say, call, ask } = question
  const file = path.join(folder, 'package.json')

  if (!fs.existsSync(file)) {
    if (isAdding) say('There is no package.json here, so no script was added.')
    return
  }

  const lines = await addScripts(file, async (wanted) => {
    if (isAdding) return true
    if (ask) return await ask(`Add the ${wanted} to package.json? [Y/n] `)

    say(`"${call} init --scripts" adds the ${wanted} to package.json.`)
    return false
  })
  for (const line of lines) say(line)
}

/** Compiles schemas of a repository. */
function compileIn(folder: string): (name: string) => Promise<Check | string> {
  const load = () => import('../../explain/explain.ts')
  const reader = createSchemaReader(new Cache('.manyurls'), load)
  return async (name) => {
    try {
      const { check } = await reader(path.join(folder, name))
      return (value) => check(value).faults.map(({ pointer }) => pointer)
    } catch (error) {
      if (error instanceof BuildError) return error.message
      throw error
    }
  }
}
