/** The command line of `npm run serve`: receives the forms of a built site, and serves it. */
import { parseArgs } from 'node:util'
import { type Logger, pino } from 'pino'
import { explainArguments, refuseTaken } from '../machine/arguments.ts'
import { site as about } from '../site/site.ts'
import { ConfigError, readConfig } from './config.ts'
import { listen, urlOf } from './http.ts'
import { createAlarm } from './jobs/alarm.ts'
import { byMail, createMailer } from './jobs/mailer.ts'
import { startSender } from './jobs/sender.ts'
import { startUpkeep } from './jobs/upkeep.ts'
import { createWebhook } from './jobs/webhook.ts'
import { createReceiver, type ReceiverParts } from './receiver.ts'
import { openStore } from './store/open-store.ts'
import { StoreError } from './store/submission.ts'

const HELP = `Serves the built site of dist/ and receives its forms, until it is interrupted.

Usage: npm run serve -- [--port PORT]
       npm start -- [--port PORT]       (builds the site first)

The settings are environment variables, which src/server/README.md lists.

Exit status: 0 when it was interrupted and everything in flight is done, 2 when it cannot start.`

const OPTIONS = { help: { type: 'boolean' }, port: { type: 'string' } } as const

export interface Surroundings {
  env: NodeJS.ProcessEnv
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Opens the built site. Throws a {@link ConfigError} if there is none. */
  openSite(): ReceiverParts['site']
  /** Called before the server listens, with a function that ends it within some milliseconds. */
  onReady(close: (milliseconds: number) => Promise<void>, log: Logger): void
}

/** Resolves to undefined once the server listens, or else to an exit status. */
export async function serve(args: string[], around: Surroundings): Promise<number | undefined> {
  const { env, stdout, stderr } = around
  try {
    refuseTaken(['port'], env, env.npm_lifecycle_event ?? 'serve')
    const { help, port } = parseArgs({ args, options: OPTIONS }).values
    if (help) stdout.write(`${HELP}\n`)
    else await start(port === undefined ? env : { ...env, PORT: port }, around)
    return help ? 0 : undefined
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const isKnown = error instanceof ConfigError || error instanceof StoreError
    // Other codes of Node are faults of the program.
    if (!isKnown && !syscall && !code?.startsWith('ERR_PARSE_ARGS')) throw error
    stderr.write(`${explainArguments(error as Error, Object.keys(OPTIONS))}\n`)
    return 2
  }
}

async function start(env: NodeJS.ProcessEnv, { stdout, openSite, onReady }: Surroundings) {
  const config = readConfig(env)
  // Standard output is for people; logs, one event per line, go to standard error.
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ fd: 2, sync: true }))
  const site = openSite()
  // Where every form is gone (`null`), what they have sent still has to be kept and announced.
  const hasForms = site.pages.some(({ form }) => form !== undefined)
  const store = hasForms ? await openStore(config) : undefined
  const { mail, webhook } = config
  const mailer = mail && (await createMailer(mail))
  const alarm = mailer && createAlarm(mailer, log)
  const receiver = createReceiver({ site, store, config, log, alarm })
  /** Each ends a job, within some milliseconds. */
  const stops: ((milliseconds: number) => unknown)[] = []
  const close = async (milliseconds: number) => {
    await Promise.all([receiver.close(milliseconds), ...stops.map((stop) => stop(milliseconds))])
    await store?.close()
  }
  onReady(close, log)
  const port = await listen(receiver.server, config.port, config.host)
  const address = `${urlOf(port, config.host).slice(0, -1)}${site.base}/`
  stdout.write(`${about.name}: ${address} (Ctrl-C to stop)\n`)
  if (!store) return
  const { outbox } = store
  const common = { outbox, log, alarm }
  if (mail && mailer) {
    const send = byMail(mailer, site.pages)
    stops.push(startSender({ ...common, channel: 'mail', send, most: mail.most }))
  }
  if (webhook) {
    const send = createWebhook(webhook, site.pages)
    stops.push(startSender({ ...common, channel: 'webhook', send, most: Infinity }))
  }
  stops.push(startUpkeep(store, config, log, alarm))
}
