/** The dataset that the built site must show, and a page of each kind from it. */
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page as Tab } from '@playwright/test'
import type { Page } from '../../../scripts/samples/batches.ts'
import { site } from '../../../src/site.ts'

const file = new URL('../../../src/generated/dataset.json', import.meta.url)

/** In the order of the index, which is the order of the paths: each id has three digits. */
export const pages: Page[] = JSON.parse(readFileSync(file, 'utf8')).sort((a: Page, b: Page) =>
  a.path < b.path ? -1 : 1,
)

export const first = pick(() => true)
export const last = pick((page) => page === pages.at(-1))
export const plain = pick((page) => !page.form)
export const withTwoFields = pick((page) => fieldNames(page) === 'name email')
export const withThreeFields = pick((page) => fieldNames(page) === 'name email message')

/** A path of the right shape that no page has. */
export const unclaimed = Array.from({ length: 100 }, (_, index) =>
  first.path.replace(/\d+/, String(index + 1).padStart(3, '0')),
).find((path) => pages.every((page) => page.path !== path)) as string

function fieldNames({ form }: Page): string | undefined {
  return form?.fields.map(({ name }) => name).join(' ')
}

function pick(fits: (page: Page) => boolean): Page {
  const page = pages.find(fits)
  if (!page) throw new Error('the dataset lacks a kind of page that these tests need')
  return page
}

const DAY = new Intl.DateTimeFormat([site.language, 'en-GB'], {
  dateStyle: 'long',
  timeZone: 'UTC',
})

/** Returns the day as a page shows it, for example "28 August 2025". */
export function dayOf(instant: string): string {
  return DAY.format(new Date(instant))
}

/** Returns the text of each paragraph of a body (`<p>…</p><p>…</p>`), decoded without a browser. */
export function paragraphs(html: string): string[] {
  return html.slice('<p>'.length, -'</p>'.length).split('</p><p>').map(decode)
}

const named = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
)

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    name
      ? (named.get(name) ?? '')
      : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}

/** Returns the visible card of a page, on a tab that shows the index. */
export function card(tab: Tab, page: Page): Locator {
  return tab.locator(`.cards a[href="${page.path}"]:visible`)
}

/** Waits until the index says how many pages were found, as it does once all has been searched. */
export async function searched(tab: Tab): Promise<void> {
  const sentences = [...pages, undefined].map((_, found) => site.words.found(found, pages.length))
  const status = tab.getByRole('status')
  await expect.poll(async () => sentences.includes(await status.innerText())).toBe(true)
}
