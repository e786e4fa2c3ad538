/** The commands that run after `npm ci --omit=dev`, without development dependencies. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isLong } from '../helpers/long.ts'
import { get, post } from '../helpers/receiver.ts'
import { copyProject, SERVE, start } from '../helpers/serve.ts'
import { withTwoFields, writeSite } from '../helpers/site.ts'
import { openStore } from '../helpers/store.ts'
import { BUILD_DATA, run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Returns the folders of the production packages that are installed. */
function packages(): string[] {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    read('package-lock.json'),
  )
  return Object.entries(lock.packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev && existsSync(join(ROOT, folder)))
    .map(([folder]) => folder)
}

/** Creates a copy of the project that finds only the production packages. */
function install(): string {
  const parts = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']
  const folder = copyProject(parts, afterAll)
  for (const name of packages()) {
    if (name.lastIndexOf('node_modules/') > 0) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(ROOT, name), join(folder, name), 'junction')
  }
  return folder
}

describe('with only the production packages', () => {
  const cwd = isLong ? install() : ''

  it.runIf(isLong)(
    'build-data says in one line what it lacks for the types of a new schema',
    async () => {
      const { status, stdout, stderr } = await run(BUILD_DATA, { cwd })
      expect(stderr).toMatch(
        /^build-data: the package json-schema-to-typescript is missing; run "npm ci"\n$/,
      )
      expect([status, stdout]).toEqual([2, ''])
      expect(existsSync(join(cwd, 'src/generated'))).toBe(false)
    },
  )

  it.runIf(isLong)(
    'the build says in one line what to do, and leaves everything as it is',
    async () => {
      const { status, stdout, stderr } = await run(['--import', 'tsx', 'scripts/build.ts'], { cwd })
      expect(status).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^The build needs Vite, .*"npm ci --include=dev".*\n$/)
      expect(existsSync(join(cwd, 'src/generated'))).toBe(false)
    },
  )

  it('the build refuses options, which belong to build-data', async () => {
    const args = ['--import', 'tsx', 'scripts/build.ts', '--report', 'report.html']
    const { status, stdout, stderr } = await run(args)
    expect(stderr).toMatch(/^build: takes no options; "npm run build-data -- --help" lists/)
    expect([status, stdout]).toEqual([2, ''])
  })

  it.runIf(isLong)(
    'a built site is served and its forms are refilled; without a site, one line says what to do',
    async () => {
      const noSite = /^(There is no finished site in dist\/|submissions: .*) .*npm run build.*\n$/
      const exported = ['--import', 'tsx', 'scripts/submissions.ts', 'export', '--format', 'csv']
      const env = { SUBMISSIONS_FILE: join(cwd, 'a.db') }
      await (await openStore({ file: env.SUBMISSIONS_FILE })).close()
      for (const command of [SERVE, exported]) {
        const { status, stderr } = await run(command, { cwd, env })
        expect(stderr).toMatch(noSite)
        expect(status).toBe(2)
      }
      writeSite(join(cwd, 'dist'))
      const { port, output, log } = await start({ cwd })
      // The address alone.
      expect([output(), log()]).toEqual([expect.stringMatching(/^.*: http:.*\n$/), ''])
      expect((await get(port, '/readyz')).status).toBe(200)
      expect((await get(port, '/')).status).toBe(200)
      const refused = await post(port, {
        path: `/api/forms${withTwoFields.path}`,
        body: 'name=Ada',
      })
      expect(refused.status).toBe(422)
      expect(refused.body).toContain('value="Ada"')
    },
  )
})

it('the production packages take at most 120 MB', () => {
  const sizeOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const size = packages().reduce((sum, folder) => sum + sizeOf(join(ROOT, folder)), 0)
  expect(size).toBeGreaterThan(20e6)
  expect(size).toBeLessThan(120e6)
})
