/** Kills the receiver under load, again and again, and looks up every receipt a visitor saw. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openStore } from '../../src/forms/store/open-store.ts'
import { contentHash, type Field, type Store } from '../../src/forms/store/store.ts'
import type { Page } from '../samples/batches.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How many visitors send at once. */
const VISITORS = 32

export interface KillResult {
  rounds: number
  /** Posts that were answered with a receipt. */
  acknowledged: number
  /** Posts that got no answer because of the kill, and were sent again afterwards. */
  unanswered: number
  /** Receipts that were missing from the store afterwards, or had different content. */
  lost: string[]
  /** Other faults: rows that are torn or were never answered, and a wrong number of rows. */
  faults: string[]
  /** The longest time from start to the first request that could be answered, in milliseconds. */
  slowestStart: number
}

/** The content hashes of answered posts, by receipt. */
type Answers = Map<string, string>

/** The content of a post, sent until it is answered. */
interface Post {
  path: string
  fields: Field[]
}

/** @param tell called after each round */
export async function killReceiver(
  {
    rounds,
    posts,
    databaseUrl,
  }: { rounds: number; posts: number; databaseUrl: string | undefined },
  tell: (result: KillResult) => void,
): Promise<KillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-kill-'))
  const file = join(folder, 'submissions.db')
  const forms = readForms()
  const result: KillResult = {
    rounds: 0,
    acknowledged: 0,
    unanswered: 0,
    lost: [],
    faults: [],
    slowestStart: 0,
  }
  const answered: Answers = new Map()
  const fresh: Answers = new Map()
  let toSend: Post[] = []
  let made = 0
  let store: Store | undefined
  try {
    while (result.rounds < rounds || toSend.length > 0) {
      const { child, port, took } = await startReceiver({ file, databaseUrl })
      result.slowestStart = Math.max(result.slowestStart, took)
      // Opened while the receiver runs, as `npm run submissions` may do.
      store ??= await openStore({ databaseUrl, file })
      await expectReceipts(store, fresh, result)
      fresh.clear()

      const isLast = result.rounds >= rounds
      const agent = new Agent({ keepAlive: true, maxSockets: VISITORS })
      const unanswered: Post[] = []
      let answers = 0
      let isDead = false
      const visitor = async () => {
        while (!isDead) {
          const post = toSend.pop() ?? (isLast ? undefined : newPost(forms, made++))
          if (!post) return
          const receipt = await send(agent, port, post)
          if (receipt === undefined) {
            unanswered.push(post)
            continue
          }
          answered.set(receipt, contentHash(post))
          fresh.set(receipt, contentHash(post))
          answers += 1
        }
      }
      const visitors = Promise.all(Array.from({ length: VISITORS }, visitor))
      const enough = async () => {
        while (answers < posts && !isDead) await setTimeout(1)
        // So that the kill hits any phase of its work.
        await setTimeout(Math.random() * 20)
      }
      try {
        await Promise.race(isLast ? [visitors] : [visitors, enough()])
      } finally {
        const exited = once(child, 'exit')
        isDead = true
        child.kill('SIGKILL')
        await exited
      }
      await visitors
      agent.destroy()
      toSend = unanswered
      result.rounds += isLast ? 0 : 1
      result.acknowledged = answered.size
      result.unanswered += unanswered.length
      tell(result)
    }
    if (store) await expectAll(store, answered, made, result)
    return result
  } finally {
    await store?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Looks up each receipt that visitors saw. */
async function expectReceipts(store: Store, seen: Answers, { lost }: KillResult): Promise<void> {
  for (const [receipt, hash] of seen) {
    const found = await store.find(receipt)
    if (found?.contentHash !== hash) lost.push(receipt)
  }
}

/** Looks up every receipt of all rounds, and looks for rows that were never answered. */
async function expectAll(store: Store, answered: Answers, made: number, result: KillResult) {
  const sent = new Set(answered.values())
  let rows = 0
  for await (const submission of store.all()) {
    rows += 1
    const { receipt } = submission
    if (contentHash(submission) !== submission.contentHash) result.faults.push(`${receipt} is torn`)
    if (!sent.has(submission.contentHash)) result.faults.push(`${receipt} was never answered`)
  }
  await expectReceipts(store, answered, result)
  if (rows !== made) result.faults.push(`${rows} rows for ${made} different contents`)
}

function readForms() {
  const file = join(ROOT, 'src/generated/dataset.json')
  const pages: Page[] = JSON.parse(readFileSync(file, 'utf8'))
  return pages.flatMap(({ path, form }) => (form ? [{ path, fields: form.fields }] : []))
}

function newPost(forms: ReturnType<typeof readForms>, index: number): Post {
  const { path, fields } = forms[index % forms.length] as (typeof forms)[number]
  const values = {
    text: `Visitor ${index}`,
    email: `visitor.${index}@example.com`,
    textarea: `${index} ${'x'.repeat((index * 37) % 3000)}`,
  }
  return { path, fields: fields.map(({ name, type }) => [name, values[type]]) }
}

/** Resolves to the receipt of the answer, or to undefined when there was none. */
function send(agent: Agent, port: number, { path, fields }: Post): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    }
    const options = { agent, port, host: '127.0.0.1', method: 'POST', headers }
    const sent = request({ ...options, path: `/api/forms${path}` }, (response) => {
      response.resume()
      const { statusCode, headers } = response
      if (statusCode === 303) {
        resolve(headers.location?.split('/').at(-1))
        return
      }
      reject(new Error(`${path} was answered with ${statusCode}`))
    })
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
}

/** Starts the server of `npm start`, and waits until it prints its address. */
async function startReceiver({
  file,
  databaseUrl,
}: {
  file: string
  databaseUrl: string | undefined
}) {
  const begin = performance.now()
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'scripts/serve.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
      SUBMISSIONS_FILE: file,
      DATABASE_URL: databaseUrl ?? '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, port] = /http:\/\/localhost:(\d+)/.exec(line) ?? []
    if (port) return { child, port: Number(port), took: performance.now() - begin }
  }
  throw new Error('the receiver did not start')
}
