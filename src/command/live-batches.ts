/** A Vite plugin for live batches in development: saving a batch updates the open page. */
import fs from 'node:fs'
import type { Logger, Plugin, ViteDevServer } from 'vite'
import { type BuildResult, build } from '../build/build.ts'
import type { BuildOptions } from '../build/options.ts'
import type { Published } from '../build/output/dataset-writer.ts'
import { type BatchPlace, findPlace } from '../build/place.ts'
import { SchemaError } from '../build/read-schema.ts'
import { batchSource } from '../build/source.ts'
import { collectionOfContent } from '../collections/of-content.ts'
import { type BatchEntry, SITE } from '../dataset/format.ts'
import { SITE_WORDS } from '../explain/words.ts'
import { messageOf, traceOf } from '../machine/errors.ts'
import type { Content } from '../page/content.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { formatProblems, formatSchemaProblems } from '../report/problems.ts'
import {
  describeBatches,
  describeNewWinner,
  describeWarnings,
  formatChanges,
} from '../report/summary.ts'
import { printable } from '../text/printable.ts'
import { look, watch } from './watch-batches.ts'
import { withoutWritten } from './written.ts'

type DatasetOptions = Pick<BuildOptions, 'out'> & {
  schema: string
  content: Content
}

type LiveOptions = DatasetOptions & {
  batches: string | readonly string[]
}

/** Below problems of which some can be fixed: the server itself changes no batch. */
const HOW_TO_FIX = '\nTo write the fixes into the batches: npm run build-data -- --fix\n'

/**
 * Builds the dataset when the dev server starts and whenever a batch or the schema is saved. Errors
 * appear in the terminal and in the browser's overlay; the last good dataset stays.
 */
export function liveBatches({ batches, ...options }: LiveOptions): Plugin {
  const place = withoutWritten(findPlace([batches].flat()), { 'The dataset': options.out })
  const dataset = new LiveDataset(place, options)
  let currentServer: ViteDevServer | undefined

  return {
    name: 'live-batches',

    async configureServer(server) {
      const { logger } = server.config
      const firstLook = await look(place, options.schema)
      await dataset.rebuild(logger)
      if (dataset.failure !== undefined) logger.error(dataset.failure)

      server.ws.on('connection', () => show(server, dataset.failure))
      const pages = reloadLatePages(server)

      // A restart makes another server of the same plugin.
      currentServer = server
      const isCurrent = () => currentServer === server
      const takeLook = () => look(place, options.schema)
      const update = () => updatePages(server, dataset, pages)
      void watch(takeLook, firstLook, isCurrent, () =>
        update().catch((error) => logger.error(traceOf(error))),
      )
    },
  }
}

/** What is new in a dataset. */
interface Rebuilt {
  /** Whether a page has changed. */
  hasChanged: boolean
  /** What there is to say, line by line. */
  news: string[]
}

/** The dataset of the dev server, and why there is no newer one. */
class LiveDataset {
  /** Why the last build failed, in the format of build-data; undefined if it succeeded. */
  failure: string | undefined
  readonly #place: BatchPlace
  readonly #options: DatasetOptions
  /** The batches of the last dataset, by the digests of their bytes. */
  #known: ReadonlySet<string> = new Set()

  constructor(place: BatchPlace, options: DatasetOptions) {
    this.#place = place
    this.#options = options
  }

  /** Builds the dataset. @returns what is new; undefined if the build failed, or nothing is */
  async rebuild(logger: Logger): Promise<Rebuilt | undefined> {
    try {
      return await this.#build(logger)
    } catch (error) {
      const { folder } = this.#place
      this.failure = fs.existsSync(folder)
        ? describeFailure(error)
        : `there is no batch folder ${printable(folder)}; it will be read once it exists`
      return undefined
    }
  }

  async #build(logger: Logger): Promise<Rebuilt | undefined> {
    const { folder } = this.#place
    const { content, schema, ...options } = this.#options
    const collection = collectionOfContent(content, { kind: 'file', file: schema })
    const site = { collection, source: batchSource(this.#place), words: SITE_WORDS }
    const results = await build({ ...options, collections: [site], layout: SITE })
    const [result] = results as [BuildResult]

    for (const row of describeWarnings(result.warnings, folder)) {
      // Not after every save.
      logger.warnOnce(printable(row.join('  ')))
    }

    if (!result.ok) {
      const context = { folder, batches: result.batches.length, shown: SHOWN_PER_BATCH }
      const advice = result.problems.some(({ fix }) => fix !== undefined) ? HOW_TO_FIX : ''
      this.failure = [...formatProblems(result.problems, context)].join('') + advice
      return undefined
    }

    this.failure = undefined
    const savedBatches = this.#noteBatches(result.manifest.batches)
    return result.wasCurrent ? undefined : describeRebuilt(result, savedBatches)
  }

  /** Notes the batches of a dataset. @returns those that weren't in the last one as they are now */
  #noteBatches(batches: readonly BatchEntry[]): BatchEntry[] {
    const savedBatches = batches.filter(({ sha256 }) => !this.#known.has(sha256))
    this.#known = new Set(batches.map(({ sha256 }) => sha256))
    return savedBatches
  }
}

function describeRebuilt(result: Published, savedBatches: BatchEntry[]): Rebuilt {
  const { changes, newWinners, manifest } = result
  const rows = describeBatches({ batches: savedBatches, duplicates: manifest.duplicates })
  const news = [
    `Changed  ${formatChanges(changes)}`,
    ...newWinners.map(describeNewWinner),
    ...rows.map((row) => row.join('  ')),
  ]
  return { hasChanged: changes !== false, news }
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

/** Builds the dataset again, says what is new, and shows it on the open pages. */
async function updatePages(
  server: ViteDevServer,
  dataset: LiveDataset,
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
