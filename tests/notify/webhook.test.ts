import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createWebhook } from '../../src/notify/webhook.ts'
import type { StoredSubmission } from '../../src/store/submission.ts'
import { freePort } from '../helpers/postgres.ts'
import { pages, withThreeFields } from '../helpers/site.ts'

const secret = 'a secret of this test'
const submission: StoredSubmission = {
  id: 1,
  receipt: '4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp',
  path: withThreeFields.path,
  receivedAt: '2026-03-28T12:00:00.123Z',
  status: 'received',
  fields: [['name', 'Zoë \ud800"\u0000']],
  ...{ dataset: '', contentHash: '', repeats: 0 },
}
const taken = {
  ...({ channel: 'webhook', message: submission.receipt, submissions: [submission] } as const),
  ...{ count: 1, attempts: 1, until: new Date() },
}

/** Starts the owner's end, which answers with a status, or breaks the connection. */
async function startHook(status: number) {
  const posts: { body: string; signature: unknown }[] = []
  const server = createServer(async (request, response) => {
    posts.push({ body: await text(request), signature: request.headers['x-signature-256'] })
    if (status === 0) request.socket.destroy()
    else response.writeHead(status, { Location: '/elsewhere' }).end('No, Zoë')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=t0k3n` }
}

it('a submission is posted as JSON, whose HMAC is in a header', async () => {
  const { posts, url } = await startHook(204)
  expect(await createWebhook({ url, secret }, pages)(taken)).toEqual({})
  const [{ body, signature } = { body: '' }] = posts
  const digits = createHmac('sha256', secret).update(body).digest('hex')
  expect(signature).toBe(`sha256=${digits}`)
  const { receipt, receivedAt, path, status, fields } = submission
  const { title } = withThreeFields
  expect(JSON.parse(body)).toEqual({ receipt, receivedAt, path, title, status, fields })
})

it.each([
  [500, { isRefused: true, mayHaveArrived: false, cause: 'HTTP 500' }],
  [302, { isRefused: true, mayHaveArrived: false, cause: 'HTTP 302' }],
  [0, { isRefused: false, mayHaveArrived: true }],
])('an answer %i is a failure, whose words have no secret', async (status, is) => {
  const { posts, url } = await startHook(status)
  const { failure } = await createWebhook({ url, secret }, pages)(taken)
  expect(failure).toMatchObject(is)
  expect(failure?.reason).toMatch(/^the webhook /)
  expect(failure?.reason).not.toMatch(/t0k3n|secret|Zoë/)
  expect(posts).toHaveLength(1)
})

it('without a connection, nothing can have arrived', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const { failure } = await createWebhook({ url, secret }, pages)(taken)
  expect(failure).toMatchObject({ isRefused: false, mayHaveArrived: false, cause: 'ECONNREFUSED' })
})
