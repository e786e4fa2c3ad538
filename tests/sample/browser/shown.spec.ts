/** What `content.ts` may show besides titles and bodies: images, groups, facts and other pages. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page as Tab } from '@playwright/test'
import type { CardImage, Content, Fact } from '../../../src/page/content.ts'
import { site } from '../../../src/site.ts'
import { faultsOf } from '../../browser/axe.ts'
import { DIST } from '../../browser/built.ts'
import { servePlainly, test } from '../../browser/hosts.ts'
import { misfitsOf } from '../../browser/layout.ts'
import { errorsIn } from '../../browser/validity.ts'
import { hydrated, messagesOf } from '../../browser/watch.ts'
import { buildSite } from './build-site.ts'

const BASE = '/docs'

/** An image that every built site has. */
const ICON = `/immutable/${readdirSync(join(DIST, 'immutable')).find((name) => name.endsWith('.png'))}`

interface Shown {
  image?: CardImage
  group?: string[]
  facts?: Fact[]
  others?: string[]
}

const LONG_TITLE = 'Donaudampfschifffahrtsgesellschaftskapitänsmützen and how they are made'

const PAGES: Record<string, Shown & { title: string; language?: string }> = {
  '/fruit/apple': {
    title: 'Apple',
    image: { src: ICON, alt: 'A red apple' },
    group: ['Fruit', 'Red things', 'Something with quite a long name'],
    facts: [
      ['Colour', 'red'],
      ['Also called', ['Malus', 'pomme', 'appel']],
      ['Source', { href: 'https://example.com/apple', text: 'The apple page' }],
      [
        'Kinds',
        [{ href: '/fruit/pear', text: 'Pear' }, { href: '/cherry' }, 'Quince', { href: '#title' }],
      ],
      ['Nothing', []],
    ],
    others: ['/cherry', '/arabic', '/fruit/pear', '/long'],
  },
  '/cherry': { title: 'Cherry', group: ['Red things'], image: { src: ICON, alt: '' } },
  '/fruit/pear': { title: 'Pear', group: [] },
  '/arabic': {
    title: 'تفاحة',
    language: 'ar',
    image: { src: ICON, alt: '' },
    facts: [['Colour', 'أحمر']],
  },
  '/long': { title: LONG_TITLE, image: { src: ICON, alt: '' }, others: [] },
}

const shownOf = ({ path }: { path: string }): Shown => PAGES[path] ?? {}

const shows: Content = {
  card: ({ title }) => [title === 'Apple' ? 'From an orchard' : undefined],
  image: (page) => shownOf(page).image,
  group: (page) => shownOf(page).group,
  facts: (page) => shownOf(page).facts ?? [],
  others: (page) => shownOf(page).others ?? [],
}

// In one worker, so that the site is built once.
test.describe.configure({ mode: 'default' })

let folder: string
let host: Awaited<ReturnType<typeof servePlainly>>

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'manyurls-shown-'))
  const pages = Object.entries(PAGES).map(([path, { title, language }]) => {
    return { path, title, language, contentHtml: '<p>Text.</p>' }
  })
  await buildSite(pages, join(folder, 'site'), { address: `https://example.com${BASE}`, shows })
  host = await servePlainly(join(folder, 'site'), { base: BASE })
})
test.afterAll(() => {
  host.close()
  rmSync(folder, { recursive: true, force: true })
})

const addressOf = (path: string) => host.address + BASE + path
const trail = (tab: Tab) => tab.getByRole('navigation', { name: site.words.category })
const seeAlso = (tab: Tab) => tab.getByRole('navigation', { name: site.words.seeAlso })
const titlesOfCards = (tab: Tab) => tab.locator('.cards h2')

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('a card has its image, and its words for those who do not see it', async ({ tab }) => {
      const messages = messagesOf(tab)
      await tab.goto(addressOf('/'))
      await expect(tab.locator('.card img')).toHaveCount(4)
      const image = tab.getByRole('link', { name: 'A red apple Apple' }).getByRole('img')
      await expect
        .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
        .toBeGreaterThan(0)
      expect(messages).toEqual([])
    })

    test('a page has the image of its card', async ({ tab }) => {
      const messages = messagesOf(tab)
      await tab.goto(addressOf('/fruit/apple'))
      const image = tab.getByRole('main').getByRole('img', { name: 'A red apple' })
      await expect(image).toHaveAttribute('src', BASE + ICON)
      await tab.goto(addressOf('/fruit/pear'))
      await expect(tab.getByRole('main').locator('img')).toHaveCount(0)
      expect(messages).toEqual([])
    })

    test('a page names its categories, and leads to their pages', async ({ tab }) => {
      await tab.goto(addressOf('/fruit/apple'))
      await expect(trail(tab).getByRole('link')).toHaveText(PAGES['/fruit/apple']?.group ?? [])
      await trail(tab).getByRole('link', { name: 'Red things' }).click()
      await expect(tab).toHaveURL(addressOf('/?category=Red%20things'))
    })

    test('a page leads to the other pages that it names', async ({ tab }) => {
      await tab.goto(addressOf('/fruit/apple'))
      await expect(tab.getByRole('heading', { name: site.words.seeAlso })).toBeVisible()
      await expect(seeAlso(tab).getByRole('link')).toHaveText([
        'Cherry',
        'تفاحة',
        'Pear',
        LONG_TITLE,
      ])
      await expect(seeAlso(tab).getByText('تفاحة')).toHaveCSS('direction', 'rtl')
      await seeAlso(tab).getByRole('link', { name: 'Cherry' }).click()
      await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Cherry')
      await expect(tab).toHaveURL(addressOf('/cherry'))
      await expect(seeAlso(tab)).toHaveCount(0)
    })

    test('a fact has a text, a link, or a list of these', async ({ tab }) => {
      await tab.goto(addressOf('/fruit/apple'))
      await expect(tab.locator('dt')).toHaveText(['Colour', 'Also called', 'Source', 'Kinds'])
      await expect(tab.locator('dd')).toHaveText([
        ...['red', 'Malus', 'pomme', 'appel', 'The apple page'],
        ...['Pear', '/cherry', 'Quince', '#title'],
      ])
      const links = tab.locator('dd a')
      expect(
        await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ).toEqual([
        'https://example.com/apple',
        ...[`${BASE}/fruit/pear`, `${BASE}/cherry`, '#title'],
      ])
    })
  })
}

test('the filter finds a page in each of its categories', async ({ tab }) => {
  await tab.goto(addressOf('/'))
  await hydrated(tab)
  const filter = tab.getByLabel(site.words.category)
  const categories = ['Fruit', 'Red things', 'Something with quite a long name']
  await expect(filter.locator('option')).toHaveText([site.words.all, ...categories])
  await filter.selectOption('Red things')
  await expect(titlesOfCards(tab)).toHaveText(['Cherry', 'Apple'])
  await expect(tab.getByText(site.words.found(2, 5), { exact: true })).toBeVisible()
  // These cards are React's: the document's had no filter.
  await expect(tab.locator('.card img').first()).toHaveAttribute('src', BASE + ICON)
  await filter.selectOption('Fruit')
  await expect(titlesOfCards(tab)).toHaveText(['Apple'])
})

test('a link to another page loads no document once React runs', async ({ tab }) => {
  await tab.goto(addressOf('/cherry'))
  await tab.goto(addressOf('/fruit/apple'))
  await tab.reload()
  await hydrated(tab)
  const documents: string[] = []
  tab.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
  await seeAlso(tab).getByRole('link', { name: 'Pear' }).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Pear')
  expect(documents).toEqual([])
})

test('the image of a page is shown where a link to it is shared', async ({ request }) => {
  const html = await (await request.get(addressOf('/fruit/apple'))).text()
  expect(html).toContain(`<meta property="og:image" content="https://example.com${BASE}${ICON}"/>`)
  expect(html).toContain('<meta property="og:image:alt" content="A red apple"/>')
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>')
  const without = await (await request.get(addressOf('/fruit/pear'))).text()
  expect(without).not.toMatch(/og:image|twitter:/)
})

test('each value of a fact has a line of its own', async ({ tab }) => {
  for (const width of [360, 1280]) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.goto(addressOf('/fruit/apple'))
    const places = await tab.locator('dd').evaluateAll((values) => {
      return values.map((value) => value.getBoundingClientRect())
    })
    for (const [at, { top }] of places.entries()) {
      expect(top).toBeGreaterThanOrEqual(places[at - 1]?.bottom ?? 0)
    }
  }
})

test('names of facts are in the language of the site, their values in that of the page', async ({
  tab,
}) => {
  await tab.goto(addressOf('/arabic'))
  const languageOf = (element: SVGElement | HTMLElement) =>
    element.closest('[lang]')?.getAttribute('lang')
  expect(await tab.getByText('Colour').evaluate(languageOf)).toBe(site.language)
  const value = tab.locator('dd', { hasText: 'أحمر' })
  expect(await value.evaluate(languageOf)).toBe('ar')
  await expect(value).toHaveCSS('direction', 'rtl')
})

test('a card without an image begins with its title, also beside others with one', async ({
  tab,
}) => {
  await tab.setViewportSize({ width: 900, height: 800 })
  await tab.goto(addressOf('/'))
  const card = tab.getByRole('link', { name: 'Pear' })
  const [cardBox, titleBox] = [await card.boundingBox(), await card.locator('h2').boundingBox()]
  expect((titleBox?.y ?? 0) - (cardBox?.y ?? 0)).toBeLessThan(24)
})

for (const path of ['/', '/fruit/apple']) {
  test.describe(`the screen at ${path}`, () => {
    test('is valid HTML', async ({ request }) => {
      const html = await (await request.get(addressOf(path))).text()
      // The filter of the index applies each change at once.
      expect(await errorsIn(html, path === '/' ? ['wcag/h32'] : [])).toEqual([])
    })

    test('passes axe', async ({ tab }) => {
      await tab.goto(addressOf(path))
      await hydrated(tab)
      // Small text and links have a contrast of 7 to 1.
      const faults = await faultsOf(tab, { tags: ['wcag2aaa'] })
      expect(faults.filter((fault) => !fault.startsWith('target-size-enhanced'))).toEqual([])
    })

    test('is not clipped and does not scroll sideways', async ({ tab }) => {
      await tab.goto(addressOf(path))
      expect(await misfitsOf(tab)).toEqual([])
      await tab.setViewportSize({ width: 1920, height: 1080 })
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        1920,
      )
    })
  })
}

test('nothing moves when an image loads', async ({ tab }) => {
  let load = () => {}
  const isWanted = new Promise<void>((resolve) => {
    load = resolve
  })
  await tab.route('**/*.png', async (route) => {
    await isWanted
    await route.continue()
  })
  for (const width of [320, 1280]) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.goto(addressOf('/'), { waitUntil: 'commit' })
    await expect(titlesOfCards(tab)).toHaveCount(5)
    const places = () =>
      titlesOfCards(tab).evaluateAll((all) => all.map((title) => title.getBoundingClientRect().top))
    const before = await places()
    load()
    await expect
      .poll(() =>
        tab
          .locator('.card img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0)
    expect(await places()).toEqual(before)
  }
})
