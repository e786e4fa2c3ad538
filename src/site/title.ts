import { useLayoutEffect } from 'react'

export const SITE_NAME = 'ManyURLs Pages'

/** The title of the document of a screen: its own name, then the site's. The index has none of its own. */
export function documentTitle(name?: string): string {
  return name === undefined ? SITE_NAME : `${name} · ${SITE_NAME}`
}

/** Gives the document the title of the screen that is shown. */
export function useTitle(name?: string): void {
  useLayoutEffect(() => {
    document.title = documentTitle(name)
  }, [name])
}
