/** `npm run dev`: Vite's dev server with live batches. */
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { liveBatches } from '../src/pipeline/live-batches.ts'

const server = await createServer({
  root: 'src/site',
  configFile: 'src/site/vite.config.ts',
  server: { port: readPort() },
  plugins: [
    liveBatches({
      batches: 'raw-batches',
      schema: 'schema/batch.schema.json',
      out: 'src/generated',
    }),
  ],
})
await server.listen()
server.printUrls()
server.bindCLIShortcuts({ print: true })

/** Reads the port from `--port` or `PORT`. If it is taken, Vite uses the next free one. */
function readPort(): number {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' } } })
    const text = values.port ?? (process.env.PORT || '5173')
    const port = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (port >= 0 && port <= 65_535) return port
    throw new Error(`the port must be a number from 0 to 65535, but is "${text}"`)
  } catch (error) {
    console.error(`dev: ${(error as Error).message}`)
    process.exit(2)
  }
}
