/** What the screens ask for: pages and entries, some of which are still on their way. */
import { createContext, use } from 'react'
import type { Entry, Found } from './lookup.ts'

type Loading<T> = T | Promise<T>

/** A promise is the same one at every call, until what it brings is there. It is never rejected. */
export interface Content {
  entries(): Loading<readonly Entry[]>
  find(path: string): Loading<Found | undefined>
  /** Starts to load what the screen of a path shows. */
  prepare(path: string): void
}

export const ContentContext = createContext<Content>({
  entries: () => [],
  find: () => undefined,
  prepare: () => {},
})

/** Suspends until what is loading is there. */
export function useLoaded<T>(loading: Loading<T>): T {
  return loading instanceof Promise ? use(loading) : loading
}

/** Whether the screen of a path can be shown at once. If not, loading starts. */
export function isReady(content: Content, path: string): boolean {
  return !((path === '/' ? content.entries() : content.find(path)) instanceof Promise)
}
