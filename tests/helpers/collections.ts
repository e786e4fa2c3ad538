/** Repositories of collections, in which the commands of the package run as functions. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import type { Progress } from '../../src/command/progress.ts'
import { run } from '../../src/command/run.ts'
import type { Task } from '../../src/command/terminal.ts'
import { managerOf } from '../../src/package/installation.ts'
import { commandOf, loadConfiguration } from '../../src/package/manyurls.ts'
import { createText } from './workspace.ts'

export interface Ran {
  status: number
  stdout: string
  stderr: string
}

const loadExplainRoom = () => import('../../src/explain/explain.ts')

/**
 * Runs a command of the package in a folder, as a function. Files are named from there.
 *
 * @param options how the command is called, what loads the configuration, what explains, what creates the
 *   streams on which it prints, and what shows how far it is
 */
export async function runIn(
  folder: string,
  task: Task,
  args: string[] = [],
  {
    manager = managerOf({}),
    env = {} as NodeJS.ProcessEnv,
    load = loadConfiguration,
    loadExplain = loadExplainRoom,
    stream = createText,
    progress = undefined as Progress | undefined,
  } = {},
): Promise<Ran> {
  const [stdout, stderr] = [stream(), stream()]
  const status = await run(args, {
    ...{ stdout, stderr, env, progress, load },
    command: commandOf(task, manager, folder),
    loadExplain,
    loadReport: () => import('../../src/report/html/write-report.ts'),
  })
  const fromHere = (text: string) => text.replaceAll(`${relative('', folder)}/`, '')
  return { status, stdout: fromHere(stdout.text), stderr: fromHere(stderr.text) }
}

/**
 * Creates a repository.
 *
 * @param files by their names; a text is the file itself, anything else becomes JSON
 * @param exported what `manyurls.config.ts` exports as its default
 * @param loadExplain loads what explains faults
 */
export function createCollections(
  files: Record<string, unknown>,
  exported: Record<string, CollectionConfig>,
  loadExplain = loadExplainRoom,
) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-collections-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, file: unknown) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof file === 'string' ? file : JSON.stringify(file))
  }
  for (const [name, file] of Object.entries(files)) write(name, file)
  write('manyurls.config.ts', '')

  const load = async () => ({ default: exported })
  const runTask = (task: Task, ...args: string[]) => {
    return runIn(folder, task, args, { load, loadExplain })
  }

  return {
    folder,
    write,
    run: runTask,
    /** The path of a file, as somebody types it here. */
    at: (name: string) => relative('', join(folder, name)),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    /** The names of what was built. */
    built: () => readdirSync(join(folder, 'generated')).filter((name) => !name.startsWith('.')),
    /** The problems of a check, as `file:line:column pointer: message`. */
    async problems(...args: string[]): Promise<string[]> {
      const { stdout, stderr } = await runTask('check', '--json', ...args)
      if (stdout === '') throw new Error(stderr)

      const { collections } = JSON.parse(stdout) as Json
      const problems = Object.values(collections).flatMap((collection) => collection.problems)
      return problems.map(({ file, line, column, pointer, message }) => {
        return `${file}:${line}:${column} ${pointer}: ${message}`
      })
    },
  }
}

interface Json {
  collections: Record<string, { problems: ToldProblem[] }>
}

interface ToldProblem {
  file: string
  line: number
  column: number
  pointer: string
  message: string
}
