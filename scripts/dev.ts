/** `npm run dev`: Vite's dev server with live batches. */
import { createServer } from 'vite'
import { liveBatches } from '../src/pipeline/live-batches.ts'

const server = await createServer({
  root: 'src/site',
  configFile: 'src/site/vite.config.ts',
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
