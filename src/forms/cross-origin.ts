/**
 * Hides which requests come from somebody else's page. The rule is that of Go 1.25's
 * `http.CrossOriginProtection`: `Sec-Fetch-Site` first, which no page can forge; else the full
 * `Origin`; neither is sent by what is not a browser, which has nobody's session to misuse. Pure.
 */

export interface Provenance {
  /** The headers of a request that is about to change something. */
  secFetchSite: string | undefined
  origin: string | undefined
  /** The host and port that the request was sent to. */
  host: string | undefined
}

/**
 * Why a request is refused, or undefined when it may pass.
 *
 * @param trusted other origins that may post, as browsers send them: `https://example.com`
 */
export function crossOriginFault(
  { secFetchSite, origin, host }: Provenance,
  trusted: ReadonlySet<string>,
): string | undefined {
  if (origin !== undefined && trusted.has(origin)) return undefined
  if (secFetchSite) {
    if (secFetchSite === 'same-origin' || secFetchSite === 'none') return undefined
    return 'The form was sent from another site.'
  }
  if (!origin || hostOf(origin) === host) return undefined
  return 'The form was sent from another site, or by a browser too old to say which.'
}

/** The host and port of an origin; undefined for `null`, which a page sends that hides its own. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
