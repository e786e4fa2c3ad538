/** One Postgres for all tests: started when the first one asks for it, removed after the last. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Postgres, startPostgres } from './postgres.ts'

export default async function setUp() {
  let postgres: Promise<Postgres> | undefined
  const server = createServer(async (socket) => {
    postgres ??= startPostgres()
    const answer = await postgres.then(({ port }) => port, String)
    socket.end(`${answer}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The processes of the tests inherit it: see `newDatabase`.
  process.env.TESTS_POSTGRES = `${(server.address() as AddressInfo).port}`
  return async () => {
    server.close()
    await (await postgres)?.stop()
  }
}
