/** The commands in the workflows: what they name is there, and our scripts run with the arguments of the workflow. */
import { appendFileSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import fg from 'fast-glob'
import { describe, expect, test } from 'vitest'
import { scripts } from '../package.json'
import { isLong } from './helpers/long.ts'
import { begins, commands, commandsOf, createCheckout } from './helpers/workflow.ts'

const ROOT = join(import.meta.dirname, '..')

/** How the commands begin that tests start: those below, and sample/cost.test.ts. */
const STARTED = [
  'npm run build-data',
  'npm run build',
  'npm run bench -- releases',
  'npm run pack -- --release',
  'git -C package push',
  'git restore',
]

/** How the commands begin that no test starts, and why. */
const NOT_STARTED = {
  'npm ci': 'it installs packages',
  'npx playwright install': 'it installs packages of the system',
  'sudo apt-get': 'it installs packages of the system',
  'sudo sysctl': 'it changes the machine',
  'npm test': 'it runs the tests',
  'npm run test:browser': 'it runs the tests',
  'npm run test:long': 'it runs the tests',
  'npx vitest run': 'it runs the tests',
  'npx biome check': 'it is a step of npm test',
  'npx tsc': 'it is a step of npm test',
  'git fetch': 'it needs a pull request on GitHub',
  echo: 'it only prints',
  tar: 'it only packs, or unpacks what GitHub has',
  'gh release': 'it needs GitHub',
  'npm publish': 'it needs a registry',
}

/** A job that no test starts: it needs Docker. */
const IMAGE = 'image'

test('each command in a workflow is started by a test, or named with the reason why not', () => {
  const starts = [...STARTED, ...Object.keys(NOT_STARTED)]
  const others = commands.filter(({ job, command }) => {
    return job !== IMAGE && !starts.some((start) => begins(command, start))
  })
  expect(others).toEqual([])
  expect(starts.filter((start) => commandsOf(start).length === 0)).toEqual([])
})

test('every name of tests that the workflow runs matches a test', () => {
  const command = commandsOf('npx vitest run')[0]?.command ?? ''
  const [, filters = ''] = command.split('tests/vitest.config.ts ')
  const names = filters.split(' ')
  expect(names.length).toBeGreaterThan(5)

  const tests = fg.globSync('tests/**/*.test.ts', { cwd: ROOT })
  const unmatched = names.filter((name) => !tests.some((file) => file.includes(name)))
  expect(unmatched).toEqual([])
})

/** Such as "npm run build-data", also in the middle of a command. */
const NPM_RUN = /npm run ([\w:-]+)/g

test('every npm script that a workflow runs exists', () => {
  const text = commands.map(({ command }) => command).join('\n')
  const names = Array.from(text.matchAll(NPM_RUN), ([, name = '']) => name)
  expect(names.length).toBeGreaterThan(3)
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names))
})

const checkouts = isLong ? [createCheckout()] : []

describe.each(checkouts)('in a checkout', ({ project, git, start }) => {
  test.each(commandsOf('npm run build-data'))('$command, in $job', ({ command }) => {
    expect(start(command)).toMatchObject({ status: 0, stderr: '' })
  })

  test.each(commandsOf('npm run build'))('$command, in $job', ({ command }) => {
    expect(start(command)).toMatchObject({ status: 0 })
    expect(existsSync(join(project, 'dist/index.html'))).toBe(true)
  })

  test('the batches of a pull request are compared with those of the base branch', () => {
    // As the workflow fetches the base branch.
    git('fetch', '--quiet', '.', 'HEAD')
    const batches = join(project, 'raw-batches')
    renameSync(join(batches, 'batch-05.json'), join(batches, 'batch-06.json'))
    appendFileSync(join(batches, 'batch-06.json'), '\n')
    git('add', 'raw-batches')
    git('commit', '--quiet', '--message', 'Replace a batch')

    const [getBase, putBack] = commandsOf('git restore')
    expect(start(getBase?.command ?? '')).toMatchObject({ status: 0 })
    expect(readdirSync(batches)).toContain('batch-05.json')
    expect(start('npm run build-data')).toMatchObject({ status: 0 })

    expect(start(putBack?.command ?? '')).toMatchObject({ status: 0 })
    expect(git('status', '--porcelain', 'raw-batches').toString()).toBe('')
    expect(start('npm run build-data -- --check').stdout).toContain('batch-06.json (new)')
  })

  test('a release that is repeated pushes the same package', () => {
    const [pack, push] = [
      commandsOf('npm run pack -- --release'),
      commandsOf('git -C package push'),
    ]
    for (const { command } of [...pack, ...push, ...pack, ...push])
      expect(start(command)).toMatchObject({ status: 0 })
  })
})
