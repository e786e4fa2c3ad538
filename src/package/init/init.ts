/** `manyurls init`: looks at the files of a repository, and writes `manyurls.config.ts`. */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import glob from 'fast-glob'
import { parseBatch } from '../../accept/parse-batch.ts'
import { Cache } from '../../build/disk/cache.ts'
import { SchemaReader } from '../../build/read-schema.ts'
import { explainArguments } from '../../machine/arguments.ts'
import { BuildError, codeOf, describeSystemError, isSystemError } from '../../machine/errors.ts'
import type { Fault } from '../../page/fault.ts'
import { printable } from '../../text/printable.ts'
import { plural } from '../../text/wording.ts'
import { CONFIGS } from '../config-file.ts'
import { type Choice, describeProposal, describeRest } from './describe.ts'
import { isPossible, isSure, type Proposal, propose } from './propose.ts'
import { type Survey, surveyFiles } from './survey.ts'
import { type Compile, Trials } from './trials.ts'
import { Watch } from './watch.ts'
import { writeConfig } from './write-config.ts'

const HELP = 'Looks at the files here, says what it sees, writes manyurls.config.ts, and checks.'

const [CONFIG] = CONFIGS

export interface InitTerminal {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** How the command is called here: `npx --no manyurls`. */
  call: string
  /** Runs `check` with the configuration that was written. */
  check(): Promise<unknown>
  /** The time in milliseconds; only tests change it. */
  now?(): number
}

/**
 * @param args the arguments after `init`
 * @param folder of the repository
 * @returns the exit status: 0 a file was written, 1 there is nothing to check, 2 the command line or
 *   the machine
 */
export async function runInit(
  args: string[],
  terminal: InitTerminal,
  folder: string,
): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
    if (values.help) {
      terminal.stdout.write(`${HELP} It overwrites nothing.\n\n${terminal.call} init\n`)
      return 0
    }
    refuseConfig(folder)
    return await init(folder, terminal)
  } catch (error) {
    const reason = explain(error)
    if (reason === undefined) throw error

    terminal.stderr.write(`manyurls init: ${printable(reason)}\n`)
    return 2
  }
}

/** Says in one line what people can change; undefined for a fault of the program. */
function explain(error: unknown): string | undefined {
  if (error instanceof BuildError) return error.message
  if (isSystemError(error)) return describeSystemError(error)
  if (codeOf(error).startsWith('ERR_PARSE_ARGS')) return explainArguments(error, ['help'])
  return undefined
}

function refuseConfig(folder: string): void {
  const existing = CONFIGS.find((name) => fs.existsSync(path.join(folder, name)))
  if (existing) throw new BuildError(`${existing} is there already, and init overwrites nothing`)
}

async function init(folder: string, { stdout, check, now }: InitTerminal): Promise<number> {
  const say = (line: string) => stdout.write(`${printable(line)}\n`)

  const survey = await surveyFiles(folder, new Watch(say, now))
  const trials = new Trials(compileIn(folder), new Watch(say, now))
  const choice = await choose(survey, trials)
  const { chosen } = choice

  for (const line of chosen.flatMap(describeProposal)) say(line)
  for (const line of describeRest(survey, trials, choice)) say(line)
  for (const line of await explainUnreadable(folder, survey, chosen)) say(line)
  if (chosen.length === 0) {
    say('There are no records here: no list of objects, and no files that look alike.')
    return 1
  }

  fs.writeFileSync(path.join(folder, CONFIG), writeConfig(chosen), { flag: 'wx' })

  say('')
  say(`${CONFIG} is written. Read it, and correct it. This is what "check" says:`)
  say('')
  await check()
  return 0
}

/** How many files that can't be parsed are explained. */
const FEW = 5

/** Says what is wrong with the files that can't be parsed, unless `check` will say it. */
async function explainUnreadable(
  folder: string,
  { unreadable }: Survey,
  chosen: readonly Proposal[],
): Promise<string[]> {
  const patterns = chosen.flatMap((proposal) => proposal.patterns)
  const checked = patterns.length === 0 ? [] : await glob([...patterns], { cwd: folder })
  const others = unreadable.filter((name) => !checked.includes(name))
  if (others.length === 0) return []

  const { explainSchemaFile } = await import('../../explain/explain.ts')
  const lines = others.slice(0, FEW).flatMap((name) => {
    const bytes = fs.readFileSync(path.join(folder, name))
    const problems = explainSchemaFile({ name, bytes }, faultsOf(name, bytes), [])
    return problems.map(({ line, column, message }) => `${name}:${line}:${column}  ${message}`)
  })

  const more = others.length - FEW
  return more > 0 ? [...lines, `${plural(more, 'other file')} cannot be read either.`] : lines
}

function faultsOf(name: string, bytes: Buffer): Fault[] {
  return parseBatch({ name, bytes }, { records: { kind: 'file', isAlone: true } }).faults
}

/** Compiles schemas of a repository. */
function compileIn(folder: string): Compile {
  const load = () => import('../../explain/explain.ts')
  const reader = new SchemaReader(new Cache('.manyurls'), load)
  return async (name) => {
    try {
      const { check } = await reader.read(path.join(folder, name))
      return (value) => check(value).faults.map(({ pointer }) => pointer)
    } catch (error) {
      if (error instanceof BuildError) return error.message
      throw error
    }
  }
}

/** Chooses what is proposed: all that is sure. If nothing is, the collection with the most records. */
async function choose(survey: Survey, trials: Trials): Promise<Choice> {
  const proposals = await propose(survey, trials)
  const sure = proposals.filter(isSure)
  if (sure.length > 0) {
    return { chosen: sure, others: proposals.filter((proposal) => !isSure(proposal)) }
  }

  const ofAside = await propose({ ...survey, files: survey.aside }, trials)
  const possible = [...proposals, ...ofAside].filter(isPossible)
  const [largest, ...others] = possible.sort((a, b) => b.records.length - a.records.length)
  return { chosen: largest ? [largest] : [], others }
}
