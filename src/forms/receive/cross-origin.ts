/**
 * Detects requests from another site's page. The rule is that of Go 1.25's
 * `http.CrossOriginProtection`: `Sec-Fetch-Site` first, which no page can forge, then the full
 * `Origin`. A client that sends neither is not a browser, and has no session to misuse. Pure.
 */

/** The headers of a state-changing request. */
export interface Provenance {
  'sec-fetch-site'?: string | undefined
  origin?: string | undefined
  /** The host and port that the request was sent to. */
  host?: string | undefined
}

/**
 * Returns why a request is refused, or undefined when it is allowed.
 *
 * @param trusted other origins that may post, as browsers send them: `https://example.com`
 */
export function crossOriginFault(
  { 'sec-fetch-site': site, origin, host }: Provenance,
  trusted: ReadonlySet<string>,
): string | undefined {
  if (origin !== undefined && trusted.has(origin)) return undefined
  if (site) {
    if (site === 'same-origin' || site === 'none') return undefined
    return 'The form was sent from another site.'
  }
  if (!origin || isAt(origin, host)) return undefined
  return 'The form was sent from another site, or by a browser too old to say which.'
}

/**
 * Whether an origin has the given host and port: case-insensitive, with or without the default
 * port. The origin `null`, which a page sends to hide its own, matches no host.
 */
function isAt(origin: string, host = ''): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(origin)
  const asked = `${own.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === own.host
}
