/** Navigation in the built site: the focus, the scroll position, the keyboard, the history. */
import { expect, type Page as Tab } from '@playwright/test'
import { capital } from '../../../scripts/samples/prose.ts'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { holdBack, hydrated } from '../../browser/watch.ts'
import { card, first, last, pages, plain, searched } from './dataset.ts'
import { requestsOf } from './record.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const link = (tab: Tab, name: string) => tab.getByRole('link', { name })
const documentOf = ({ path }: typeof last) => new RegExp(`${path}$`)
const place = (tab: Tab) => tab.evaluate(() => scrollY)
/** Back may load the document again, which ends a look at the one before. */
const isAt = (tab: Tab, from: number) =>
  expect(async () => expect(await place(tab)).toBe(from)).toPass()

/** Opens a card far down the index. Returns the scroll position of the index. */
async function openFarDown(tab: Tab, page: typeof last): Promise<number> {
  await card(tab, page).scrollIntoViewIfNeeded()
  const from = await place(tab)
  expect(from).toBeGreaterThan(500)
  await card(tab, page).click()
  await expect(heading(tab)).toHaveText(page.title)
  return from
}

test.describe('navigation', () => {
  test('by a link starts at the top, with the focus on the heading', async ({ tab }) => {
    await tab.setViewportSize({ width: 800, height: 300 })
    await tab.goto('/')
    await expect(tab.locator('body')).toBeFocused()
    await openFarDown(tab, last)
    await expect(heading(tab)).toBeFocused()
    expect(await place(tab)).toBe(0)
    await link(tab, site.words.previous).click()
    await expect(heading(tab)).toHaveText(pages.at(-2)?.title ?? '')
    await expect(heading(tab)).toBeFocused()
    expect(await place(tab)).toBe(0)
  })

  test('by the Back button returns to the scroll position and the card', async ({ tab }) => {
    await tab.goto('/')
    const from = await openFarDown(tab, last)
    await tab.goBack()
    await expect(card(tab, last)).toBeFocused()
    await isAt(tab, from)
    await expect(tab).toHaveTitle(site.name)
    await tab.goForward()
    await expect(tab.getByRole('heading', { name: last.title })).toBeFocused()
  })

  for (const leave of ['a reload', 'another site'] as const) {
    test(`by the Back button returns to the scroll position also after ${leave}`, async ({
      tab,
      plainHost,
    }) => {
      await tab.goto('/?q=page')
      await hydrated(tab)
      await searched(tab)
      const from = await openFarDown(tab, last)
      if (leave === 'a reload') await tab.reload()
      else await tab.goto(plainHost)
      await hydrated(tab)
      if (leave !== 'a reload') await tab.goBack()
      await tab.goBack()
      await isAt(tab, from)
    })
  }

  test('by the Back button returns the focus to the link that led to the page', async ({ tab }) => {
    await tab.goto(first.path)
    await hydrated(tab)
    await link(tab, site.words.next).click()
    await expect(heading(tab)).toHaveText(pages[1]?.title ?? '')
    await tab.goBack()
    await expect(heading(tab)).toHaveText(first.title)
    await expect(link(tab, site.words.next)).toBeFocused()
  })
})

test('a page says its category, with a link to its pages', async ({ tab }) => {
  const [, category = ''] = plain.path.split('/')
  await tab.goto(plain.path)
  await hydrated(tab)
  const place = tab.getByRole('navigation', { name: site.words.category })
  await expect(place.getByRole('link')).toHaveText([capital(category)])
  await place.getByRole('link').click()
  await expect(tab).toHaveURL(`/?category=${category}`)
  await expect(heading(tab)).toBeFocused()
  const shown = pages.filter(({ path }) => path.startsWith(`/${category}/`))
  await expect(tab.locator('.cards a')).toHaveCount(shown.length)
  await tab.goBack()
  await expect(heading(tab)).toHaveText(plain.title)
})

test.describe('"← Back"', () => {
  test('returns to the index as it was left, from any page reached from it', async ({ tab }) => {
    await tab.goto('/')
    await tab.getByRole('combobox', { name: site.words.form }).selectOption(site.words.withoutForm)
    await expect(tab).toHaveURL('/?form=without')
    const shown = pages.filter(({ form }) => !form)
    const target = shown.at(-1) as typeof last
    const from = await openFarDown(tab, target)
    await link(tab, site.words.back).click()
    await expect(tab).toHaveURL('/?form=without')
    await expect(card(tab, target)).toBeFocused()
    await isAt(tab, from)

    await card(tab, target).click()
    for (const name of [site.words.previous, site.words.previous, site.words.next]) {
      const before = await heading(tab).textContent()
      await link(tab, name).click()
      await expect(heading(tab)).not.toHaveText(before ?? '')
    }
    await tab.reload()
    await hydrated(tab)
    await link(tab, site.words.back).click()
    await expect(tab).toHaveURL('/?form=without')
    await expect(tab.locator('.cards a')).toHaveCount(shown.length)
  })

  test('returns to the index as it was left after a reload, too, once it was pointed at', async ({
    tab,
  }) => {
    // Only bodies have the word.
    await tab.goto('/?q=the')
    await hydrated(tab)
    await searched(tab)
    const from = await openFarDown(tab, last)
    await tab.reload()
    await hydrated(tab)
    const index = tab.waitForResponse((response) => new URL(response.url()).pathname === '/')
    await link(tab, site.words.back).hover()
    await (await index).finished()
    await link(tab, site.words.back).click()
    await expect(card(tab, last)).toBeFocused()
    await isAt(tab, from)
  })

  test('clicked twice goes back once, and opens no card', async ({ tab, plainHost }) => {
    await tab.goto(plainHost)
    await tab.goto('/')
    await hydrated(tab)
    for (const page of [plain, last]) {
      await card(tab, page).click()
      await expect(heading(tab)).toHaveText(page.title)
      await link(tab, site.words.back).dblclick()
      await expect(tab).toHaveURL('/')
      await expect(tab.locator('.cards a')).toHaveCount(pages.length)
    }
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
    await link(tab, site.words.back).click()
    await expect(tab).toHaveURL('/')
    // As the second of two clicks, if the index is there already.
    await card(tab, plain).evaluate(async (element) => {
      element.dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true, cancelable: true }))
      await new Promise((resolve) => setTimeout(resolve, 500))
    })
    await expect(tab).toHaveURL('/')
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
  })

  /** Follows a link that the body of a page could have. */
  async function followLinkInBody(tab: Tab, href: string) {
    await tab.locator('.body').evaluate((body, href) => {
      const link = document.createElement('a')
      link.href = href
      link.textContent = 'In the body'
      body.append(link)
    }, href)
    await link(tab, 'In the body').last().click()
  }

  for (const [to, href, target] of [
    ['the same page', '#title', plain],
    ['another page', `${last.path}#title`, last],
  ] as const) {
    test(`returns to the search after a link to a place in ${to}`, async ({ tab }) => {
      await tab.goto(`/?q=${plain.path}`)
      await hydrated(tab)
      await card(tab, plain).click()
      await expect(heading(tab)).toHaveText(plain.title)

      await followLinkInBody(tab, href)
      await expect(tab).toHaveURL(`${target.path}#title`)
      await expect(heading(tab)).toHaveText(target.title)
      await followLinkInBody(tab, '#form-title')

      await link(tab, site.words.back).click()
      await expect(tab).toHaveURL(`/?q=${plain.path}`)
      await expect(tab.locator('.cards a')).toHaveCount(1)
    })
  }

  test('leads to the index from a page that was opened by its address', async ({ tab }) => {
    await tab.setViewportSize({ width: 800, height: 300 })
    // Where the tab is there already, the address would be a reload, after which Back still goes back.
    await tab.goto('about:blank')
    await tab.goto(plain.path)
    await hydrated(tab)
    await link(tab, site.words.back).click()
    await expect(tab).toHaveURL('/')
    await expect(heading(tab)).toBeFocused()
    expect(await place(tab)).toBe(0)
    await tab.goBack()
    await expect(heading(tab)).toHaveText(plain.title)
  })
})

test.describe('a page that takes long to load', () => {
  for (const end of ['release', 'refuse'] as const) {
    test(`does not appear when the visitor has gone elsewhere: ${end}d`, async ({ tab }) => {
      const loading = await holdBack(tab, documentOf(first))
      await tab.goto('/')
      await hydrated(tab)
      const { documents } = requestsOf(tab)
      const asked = tab.waitForRequest(documentOf(first))
      await card(tab, first).click()
      const request = await asked
      await card(tab, last).click()
      await expect(heading(tab)).toHaveText(last.title)
      loading[end]()
      await request.response().catch(() => null)
      await tab.waitForTimeout(500)
      await expect(tab).toHaveURL(last.path)
      await expect(heading(tab)).toHaveText(last.title)
      expect(documents).toEqual([])
      // It has no entry in the history either.
      await tab.goBack()
      await expect(heading(tab)).toHaveText(site.name)
      await expect(tab).toHaveURL('/')
    })
  }

  test('is announced within 200 ms, on the screen and to screen readers, until it appears', async ({
    page: tab,
  }) => {
    await tab.clock.install({ time: 0 })
    const loading = await holdBack(tab, documentOf(last))
    await tab.goto('/')
    await hydrated(tab)
    await tab.clock.pauseAt(60_000)
    await card(tab, last).click()
    const status = tab.locator('#root > [role="status"]')
    // Most pages load before anybody could read it.
    await expect(status).toBeEmpty()
    await tab.clock.runFor(200)
    await expect(status).toHaveText(site.words.loading)
    await expect(status).toBeInViewport({ ratio: 1 })
    await expect(heading(tab)).toHaveText(site.name)
    loading.release()
    await expect(heading(tab)).toHaveText(last.title)
    await expect(heading(tab)).toBeFocused()
    await expect(status).toHaveCount(0)
  })

  test('starts at its top even if the visitor went back while it loaded, then forward', async ({
    tab,
  }) => {
    const loading = await holdBack(tab, documentOf(last))
    await tab.setViewportSize({ width: 800, height: 300 })
    await tab.goto('/')
    await hydrated(tab)
    await card(tab, last).scrollIntoViewIfNeeded()
    const from = await place(tab)
    await card(tab, last).click()
    await expect(tab).toHaveURL(last.path)
    await tab.goBack()
    await expect(tab).toHaveURL('/')
    loading.release()
    await tab.waitForResponse(documentOf(last))
    await tab.goForward()
    await expect(heading(tab)).toHaveText(last.title)
    await tab.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
    )
    expect(await place(tab)).toBe(0)
    // From then on it has a scroll position of its own, as every screen has.
    await tab.evaluate(() => scrollTo(0, 50))
    await tab.goBack()
    await isAt(tab, from)
    await tab.goForward()
    await isAt(tab, 50)
  })

  test('that cannot be loaded is opened as a document, as a browser does it', async ({
    page: tab,
    context,
  }) => {
    await tab.goto('/?q=page')
    await hydrated(tab)
    const { documents } = requestsOf(tab)
    await context.setOffline(true)
    await card(tab, last).click()
    await expect.poll(() => documents).toEqual([last.path])
    // Until its own page of the error is there, the browser may not go back.
    await expect(tab.locator('.cards')).toHaveCount(0)
    await context.setOffline(false)
    await tab.goBack()
    await expect(tab).toHaveURL('/?q=page')
    await expect(tab.locator('.cards a')).toHaveCount(pages.length)
  })
})

test.describe('a step in the history from one view of the index to another', () => {
  const box = (tab: Tab) => tab.getByRole('searchbox')
  const cards = (tab: Tab) => tab.locator('.cards a')
  const [, category = ''] = plain.path.split('/')
  const inCategory = pages.filter(({ path }) => path.startsWith(`/${category}/`))

  /** Searches for a path, opens its card, and follows the link to its category. */
  async function searchThenCategory(tab: Tab) {
    await tab.goto('about:blank')
    await tab.goto('/')
    await box(tab).fill(plain.path)
    await expect(tab).toHaveURL(/\?q=/)
    await card(tab, plain).click()
    await expect(heading(tab)).toHaveText(plain.title)
    await tab.getByRole('navigation', { name: site.words.category }).getByRole('link').click()
    await expect(cards(tab)).toHaveCount(inCategory.length)
  }

  test('shows the search of its address, and forward again the category', async ({ tab }) => {
    await searchThenCategory(tab)
    await tab.evaluate(() => history.go(-2))
    await expect(box(tab)).toHaveValue(plain.path)
    await expect(cards(tab)).toHaveCount(1)
    await tab.evaluate(() => history.go(2))
    await expect(box(tab)).toHaveValue('')
    await expect(cards(tab)).toHaveCount(inCategory.length)
    await expect(tab).toHaveURL(`/?category=${category}`)
  })

  test('shows it even if something was typed last', async ({ tab }) => {
    await searchThenCategory(tab)
    await box(tab).fill('nothing-has-this')
    await expect(tab).toHaveURL(/nothing-has-this/)
    await tab.evaluate(() => history.go(-2))
    await expect(box(tab)).toHaveValue(plain.path)
    await expect(cards(tab)).toHaveCount(1)
    // Typing changes this view, and not the one that was left.
    await box(tab).fill(last.path)
    await expect(tab).toHaveURL(new RegExp(encodeURIComponent(last.path)))
    await tab.evaluate(() => history.go(2))
    await expect(box(tab)).toHaveValue('nothing-has-this')
  })

  test('keeps the search while a page is loading that the visitor leaves again', async ({
    tab,
  }) => {
    await tab.goto('about:blank')
    await tab.goto(`/?q=${plain.path}`)
    await hydrated(tab)
    await expect(cards(tab)).toHaveCount(1)
    const loading = await holdBack(tab, documentOf(plain))
    await card(tab, plain).click()
    await expect(tab).toHaveURL(plain.path)
    await expect(cards(tab)).toHaveCount(1)
    await tab.goBack()
    await expect(box(tab)).toHaveValue(plain.path)
    await expect(cards(tab)).toHaveCount(1)
    loading.release()
  })

  test('follows a link from the index to another view of it, from the top', async ({ tab }) => {
    await tab.goto('about:blank')
    await tab.goto('/')
    await hydrated(tab)
    // Such as a screen of one's own may have.
    await tab.evaluate((category) => {
      const link = document.createElement('a')
      link.href = `/?category=${category}`
      link.textContent = 'Elsewhere'
      document.querySelector('main')?.append(link)
    }, category)
    await link(tab, 'Elsewhere').click()
    await expect(cards(tab)).toHaveCount(inCategory.length)
    await expect(heading(tab)).toBeFocused()
    expect(await place(tab)).toBe(0)
    await tab.goBack()
    await expect(cards(tab)).toHaveCount(pages.length)
  })
})
