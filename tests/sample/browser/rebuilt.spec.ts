/** A site that is built again while it is open in a tab. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { site as definition } from '../../../src/site.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { hydrated } from '../../browser/watch.ts'
import { buildSite } from './build-site.ts'
import { card, plain, withTwoFields } from './dataset.ts'
import { requestsOf } from './record.ts'

const corrected = { ...plain, contentHtml: '<p>A corrected word.</p>' }

// In one worker, so that each of the two sites is built once.
test.describe.configure({ mode: 'default' })

let folder: string
let site: string
let host: Awaited<ReturnType<typeof servePlainly>>

/** Puts one of the two sites into the place of the other. */
function put(name: 'before' | 'after') {
  rmSync(site, { recursive: true, force: true })
  cpSync(join(folder, name), site, { recursive: true })
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'manyurls-rebuilt-'))
  site = join(folder, 'site')
  await buildSite([plain, withTwoFields], join(folder, 'before'))
  await buildSite([corrected, withTwoFields], join(folder, 'after'))
  host = await servePlainly(site)
})
test.afterAll(() => {
  host.close()
  rmSync(folder, { recursive: true, force: true })
})

test.beforeEach(async ({ page: tab }) => {
  put('before')
  await tab.goto(host.address)
  await hydrated(tab)
  put('after')
})

/** As if the code had changed, too. */
function renameScript() {
  const [script = ''] = readdirSync(join(site, 'immutable')).filter((name) =>
    /^index-.*\.js$/.test(name),
  )
  const renamed = script.replace('index-', 'index-new')
  renameSync(join(site, 'immutable', script), join(site, 'immutable', renamed))
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:html|js)$/.test(name)) continue
    const file = join(site, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(script, renamed))
  }
}

for (const [what, change, isAnother] of [
  ['without a document', () => {}, false],
  ['in another document if its script is another', renameScript, true],
] as const) {
  test(`finds what the new one says, ${what}`, async ({ page: tab }) => {
    change()
    const { documents } = requestsOf(tab)
    await tab.getByRole('searchbox').fill('corrected')
    await expect(tab.getByRole('status')).toHaveText(definition.words.found(1, 2))
    await expect(tab.locator('.excerpt')).toHaveText('A corrected word.')
    await expect(tab).toHaveURL(/\/\?q=corrected$/)
    expect(documents.length > 0).toBe(isAnother)
  })

  test(`opens a page of the new one, ${what}`, async ({ page: tab }) => {
    change()
    const { documents } = requestsOf(tab)
    await card(tab, plain).click()
    await expect(tab.locator('.body')).toHaveText('A corrected word.')
    expect(documents.length > 0).toBe(isAnother)
  })
}

test('what is typed while another document loads is in its search', async ({ page: tab }) => {
  renameScript()
  let release = () => {}
  const isTyped = new Promise<void>((resolve) => {
    release = resolve
  })
  await tab.route(/\/(?:\?.*)?$/, async (route) => {
    if (route.request().isNavigationRequest()) await isTyped
    await route.continue()
  })

  const asked = tab.waitForRequest((request) => request.isNavigationRequest())
  await tab.getByRole('searchbox').fill('corr')
  await asked

  // Held until the last letter was asked for, too: a document that came before it would win.
  const askedAgain = tab.waitForRequest((request) => request.url().endsWith('?q=corrected'))
  await tab.keyboard.type('ected')
  await askedAgain
  release()
  await expect(tab).toHaveURL(/\/\?q=corrected$/)
  await expect(tab.locator('.excerpt')).toHaveText('A corrected word.')
})
