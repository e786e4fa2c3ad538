/**
 * Which requests come from somebody else's page. The rule is that of Go 1.25's
 * `http.CrossOriginProtection`: `Sec-Fetch-Site` first, which no page can forge; else the full
 * `Origin`; neither is sent by what is not a browser, which has nobody's session to misuse. Pure.
 */

/** The headers of a request that is about to change something. */
export interface Provenance {
  'sec-fetch-site'?: string | undefined
  origin?: string | undefined
  /** The host and port that the request was sent to. */
  host?: string | undefined
}

/**
 * Why a request is refused, or undefined when it may pass.
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
 * Whether an origin has that host and port, with or without the default port, in whatever case. None
 * has the origin `null`, which a page sends that hides its own.
 */
function isAt(origin: string, host = ''): boolean {
  if (!URL.canParse(origin)) return false
  const own = new URL(origin)
  const asked = `${own.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === own.host
}
