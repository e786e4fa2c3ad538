/** Tests the built site as `npm start` serves it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSite } from '../../src/server/files/open-site.ts'
import { headers } from '../../src/site/static/policy.ts'
import { own } from '../helpers/own-words.ts'
import { get, post, startReceiver } from '../helpers/receiver.ts'

/** Made by `npm run build`. */
const DIST = join(import.meta.dirname, '../../dist')
const { pages } = openSite(DIST)

async function start() {
  const receiver = await startReceiver({}, DIST)
  onTestFinished(() => receiver.stop())
  return receiver
}

/** The files of the build except documents and compressed copies, as request paths. */
const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(html|br|gz)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length).replaceAll('\\', '/'))

it('the headers of the policy come with every page and every file', async () => {
  const { origin } = await start()
  for (const path of ['/', ...pages.map(({ path }) => path), ...files]) {
    const answer = await fetch(origin + path)
    for (const [name, value] of Object.entries(headers)) {
      expect(answer.headers.get(name), `${name} of ${path}`).toBe(value)
    }
  }
})

it('only files that are named by a digest may be cached forever', async () => {
  const { origin } = await start()
  for (const file of ['/', ...pages.map(({ path }) => path), ...files]) {
    const isHashed = /^\/immutable\/[\w-]+-(?:[\w-]{8}|[0-9a-f]{16})\.\w+$/.test(file)
    expect(isHashed, file).toBe(file.startsWith('/immutable/'))
    const expected = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
    expect((await fetch(origin + file)).headers.get('cache-control'), file).toBe(expected)
  }
})

it('the form of every page comes back with what was sent and its errors', async () => {
  const { port } = await start()
  const withForms = pages.filter(({ form }) => form)
  expect(withForms.length).toBeGreaterThan(20)
  for (const { path } of withForms) {
    const { status, body } = await post(port, { path: `/api/forms${path}`, body: 'name=Kept' })
    expect(status, path).toBe(422)
    const parts = [
      `<title>${own.answers.error}`,
      'There is a problem',
      'value="Kept"',
      'aria-invalid',
    ]
    for (const part of parts) expect(body, path).toContain(part)
  }
})

it('a receipt and a refusal are shown in the place of Not found', async () => {
  const { port } = await start()
  const [{ path } = { path: '' }] = pages.filter(({ form }) => form)
  const send = (body: string) => post(port, { path: `/api/forms${path}`, body })
  const { headers } = await send('name=Ada&email=ada%40example.com&message=Hello')
  const receipt = await get(port, headers.get('location') ?? '')
  expect(receipt.body).toContain(`<title>${own.answers.thanks} · ${own.site.name}</title>`)
  const refusal = await send('%')
  const title = `${own.answers.error}Not a form as browsers send it · ${own.site.name}`
  expect(refusal.body).toContain(`<title>${title}</title>`)
  for (const { body } of [receipt, refusal]) {
    expect(body.match(/<h1/g)).toHaveLength(1)
    for (const part of [`href="${path}"`, 'href="/"']) expect(body).toContain(part)
  }
})
