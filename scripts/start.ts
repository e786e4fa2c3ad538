/** `npm start`: serves the built site of `dist/` until it is interrupted. PORT chooses the port. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { preview } from 'vite'

const root = join(import.meta.dirname, '..')
const { PORT } = process.env
const port = Number(PORT || 4173)

if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
  refuse(`PORT is "${PORT}", but must be a number from 0 to 65535.`)
}
if (!existsSync(join(root, 'dist/index.html'))) {
  refuse('There is no built site in dist/. "npm run build" makes it, and "npm start" does both.')
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))

// Where the port is taken, the next free one serves.
const server = await preview({
  configFile: join(root, 'src/site/vite.config.ts'),
  preview: { port },
})
const [address] = server.resolvedUrls?.local ?? []
console.log(`ManyURLs Pages: ${address} (Ctrl-C to stop)`)

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
