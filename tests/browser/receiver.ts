/** A receiver of its own for a test: the process behind `npm start`, on the built site. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openStore } from '../../src/forms/open-store.ts'
import type { StoredSubmission } from '../../src/forms/store.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Whether the machine lets a process mount file systems of its own: most Linux systems do. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

interface Options {
  env?: Record<string, string>
  /** What bash is to do before it becomes the receiver; it may mount what only the receiver sees. */
  prelude?: string
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export async function startReceiver({ env = {}, prelude }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-receiver-'))
  const file = join(folder, 'data/submissions.db')
  const [command = '', ...args] = [
    ...(prelude ? ['unshare', '-rm', 'bash', '-c', `set -e; ${prelude}; exec "$0" "$@"`] : []),
    ...[process.execPath, '--import', 'tsx', 'scripts/start.ts'],
  ]
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      RATE_LIMIT: '0',
      SUBMISSIONS_FILE: file,
      FOLDER: folder,
      ...env,
    },
  })
  // A test that fails does not get to stop it.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  ended.then(() => process.off('exit', end))
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      const [, found] = /ManyURLs Pages: (\S+)\/ /.exec(stdout) ?? []
      if (found) resolve(found)
    })
    ended.then((status) => reject(new Error(`no start, status ${status}: ${stderr}`)))
  })

  return {
    origin,
    port: Number(new URL(origin).port),
    folder,
    file,
    pid: child.pid as number,
    /** Resolves to the exit status. */
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** What was logged so far. */
    log: () => stderr,
    events: () =>
      stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),

    /** Everything that is stored, read beside the running receiver, the oldest first. */
    async stored(): Promise<StoredSubmission[]> {
      const store = await openStore({ databaseUrl: env.DATABASE_URL, file })
      const found: StoredSubmission[] = []
      for await (const submission of store.all()) found.push(submission)
      await store.close()
      return found
    },

    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs the door to its end, for a start that is to be refused. */
export async function runStart(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

export interface Answer {
  status: number
  headers: Headers
  body: string
}

/**
 * Sends bytes and reads until the server closes the connection, as no browser would.
 *
 * @param parts are sent one after the other; the server has to close the connection
 */
export function exchange(port: number, parts: (string | Uint8Array)[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())))
    for (const part of parts) socket.write(part)
  })
}

function parse(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(pairs),
    body: rest.join('\r\n\r\n'),
  }
}

interface Post {
  path: string
  body: string | Uint8Array
  method?: string
  headers?: Record<string, string>
}

/** Posts a form over a socket of its own. */
export function post(port: number, { path, body, method = 'POST', headers = {} }: Post) {
  const all = {
    Host: `localhost:${port}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
  return exchange(port, [`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body])
}

export function get(port: number, path: string, headers: Record<string, string> = {}) {
  return post(port, {
    path,
    method: 'GET',
    body: '',
    headers: { 'Content-Type': '', 'Content-Length': '', ...headers },
  })
}
