/** `npm run serve`: serves the built site of `dist/` and receives its forms, if it has any. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { ConfigError, readConfig, settingsHelp } from '../src/forms/receive/config.ts'
import { addressOf } from '../src/forms/receive/http.ts'
import { createReceiver } from '../src/forms/receive/server.ts'
import { openStore } from '../src/forms/store/open-store.ts'
import { StoreError } from '../src/forms/store/store.ts'
import { site as about } from '../src/site/site.ts'
import { openSite, SiteError } from '../src/site/static/open-site.ts'

const DIST = join(import.meta.dirname, '../dist')
const DATASET = join(import.meta.dirname, '../src/generated/dataset.json')

/** How long responses in flight may take after a signal, in milliseconds. */
const LAST_ANSWERS = 7_000

/** In milliseconds: a second signal within this time is the first one, delivered twice. */
const SAME_SIGNAL = 300

const HELP = `Serves the built site of dist/ and receives its forms, until it is interrupted.

Usage: npm run serve -- [--port PORT]
       npm start -- [--port PORT]       (builds the site first)

Environment variables:
${settingsHelp}

Exit status: 0 when it was interrupted and everything in flight is done, 2 when it cannot start.`

try {
  const options = { help: { type: 'boolean' }, port: { type: 'string' } } as const
  const { help, port } = parseArgs({ options }).values
  if (help) console.log(HELP)
  else await main(port === undefined ? process.env : { ...process.env, PORT: port })
} catch (error) {
  if (!isToldInOneLine(error)) throw error
  console.error(error.message)
  process.exit(2)
}

async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(env)
  // Standard output is for people; logs, one event per line, go to standard error.
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ fd: 2, sync: true }))
  const site = openSite(DIST)
  const hasForms = site.pages.some(({ form }) => form !== undefined)
  const { databaseUrl, file } = config
  const store = hasForms ? await openStore({ databaseUrl, file }) : undefined
  if (store?.isNew) log.info('created a new store for submissions')
  const dataset = createHash('sha256').update(site.dataset).digest('hex')
  const receiver = await createReceiver({ site, pages: site.pages, dataset, store, config, log })

  let stoppedAt: number | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      // A second signal means: exit now. But Ctrl-C arrives twice, from the terminal and from npm.
      if (performance.now() - stoppedAt > SAME_SIGNAL) process.exit(1)
      return
    }
    stoppedAt = performance.now()
    log.info({ signal }, 'stopping')
    await receiver.close(LAST_ANSWERS)
    await store?.close()
    log.info('stopped')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)

  if (existsSync(DATASET) && !readFileSync(DATASET).equals(site.dataset)) {
    console.log(
      'dist/ and src/generated/ have different datasets; "npm run build" builds dist/ again.',
    )
  }
  const port = await receiver.listen(config.port, config.host, config.isPortChosen)
  const taken = port === config.port || config.isPortChosen ? '' : `${config.port} is taken; `
  const address = `${addressOf(port, config.host).slice(0, -1)}${site.base}/`
  console.log(`${about.name}: ${address} (${taken}Ctrl-C to stop)`)
}

/** Whether a setting, the build, the database, the network or an option is at fault. */
function isToldInOneLine(error: unknown): error is Error {
  if ([ConfigError, SiteError, StoreError].some((kind) => error instanceof kind)) return true
  return error instanceof Error && 'code' in error
}
