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
import { byMail, createMailer } from '../../src/notify/mailer.ts'
import { sendNext } from '../../src/notify/sender.ts'
import { createWebhook } from '../../src/notify/webhook.ts'
import { type FieldDefinition, type FieldType, TICKED } from '../../src/page/form-fields.ts'
import { readSite } from '../../src/static/site-files.ts'
import { describeInspection } from '../../src/store/damage.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { contentHash, HOUR, type SentField } from '../../src/store/submission.ts'

const ROOT = join(import.meta.dirname, '../..')

/** How many visitors send at once. */
const VISITORS = 32

/** A round has at most this many times the wanted posts: each of them is announced in the end. */
const MOST_POSTS = 3

/** Of the webhook. */
const SECRET = 'a secret of the torture'

const TO = 'owner@example.com'
const FROM = 'forms@example.com'

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
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-kill-'))
  const test = new KillTest(options, join(folder, 'submissions.db'))
  try {
    await test.startServers()
    for (let round = 0; round < options.rounds; round++) await test.runRound(round)
    while (test.hasUnanswered) await test.sendAgain()
    await test.lookAtStore()
    return test.result
  } finally {
    test.stopServers()
    rmSync(folder, { recursive: true, force: true })
  }
}

class KillTest {
  readonly result: KillResult = {
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
  readonly #options: Options
  readonly #root: string
  readonly #file: string
  readonly #forms: readonly PageForm[]
  /** The content hashes of answered posts, by receipt. */
  readonly #answered = new Map<string, string>()
  /** Posts that got no answer. */
  #toSend: Post[] = []
  /** How many different posts there were. */
  #postCount = 0
  #mailServer: SMTPServer | undefined
  #smtpUrl = ''
  #hookServer: Server | undefined
  #hookUrl = ''

  constructor(options: Options, file: string) {
    this.#options = options
    this.#root = options.root ?? ROOT
    this.#file = file
    this.#forms = readForms(this.#root)
  }

  async startServers(): Promise<void> {
    const mailServer = await startMailServer(this.result)
    this.#mailServer = mailServer
    this.#smtpUrl = `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`

    const hookServer = await startHookServer(this.result)
    this.#hookServer = hookServer
    this.#hookUrl = `http://127.0.0.1:${(hookServer.address() as AddressInfo).port}/`
  }

  stopServers(): void {
    this.#mailServer?.close()
    this.#hookServer?.close()
  }

  get hasUnanswered(): boolean {
    return this.#toSend.length > 0
  }

  /** Kills a receiver once it has answered enough posts. */
  async runRound(round: number): Promise<void> {
    const { posts } = this.#options
    // In every third round, most wait for a mail about several.
    const hasLists = round % 3 === 2
    const announcedBefore = this.result.announced.size
    const answeredBefore = this.#answered.size
    const answers = () => this.#answered.size - answeredBefore
    const nextPost = () => {
      if (answers() >= MOST_POSTS * posts) return undefined
      return this.#toSend.pop() ?? newPost(this.#forms, this.#postCount++)
    }
    const isEnough = () => {
      // In the first round, nothing waits to be announced when the receiver starts.
      const mustAnnounce = round > 0 && !hasLists
      const hasAnnounced = this.result.announced.size > announcedBefore
      return answers() >= posts && (hasAnnounced || !mustAnnounce)
    }
    await this.#sendUntil(hasLists ? '' : '0', nextPost, isEnough)
  }

  /** Sends what was not answered, without a kill before all of it is. */
  async sendAgain(): Promise<void> {
    await this.#sendUntil(
      '0',
      () => this.#toSend.pop(),
      () => false,
    )
  }

  /** Sends posts to a new receiver until there are no more, or enough. Then kills it. */
  async #sendUntil(
    notifyEvery: string,
    nextPost: () => Post | undefined,
    isEnough: () => boolean,
  ): Promise<void> {
    const { child, port } = await startReceiver(this.#root, this.#settings(notifyEvery))
    const unanswered: Post[] = []
    let isDead = false
    const visitor = async () => {
      while (!isDead) {
        const post = nextPost()
        if (!post) return
        const receipt = await send(port, post)
        if (receipt === undefined) unanswered.push(post)
        else this.#answered.set(receipt, contentHash(post))
      }
    }
    const waitForEnough = async () => {
      while (!isEnough() && !isDead) await setTimeout(1)
      // So that the kill hits any phase of its work.
      await setTimeout(Math.random() * 20)
    }

    const visitors = Promise.all(Array.from({ length: VISITORS }, visitor))
    try {
      await Promise.race([visitors, waitForEnough()])
    } finally {
      const exited = once(child, 'exit')
      isDead = true
      child.kill('SIGKILL')
      await exited
    }
    await visitors
    this.#toSend.push(...unanswered)
    this.result.acknowledged = this.#answered.size
    this.result.unanswered += unanswered.length
  }

  /** Sends the notifications that are left, and looks for every receipt. */
  async lookAtStore(): Promise<void> {
    const { databaseUrl } = this.#options
    const store = await openStore({ databaseUrl, file: this.#file })
    try {
      await this.#announceRest(store)
      await this.#expectAll(store)
      await this.#expectNoDamage(store)
    } finally {
      await store.close()
    }
  }

  async #announceRest({ outbox }: Store): Promise<void> {
    const mailer = await createMailer({ server: this.#smtpUrl, to: [TO], from: FROM })
    const hook = createWebhook({ url: this.#hookUrl, secret: SECRET }, [])
    const common = { outbox, log: pino({ level: 'silent' }) }
    const mails = {
      ...common,
      channel: 'mail',
      send: byMail(mailer, { pages: [] }),
      pause: 1,
    } as const
    const hooks = { ...common, channel: 'webhook', send: hook, pause: 0 } as const

    // Later, when what was killed or refused is due again.
    for (let hours = 1; hours < 100 && (await outbox.queued(0)).count > 0; hours++) {
      const now = Date.now() + hours * HOUR
      for (const parts of [mails, hooks]) {
        let end = await sendNext(parts, now)
        while (end !== 'none') end = await sendNext(parts, now)
      }
    }
    const { count } = await outbox.queued(0)
    if (count > 0) this.result.faults.push(`${count} notifications still wait`)
  }

  /** Looks up each receipt that visitors saw, and looks for faults in all rows. */
  async #expectAll(store: Store): Promise<void> {
    const { faults, posted, announced, counted, lost } = this.result
    const sent = new Set(this.#answered.values())
    let rows = 0
    let unnamed = 0
    for await (const { receipt, contentHash } of store.all()) {
      rows += 1
      if (!sent.has(contentHash)) faults.push(`${receipt} was never answered`)
      if (!posted.has(receipt)) faults.push(`${receipt} was never posted`)
      if (!announced.has(receipt)) unnamed += 1
    }
    for (const [receipt, hash] of this.#answered) {
      const submission = await store.find(receipt)
      if (submission?.contentHash !== hash) lost.push(receipt)
    }
    // A long list names the oldest, and counts the others.
    if (unnamed > counted) faults.push(`${unnamed - counted} were not announced`)
    if (rows !== this.#postCount) {
      faults.push(`${rows} rows for ${this.#postCount} different contents`)
    }
  }

  async #expectNoDamage(store: Store): Promise<void> {
    const damage = describeInspection(await store.inspect())
    if (damage) this.result.faults.push(damage)
  }

  #settings(notifyEvery: string): Record<string, string> {
    return {
      SUBMISSIONS_FILE: this.#file,
      DATABASE_URL: this.#options.databaseUrl ?? '',
      SMTP_URL: this.#smtpUrl,
      NOTIFY_TO: TO,
      NOTIFY_FROM: FROM,
      NOTIFY_EVERY: notifyEvery,
      NOTIFY_URL: this.#hookUrl,
      NOTIFY_SECRET: SECRET,
    }
  }
}

/** A page with a form. */
interface PageForm {
  path: string
  fields: readonly FieldDefinition[]
}

/** Returns the forms of the built site. */
export function readForms(root = ROOT): PageForm[] {
  const { pages } = readSite(join(root, 'dist'))
  return pages.flatMap(({ path, form }) => (form ? [{ path, fields: form.fields }] : []))
}

function newPost(forms: readonly PageForm[], index: number): Post {
  const { path, fields } = forms[index % forms.length] as PageForm
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
