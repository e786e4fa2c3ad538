/** Checks which pages and links a site can have. All others stop its build, and are named. Pure. */
import { sentenceOf } from '../explain/sentences.ts'
import { addressOf, baseOf, documentFile, NOT_FOUND, pathAt } from '../page/address.ts'
import type { Content } from '../page/content.ts'
import { formFaults } from '../page/form-faults.ts'
import { isLink } from '../page/html.ts'
import { decode, TAG } from '../page/local-addresses.ts'
import type { SchemaPage, SitePage } from '../page/page.ts'
import {
  documentName,
  factFaults,
  groupFaults,
  imageFaults,
  showableFaults,
} from '../page/showable.ts'

/** The site cannot show some pages. Each line of the message names one and says what to do. */
export class UnshowableError extends Error {
  constructor(faults: readonly string[]) {
    const more = faults.length - MOST_NAMED
    super([...faults.slice(0, MOST_NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n'))
  }
}

const MOST_NAMED = 20

/**
 * Checks that each page can be a document of its own, and what `content.ts` says of it: that the pages
 * that it names are there, that its facts lead where links in a body may lead, and that its groups and
 * its image can be shown. `build-data` has checked the same before, at the line of each fault; but a
 * dataset may be older than `content.ts`.
 *
 * @throws UnshowableError
 */
export function checkPages(pages: readonly SitePage[], content: Content = {}): void {
  const paths = new Set(pages.map(({ path }) => path))
  const firstPaths = new Map<string, string>()
  const refusals: string[] = []

  for (const page of pages as readonly SchemaPage[]) {
    const { path } = page
    for (const why of pageRefusals(page, content)) refusals.push(cannotBeShown(path, why))

    const document = documentName(path)
    const other = firstPaths.get(document)
    if (other !== undefined)
      refusals.push(cannotBeShown(path, `On some disks, it is the same file as ${other}.`))
    firstPaths.set(document, path)

    for (const named of namedPaths(page, content)) {
      if (!paths.has(named)) refusals.push(`${path} names ${named}, but no page is there.`)
    }
  }
  if (refusals.length > 0) throw new UnshowableError(refusals)
}

function cannotBeShown(path: string, why: string): string {
  return `${JSON.stringify(path)} cannot be shown: ${why}`
}

/** Says what is wrong with a page. */
function pageRefusals(page: SchemaPage, { facts, image, group }: Content): string[] {
  const faults = showableFaults(page)
  const formRefusals = formFaults(page.form).map((formFault) => {
    return `${['form', ...formFault.pointer].join('/')}: ${sentenceOf(formFault)}`
  })
  if (faults.length > 0 || formRefusals.length > 0)
    return [...faults.map((fault) => sentenceOf(fault)), ...formRefusals]

  const shownFaults = [
    ...factFaults(facts?.(page) ?? []),
    ...imageFaults(image?.(page)),
    ...groupFaults(group?.(page)),
  ]
  return shownFaults.map((fault) => sentenceOf(fault))
}

/** The other pages that `content.ts` shows with a page. A page that can't be shown may lack what it needs. */
function namedPaths(page: SchemaPage, { others }: Content): readonly string[] {
  const isShown = showableFaults(page).length === 0
  return isShown && others ? others(page) : []
}

/**
 * Checks that the links of the footer lead where links in a body may lead. {@link SiteLinks} checks that
 * those of this site are there.
 *
 * @throws UnshowableError
 */
export function checkFooter(links: readonly { href: string; text: string }[]): void {
  const refused = links.filter(({ href }) => !isLink(href))
  if (refused.length === 0) return

  throw new UnshowableError(
    refused.map(({ href, text }) => {
      return `The link ${JSON.stringify(text)} in "footerLinks" of src/site.ts leads to ${JSON.stringify(href)}. It must begin with /, http://, https://, mailto: or #.`
    }),
  )
}

/** An attribute that names a file or a document. React and `html.ts` use double quotes only. */
const NAMING = / (?:href|src|poster)="([^"]*)"/g

/** An image, with its address as a group. */
const IMAGE = /<img [^>]*?src="([^"]*)"/g

/** What a policy says of images, as in `img-src 'self' https://example.com`, with its sources as a group. */
const IMAGE_SOURCES = /img-src ([^;]*)/

/** An address with a scheme, such as `https://example.com` or `mailto:ada@example.com`. */
const WITH_SCHEME = /^[a-z]+:/i

/** The addresses of a site that its documents name. */
export class SiteLinks {
  readonly #site: string
  readonly #imageSources: readonly string[]
  /** Each with the first document that names it. */
  readonly #documents = new Map<string, string>()
  /** The images that browsers would block, each with the first document that shows it. */
  readonly #blocked = new Map<string, string>()

  /**
   * @param policy the Content Security Policy of the documents
   * @param site its own address, if it is known
   */
  constructor(policy: string, site = 'https://site.invalid') {
    const [, sources = ''] = IMAGE_SOURCES.exec(policy) ?? []
    this.#imageSources = sources.split(' ')
    this.#site = site
  }

  /**
   * Adds the addresses in the HTML of a document.
   *
   * @param document its path
   */
  add(document: string, html: string): void {
    const tags = html.match(TAG)?.join('') ?? ''
    for (const [, value = ''] of tags.matchAll(NAMING)) this.addAddress(document, decode(value))
    for (const [, value = ''] of tags.matchAll(IMAGE)) this.#addImage(document, decode(value))
  }

  /** Remembers an image of another site, if the policy doesn't allow it. */
  #addImage(document: string, written: string): void {
    const page = this.#site + addressOf(document)
    if (!URL.canParse(written, page)) return

    const url = new URL(written, page)
    const isHere = url.origin === new URL(this.#site).origin
    if (isHere || this.#imageSources.some((source) => mayAllow(source.toLowerCase(), url))) return

    if (!this.#blocked.has(written)) this.#blocked.set(written, document)
  }

  /**
   * Adds an address that a document names.
   *
   * @param document its path
   * @param written the address, without character references
   */
  addAddress(document: string, written: string): void {
    const isElsewhere = WITH_SCHEME.test(written) && !written.startsWith(`${this.#site}/`)
    if (isElsewhere) return

    // Those that begin with a slash mean the same in each document, and most are known by now.
    const address = written.startsWith('/')
      ? written
      : new URL(written, this.#site + addressOf(document)).pathname
    if (!this.#documents.has(address)) this.#documents.set(address, document)
  }

  /**
   * @param files the names of all files of the site
   * @throws UnshowableError if an address is none of them, or the policy doesn't allow an image
   */
  check(files: ReadonlySet<string>): void {
    const faults: string[] = []
    for (const [address, document] of this.#documents) {
      if (this.#isThere(address, files)) continue

      faults.push(
        `${JSON.stringify(document)} names ${JSON.stringify(address)}, but the site has no such page or file. Correct the address, or add the file to src/public/.`,
      )
    }
    for (const [address, document] of this.#blocked) {
      faults.push(
        `${JSON.stringify(document)} shows the image ${JSON.stringify(address)}, which browsers would block. Add its site to "img-src" in src/static/policy.ts, or the image to src/public/.`,
      )
    }
    if (faults.length > 0) throw new UnshowableError(faults)
  }

  /** Whether an address leads to a file or a document, or to another site. */
  #isThere(address: string, files: ReadonlySet<string>): boolean {
    const { origin } = new URL(this.#site)
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
    if (url && url.origin !== origin) return true

    const path = pathAt(url?.pathname ?? '', baseOf(this.#site))
    if (path === NOT_FOUND) return false

    const isFile = files.has(path.slice(1)) && !path.endsWith('.html')
    return isFile || files.has(documentFile(path))
  }
}

/** A source that is only a scheme: `https:`. */
const SCHEME = /^[a-z]+:$/

/** What stands around the host of a source: the `https://` and `:443/images/` of `https://a.example:443/images/`. */
const AROUND_HOST = /^[a-z]+:\/\/|[:/].*$/g

/**
 * Whether a source of a policy may allow an address (Content Security Policy Level 3, 6.7.2). Of a source with
 * a host, only that is compared, so that nothing is refused that a browser shows.
 *
 * @param source in lower case
 */
function mayAllow(source: string, { protocol, hostname }: URL): boolean {
  if (source === '*') return true
  if (SCHEME.test(source))
    return protocol === source || (source === 'http:' && protocol === 'https:')

  const host = source.replace(AROUND_HOST, '')
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}
