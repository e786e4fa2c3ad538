/**
 * Bodies as trusted markup, by the site's only Trusted Types policy (W3C Trusted Types,
 * section 2.3). The Content Security Policy lets strings become markup only through it, and it
 * allows only `elements` of `content.ts`.
 */
import { type Elements, PARAGRAPHS, refusedMarkup } from '../page/html.ts'

/** The name of the policy, as listed in the Content Security Policy. */
export const POLICY = 'page-body'

/** What `elements` of `content.ts` says: Vite puts it here, see `static/elements.ts`. */
declare const ALLOWED_ELEMENTS: Elements | undefined

// Node, without Vite, shows no body.
const elements = typeof ALLOWED_ELEMENTS === 'undefined' ? PARAGRAPHS : ALLOWED_ELEMENTS
const REFUSED = refusedMarkup(elements)

type Policy = { createHTML(html: string): string }

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
const rules: Policy = {
  createHTML(html) {
    if (REFUSED.test(html)) throw new TypeError('a body has markup that is not allowed')
    return html
  },
}
const policy = trustedTypes?.createPolicy(POLICY, rules) ?? rules

/** Returns a raw body as trusted markup. Throws a TypeError if it has other markup. */
export function trustBody(html: string): string {
  return policy.createHTML(html)
}
