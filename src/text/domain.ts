/** Brings the domains of mail addresses to one form. Pure. */
import { domainToASCII } from 'node:url'

const ASCII = /^\p{ASCII}*$/u

/**
 * Returns an address, or the end of one that begins with @, with its domain as DNS has it (UTS 46):
 * of `ada@münchen.de`, Chromium sends `ada@xn--mnchen-3ya.de` and Firefox what was typed. What is
 * no domain stays as it is.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address

  const local = address.slice(0, at)
  const domain = address.slice(at + 1)
  if (ASCII.test(domain)) return address
  return `${local}@${domainToASCII(domain) || domain}`
}
