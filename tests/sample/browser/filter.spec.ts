/** The filter of the index: an enhancement that changes nothing while it is unused. */
import { expect, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import { holdBack, hydrated, translate } from '../../browser/watch.ts'
import { card, pages, paragraphs, searched, withTwoFields as target } from './dataset.ts'
import { requestsOf } from './record.ts'

const total = pages.length
const [, category = '', id = ''] = target.path.split('/')
const inCategory = pages.filter(({ path }) => path.startsWith(`/${category}/`))
const withForm = inCategory.filter(({ form }) => form)

const visible = (tab: Tab) => tab.locator('.cards a:visible')

for (const width of [320, 640, 1280]) {
  test(`appears and answers without moving the content below it, at ${width}px`, async ({
    tab,
  }) => {
    await tab.setViewportSize({ width, height: 800 })
    const script = await holdBack(tab, /\/immutable\/index-.*\.js$/)
    await tab.goto('/', { waitUntil: 'commit' })
    const top = () => tab.locator('.cards').evaluate((cards: HTMLElement) => cards.offsetTop)
    await expect(tab.locator('.cards a')).toHaveCount(total)
    await expect(tab.locator('.cards'), 'the style sheet is there').toHaveCSS('display', 'grid')
    const before = await top()
    expect(await tab.getByRole('searchbox').count()).toBe(0)
    script.release()
    await expect(tab.getByRole('searchbox')).toBeVisible()
    expect(await top()).toBe(before)
    await tab.getByRole('searchbox').fill(category)
    await searched(tab)
    expect(await top()).toBe(before)
  })
}

test('by text, category and form shows the pages that match all three, and how many', async ({
  tab,
}) => {
  await tab.goto('/')
  await tab.getByRole('combobox', { name: site.words.category }).selectOption(category)
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await tab.getByRole('combobox', { name: site.words.form }).selectOption(site.words.withForm)
  await expect(visible(tab)).toHaveCount(withForm.length)
  await expect(tab.getByRole('status')).toHaveText(site.words.found(withForm.length, total))
  await tab.getByRole('searchbox').fill(`page ${id}`)
  await expect(visible(tab)).toHaveCount(1)
  await expect(card(tab, target)).toBeVisible()
  await expect(
    tab.getByText(site.words.counts(total, pages.filter(({ form }) => form).length)),
  ).toBeVisible()
})

test('is in the address, and survives a reload and a visit to a page and back', async ({ tab }) => {
  await tab.goto('/')
  await tab.getByRole('combobox', { name: site.words.category }).selectOption(category)
  await expect(tab).toHaveURL(`/?category=${category}`)
  await tab.reload()
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await visible(tab).first().click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(inCategory[0]?.title ?? '')
  await tab.goBack()
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await expect(tab.getByRole('combobox', { name: site.words.category })).toHaveValue(category)
  await tab.goForward()
  await tab.getByRole('link', { name: site.words.back }).click()
  await expect(visible(tab)).toHaveCount(inCategory.length)
})

test('is kept when a card is opened right after the last key', async ({ page: tab }) => {
  // The clock is paused, so that no timer fires.
  await tab.clock.install({ time: 0 })
  await tab.goto('/')
  await tab.clock.pauseAt(60_000)
  await tab.getByRole('searchbox').fill(category)
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await card(tab, target).click()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(target.title)
  await tab.goBack()
  await expect(tab.getByRole('searchbox')).toHaveValue(category)
  await expect(visible(tab)).toHaveCount(inCategory.length)
  await expect(tab).toHaveURL(`/?q=${category}`)
})

test('is kept when the visitor goes to another site right after the last key', async ({
  page: tab,
  plainHost,
}) => {
  await tab.clock.install({ time: 0 })
  await tab.goto('/')
  await tab.clock.pauseAt(60_000)
  await tab.getByRole('searchbox').fill(category)
  await tab.goto(plainHost)
  await tab.goBack()
  await expect(tab).toHaveURL(`/?q=${category}`)
})

test('keeps what was typed and chosen, and Enter, before React has loaded', async ({ tab }) => {
  const script = await holdBack(tab, /hydrate-/)
  await tab.goto('/')
  const { documents } = requestsOf(tab)
  await tab.getByRole('searchbox').pressSequentially(`page ${id}`)
  await tab.getByRole('searchbox').press('Enter')
  await tab.getByRole('combobox', { name: site.words.category }).selectOption(category)
  await tab.getByRole('combobox', { name: site.words.form }).selectOption(site.words.withForm)
  expect(new URL(tab.url()).search).toBe('')
  script.release()
  await expect(visible(tab)).toHaveCount(1)
  await expect(card(tab, target)).toBeVisible()
  await expect(tab.getByRole('searchbox')).toHaveValue(`page ${id}`)
  await expect(tab.getByRole('combobox', { name: site.words.category })).toHaveValue(category)
  await expect(tab).toHaveURL(`/?q=page+${id}&category=${category}&form=with`)
  expect(documents).toEqual([])
})

test('keeps a letter that comes between the start of React and its first look', async ({
  page: tab,
}) => {
  const script = await holdBack(tab, /hydrate-/)
  await tab.goto('/')
  await tab.getByRole('searchbox').fill('wor')
  await tab.evaluate(() => {
    // React listens to the root at its start, and looks at the screen in a later task.
    const root = document.querySelector('#root') as HTMLElement
    root.addEventListener = (...listener: Parameters<HTMLElement['addEventListener']>) => {
      EventTarget.prototype.addEventListener.apply(root, listener)
      if (listener[0] !== 'input') return
      Reflect.deleteProperty(root, 'addEventListener')
      queueMicrotask(() => document.execCommand('insertText', false, 'k'))
    }
  })
  script.release()
  await expect(tab).toHaveURL('/?q=work')
  await expect(tab.getByRole('searchbox')).toHaveValue('work')
})

test('is kept when the visitor leaves before React has loaded', async ({
  page: tab,
  plainHost,
}) => {
  const script = await holdBack(tab, /hydrate-/)
  await tab.goto('/')
  await tab.getByRole('searchbox').fill(category)
  await tab.goto(plainHost)
  script.release()
  await tab.goBack()
  await expect(tab).toHaveURL(`/?q=${category}`)
  await expect(visible(tab)).toHaveCount(inCategory.length)
})

test('stays in the address of the index, and is not in that of the next page', async ({ tab }) => {
  const loaded = await holdBack(tab, new RegExp(`${target.path}$`))
  await tab.goto('/')
  await tab.getByRole('searchbox').fill(category)
  await card(tab, target).click()
  await expect(tab).toHaveURL(target.path)
  await expect(tab.getByRole('status').first()).toHaveText(site.words.loading)
  // The visitor can still type into the index.
  await tab.getByRole('searchbox').fill('x')
  await expect(visible(tab)).toHaveCount(0)
  await tab.waitForTimeout(500)
  await expect(tab).toHaveURL(target.path)
  loaded.release()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText(target.title)
  await tab.goBack()
  await expect(tab.getByRole('searchbox')).toHaveValue(category)
})

test('says once that no page matches', async ({ tab }) => {
  await tab.goto('/?q=nothing-has-this')
  await expect(tab.getByRole('status')).toHaveText(site.words.foundNone('nothing-has-this'))
  await expect(visible(tab)).toHaveCount(0)
  await tab.getByRole('button', { name: site.words.clearFilter }).click()
  await expect(visible(tab)).toHaveCount(total)
  await expect(tab.getByRole('searchbox')).toHaveValue('')
  await expect(tab.getByRole('searchbox')).toBeFocused()
  await expect(tab).toHaveURL('/')
})

// A word of several bodies, of no title and of no path.
const bodies = pages.map(({ contentHtml }) => paragraphs(contentHtml).join(' '))
const found = pages.filter((_, at) => /\bworkshop\b/i.test(bodies[at] ?? ''))
const search = (tab: Tab) => tab.getByRole('searchbox', { name: site.words.search, exact: true })

test('says that none was found only when the bodies were searched, too', async ({ tab }) => {
  expect(found.length).toBeGreaterThan(1)
  const { scripts } = requestsOf(tab)
  const words = await holdBack(tab, /\/immutable\/words-/)
  await tab.goto('/')
  await hydrated(tab)
  expect(scripts.filter((path) => /words|search/.test(path))).toEqual([])
  await search(tab).fill('workshop')
  await expect(visible(tab)).toHaveCount(0)
  await expect(tab.getByRole('status')).toHaveText(site.words.searching)
  await expect(tab.getByText(site.words.foundNone('workshop'))).toHaveCount(0)
  words.release()
  await expect(tab.getByRole('status')).toHaveText(site.words.found(found.length, total))
  // In any order and case, with or without accents; the last word by its beginning.
  await search(tab).fill(`  WÓRKSHOP ${found[0]?.path.slice(1, 4)}`)
  await expect(card(tab, found[0] as typeof target)).toBeVisible()
  await search(tab).fill('worksh')
  await expect(visible(tab)).toHaveCount(found.length)
  await search(tab).fill('worksh page')
  await expect(visible(tab)).toHaveCount(0)
  // A reload, and Back, show them at once.
  await search(tab).fill('page workshop')
  await expect(tab).toHaveURL('/?q=page+workshop')
  await tab.reload()
  await expect(tab.getByRole('status')).toHaveText(site.words.found(found.length, total))
})

test('works without the index of words, says what is not searched, and loads it later', async ({
  tab,
}) => {
  let isThere = false
  await tab.route(/\/words-/, (route) => (isThere ? route.continue() : route.abort()))
  await tab.goto('/')
  await search(tab).fill(category)
  const status = tab.getByRole('status')
  await expect(status).toHaveText(
    `${site.words.found(inCategory.length, total)} · ${site.words.notSearchedYet}`,
  )
  await tab.getByRole('combobox', { name: site.words.form }).selectOption(site.words.withForm)
  await expect(visible(tab)).toHaveCount(withForm.length)
  isThere = true
  await searched(tab)
})

test('asks after a key, and then every two seconds, for what it cannot load', async ({
  page: tab,
}) => {
  let asked = 0
  await tab.route(/\/words-/, (route) => {
    asked += 1
    return route.abort()
  })
  await tab.clock.install({ time: 0 })
  await tab.goto('/')
  await hydrated(tab)
  await tab.clock.pauseAt(60_000)
  await search(tab).fill('workshop')
  // For the focus.
  await expect.poll(() => asked).toBe(1)
  await tab.clock.runFor(150)
  await expect.poll(() => asked).toBe(2)
  // Three more times. How soon each fails, which begins the next two seconds, is up to the machine.
  let seconds = 0
  await expect
    .poll(
      async () => {
        await tab.clock.runFor(500)
        seconds += 0.5
        return asked
      },
      { intervals: [50] },
    )
    .toBeGreaterThanOrEqual(5)
  expect(seconds).toBeGreaterThanOrEqual(6)
})

test('shows titles first, then what the bodies say, with the words marked', async ({ tab }) => {
  await tab.goto('/')
  await search(tab).fill('help')
  const titles = pages.filter(({ title }) => /help/i.test(title))
  const hits = pages.filter(
    (page, at) => !titles.includes(page) && /\bhelp/i.test(bodies[at] ?? ''),
  )
  await expect(visible(tab)).toHaveCount(titles.length + hits.length)
  await expect(visible(tab).first().locator('h2 mark')).toHaveText('Help')
  await expect(visible(tab).first().locator('.excerpt')).toHaveCount(0)
  const [hit] = hits
  if (!hit) throw new Error('no body has the word')
  const excerpt = card(tab, hit).locator('.excerpt')
  await excerpt.scrollIntoViewIfNeeded()
  await expect(excerpt.locator('mark').first()).toHaveText(/^help/i)
  const text = ((await excerpt.textContent()) ?? '').replaceAll('…', '')
  expect(bodies[pages.indexOf(hit)]).toContain(text.trim())
})

test('is cleared on a page that the browser has translated', async ({ tab }) => {
  await tab.goto('/')
  await search(tab).fill('help')
  await expect(tab.locator('mark').first()).toBeVisible()
  await translate(tab)
  await search(tab).fill('hel')
  await search(tab).fill('')
  await expect(visible(tab)).toHaveCount(total)
  await expect(tab.getByRole('alert')).toHaveCount(0)
})

test('keeps what else is in the address: other parameters and the fragment', async ({ tab }) => {
  await tab.goto('/?utm_source=letter&q=old#cards')
  await tab.getByRole('searchbox').fill(category)
  await expect(tab).toHaveURL(`/?utm_source=letter&q=${category}#cards`)
  await tab.getByRole('searchbox').fill('')
  await expect(tab).toHaveURL('/?utm_source=letter#cards')
})
