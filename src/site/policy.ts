/** What a document may do in the browser: its Content Security Policy (CSP Level 3). */
import { POLICY } from './trust.ts'

/** As a `<meta>`, for hosts that send no headers; some directives count in a header only. */
export const documentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // The site asks for nothing; Lighthouse fetches robots.txt from within the page.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${POLICY}`,
].join('; ')

/** The headers of every answer. */
export const headers = {
  'Content-Security-Policy': `${documentPolicy}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** The same for static hosts that read a file of them (Netlify, Cloudflare Pages). */
export const headersFile = [
  '/*',
  ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  '/assets/*',
  '  Cache-Control: public, max-age=31536000, immutable',
  '',
].join('\n')
