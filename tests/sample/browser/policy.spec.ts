/** The policy of the site stops active content, even if it gets past the schema. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { hydrated, messagesOf } from '../../browser/watch.ts'
import { card } from './dataset.ts'
import { marked, oddSite } from './odd-site.ts'

const APP = '**/immutable/index-*.js'

/** Active content that sets its own `ran` when it runs. No quotes or backslashes: it goes into JSON. */
const ACTIVE = [
  '<script>ran0=1</script>',
  '<script src=data:text/javascript,ran1=1></script>',
  '<img src=/none onerror=ran2=1>',
  '<svg onload=ran3=1></svg>',
  '<iframe srcdoc=&lt;script&gt;parent.ran4=1&lt;/script&gt;></iframe>',
  '<iframe src=javascript:parent.ran5=1></iframe>',
  '<details open ontoggle=ran6=1>x</details>',
  '<a href=javascript:void(ran7=1)>click</a>',
]

test.describe('active content in a body', () => {
  // In one worker, so that the site is changed once.
  test.describe.configure({ mode: 'default' })
  let folder: string
  let host: Awaited<ReturnType<typeof servePlainly>>

  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'manyurls-policy-'))
    const site = join(folder, 'site')
    cpSync(await oddSite(), site, { recursive: true })
    // As if it had got past the schema, the build and the disk.
    for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html|js)$/.test(name)) continue
      const file = join(site, name)
      const inData = (html: string) => html.replaceAll('<', '\\u003c')
      const text = readFileSync(file, 'utf8').replaceAll(marked.contentHtml, ACTIVE.join(''))
      writeFileSync(file, text.replaceAll(inData(marked.contentHtml), inData(ACTIVE.join(''))))
    }
    host = await servePlainly(site)
  })
  test.afterAll(() => {
    host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('does not run from a document', async ({ tab }) => {
    const messages = messagesOf(tab)
    await tab.route(APP, (route) => route.abort())
    await open(tab)
    await expect(tab.locator('.body > *')).toHaveCount(ACTIVE.length)
    const isRefusal = (message: string) => message.includes('Content Security Policy')
    await expect.poll(() => messages.filter(isRefusal)).toHaveLength(ACTIVE.length)
    expect(await whatRan(tab)).toEqual([])
  })

  test('does not run when React hydrates a document', async ({ tab }) => {
    await tab.goto(host.address + marked.path)
    await hydrated(tab)
    await expect(tab.getByRole('alert')).toHaveText(site.words.failed)
    expect(await whatRan(tab)).toEqual([])
  })

  test('does not run when a link is followed', async ({ tab }) => {
    await tab.goto(host.address)
    await hydrated(tab)
    await card(tab, marked).click()
    await expect(tab).toHaveURL(host.address + marked.path)
    await expect(tab.getByRole('alert')).toHaveText(site.words.failed)
    expect(await whatRan(tab)).toEqual([])
  })

  test.describe('without a policy', () => {
    test.use({ bypassCSP: true })

    test('runs from a document', async ({ tab }) => {
      await tab.route(APP, (route) => route.abort())
      await open(tab)
      await expect.poll(() => whatRan(tab)).toEqual([...ACTIVE.keys()])
    })
  })

  async function open(tab: Tab) {
    await tab.goto(host.address + marked.path)
    await tab.locator('.body a').click()
  }
})

/** Returns the kinds of active content that have run, by their position. */
const whatRan = (tab: Tab) =>
  tab.evaluate(
    (count) => [...Array(count).keys()].filter((kind) => `ran${kind}` in window),
    ACTIVE.length,
  )
