/** Records what happens in a tab: requests, violations. */
import type { Page as Tab } from '@playwright/test'

/** Records the paths of a tab's requests from now on: all, and those of some kinds. */
export function requestsOf(tab: Tab) {
  const requests = {
    all: [] as string[],
    documents: [] as string[],
    scripts: [] as string[],
    data: [] as string[],
  }
  tab.on('request', (request) => {
    const { pathname } = new URL(request.url())
    requests.all.push(pathname)
    if (request.resourceType() === 'document') requests.documents.push(pathname)
    if (request.resourceType() === 'script') requests.scripts.push(pathname)
    if (request.resourceType() === 'fetch') requests.data.push(pathname)
  })
  return requests
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
