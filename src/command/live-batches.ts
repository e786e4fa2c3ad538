/** A Vite plugin for live batches in development: saving a batch updates the open page. */
import type { Logger, Plugin, ViteDevServer } from 'vite'
import { build } from '../build/build.ts'
import type { Published } from '../build/output/collection-dataset.ts'
import { SchemaError } from '../build/read-schema.ts'
import type { BatchEntry } from '../dataset/format.ts'
import { messageOf, traceOf } from '../machine/errors.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { describeUnsaid, formatWrong } from '../report/collections.ts'
import { formatSchemaProblems } from '../report/problems.ts'
import { showOnce } from '../report/show-once.ts'
import { describeBatches, describeNewWinner, formatChanges } from '../report/summary.ts'
import { printable } from '../text/printable.ts'
import { type Config, type OpenCollections, openCollections } from './load-config.ts'
import { NOTHING_WRITTEN, shownOf } from './print-result.ts'
import type { Command } from './terminal.ts'
import { look, watch } from './watch-batches.ts'

/** Below problems of which some can be fixed: the server itself changes no batch. */
const HOW_TO_FIX = '\nTo write the fixes into the files: npm run build-data -- --fix\n'

/**
 * Builds the datasets when the dev server starts and whenever a file or a schema is saved. Errors appear
 * in the terminal and in the browser's overlay; the last good datasets stay.
 */
export function liveBatches(config: Config, command: Command): Plugin {
  const open = () => openCollections(config, config.collections, {}, command)
  const dataset = new LiveDatasets(open)
  let currentServer: ViteDevServer | undefined

  return {
    name: 'live-batches',

    async configureServer(server) {
      const { logger } = server.config
      const takeLook = () => look(async () => (await open()).collections)
      const firstLook = await takeLook()
      await dataset.rebuild(logger)
      if (dataset.failure !== undefined) logger.error(dataset.failure)

      server.ws.on('connection', () => show(server, dataset.failure))
      const pages = reloadLatePages(server)

      // A restart makes another server of the same plugin.
      currentServer = server
      const isCurrent = () => currentServer === server
      const update = () => updatePages(server, dataset, pages)
      void watch(takeLook, firstLook, isCurrent, () =>
        update().catch((error) => logger.error(traceOf(error))),
      )
    },
  }
}

/** The changes of a rebuild. */
interface Rebuilt {
  /** Whether a record has changed. */
  hasChanged: boolean
  /** The message, line by line. */
  news: string[]
}

/** The datasets of the dev server, and why there are no newer ones. */
class LiveDatasets {
  /** Why the last build failed, as a command says it; undefined if it succeeded. */
  failure: string | undefined
  readonly #open: () => Promise<OpenCollections>
  /** The files of the last datasets, by the digests of their bytes. */
  #known: ReadonlySet<string> = new Set()

  constructor(open: () => Promise<OpenCollections>) {
    this.#open = open
  }

  /** Builds the datasets. @returns what is new; undefined if the build failed, or nothing is */
  async rebuild(logger: Logger): Promise<Rebuilt | undefined> {
    try {
      return await this.#build(logger)
    } catch (error) {
      this.failure = describeFailure(error)
      return undefined
    }
  }

  async #build(logger: Logger): Promise<Rebuilt | undefined> {
    const { collections, out, folder } = await this.#open()
    const results = await build({ collections, out })
    const shown = showOnce(results.map((result) => shownOf(result, undefined)))

    for (const [name, text] of shown.flatMap((collection) => describeUnsaid(collection, folder))) {
      // Not after every save.
      logger.warnOnce(printable(`${name}  ${text}`))
    }

    const problems = shown.flatMap((collection) => collection.problems)
    if (problems.length > 0) {
      const context = { folder, shown: SHOWN_PER_BATCH }
      const advice = problems.some(({ fix }) => fix !== undefined) ? HOW_TO_FIX : ''
      this.failure = [NOTHING_WRITTEN, ...formatWrong(shown, context), advice].join('')
      return undefined
    }

    this.failure = undefined
    const published = results.filter((result) => result.ok)
    const saved = this.#noteFiles(published.flatMap(({ manifest }) => manifest.batches))
    const isNew = published.some(({ outdated }) => outdated.length > 0)
    return isNew ? describeRebuilt(published, saved, folder) : undefined
  }

  /** Notes the files of the datasets. @returns the digests of those that weren't in the last ones */
  #noteFiles(files: readonly BatchEntry[]): ReadonlySet<string> {
    const digests = files.map(({ sha256 }) => sha256)
    const saved = new Set(digests.filter((digest) => !this.#known.has(digest)))
    this.#known = new Set(digests)
    return saved
  }
}

function describeRebuilt(
  published: readonly Published[],
  saved: ReadonlySet<string>,
  folder: string,
): Rebuilt {
  const news = published.flatMap(({ manifest, changes, newWinners }) => {
    const { dataset, batches, duplicates } = manifest
    const savedBatches = batches.filter(({ sha256 }) => saved.has(sha256))
    const rows = describeBatches({ batches: savedBatches, duplicates }, folder)
    if (changes === false && rows.length === 0) return []

    return [
      `${dataset.file}: ${formatChanges(changes)}`,
      ...newWinners.map((winner) => describeNewWinner(winner, folder)),
      ...rows.map((row) => row.join('  ')),
    ]
  })
  return { hasChanged: published.some(({ changes }) => changes !== false), news }
}

/** When what the pages show last changed, in milliseconds since 1970. */
interface OpenPages {
  changed: number
}

/**
 * Reloads a page that begins to run after something changed: Vite's client drops an update of what it
 * has loaded but not yet run.
 */
function reloadLatePages(server: ViteDevServer): OpenPages {
  const pages: OpenPages = { changed: 0 }

  server.watcher.on('change', () => {
    pages.changed = Date.now()
  })
  server.ws.on('site:runs', (since: number, client) => {
    if (since < pages.changed) client.send({ type: 'full-reload' })
  })
  return pages
}

/** Builds the dataset again, prints what is new, and shows it on the open pages. */
async function updatePages(
  server: ViteDevServer,
  dataset: LiveDatasets,
  pages: OpenPages,
): Promise<void> {
  const { logger } = server.config
  const lastFailure = dataset.failure
  const rebuilt = await dataset.rebuild(logger)

  if (dataset.failure !== undefined) {
    if (dataset.failure !== lastFailure) logger.error(dataset.failure, { timestamp: true })
    show(server, dataset.failure)
    return
  }

  const wasFailing = lastFailure !== undefined
  if (!rebuilt) {
    if (!wasFailing) return
    removeOverlay(server)
    logger.info('batches are valid again', { timestamp: true })
    return
  }

  pages.changed = Date.now()
  const lines = ['dataset rebuilt', ...rebuilt.news.map(printable)]
  logger.info(lines.join('\n  '), { timestamp: true })

  if (!rebuilt.hasChanged && !wasFailing) return
  removeOverlay(server)
  // See `hydrate.tsx`.
  server.ws.send('site:data')
}

/** Says why there is no newer dataset, in the format of build-data. */
function describeFailure(error: unknown): string {
  if (error instanceof SchemaError) return [...formatSchemaProblems(error)].join('')
  return printable(messageOf(error))
}

/** Shows a failure on every open page. Pages opened later get it when they connect. */
function show(server: ViteDevServer, failure: string | undefined): void {
  // Without clients, Vite would keep the error for the next page, even one opened after the fix.
  if (failure === undefined || server.ws.clients.size === 0) return

  server.ws.send({ type: 'error', err: { message: failure, stack: '' } })
}

/** An update of nothing removes the overlay. */
function removeOverlay(server: ViteDevServer): void {
  server.ws.send({ type: 'update', updates: [] })
}
