/** The Content Security Policy (CSP Level 3) of the documents, and the other response headers. */
import { POLICY } from '../app/trusted-body.ts'

/** For a `<meta>`, on hosts that send no headers. Some directives only work in a header. */
export const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // Links load documents. Lighthouse fetches robots.txt from within the page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${POLICY}`,
].join('; ')

/** The headers of every response. */
export const headers = {
  'Content-Security-Policy': `${documentPolicy}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** The folder of the files that the build names by their digests, and of no others. */
export const IMMUTABLE = 'immutable'

/** Returns these headers as a file, for static hosts that read one (Netlify, Cloudflare Pages). */
export const headersFile = (base: string) =>
  [
    '/*',
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
    `${base}/${IMMUTABLE}/*`,
    '  Cache-Control: public, max-age=31536000, immutable',
    '',
  ].join('\n')
