/** Whether the words of a submission are those of a filter. Pure. */
import { withAsciiDomain } from '../text/domain.ts'
import type { SentField, SubmissionFilter } from './submission.ts'

/** Whether a filter asks what the fields say. No database can answer that: they fold case differently. */
export function hasWords({ email, text }: SubmissionFilter): boolean {
  return email !== undefined || text !== undefined
}

/** Whether fields have the address and all the words of a filter. */
export function matchesWords(
  { email, text }: SubmissionFilter,
  fields: readonly SentField[],
): boolean {
  if (email !== undefined && !hasAddress(fields, email)) return false
  return text === undefined || hasAllWords(fields, text)
}

/** @param email an address, or a domain that begins with @ */
function hasAddress(fields: readonly SentField[], email: string): boolean {
  const address = folded(withAsciiDomain(email.trim()))

  return fields.some(([, value]) => {
    const sent = folded(withAsciiDomain(value.trim()))

    if (!address.startsWith('@')) return sent === address
    return /^\S+$/.test(sent) && sent.endsWith(address)
  })
}

function hasAllWords(fields: readonly SentField[], text: string): boolean {
  const values = fields.map(([, value]) => folded(value))
  const words = folded(text).split(/\s+/)

  return words.every((word) => values.some((value) => value.includes(word)))
}

/** In capitals, because a small letter may have two forms (σ and ς). */
function folded(text: string): string {
  return text.normalize().toUpperCase()
}
