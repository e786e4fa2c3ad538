import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSite } from '../../src/server/files/open-site.ts'
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
