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
