/** The command line of `npm run serve`: receives the forms of a built site, and serves it. */
import { parseArgs } from 'node:util'
import { type Logger, pino } from 'pino'
import { explainArguments, refuseTaken } from '../machine/arguments.ts'
import { codeOf, isSystemError } from '../machine/errors.ts'
import { createAlarm } from '../notify/alarm.ts'
import { byMail, createMailer, type Mailer } from '../notify/mailer.ts'
import { startSender } from '../notify/sender.ts'
import { type Condition, Upkeep, type UpkeepParts } from '../notify/upkeep.ts'
import { createWebhook } from '../notify/webhook.ts'
import { site as about } from '../site.ts'
import { openStore } from '../store/open-store.ts'
import { StoreError } from '../store/submission.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { Site } from './files/open-site.ts'
import { listen, urlOf } from './http.ts'
import { Receiver } from './receiver.ts'

const HELP = `Serves the built site of dist/ and receives its forms, until it is interrupted.

Usage: npm run serve -- [--port PORT]
       npm start -- [--port PORT]       (builds the site first)

The settings are environment variables, which src/forms/README.md lists.

Exit status: 0 when it was interrupted and everything in flight is done, 2 when it cannot start.`

const OPTIONS = { help: { type: 'boolean' }, port: { type: 'string' } } as const

export interface Surroundings {
  env: NodeJS.ProcessEnv
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  /** Opens the built site. Throws a {@link ConfigError} if there is none. */
  openSite(): Site
  /** Called before the server listens, with a function that ends it within some milliseconds. */
  onReady(close: Close, log: Logger): void
}

type Close = (milliseconds: number) => Promise<void>

/** Resolves to undefined once the server listens, or else to an exit status. */
export async function serve(args: string[], around: Surroundings): Promise<number | undefined> {
  const { env, stdout, stderr } = around
  try {
    refuseTaken(['port'], env, `npm run ${env.npm_lifecycle_event ?? 'serve'} --`)
    const { help, port } = parseArgs({ args, options: OPTIONS }).values
    if (help) {
      stdout.write(`${HELP}\n`)
      return 0
    }

    await start(port === undefined ? env : { ...env, PORT: port }, around)
    return undefined
  } catch (error) {
    const isKnown = error instanceof ConfigError || error instanceof StoreError
    const isOfArguments = codeOf(error).startsWith('ERR_PARSE_ARGS')
    // Other codes of Node are faults of the program.
    if (!isKnown && !isSystemError(error) && !isOfArguments) throw error

    stderr.write(`${explainArguments(error, Object.keys(OPTIONS))}\n`)
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

  const mailer = config.mail && (await createMailer(config.mail))
  const alarm = mailer && createAlarm(mailer, log)

  const condition: Condition = { damage: undefined }
  const receiver = new Receiver({ site, store, config, log, alarm, condition })

  let endJobs: Close = async () => {}
  const close: Close = async (milliseconds) => {
    await Promise.all([receiver.close(milliseconds), endJobs(milliseconds)])
    await store?.close()
  }
  onReady(close, log)

  const port = await listen(receiver.server, config.port, config.host)
  const address = `${urlOf(port, config.host).slice(0, -1)}${site.base}/`
  stdout.write(`${about.name}: ${address} (Ctrl-C to stop)\n`)

  if (store) endJobs = startJobs({ store, config, log, alarm, mailer, site, condition })
}

interface Jobs extends UpkeepParts {
  config: Config
  mailer: Mailer | undefined
  site: Site
}

/** Starts what the receiver does besides answering. Returns a function that ends it. */
function startJobs(jobs: Jobs): Close {
  const { store, config, log, alarm, mailer, site } = jobs
  const { outbox } = store
  const { mail, webhook } = config
  const senders: Close[] = []

  if (mail && mailer) {
    const send = byMail(mailer, site)
    const { pause } = mail
    senders.push(startSender({ outbox, log, alarm, channel: 'mail', send, pause }))
  }

  if (webhook) {
    const send = createWebhook(webhook, site.pages)
    senders.push(startSender({ outbox, log, alarm, channel: 'webhook', send, pause: 0 }))
  }
  const upkeep = new Upkeep(jobs)

  return async (milliseconds) => {
    upkeep.stop()
    await Promise.all(senders.map((stop) => stop(milliseconds)))
  }
}
