/** `npm run serve`: serves the built site of `dist/` and receives its forms, if it has any. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ConfigError } from '../src/forms/config.ts'
import { openSite } from '../src/forms/files/open-site.ts'
import { serve } from '../src/forms/serve.ts'
import { SiteError } from '../src/static/site-files.ts'

const DIST = join(import.meta.dirname, '../dist')

/** How long responses in flight may take at the end, in milliseconds. */
const LAST_ANSWERS = 7_000

/** In milliseconds: a second signal within this time is the first one, delivered twice. */
const SAME_SIGNAL = 300

const status = await serve(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  openSite: openDist,
  onReady: stopOnSignals,
})
if (status !== undefined) process.exit(status)

function openDist() {
  try {
    return openSite(DIST)
  } catch (error) {
    throw error instanceof SiteError ? new ConfigError(error.message) : error
  }
}

function stopOnSignals(close: (milliseconds: number) => Promise<void>, log: Logger): void {
  let stoppedAt: number | undefined

  const stop = async (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      // A second signal means: exit now. But Ctrl-C arrives twice, from the terminal and from npm.
      if (performance.now() - stoppedAt > SAME_SIGNAL) process.exit(1)
      return
    }

    stoppedAt = performance.now()
    log.info({ signal }, 'stopping')
    await close(LAST_ANSWERS)
    log.info('stopped')
    process.exit(0)
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
