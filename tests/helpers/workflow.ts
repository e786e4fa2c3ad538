/** The commands in the workflows, and a copy of the project in which they run. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../package.json'
import { copyProject, newFolder } from './serve.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What stands between two commands, such as " && ". */
const BETWEEN = /\n| (?:&&|\|\|?) /

interface Workflow {
  jobs: Record<string, { steps?: { run?: string }[] }>
}

/** A command in a workflow, as a shell gets it. */
interface Command {
  job: string
  command: string
}

export const commands = ['ci.yml', 'release.yml'].flatMap((name) => {
  const { jobs }: Workflow = parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8'))
  return Object.entries(jobs).flatMap(([job, { steps = [] }]) =>
    steps.flatMap(({ run = '' }) => commandsIn(run).map((command): Command => ({ job, command }))),
  )
})

function commandsIn(script: string): string[] {
  const parts = script.split(BETWEEN).map((command) => command.trim())
  return parts.filter((command) => command !== '')
}

/** Returns the commands that begin with some words. */
export function commandsOf(start: string): Command[] {
  return commands.filter(({ command }) => begins(command, start))
}

/** Whether a command begins with some words: "npm run build-data" doesn't begin with "npm run build". */
export function begins(command: string, start: string): boolean {
  return command === start || command.startsWith(`${start} `)
}

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE']
const FOLDERS = ['raw-batches', 'schema', 'scripts', 'src', 'tests/bench', 'tests/browser']

/** Creates a repository with a copy of the project, for the tests of a file. */
export function createCheckout() {
  const project = copyProject([...FILES, ...FOLDERS], afterAll)
  const temp = newFolder(afterAll)
  const remote = join(temp, 'remote')

  // What steers this run of the tests isn't in the environment of a workflow.
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY, NODE_ENV, ...inherited } = process.env
  const env = {
    ...inherited,
    // The Node that runs the tests.
    PATH: dirname(process.execPath) + delimiter + process.env.PATH,
    // Bash warns of a locale that the machine lacks.
    LC_ALL: 'C',
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_REPOSITORY: 'owner/name',
    GH_TOKEN: 'token',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
    // What a workflow pushes to GitHub goes to a repository in the temporary folder.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${remote}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://x-access-token:token@github.com/owner/name',
  }

  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env })

  function start(command: string) {
    const options = { cwd: project, env, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', command], options)
    return { status, stdout, stderr }
  }

  git('init', '--quiet', '--bare', remote)
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'The project')
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction')
  return { project, git, start }
}
