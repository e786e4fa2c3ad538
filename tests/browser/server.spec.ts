/** `npm start` as a host: one address for each page, its headers, and nothing that ends it. */
import { request as send } from 'node:http'
import { type APIResponse, expect } from '@playwright/test'
import { headers } from '../../src/site/policy.ts'
import { pages, plain, unclaimed } from './dataset.ts'
import { builtFiles, test } from './hosts.ts'

const [, category = '', id = ''] = plain.path.split('/')

/** Paths as they go over the wire: Playwright, as a browser, would tidy them up first. */
const noPages = [
  unclaimed,
  `${plain.path}/`,
  `${plain.path}//`,
  `${plain.path}.html`,
  `${plain.path}.htm`,
  `${plain.path}/index`,
  `${plain.path}%20`,
  `${plain.path};a`,
  plain.path.toUpperCase(),
  `/${category}`,
  `/${category}/`,
  `/${category}/%3${id}`,
  `/${category}%2F${id}`,
  `/${category}%2f${id}`,
  `/${category}\\${id}`,
  `/./${category}/${id}`,
  `/${category}/../${category}/${id}`,
  `/%2e/${category}/${id}`,
  `/${category}//${id}`,
  `/${plain.path}`,
  '//',
  '///',
  '/.',
  '/..',
  '/../package.json',
  '/..%2f',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/%2e%2e%2fpackage.json',
  '/..\\package.json',
  '/%',
  '/%ff',
  '/%00',
  '/%u0041',
  '/index',
  '/index.html',
  '/404',
  '/404.html',
  '/assets',
  '/assets/',
  '/assets/none.js',
  '/__proto__',
  '/constructor',
  '/.git/config',
  '/package.json',
  `/${'a'.repeat(8000)}`,
  `/${'a/'.repeat(4000)}b`,
  '*',
  'http://localhost/',
]

test('answers with Not found and status 404 wherever there is no page', async ({
  ownHost,
  request,
}) => {
  const notFound = await (await request.get(unclaimed)).text()
  expect(notFound).toContain('Not found')
  for (const path of noPages) {
    for (const target of [path, `${path}?a=${plain.path}`]) {
      const { status, body } = await sendRaw(ownHost, target)
      expect(status, target).toBe(404)
      expect(body, target).toBe(notFound)
    }
  }
})

test('answers a page with whatever query', async ({ request }) => {
  for (const query of ['?', '?a=b', '?a=%', '??', '?/x/', '?.html']) {
    expect((await request.get(plain.path + query)).status(), query).toBe(200)
  }
})

test('survives requests that make no sense', async ({ ownHost }) => {
  for (const range of [
    'bytes=500-10',
    'bytes=-0',
    'bytes=9-8,7-6',
    'bytes=x-y',
    'bytes=1e9-',
    '-',
  ]) {
    await sendRaw(ownHost, plain.path, { headers: { range } })
  }
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PROPFIND']) {
    await sendRaw(ownHost, plain.path, { method })
    await sendRaw(ownHost, unclaimed, { method })
  }
  await sendRaw(ownHost, plain.path, { headers: { 'if-none-match': '"', 'accept-encoding': '%' } })
  expect((await sendRaw(ownHost, plain.path)).status).toBe(200)
})

test('sends the headers of the policy with every answer', async ({ request }) => {
  const expectHeaders = (response: APIResponse) => {
    for (const [name, value] of Object.entries(headers)) {
      expect(response.headers()[name.toLowerCase()], `${name} of ${response.url()}`).toBe(value)
    }
  }
  for (const path of ['/', ...pages.map(({ path }) => path), unclaimed, '/404.html', '/%ff']) {
    expectHeaders(await request.get(path))
  }
  for (const file of builtFiles().filter((file) => !file.endsWith('.html'))) {
    expectHeaders(await request.get(file))
  }
  const { etag = '' } = (await request.get(plain.path)).headers()
  const again = await request.get(plain.path, { headers: { 'if-none-match': etag } })
  expect(again.status()).toBe(304)
  expectHeaders(again)
  expectHeaders(await request.head(plain.path))
})

test('lets a hashed file be kept for ever, and nothing else', async ({ request }) => {
  const cacheControl = async (path: string) => (await request.get(path)).headers()['cache-control']
  for (const file of builtFiles().filter((file) => !file.endsWith('.html'))) {
    const isHashed = /^\/assets\/[\w-]+-[\w-]{8}\.\w+$/.test(file)
    expect(isHashed, file).toBe(file.startsWith('/assets/'))
    const expected = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
    expect(await cacheControl(file), file).toBe(expected)
  }
  expect(await cacheControl('/')).toBe('no-cache')
  expect(await cacheControl(plain.path)).toBe('no-cache')
})

interface Raw {
  method?: string
  headers?: Record<string, string>
}

function sendRaw(host: string, path: string, { method = 'GET', headers = {} }: Raw = {}) {
  const { port } = new URL(host)
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { host: 'localhost', port, path, method, headers, agent: false }
    const request = send(options, async (response) => {
      response.setEncoding('utf8')
      let body = ''
      for await (const text of response) body += text
      resolve({ status: response.statusCode, body })
    })
    request.on('error', reject).end()
  })
}
