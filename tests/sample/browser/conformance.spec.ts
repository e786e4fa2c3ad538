/** Tests what the specification says about the screens, line by line: texts, sizes, attributes. */
import { expect, type Locator, type Page as Tab } from '@playwright/test'
import { site } from '../../../src/site.ts'
import { test } from '../../browser/hosts.ts'
import {
  card,
  pages,
  paragraphs,
  plain,
  unclaimed,
  withThreeFields,
  withTwoFields,
} from './dataset.ts'

const heading = (tab: Tab) => tab.getByRole('heading', { level: 1 })
const back = (tab: Tab) => tab.getByRole('link', { name: site.words.back, exact: true })
const widthOf = async (place: Locator) => (await place.boundingBox())?.width ?? 0

/** Returns the style and the dominant color of a left border: the right one in a site from right to left. */
async function leftBorder(place: Locator): Promise<string> {
  return place.evaluate((element) => {
    const { borderInlineStartColor, borderInlineStartStyle } = getComputedStyle(element)
    const [red = 0, green = 0, blue = 0] = (borderInlineStartColor.match(/\d+/g) ?? []).map(Number)
    const hue = green > Math.max(red, blue) ? 'green' : blue > Math.max(red, green) ? 'blue' : '?'
    return `${borderInlineStartStyle} ${hue}`
  })
}

/** The label of each field in the specification, and the attributes of its control. */
const FIELDS = {
  name: ['Your Name *', 'text', 'Enter your name', true],
  email: ['Email Address *', 'email', 'you@example.com', true],
  message: ['Message', 'textarea', 'Your message...', false],
}

const TABLE: Record<string, Record<string, (tab: Tab) => Promise<unknown>>> = {
  '/': {
    'The index heading reads "ManyURLs Pages"': (tab) =>
      expect(heading(tab)).toHaveText('ManyURLs Pages'),
    'A line reads "Total Pages: N · With Forms: M"': (tab) => {
      const withForms = pages.filter(({ form }) => form).length
      return expect(
        tab.getByText(site.words.counts(pages.length, withForms), { exact: true }),
      ).toBeVisible()
    },
    'There is a card for each page (100 in the committed batches)': (tab) =>
      expect(tab.locator('.cards a')).toHaveCount(Math.min(pages.length, 240)),
    'As many cards as fit are in a row, of at least 260px, with a gap of 0.75rem': async (tab) => {
      const list = tab.locator('.cards')
      for (const width of [340, 768, 1280, 1920]) {
        await tab.setViewportSize({ width, height: 800 })
        const [room, cardWidth] = [await widthOf(list), await widthOf(card(tab, plain))]
        await expect(list).toHaveCSS('gap', '12px')
        expect(cardWidth, `at ${width}px`).toBeGreaterThanOrEqual(260)
        expect(Math.round((room + 12) / (cardWidth + 12))).toBe(Math.floor((room + 12) / 272))
      }
    },
    'A card with a form says "📝 Has Form", with a green left border': async (tab) => {
      const place = card(tab, withTwoFields)
      await expect(place).toHaveText(`${withTwoFields.title}📝 ${site.words.hasForm}`)
      for (const colorScheme of ['dark', 'light'] as const) {
        await tab.emulateMedia({ colorScheme })
        expect(await leftBorder(place)).toBe('solid green')
      }
    },
    'A card without a form says "📄 Static Page", with a blue left border': async (tab) => {
      const place = card(tab, plain)
      await expect(place).toHaveText(`${plain.title}📄 ${site.words.isStatic}`)
      for (const colorScheme of ['dark', 'light'] as const) {
        await tab.emulateMedia({ colorScheme })
        expect(await leftBorder(place)).toBe('solid blue')
      }
    },
    'Each card links to the path of its page': async (tab) => {
      await card(tab, plain).click()
      await expect(tab).toHaveURL(plain.path)
    },
  },
  [plain.path]: {
    'The title is the heading': (tab) => expect(heading(tab)).toHaveText(plain.title),
    'The body is rendered as HTML': (tab) =>
      expect(tab.locator('.body p')).toHaveText(paragraphs(plain.contentHtml)),
    'There is no form': (tab) => expect(tab.locator('form, button')).toHaveCount(0),
    'The content is at most 800px wide': async (tab) => {
      await tab.setViewportSize({ width: 1920, height: 800 })
      expect(await widthOf(tab.getByRole('main'))).toBe(800)
    },
    'A "← Back" link leads to /': async (tab) => {
      await expect(back(tab)).toHaveAttribute('href', '/')
      await back(tab).click()
      await expect(tab).toHaveURL('/')
    },
  },
  ...Object.fromEntries(
    [withTwoFields, withThreeFields].map(({ path, form }) => [
      path,
      {
        'The form is posted to /api/forms and the path, form-encoded, by the browser': async (
          tab: Tab,
        ) => {
          const place = tab.locator('form')
          await expect(place).toHaveAttribute('method', 'post')
          await expect(place).toHaveAttribute('action', `/api/forms${path}`)
          for (const name of ['enctype', 'novalidate', 'target']) {
            await expect(place).not.toHaveAttribute(name)
          }
        },
        'The button is labelled "Submit"': (tab: Tab) =>
          expect(tab.getByRole('button')).toHaveText([site.words.submit]),
        'The fields are name, email and at most message, as the variants seen': async (
          tab: Tab,
        ) => {
          const controls = tab.locator('form :is(input, textarea):enabled')
          const found = await controls.evaluateAll((all) =>
            (all as HTMLInputElement[]).map((control) => [
              control.name,
              [
                control.labels?.[0]?.textContent,
                control.type,
                control.placeholder,
                control.required,
              ],
              control.minLength + control.maxLength,
            ]),
          )
          const names = form?.fields.map(({ name }) => name) ?? []
          expect(names).toEqual(['name', 'email', 'message'].slice(0, names.length))
          expect(found).toEqual(names.map((name) => [name, FIELDS[name as 'name'], -2]))
        },
      },
    ]),
  ),
  [unclaimed]: {
    'A path that is no page shows the text "Not found"': (tab) =>
      expect(tab.getByRole('main').getByRole('heading')).toHaveText(site.words.notFound),
  },
}

for (const [path, lines] of Object.entries(TABLE)) {
  // The lines of a screen share a visit. Only the last of them may leave the screen.
  test(`${path} is as specified, line by line`, async ({ tab }) => {
    await tab.goto(path)
    for (const [line, check] of Object.entries(lines)) await test.step(line, () => check(tab))
  })
}

test('a screen that fails shows "Unexpected Application Error!", and reloads its document', async ({
  page: tab,
}) => {
  // Every form makes this call, and no page without a form does.
  await tab.addInitScript(() => {
    const { includes } = Array.prototype
    Array.prototype.includes = function (...args) {
      if (args[0] === 'email') throw new Error('a fault in the form')
      return includes.apply(this, args)
    }
  })
  await tab.goto('/')
  await card(tab, withTwoFields).click()
  await expect(tab.getByRole('alert')).toHaveText(site.words.failed)
  const loaded = tab.waitForEvent('load')
  await tab.getByRole('button', { name: site.words.reload }).click()
  await loaded
  await expect(tab).toHaveURL(withTwoFields.path)
  await back(tab).click()
  await expect(heading(tab)).toHaveText(site.name)
})
