import { useLayoutEffect } from 'react'

export const SITE_NAME = 'ManyURLs Pages'

/** Returns the document title of a screen: its name, then the site's. The index has no name. */
export function documentTitle(name?: string): string {
  return name === undefined ? SITE_NAME : `${name} · ${SITE_NAME}`
}

/** Sets the document title to that of the current screen. */
export function useTitle(name?: string): void {
  useLayoutEffect(() => {
    document.title = documentTitle(name)
  }, [name])
}
