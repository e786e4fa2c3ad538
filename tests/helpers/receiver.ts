/** Runs a receiver in the process of the tests, and sends requests to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../src/forms/config.ts'
import { openSite } from '../../src/forms/files/open-site.ts'
import { listen } from '../../src/forms/http.ts'
import { Receiver as RunningReceiver } from '../../src/forms/receiver.ts'
import type { Alarm } from '../../src/notify/alarm.ts'
import type { Condition } from '../../src/notify/upkeep.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoredSubmission, Submission } from '../../src/store/submission.ts'
import { writeSite } from './site.ts'
import { openStore } from './store.ts'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * Starts a receiver with a new store, unless the settings name another.
 *
 * @param settings as in the environment of `npm start`
 * @param dist the folder of another site than that of `site.ts`
 * @param alarm is called when submissions cannot be stored
 * @param condition is what the last inspection of the store has found
 */
export async function startReceiver(
  settings: Record<string, string> = {},
  dist?: string,
  alarm?: Alarm,
  condition?: Condition,
) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-receiver-'))
  const site = openSite(dist ?? writeSite(join(folder, 'dist')))
  const config = readConfig({
    RATE_LIMIT: '0',
    SUBMISSIONS_FILE: join(folder, 'data/submissions.db'),
    ...settings,
  })
  const { file, databaseUrl } = config
  const store = await openStore({ file, databaseUrl })
  const lines: string[] = []
  const receiver = new RunningReceiver({
    site,
    store,
    config,
    alarm,
    ...(condition && { condition }),
    log: pino({ level: config.logLevel, base: null }, { write: (line) => lines.push(line) }),
  })
  const port = await listen(receiver.server, 0, config.host)

  return {
    origin: `http://localhost:${port}`,
    port,
    server: receiver.server,
    file,
    folder,
    store,
    /** Returns what was logged so far. */
    log: () => lines.join(''),
    events: () => lines.map((line) => JSON.parse(line)),
    stored: () => storedIn({ file, databaseUrl }),
    /** Closes as on an interrupt, with the given time for requests in flight. */
    close: (milliseconds: number) => receiver.close(milliseconds),

    async stop() {
      await receiver.close(0)
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Reads everything in a store, oldest first, also while a receiver runs. */
export async function storedIn(
  place: Parameters<typeof openStore>[0],
): Promise<StoredSubmission[]> {
  const store = await openStore(place)
  const found: StoredSubmission[] = []
  for await (const submission of store.all()) found.push(submission)
  await store.close()
  return found
}

/** Adds submissions, a few at a time: of many at once, a busy machine would refuse the last ones. */
export async function addAll(
  store: Pick<Store, 'add'>,
  submissions: readonly Submission[],
): Promise<string[]> {
  const receipts: string[] = []
  for (let at = 0; at < submissions.length; at += 50) {
    const some = submissions.slice(at, at + 50).map((each) => store.add(each))
    receipts.push(...(await Promise.all(some)).map(({ receipt }) => receipt))
  }
  return receipts
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
    const socket = connect(port, '127.0.0.1')
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

/** Posts a form over its own socket. */
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
