/** Runs one of the two measured servers in its own process; the first message is its port. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../../src/forms/config.ts'
import { openSite } from '../../../src/forms/files/open-site.ts'
import { listen } from '../../../src/forms/http.ts'
import { Receiver } from '../../../src/forms/receiver.ts'
import type { SitePage } from '../../../src/page/page.ts'
import { openStore } from '../../../src/store/open-store.ts'

const ROOT = join(import.meta.dirname, '../../..')
const [name, folder = ''] = process.argv.slice(2)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000)
})
process.send?.(name === 'receiver' ? await listenStoring() : await listenBare())

/** The receiver as `npm start` runs it, except for the rate limit and the place of its store. */
async function listenStoring(): Promise<number> {
  const pages: SitePage[] = JSON.parse(
    readFileSync(join(ROOT, 'src/generated/dataset.json'), 'utf8'),
  )
  const form = pages.find(({ form }) => form?.fields.length === 3)?.form ?? null
  const [page] = pages
  if (!page || !form) throw new Error('the dataset has no form of three fields')
  const receiver = new Receiver({
    site: { ...openSite(join(ROOT, 'dist')), pages: [{ ...page, path: '/bench', form }] },
    store: await openStore({
      databaseUrl: process.env.DATABASE_URL,
      file: join(folder, 'submissions.db'),
    }),
    config: readConfig({ RATE_LIMIT: '0' }),
    log: pino({ base: null }, pino.destination({ dest: join(folder, 'log'), sync: true })),
  })
  return listen(receiver.server, 0)
}

/** The most that Node can do: reads the same post and discards it. */
function listenBare(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const fields = new URLSearchParams(Buffer.concat(chunks).toString())
      response.writeHead(303, { Location: `/forms/received/${fields.size}` }).end()
    })
  })
  return new Promise((resolve) => {
    server.listen(0, () => resolve((server.address() as AddressInfo).port))
  })
}
