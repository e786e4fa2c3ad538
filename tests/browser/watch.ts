/** Records what happens in a tab: messages, requests, violations. Decides what it is answered. */
import { join } from 'node:path'
import type { ConsoleMessage, Page as Tab } from '@playwright/test'

const PICTURE = join(import.meta.dirname, '../../src/site/apple-touch-icon.png')

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

/** Records the paths of a tab's requests from now on: all, and those of documents and scripts. */
export function requestsOf(tab: Tab) {
  const requests = { all: [] as string[], documents: [] as string[], scripts: [] as string[] }
  tab.on('request', (request) => {
    const { pathname } = new URL(request.url())
    requests.all.push(pathname)
    if (request.resourceType() === 'document') requests.documents.push(pathname)
    if (request.resourceType() === 'script') requests.scripts.push(pathname)
  })
  return requests
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

/** Waits until React has hydrated the document. Until then, links load documents. */
export async function takenOver(tab: Tab): Promise<void> {
  await tab.waitForFunction(() => {
    const first = document.querySelector('#root > *') ?? {}
    return Object.keys(first).some((key) => key.startsWith('__reactFiber'))
  })
}

/** Records the violations of the Content Security Policy in every document of a tab. */
export async function violationsOf(tab: Tab): Promise<string[]> {
  const violations: string[] = []
  await tab.exposeFunction('tellViolation', (violation: string) => violations.push(violation))
  await tab.addInitScript(() => {
    const { tellViolation } = window as unknown as { tellViolation(violation: string): void }
    document.addEventListener('securitypolicyviolation', (event) => {
      tellViolation(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`)
    })
  })
  return violations
}
