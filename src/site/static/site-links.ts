/** Checks that every link, image and file that the documents of a site name is in the site. */
import { addressOf, baseOf, NOT_FOUND, pathAt } from '../../dataset/address.ts'
import { decode, TAG } from '../../dataset/links.ts'
import { UnshowableError } from './showable.ts'

/** An attribute that names a file or a document. React and `html.ts` use double quotes only. */
const NAMING = / (href|src|srcset|poster)="([^"]*)"/g

export class SiteLinks {
  readonly #address: string
  /** The addresses that are named so far, each with the first document that names it. */
  readonly #named = new Map<string, { written: string; document: string }>()

  /** @param address of the site, if it is known */
  constructor(address = 'https://site.invalid') {
    this.#address = address
  }

  /** @param document its path */
  add(document: string, html: string): void {
    for (const written of addressesIn(html)) {
      if (this.#named.has(written)) continue
      const isElsewhere = /^(?:#|[a-z]+:)/i.test(written)
      if (isElsewhere && !written.startsWith(`${this.#address}/`)) continue
      // Those that begin with a slash mean the same in each document, and most are known by now.
      const address = written.startsWith('/')
        ? written
        : new URL(written, this.#address + addressOf(document)).pathname
      if (!this.#named.has(address)) this.#named.set(address, { written, document })
    }
  }

  /**
   * @param files all of the site, without its folder
   * @throws {UnshowableError} if an address is neither a document nor another file
   */
  check(files: ReadonlySet<string>): void {
    const base = baseOf(this.#address)
    const { origin } = new URL(this.#address)
    const missing = [...this.#named].filter(([address]) => {
      const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
      if (url && url.origin !== origin) return false
      const path = pathAt(url?.pathname ?? '', base)
      const file = path.slice(1)
      const isDocument = path === '/' || files.has(`${file}.html`)
      return path === NOT_FOUND || !(isDocument || (files.has(file) && !file.endsWith('.html')))
    })
    const [[, first] = []] = missing
    if (!first) return
    const more = missing.length === 1 ? '' : ` There are ${missing.length - 1} more.`
    throw new UnshowableError(
      `${JSON.stringify(first.document)} names ${JSON.stringify(first.written)}, but the site has no such page or file. Correct the address, or add the file to src/site/public/.${more}`,
    )
  }
}

function addressesIn(html: string): string[] {
  return (html.match(TAG) ?? []).flatMap((tag) =>
    [...tag.matchAll(NAMING)].flatMap(([, key, value = '']) => {
      const written = decode(value)
      return key === 'srcset' ? written.split(',').map(addressOfImage) : [written]
    }),
  )
}

/** @param candidate an address and perhaps a width, as in `srcset` */
function addressOfImage(candidate: string): string {
  return candidate.trim().split(/\s/)[0] as string
}
