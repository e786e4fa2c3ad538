/** Kills the receiver under load, again and again, and looks up every receipt a visitor saw. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { type FieldDefinition, type FieldType, TICKED } from '../../src/page/form-fields.ts'
import { byMail, createMailer } from '../../src/server/jobs/mailer.ts'
import { sendNext } from '../../src/server/jobs/sender.ts'
import { createWebhook } from '../../src/server/jobs/webhook.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import type { Store } from '../../src/server/store/store.ts'
import { contentHash, type SentField } from '../../src/server/store/submission.ts'
import { readSite } from '../../src/site/static/site-files.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How many visitors send at once. */
const VISITORS = 32

/** A round has at most this many times the wanted posts: each of them is announced in the end. */
const MOST_POSTS = 3

/** Of the webhook. */
const SECRET = 'a secret of the torture'

export interface KillResult {
  /** Posts that were answered with a receipt. */
  acknowledged: number
  /** Posts that got no answer because of the kill, and were sent again afterwards. */
  unanswered: number
  /** Receipts that were missing from the store afterwards, or had different content. */
  lost: string[]
  /** By mail, in mails of their own or in lists; and by webhook. */
  announced: Set<string>
  posted: Set<string>
  /** How many messages were refused, and how many lists were accepted. */
  refused: number
  lists: number
  /** How many submissions lists have counted, and not named. */
  counted: number
  /** Other faults: rows that are torn, were never answered or announced, or are too many. */
  faults: string[]
}

/** The content hashes of answered posts, by receipt. */
type Answers = Map<string, string>

/** The content of a post, sent until it is answered. */
interface Post {
  path: string
  fields: SentField[]
}

interface Options extends Record<'rounds' | 'posts', number> {
  databaseUrl: string | undefined
  /** The project with the receiver and its site; by default, this one. */
  root?: string
}

/** Kills as often as there are rounds, each time after at least as many answers as posts. */
export async function killReceiver(options: Options): Promise<KillResult> {
  const { rounds, posts, databaseUrl, root = ROOT } = options
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-kill-'))
  const file = join(folder, 'submissions.db')
  const forms = readForms(root)
  const result: KillResult = {
    acknowledged: 0,
    unanswered: 0,
    lost: [],
    announced: new Set(),
    posted: new Set(),
    refused: 0,
    lists: 0,
    counted: 0,
    faults: [],
  }
  const answered: Answers = new Map()
  const { announced } = result
  const mailServer = await startMailServer(result)
  const hookServer = await startHookServer(result)
  const server = `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`
  const url = `http://127.0.0.1:${(hookServer.address() as AddressInfo).port}/`
  const [to, from] = ['owner@example.com', 'forms@example.com']
  let toSend: Post[] = []
  let made = 0
  let kills = 0
  let store: Store | undefined
  try {
    while (kills < rounds || toSend.length > 0) {
      const { child, port } = await startReceiver(root, {
        ...{ SUBMISSIONS_FILE: file, DATABASE_URL: databaseUrl ?? '' },
        ...{ SMTP_URL: server, NOTIFY_TO: to, NOTIFY_FROM: from },
        ...{ NOTIFY_URL: url, NOTIFY_SECRET: SECRET },
        // In every third round, most wait for a mail about several.
        NOTIFY_EVERY: kills % 3 === 2 ? '' : '0',
      })
      const isLast = kills >= rounds
      const unanswered: Post[] = []
      const before = announced.size
      let answers = 0
      let isDead = false
      const visitor = async () => {
        while (!isDead && (isLast || answers < MOST_POSTS * posts)) {
          const post = toSend.pop() ?? (isLast ? undefined : newPost(forms, made++))
          if (!post) return
          const receipt = await send(port, post)
          if (receipt === undefined) {
            unanswered.push(post)
            continue
          }
          answered.set(receipt, contentHash(post))
          answers += 1
        }
      }
      const visitors = Promise.all(Array.from({ length: VISITORS }, visitor))
      const enough = async () => {
        // In the first round, nothing waits to be announced when the receiver starts.
        const isIdle = () => kills > 0 && kills % 3 !== 2 && announced.size === before
        while ((answers < posts || isIdle()) && !isDead) await setTimeout(1)
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
      toSend = unanswered
      kills += isLast ? 0 : 1
      result.acknowledged = answered.size
      result.unanswered += unanswered.length
    }
    store = await openStore({ databaseUrl, file })
    const mailer = await createMailer({ server, to: [to], from })
    const { outbox } = store
    const common = { outbox, log: pino({ level: 'silent' }) }
    const mails = { ...common, channel: 'mail', send: byMail(mailer, []), pause: 1 } as const
    const hook = createWebhook({ url, secret: SECRET }, [])
    const hooks = { ...common, channel: 'webhook', send: hook, pause: 0 } as const
    // Later, when what was killed, refused or left for a list is due again.
    for (let hours = 1; hours < 100 && (await outbox.queued(0)).count > 0; hours++) {
      const now = Date.now() + hours * 3_600_000
      for (const parts of [mails, hooks]) while ((await sendNext(parts, now)) !== 'none');
    }
    const { count } = await outbox.queued(0)
    if (count > 0) result.faults.push(`${count} notifications still wait`)
    await expectAll(store, answered, made, result)
    return result
  } finally {
    await store?.close()
    mailServer.close()
    hookServer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Looks up each receipt that visitors saw, and looks for faults in all rows. */
async function expectAll(store: Store, answered: Answers, made: number, result: KillResult) {
  const sent = new Set(answered.values())
  let rows = 0
  let unnamed = 0
  for await (const submission of store.all()) {
    rows += 1
    const { receipt } = submission
    if (contentHash(submission) !== submission.contentHash) result.faults.push(`${receipt} is torn`)
    if (!sent.has(submission.contentHash)) result.faults.push(`${receipt} was never answered`)
    if (!result.posted.has(receipt)) result.faults.push(`${receipt} was never posted`)
    if (!result.announced.has(receipt)) unnamed += 1
  }
  for (const [receipt, hash] of answered) {
    const found = await store.find(receipt)
    if (found?.contentHash !== hash) result.lost.push(receipt)
  }
  // A long list names the oldest, and counts the others.
  if (unnamed > result.counted) result.faults.push(`${unnamed - result.counted} were not announced`)
  if (rows !== made) result.faults.push(`${rows} rows for ${made} different contents`)
}

/** Returns the forms of the built site. */
export function readForms(root = ROOT) {
  const { pages } = readSite(join(root, 'dist'))
  return pages.flatMap(({ path, form }) => (form ? [{ path, fields: form.fields }] : []))
}

function newPost(forms: ReturnType<typeof readForms>, index: number): Post {
  const { path, fields } = forms[index % forms.length] as (typeof forms)[number]
  const valueFor = ({ type, options: [option = ''] = [] }: FieldDefinition) => {
    const values: Record<FieldType, string> = {
      text: `Visitor ${index}`,
      email: `visitor.${index}@example.com`,
      tel: `+44 20 7946 ${index}`,
      textarea: `${index} ${'x'.repeat((index * 37) % 3000)}`,
      select: option,
      checkbox: TICKED,
    }
    return values[type]
  }
  return { path, fields: fields.map((field) => [field.name, valueFor(field)]) }
}

/** Resolves to the receipt of the answer, or to undefined when there was none. */
async function send(port: number, { path, fields }: Post): Promise<string | undefined> {
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  const url = `http://127.0.0.1:${port}/api/forms${path}`
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' }).catch(() => {})
  if (answer && answer.status !== 303) throw new Error(`${path}: status ${answer.status}`)
  return answer?.headers.get('location')?.split('/').at(-1)
}

/** Refuses one message in four, of mails and of posts. */
function isRefused(result: KillResult): boolean {
  const isOne = Math.random() < 1 / 4
  if (isOne) result.refused += 1
  return isOne
}

/** Starts a mail server that keeps the receipts in what it accepts. */
async function startMailServer(result: KillResult): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      text(stream).then((message) => {
        const responseCode = Math.random() < 1 / 2 ? 451 : 554
        if (isRefused(result)) return done(Object.assign(new Error('No'), { responseCode }))
        const words = message.replace(/=\r\n/g, '')
        for (const [receipt] of words.matchAll(/\b(?:[0-9a-z]{4}-){6}[0-9a-z]{4}\b/g)) {
          result.announced.add(receipt)
        }
        if (/^Message-ID: <.*-list@/im.test(message)) result.lists += 1
        const [, more = '0'] = /^and ([\d,]+) more/m.exec(words) ?? []
        result.counted += Number(more.replaceAll(',', ''))
        done()
      }, done)
    },
  })
  // The receiver is killed while it sends.
  server.on('error', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** Starts the owner's end of the webhook, which keeps the receipts of what is signed. */
async function startHookServer(result: KillResult): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    const isSigned = request.headers['x-signature-256'] === `sha256=${signature}`
    if (!isSigned || isRefused(result)) {
      response.writeHead(isSigned ? 500 : 403).end()
      return
    }
    result.posted.add(JSON.parse(body).receipt)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** Starts the server of `npm start`, and waits until it prints its address. */
async function startReceiver(cwd: string, settings: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'scripts/serve.ts'], {
    cwd,
    env: { ...process.env, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, port] = /http:\/\/localhost:(\d+)/.exec(line) ?? []
    if (port) return { child, port: Number(port) }
  }
  throw new Error('the receiver did not start')
}
