/** Reads the documents of the site, and the files that the document of the index names. */
import { addressOf, NOT_FOUND } from '../page/address.ts'
import type { Given } from './lookup.ts'

/** Of the site: see `address.ts`. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

/** The attribute by which a document names its script, if that is the one that runs here. */
const SCRIPT = ` src="${document.querySelector('script[type="module"][src]')?.getAttribute('src')}"`

/** What stands before the data of a document. In the data, every < is escaped. */
const DATA = 'id="screen">'

/** The address has a document that this script cannot show, such as one of another build. */
export class OtherDocument extends Error {}

/**
 * Reads what the document of a path has of its screen: only a path, if no page is there.
 *
 * @throws {OtherDocument} if this script can't show it
 */
export async function readScreen(path: string): Promise<Given> {
  // A document that a cache has kept may name files that are gone since.
  const cache = path === '/' ? 'no-cache' : 'default'
  const response = await fetch(BASE + addressOf(path), { cache })
  const html = await response.text()

  const data = html.split(DATA)[1]?.split('</script>')[0] ?? 'null'
  const given: Given | null = JSON.parse(data)
  if (response.status === 404 || given?.path === NOT_FOUND) return { path: NOT_FOUND }

  // Old code does not read new data. In development, the script has several names.
  const isOurs = import.meta.hot || html.includes(SCRIPT)
  if (response.ok && given?.path === path && isOurs) return given
  throw new OtherDocument()
}

/** Reads a file that the index names. Rejects if it isn't there. */
export async function readFile<T>(address: string): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(address)
  return response.json()
}

/** Loads the document of this address. Never resolves. */
export function openDocument(): Promise<never> {
  const reload = () => {
    // The screen saves what is not in the address yet.
    dispatchEvent(new Event('pagehide'))
    location.reload()
  }

  reload()
  // What is typed before the new document comes would be lost: the screen notes it first.
  addEventListener('input', () => setTimeout(reload))
  return new Promise(() => {})
}
