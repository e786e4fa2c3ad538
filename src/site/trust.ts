/**
 * The site's one Trusted Types policy (W3C Trusted Types, section 2.3). The Content Security
 * Policy lets no string become markup except by it, and it passes paragraphs of text only.
 */

/** What the policy is called, for the Content Security Policy to name it. */
export const POLICY = 'page-body'

type Policy = { createHTML(html: string): string }

const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
const policy = trustedTypes?.createPolicy(POLICY, { createHTML: refuseMarkup })

/**
 * The raw body of a page as what the browser takes for markup. React hands it on untouched, and a
 * browser without Trusted Types gets the string.
 *
 * @throws TypeError when there is markup in it other than paragraphs
 */
export function trustBody(html: string): string {
  return policy ? policy.createHTML(html) : refuseMarkup(html)
}

function refuseMarkup(html: string): string {
  if (/<(?!\/?p>)/.test(html)) throw new TypeError('a body has markup other than paragraphs')
  return html
}
