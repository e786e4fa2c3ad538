/** The hosts of the built site in these tests: `npm start`, or any static host. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as playwright, type Page as Tab } from '@playwright/test'
import sirv from 'sirv'
import { base, DIST } from './built.ts'

/**
 * Serves a folder as static hosts do: `/a/b` is `a/b.html`, without the headers of the policy.
 *
 * @param fallback the document for every other URL, with status 200
 * @param base of the site in the folder
 */
export async function servePlainly(folder: string, { fallback = '', base = '' } = {}) {
  const options = { extensions: ['html'], dev: true }
  const serve = sirv(folder, fallback ? { ...options, single: fallback } : options)
  const server = createServer((request, response) => {
    request.url = request.url?.slice(base.length)
    serve(request, response, () => void response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { address: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}

interface Fixtures {
  /**
   * A tab that tests share, because to open one costs as much as a short test. For tests that leave
   * no script, no clock and no document that is loading in it, and need no empty cache or history.
   */
  tab: Tab
  /** The origin of `npm start`. */
  ownHost: string
  /** The origin of a plain static server of the built site. */
  plainHost: string
}

/** What tests listen to. */
const EVENTS = ['console', 'pageerror', 'request', 'response']

/** With and without scripts, and with and without the policy. */
const shared = new Map<string, Tab>()

/** How long to wait for a frame, in milliseconds. A tab that only needed longer is replaced, too. */
const FRAME = 20_000

/**
 * Whether a tab still draws. Chromium may stop drawing for good, and then each click hangs. Scrolling
 * waits for two frames as a click does, also in a tab without scripts, which calls nobody back for a
 * frame.
 */
function draws(tab: Tab): Promise<boolean> {
  const scrolled = tab.locator(':root').scrollIntoViewIfNeeded({ timeout: FRAME })
  return scrolled.then(
    () => true,
    () => false,
  )
}

/** Returns the shared tab of a kind, or a new one if there is none that draws. */
async function borrow(kind: string, open: () => Promise<Tab>): Promise<Tab> {
  const last = shared.get(kind)
  if (last && (await draws(last))) return last

  if (last) console.error('A shared tab has stopped drawing. The next tests have another one.')
  const tab = await open()
  shared.set(kind, tab)
  return tab
}

/**
 * `test` with a shared tab and the addresses of the hosts as fixtures. None is of the worker: files
 * with fixtures of the worker and files without them run in different ones, which start a browser
 * each.
 */
export const test = playwright.extend<Fixtures>({
  tab: async ({ browser, javaScriptEnabled, bypassCSP }, use) => {
    const kind = `${javaScriptEnabled} ${bypassCSP}`
    const tab = await borrow(kind, () => browser.newPage())
    await use(tab)
    for (const event of EVENTS) tab.removeAllListeners(event)
    await tab.evaluate(() => origin !== 'null' && sessionStorage.clear())
    await tab.unrouteAll()
    await tab.emulateMedia({ colorScheme: null, forcedColors: null, media: null })
    await tab.emulateMedia({ reducedMotion: null })
    await tab.setViewportSize({ width: 1280, height: 720 })
  },
  ownHost: ({ baseURL }, use) => use(baseURL ?? ''),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from it
  plainHost: async ({}, use) => {
    const { address, close } = await servePlainly(DIST, { base })
    await use(address)
    close()
  },
})
