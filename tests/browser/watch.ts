/** Records the messages of a tab, and decides what its requests are answered, and when. */
import { join } from 'node:path'
import type { ConsoleMessage, Page as Tab } from '@playwright/test'

const PICTURE = join(import.meta.dirname, '../../src/app/apple-touch-icon.png')

/** Answers for every other site, with a picture, so that no test needs the network. */
export async function answerForOtherSites(tab: Tab): Promise<void> {
  await tab.route(
    ({ hostname }) => hostname !== 'localhost',
    (route) => route.fulfill({ path: PICTURE }),
  )
}

/**
 * Records every console message and every uncaught error from now on. Chromium's own note that the
 * document was answered with status 404 is left out: no site can suppress it.
 */
export function messagesOf(tab: Tab): string[] {
  const messages: string[] = []
  tab.on('console', (message) => {
    if (!isNoteOfNotFound(tab, message)) messages.push(`${message.type()}: ${message.text()}`)
  })
  tab.on('pageerror', (error) => messages.push(String(error)))
  return messages
}

function isNoteOfNotFound(tab: Tab, message: ConsoleMessage): boolean {
  return (
    message.location().url === tab.url() &&
    /^Failed to load resource: .* status of 404 /.test(message.text())
  )
}

/** Holds back the first matching file that a tab requests until it is released or refused. */
export async function holdBack(tab: Tab, files: RegExp) {
  let end: (isRefused: boolean) => void = () => {}
  const ended = new Promise<boolean>((resolve) => {
    end = resolve
  })
  let first: string | undefined
  await tab.route(files, async (route) => {
    const url = route.request().url()
    first ??= url
    const isRefused = url === first && (await ended)
    await (isRefused ? route.abort() : route.continue())
  })
  return { release: () => end(false), refuse: () => end(true) }
}

/** Reaches for something, so that scripts load, until React has hydrated the document. */
export async function hydrated(tab: Tab): Promise<void> {
  // A look at a document fails if it is just being replaced.
  while (!(await isHydrated(tab).catch(() => false))) {
    await tab.keyboard.press('Shift')
    await tab.waitForTimeout(50)
  }
}

/**
 * Returns whether React has hydrated the document. Until then, links load documents.
 *
 * @public because the tests of the sample use it, which others remove
 */
export function isHydrated(tab: Tab): Promise<boolean> {
  return tab.evaluate(() => {
    // Not by an element of the screen: which ones React has made depends on the content.
    const root = Object(document.querySelector('#root'))
    const key = Object.keys(root).find((key) => key.startsWith('__reactContainer')) ?? ''
    return root[key]?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/**
 * Translates a document as Chrome does: each text is exchanged for an element.
 *
 * @public because the tests of the sample use it, which others remove
 */
export async function translate(tab: Tab): Promise<void> {
  await tab.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      const font = document.createElement('font')
      text.replaceWith(font)
      font.append(text.data.replace(/page/gi, 'Seite'))
    }
  })
}
