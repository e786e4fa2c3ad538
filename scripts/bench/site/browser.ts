/** Measures visits in a real Chromium. Each visit has its own profile and cache. */
import { join } from 'node:path'
import { type CDPSession, type Page, chromium as playwright } from '@playwright/test'
import { chromium } from '../../../tests/browser/chromium.ts'

const PROBE = join(import.meta.dirname, 'probe.js')

interface Task {
  start: number
  end: number
}

/** Defined by probe.js in the measured document. */
declare const probe: {
  tasks: Task[]
  responses: number[]
  cards: number[]
  watchKeys(): void
}

interface Keystrokes {
  /** Milliseconds from the worst key to the next paint, with a key every 120 ms (Event Timing). */
  response: number
  /** Milliseconds from the worst key to the paint of the cards it leaves, one key at a time. */
  cards: number
}

export interface Visits {
  version: string
  /** Bytes over the wire, including headers, of everything that the first load of a URL fetches. */
  firstLoad(url: string): Promise<number>
  /**
   * Total blocking time in milliseconds, as Lighthouse defines it: the time of tasks beyond 50 ms,
   * from the first contentful paint to the last task before five quiet seconds.
   */
  blockingTime(url: string, slowdown: number): Promise<number>
  /** How fast the filter of an index responds; undefined if the page has none. */
  keystrokes(url: string, slowdown: number): Promise<Keystrokes | undefined>
  close(): Promise<void>
}

export async function openBrowser(): Promise<Visits> {
  const browser = await playwright.launch(chromium())

  async function visit<T>(run: (page: Page, devtools: CDPSession) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    try {
      const page = await context.newPage()
      return await run(page, await context.newCDPSession(page))
    } finally {
      await context.close()
    }
  }

  return {
    version: browser.version(),
    close: () => browser.close(),

    firstLoad: (url) =>
      visit(async (page, devtools) => {
        let bytes = 0
        await devtools.send('Network.enable')
        devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength
        })
        await page.goto(url, { waitUntil: 'networkidle' })
        // A headless browser has no tab to show the icon in and does not fetch it.
        await page.evaluate(async () => {
          const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
          if (icon) await Object.assign(new Image(), { src: icon.href }).decode()
        })
        await page.waitForLoadState('networkidle')
        return bytes
      }),

    blockingTime: (url, slowdown) =>
      visit(async (page, devtools) => {
        await page.addInitScript({ path: PROBE })
        await slowDown(page, devtools, url, slowdown)
        await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
        await quiet(page)
        const { tasks, firstPaint } = await page.evaluate(() => ({
          tasks: probe.tasks,
          firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
        }))
        if (firstPaint === undefined) throw new Error(`${url} has painted nothing`)
        return blockingTimeOf(tasks, firstPaint)
      }),

    keystrokes: (url, slowdown) =>
      visit(async (page, devtools) => {
        await page.addInitScript({ path: PROBE })
        await slowDown(page, devtools, url, slowdown)
        await page.goto(url, { waitUntil: 'load', timeout: 120_000 })
        await quiet(page)
        if ((await page.locator('input[type=search]').count()) === 0) return undefined
        await page.locator('input[type=search]').focus()
        await page.evaluate(() => probe.watchKeys())
        for (const key of KEYS) {
          await page.keyboard.press(key)
          await page.waitForTimeout(1_500)
        }
        const cards = await page.evaluate(() => probe.cards.splice(0))
        await page.evaluate(() => probe.responses.splice(0))
        for (const key of KEYS) await page.keyboard.press(key, { delay: 120 })
        await page.waitForTimeout(3_000)
        const responses = await page.evaluate(() => probe.responses)
        if (cards.length === 0 || responses.length === 0) throw new Error('no key was recorded')
        return { response: Math.max(...responses), cards: Math.max(...cards) }
      }),
  }
}

/** What a visitor types and deletes: the first key hides most cards, the last shows all again. */
const KEYS = [...'blog', ...Array.from('blog', () => 'Backspace')]
const QUIET = 5_000

/** Loads a small file of the same origin first: another origin gets a process at full speed. */
async function slowDown(page: Page, devtools: CDPSession, url: string, rate: number) {
  await page.goto(new URL('/robots.txt', url).href)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

async function quiet(page: Page): Promise<void> {
  await page.waitForFunction(
    (least) => performance.now() - (probe.tasks.at(-1)?.end ?? 0) > least,
    QUIET,
    { polling: 500, timeout: 120_000 },
  )
}

function blockingTimeOf(tasks: Task[], firstPaint: number): number {
  const beyond = tasks.map(({ start, end }) => end - Math.max(start, firstPaint) - 50)
  return beyond.reduce((sum, time) => sum + Math.max(0, time), 0)
}
