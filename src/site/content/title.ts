import { useLayoutEffect } from 'react'
import { site } from '../site.ts'

/** Returns the document title of a screen: its name, then the site's. The index has no name. */
export function documentTitle(name?: string): string {
  return name === undefined ? site.name : `${name} · ${site.name}`
}

/** Sets the document title to that of the current screen. */
export function useTitle(name?: string): void {
  useLayoutEffect(() => {
    document.title = documentTitle(name)
  }, [name])
}
