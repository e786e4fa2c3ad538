/** A Vite plugin for live batches in development: saving a batch updates the open page. */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger, Plugin, ViteDevServer } from 'vite'
import { type BuildOptions, build } from '../build/build.ts'
import { SchemaError } from '../build/read-schema.ts'
import { readSchemaFiles } from '../build/schema-files.ts'
import { folderSource } from '../build/source.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { formatProblems, formatSchemaProblems } from '../report/problems.ts'
import {
  describeBatches,
  describeNewWinner,
  describeWarnings,
  formatChanges,
} from '../report/summary.ts'
import { printable } from '../text/printable.ts'

type LiveOptions = Pick<BuildOptions, 'schema' | 'content' | 'digestContent' | 'out'> & {
  batches: string
}

/** The shortest time between two looks at the batches. */
const LOOK_MS = 200

/** A look at 15,000 batches takes long: the pause after a look is this many times as long. */
const REST = 10

/**
 * Builds the dataset when the dev server starts and whenever a batch or the schema is saved. Errors
 * appear in the terminal and in the browser's overlay; the last good dataset stays.
 */
export function liveBatches({ batches, ...options }: LiveOptions): Plugin {
  const { schema } = options
  /** Why there is no newer dataset, in the format of build-data. */
  let failure: string | undefined
  let current: ViteDevServer | undefined
  /** The batches of the last dataset, by the digests of their bytes. */
  let known = new Set<string>()

  /** @returns whether the pages changed, and what there is to say; undefined if no file has changed */
  const rebuild = async (logger: Logger) => {
    try {
      const source = folderSource(batches)
      const result = await build({ ...options, source })
      for (const row of describeWarnings(result.warnings, batches)) {
        // Not after every save.
        logger.warnOnce(printable(row.join('  ')))
      }
      if (!result.ok) {
        const { problems, batches: entries } = result
        const context = { folder: batches, batches: entries.length, shown: SHOWN_PER_BATCH }
        failure = [...formatProblems(problems, context)].join('')
        return undefined
      }
      failure = undefined
      const { batches: entries, duplicates } = result.manifest
      const saved = entries.filter(({ sha256 }) => !known.has(sha256))
      known = new Set(entries.map(({ sha256 }) => sha256))
      if (result.wasCurrent) return undefined
      const rows = describeBatches({ batches: saved, duplicates })
      const news = [
        `Changed  ${formatChanges(result.changes)}`,
        ...result.newWinners.map(describeNewWinner),
        ...rows.map((row) => row.join('  ')),
      ]
      return { hasChanged: result.changes !== false, news }
    } catch (error) {
      failure = fs.existsSync(batches)
        ? describeFailure(error as Error)
        : `there is no batch folder ${printable(batches)}; it will be read once it exists`
      return undefined
    }
  }

  return {
    name: 'live-batches',

    async configureServer(server) {
      const { logger } = server.config
      let seen = await look(batches, schema)
      await rebuild(logger)
      if (failure !== undefined) logger.error(failure)
      server.ws.on('connection', () => show(server, failure))

      // Vite's client drops an update of what it has loaded but not yet run.
      let changed = 0
      server.watcher.on('change', () => {
        changed = Date.now()
      })
      server.ws.on('site:runs', (since: number, client) => {
        if (since < changed) client.send({ type: 'full-reload' })
      })

      const update = async () => {
        const lastFailure = failure
        const change = await rebuild(logger)
        if (failure !== undefined) {
          if (failure !== lastFailure) logger.error(failure, { timestamp: true })
          show(server, failure)
        } else if (change) {
          changed = Date.now()
          const message = ['dataset rebuilt', ...change.news.map(printable)].join('\n  ')
          logger.info(message, { timestamp: true })
          if (change.hasChanged || lastFailure !== undefined) {
            // An update of nothing removes the overlay.
            server.ws.send({ type: 'update', updates: [] })
            // See `hydrate.tsx`.
            server.ws.send('site:data')
          }
        } else if (lastFailure !== undefined) {
          server.ws.send({ type: 'update', updates: [] })
          logger.info('batches are valid again', { timestamp: true })
        }
      }

      current = server
      const watch = async () => {
        // A restart makes another server of the same plugin.
        while (current === server) {
          const start = performance.now()
          const now = await look(batches, schema)
          const rest = Math.max(LOOK_MS, REST * (performance.now() - start))
          if (now !== seen) await update().catch(({ stack }) => logger.error(stack))
          seen = now
          await pause(rest, undefined, { ref: false })
        }
      }
      void watch()
    },
  }
}

/**
 * Returns the names, sizes and times of all batches, and the digest of the schema, as one text. It differs after
 * every save, on every kind of disk: many report no changes, such as a folder that a container
 * shares, and where they are reported, a moved folder takes the watches of its files with it.
 */
async function look(batches: string, schema: string): Promise<string> {
  try {
    const { all } = await folderSource(batches).list()
    const files = all.map(({ name, size, changed }) => `${name} ${size} ${changed}`)
    return [...files.sort(), readSchemaFiles(schema).sha256].join('\n')
  } catch (error) {
    return (error as Error).message
  }
}

function describeFailure(error: Error): string {
  return error instanceof SchemaError
    ? [...formatSchemaProblems(error)].join('')
    : printable(error.message)
}

/** Shows a failure on every open page. Pages opened later get it when they connect. */
function show(server: ViteDevServer, failure: string | undefined): void {
  // Without clients, Vite would keep the error for the next page, even one opened after the fix.
  if (failure === undefined || server.ws.clients.size === 0) return
  server.ws.send({ type: 'error', err: { message: failure, stack: '' } })
}
