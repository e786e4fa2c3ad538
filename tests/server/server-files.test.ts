/** Tests `npm start` as a host: no odd path finds a page, or stops it. */
import { request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { get, type Receiver, startReceiver } from '../helpers/receiver.ts'
import { plain, unclaimed } from '../helpers/site.ts'

const [, category = '', id = ''] = plain.path.split('/')

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver?.stop())

/** Paths as they go over the wire: `fetch`, like a browser, would normalize them first. */
const noPages = [
  unclaimed,
  '/<b>/"\'',
  `${plain.path}/`,
  `${plain.path}%20`,
  `/${category}%2F${id}`,
  `/./${category}/${id}`,
  `/${category}/../${category}/${id}`,
  `/${category}//${id}`,
  `/${plain.path}`,
  '//',
  '/..',
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e%2fpackage.json',
  '/%',
  '/%ff',
  '/%00',
  '/__proto__',
  `/${'a'.repeat(8000)}`,
  '*',
]

it('answers with Not found and status 404 wherever there is no page', async () => {
  const { body: notFound } = await sendRaw(unclaimed)
  expect(notFound).toContain('Not found')
  for (const path of noPages) {
    for (const target of [path, `${path}?a=${plain.path}`]) {
      const { status, body } = await sendRaw(target)
      expect(status, target).toBe(404)
      expect(body, target).toBe(notFound)
    }
  }
})

it('sends a page whole, whatever range is asked for', async () => {
  const { body: whole } = await get(receiver.port, plain.path)
  const far = whole.length + 1
  const ranges = ['0-4', '5-2', '-5', '-0', 'abc', '0-1,3-4', `${far}-`, `0-${far}`, '']
  for (const Range of [...ranges.map((range) => `bytes=${range}`), 'lines=1-2', '-']) {
    const { status, body } = await get(receiver.port, plain.path, { Range })
    expect({ status, body }, Range).toEqual({ status: 200, body: whole })
  }
})

function sendRaw(path: string) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { host: 'localhost', port: receiver.port, path, agent: false }
    const request = send(options, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) })
    })
    request.on('error', reject).end()
  })
}
