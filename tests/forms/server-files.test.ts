/** Tests `npm start` as a host: one URL per page, its headers, and no request that stops it. */

import { request as send } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../helpers/receiver.ts'
import { plain, unclaimed } from '../helpers/site.ts'

const [, category = '', id = ''] = plain.path.split('/')

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver?.stop())

/** Requests a path as a browser does. */
const ask = (path: string, options: RequestInit = {}) => fetch(receiver.origin + path, options)

/** Paths as they go over the wire: `fetch`, like a browser, would normalize them first. */
const noPages = [
  unclaimed,
  '/a',
  '/a/b/c',
  '/<b>/"\'',
  `/${id}`,
  `/unheard-of/${id}`,
  `/${category}/000`,
  `/${category}/101`,
  `${plain.path}/more`,
  `${plain.path}/`,
  `${plain.path}.html`,
  `${plain.path}%20`,
  plain.path.toUpperCase(),
  `/${category}`,
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
  '/index.html',
  '/404.html',
  '/assets/',
  '/assets/none.js',
  '/__proto__',
  '/.git/config',
  '/package.json',
  `/${'a'.repeat(8000)}`,
  '/_headers',
  '/dataset.json',
  '*',
]

it('answers with Not found and status 404 wherever there is no page', async () => {
  const notFound = await (await ask(unclaimed)).text()
  expect(notFound).toContain('Not found')
  for (const path of noPages) {
    for (const target of [path, `${path}?a=${plain.path}`]) {
      const { status, body } = await sendRaw(target)
      expect(status, target).toBe(404)
      expect(body, target).toBe(notFound)
    }
  }
})

it('answers a page with any query', async () => {
  for (const query of ['?', '?a=b', '?a=%', '??', '?/x/', '?.html']) {
    expect((await ask(plain.path + query)).status, query).toBe(200)
  }
})

it('survives requests that make no sense', async () => {
  for (const range of [
    'bytes=500-10',
    'bytes=-0',
    'bytes=9-8,7-6',
    'bytes=x-y',
    'bytes=1e9-',
    '-',
  ]) {
    await sendRaw(plain.path, { headers: { range } })
  }
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PROPFIND']) {
    await sendRaw(plain.path, { method })
    await sendRaw(unclaimed, { method })
  }
  await sendRaw(plain.path, { headers: { 'if-none-match': '"', 'accept-encoding': '%' } })
  expect((await sendRaw(plain.path)).status).toBe(200)
})

interface Raw {
  method?: string
  headers?: Record<string, string>
}

function sendRaw(path: string, { method = 'GET', headers = {} }: Raw = {}) {
  return new Promise<{ status: number; headers: Headers; body: string }>((resolve, reject) => {
    const options = { host: 'localhost', port: receiver.port, path, method, headers, agent: false }
    const request = send(options, async (response) => {
      response.setEncoding('utf8')
      let body = ''
      for await (const text of response) body += text
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode as number, headers, body })
    })
    request.on('error', reject).end()
  })
}
