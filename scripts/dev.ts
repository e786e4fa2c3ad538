/** `npm run dev`: Vite's dev server with live batches. */
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import type { Plugin } from 'vite'
import { liveBatches } from '../src/command/live-batches.ts'
import { loadConfig } from '../src/command/load-config.ts'
import { TEMPLATE } from '../src/command/template.ts'
import { explainArguments, refuseTaken } from '../src/machine/arguments.ts'
import { BuildError } from '../src/machine/errors.ts'
import { tsxLoader } from '../src/machine/tsx-modules.ts'
import { baseOf, readAddress } from '../src/page/address.ts'
import { printable } from '../src/text/printable.ts'

const HELP = `Serves the site with live batches: saving a batch updates the open page. Receives no forms.

Usage: npm run dev -- [--port PORT]

The port is that of --port, else of the environment variable PORT, else 5173; or the next free one.
The site is under the path of SITE_URL, as in the build.`

const OPTIONS = { port: { type: 'string' }, help: { type: 'boolean' } } as const

/** For example "5173". */
const DIGITS = /^\d+$/

const MOST_PORTS = 65_535

const { port, base } = readSettings()
const { createServer } = await import('vite')
const batches = await openBatches()
const server = await createServer({
  configFile: 'src/static/vite.config.ts',
  clearScreen: false,
  // The system may have no watches left, or report no changes: in WSL, and in a container.
  server: { port, watch: { usePolling: true, interval: 300 } },
  plugins: [noReceiver(), batches],
})

await server.listen()
server.printUrls()
server.bindCLIShortcuts({ print: true })

/** Loads `content.ts`. If it's wrong, one line says so. */
async function openBatches(): Promise<Plugin> {
  const load = tsxLoader(createRequire(import.meta.url))

  try {
    const config = await loadConfig(undefined, { load, command: TEMPLATE })
    return liveBatches(config, TEMPLATE)
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(`dev: ${printable(error.message)}`)
    process.exit(2)
  }
}

/** Answers forms with a sentence, because only `npm start` can store them. */
function noReceiver(): Plugin {
  return {
    name: 'no-receiver',
    configureServer({ middlewares }) {
      middlewares.use(`${base}/api/forms`, (_request, response) => {
        response.writeHead(501, { 'content-type': 'text/plain; charset=utf-8' })
        response.end('npm run dev receives no forms; npm start does.\n')
      })
    },
  }
}

/**
 * Reads the port from `--port` or `PORT`, and the base from `SITE_URL`. If the port is taken, Vite
 * uses the next free one.
 */
function readSettings(): { port: number; base: string } {
  try {
    refuseTaken(['port'], process.env, 'npm run dev --')
    const { values } = parseArgs({ options: OPTIONS })
    if (values.help) {
      console.log(HELP)
      process.exit()
    }

    const text = values.port ?? (process.env.PORT || '5173')
    const port = DIGITS.test(text) ? Number(text) : Number.NaN
    if (!(port >= 0 && port <= MOST_PORTS)) {
      throw new Error(`the port must be a number from 0 to 65535, but is "${text}"`)
    }

    return { port, base: baseOf(readAddress(process.env.SITE_URL)) }
  } catch (error) {
    console.error(`dev: ${explainArguments(error, Object.keys(OPTIONS))}`)
    process.exit(2)
  }
}
