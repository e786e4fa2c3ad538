/** How React hydrates the documents as sent, and what a visit requests from then on. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Request, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { DIST } from '../../browser/built.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { holdBack, hydrated, isHydrated, messagesOf, translate } from '../../browser/watch.ts'
import { card, last, pages, paragraphs, plain, withThreeFields } from './dataset.ts'
import { requestsOf } from './record.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const back = (tab: Tab) => tab.getByRole('link', { name: site.words.back })

test('links load no document, at whichever address the first was loaded', async ({ tab }) => {
  const host = await servePlainly(DIST, { fallback: '404.html' })
  const messages = messagesOf(tab)
  const { documents } = requestsOf(tab)
  for (const [path, title] of [
    ['/index.html', site.name],
    [plain.path, plain.title],
    [`${plain.path}.html`, plain.title],
    [`${plain.path}/`, plain.title],
    ['/a/b/', site.words.notFound],
    ['/404.html', site.words.notFound],
  ] as const) {
    await test.step(path, async () => {
      await tab.goto(host.address + path)
      await hydrated(tab)
      await expect(heading(tab)).toHaveText(title)
      documents.length = 0
      if (path === '/index.html') await card(tab, last).click()
      else await back(tab).click()
      await expect(heading(tab)).not.toHaveText(title)
      await tab.goBack()
      await expect(heading(tab)).toHaveText(title)
      expect(documents).toEqual([])
    })
  }
  expect(messages).toEqual([])
  host.close()
})

test.describe('scripts', () => {
  // Not by its name, which a browser may have translated.
  const next = (tab: Tab) => tab.locator('a[rel="next"]')
  test('load with a key, the focus, a touch or a pointer: until then a page takes at most 7 kB', async ({
    page: tab,
  }) => {
    const requests: Request[] = []
    tab.on('requestfinished', (request) => requests.push(request))
    for (const [what, reach] of Object.entries({
      key: () => tab.keyboard.press('Tab'),
      focus: () => next(tab).focus(),
      touch: () => heading(tab).dispatchEvent('pointerdown'),
      pointer: () => movePointer(tab),
    })) {
      // Where the tab is there already, the address would be a reload.
      await tab.goto('about:blank')
      await tab.goto(withThreeFields.path, { waitUntil: 'networkidle' })
      if (what === 'key') expect(await sizeOf(requests)).toBeLessThanOrEqual(7_000)
      // A pointer that rests where the page appears.
      await heading(tab).dispatchEvent('pointermove')
      await tab.waitForTimeout(200)
      expect(await isHydrated(tab), what).toBe(false)
      await reach()
      await expect.poll(() => isHydrated(tab), what).toBe(true)
      // React, at least.
      if (what === 'key') expect(await sizeOf(requests)).toBeGreaterThan(50_000)
    }
  })

  for (const [what, start] of Object.entries({
    'when the browser is idle': (load: Held) => load.release(),
    'before that, when a visitor reaches for the filter': (_: Held, tab: Tab) =>
      tab.getByRole('searchbox').focus(),
  })) {
    test(`run on the index ${what}`, async ({ page: tab }) => {
      const image = await holdBack(tab, /held\.png$/)
      await tab.route('/', async (route) => {
        const response = await route.fetch()
        const html = await response.text()
        const body = html.replace('</body>', '<img src="/held.png" alt=""></body>')
        await route.fulfill({ response, body })
      })
      await tab.goto('/', { waitUntil: 'domcontentloaded' })
      await expect(tab.getByRole('searchbox')).toBeVisible()
      await tab.waitForTimeout(200)
      expect(await isHydrated(tab)).toBe(false)
      await start(image, tab)
      await expect.poll(() => isHydrated(tab)).toBe(true)
      image.release()
    })
  }

  test('run untouched, of at most 75 kB, on the index', async ({ page: tab }) => {
    const requests: Request[] = []
    tab.on('requestfinished', (request) => requests.push(request))
    await tab.goto('/')
    await expect.poll(() => isHydrated(tab)).toBe(true)
    expect(await sizeOf(requests)).toBeLessThanOrEqual(75_000)
  })

  test('load at once after a reload and Back', async ({ page: tab, plainHost }) => {
    await tab.goto(plain.path)
    await tab.reload()
    await expect.poll(() => isHydrated(tab)).toBe(true)
    await tab.goto(plainHost)
    await tab.goBack()
    await expect.poll(() => isHydrated(tab)).toBe(true)
  })

  test('do not hydrate a page that the browser has translated', async ({ tab }) => {
    await tab.goto('about:blank')
    await tab.goto(plain.path)
    await translate(tab)
    const { documents, scripts } = requestsOf(tab)
    await movePointer(tab)
    await expect.poll(() => scripts.length).toBe(1)
    await next(tab).click()
    await expect(heading(tab)).not.toHaveText(plain.title)
    expect(documents).toHaveLength(1)
  })

  for (const place of ['.card', 'h1', '.masthead']) {
    test(`run on an index where an extension has added a word in ${place}`, async ({ tab }) => {
      const script = await holdBack(tab, /hydrate-/)
      await tab.goto('/')
      await tab.evaluate((place) => document.querySelector(place)?.append(' rated'), place)
      script.release()
      await expect(tab.getByRole('searchbox')).toBeVisible()
      await expect(tab.locator('.cards a')).toHaveCount(pages.length)
    })
  }

  test('that are missing are not needed: links load documents, drafts are kept', async ({
    page: tab,
  }) => {
    await tab.route('**/hydrate-*.js', (route) => route.abort())
    await tab.goto(withThreeFields.path)
    await tab.getByLabel('Message').fill('One')
    const { documents } = requestsOf(tab)
    await next(tab).click()
    await expect(heading(tab)).not.toHaveText(withThreeFields.title)
    await tab.goto(withThreeFields.path)
    await expect(tab.getByLabel('Message')).toHaveValue('One')
    expect(documents).toHaveLength(2)
  })

  test('that are missing leave no empty space where the filter would be', async ({ page: tab }) => {
    await tab.route('**/hydrate-*.js', (route) => route.abort())
    await tab.goto('/')
    await expect.poll(() => gapAboveCards(tab)).toBeLessThan(60)
  })

  test('of which none runs leave no empty space after a while', async ({ page: tab }) => {
    await tab.route('**/immutable/*.js', (route) => route.abort())
    await tab.goto('/')
    await expect(tab.getByRole('searchbox')).toBeHidden()
    expect(await gapAboveCards(tab)).toBeGreaterThan(60)
    await tab.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    expect(await gapAboveCards(tab)).toBeLessThan(60)
  })

  test('that are not there yet after a reload: "← Back" keeps the filter', async ({
    page: tab,
  }) => {
    await tab.goto('/')
    await hydrated(tab)
    await tab.getByRole('combobox', { name: site.words.form }).selectOption(site.words.withoutForm)
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
    const loading = await holdBack(tab, /hydrate-/)
    await tab.reload()
    await back(tab).click()
    await expect(tab).toHaveURL('/?form=without')
    loading.release()
    await expect(tab.locator('.cards a')).toHaveCount(pages.filter(({ form }) => !form).length)
  })

  test('leave the cards alone until others are shown', async ({ page: tab }) => {
    const { documents } = requestsOf(tab)
    await tab.goto('/')
    await hydrated(tab)
    const isOfReact = () =>
      tab
        .locator('.cards li')
        .first()
        .evaluate((item) => Object.keys(item).some((key) => key.startsWith('__react')))
    expect(await isOfReact()).toBe(false)
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
    await tab.goBack()
    await expect(card(tab, plain)).toBeFocused()
    await tab.getByRole('searchbox').fill(plain.path)
    await expect(tab.locator('.cards a')).toHaveCount(1)
    expect(await isOfReact()).toBe(true)
    expect(documents).toEqual(['/'])
  })

  test('that are not there yet after a reload: Back loads the document', async ({ page: tab }) => {
    await tab.goto('/')
    await hydrated(tab)
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
    const loading = await holdBack(tab, /hydrate-/)
    await tab.reload()
    const { documents } = requestsOf(tab)
    await tab.goBack()
    await expect(heading(tab)).toHaveText(site.name)
    expect(documents).toEqual(['/'])
    loading.release()
  })
})

type Held = Awaited<ReturnType<typeof holdBack>>

/** Returns the space in pixels between the line below the heading and the cards. */
async function gapAboveCards(tab: Tab): Promise<number> {
  const head = await tab.locator('.masthead').boundingBox()
  const cards = await tab.locator('.cards').boundingBox()
  return (cards?.y ?? 0) - (head?.y ?? 0) - (head?.height ?? 0)
}

/** Twice: the first time tells a page only where the pointer is. */
async function movePointer(tab: Tab): Promise<void> {
  await tab.mouse.move(300, 300)
  await tab.mouse.move(310, 300)
}

async function sizeOf(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
}

test('a card leads to its page, and back, without a document, or files outside the build', async ({
  tab,
}) => {
  const messages = messagesOf(tab)
  const { all, documents, scripts } = requestsOf(tab)
  await tab.goto('/')
  await hydrated(tab)
  // documents.spec.ts reads the document of every page.
  for (const page of [plain, withThreeFields, last, plain]) {
    await card(tab, page).click()
    await expect(heading(tab)).toHaveText([page.title])
    await expect(tab).toHaveURL(page.path)
    await expect(tab).toHaveTitle(`${page.title} · ${site.name}`)
    await expect(tab.locator('.body p')).toHaveText(paragraphs(page.contentHtml))
    await expect(tab.getByRole('form')).toHaveCount(page.form ? 1 : 0)
    if (page === plain) await back(tab).click()
    else await tab.goBack()
    await expect(heading(tab)).toHaveText(site.name)
    await expect(tab).toHaveURL('/')
    await expect(tab).toHaveTitle(site.name)
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  }
  const files = new Set(['/', ...builtFiles().map((file) => file.replace(/\.html$/, ''))])
  expect(all.filter((path) => !files.has(path))).toEqual([])
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(documents).toEqual(['/'])
  expect(messages).toEqual([])
})

for (const [intent, show] of [
  ['points at', (tab: Tab) => card(tab, last).hover()],
  ['moves the focus to', (tab: Tab) => card(tab, last).focus()],
] as const) {
  test(`the page of a card that the visitor ${intent} is loaded before it is opened`, async ({
    tab,
  }) => {
    await tab.goto('/')
    await hydrated(tab)
    const { data } = requestsOf(tab)
    await show(tab)
    await expect.poll(() => data).toEqual([last.path])
    await card(tab, last).press('Enter')
    await expect(heading(tab)).toHaveText(last.title)
    expect(data).toEqual([last.path])
  })
}

for (const [what, html] of [
  ['has no screen', '<h1>Other</h1>'],
  ['is that of another page', '<script id="screen">{"path":"/other"}</script><h1>Other</h1>'],
  ['names another script', `<script id="screen">{"path":"${last.path}"}</script><h1>Other</h1>`],
] as const) {
  test(`a document is opened as such if it ${what}`, async ({ tab }) => {
    await tab.goto('/')
    await hydrated(tab)
    await tab.route(`**${last.path}`, (route) =>
      route.fulfill({ contentType: 'text/html', body: html }),
    )
    const { documents } = requestsOf(tab)
    await card(tab, last).click()
    await expect(heading(tab)).toHaveText('Other')
    await expect(tab).toHaveURL(last.path)
    expect(documents).toEqual([last.path])
    await tab.goBack()
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  })
}

test('a page that is gone is Not found until it is there again', async ({ tab }) => {
  await tab.goto('/')
  await hydrated(tab)
  const { documents } = requestsOf(tab)
  await tab.route(`**${last.path}`, (route) => route.fulfill({ status: 404 }))
  await card(tab, last).click()
  await expect(heading(tab)).toHaveText(site.words.notFound)
  await back(tab).click()
  await tab.unrouteAll()
  await card(tab, last).click()
  await expect(heading(tab)).toHaveText(last.title)
  expect(documents).toEqual([])
})

/** Returns the files of the build as request paths. */
function builtFiles(): string[] {
  return readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length).replaceAll('\\', '/'))
}
