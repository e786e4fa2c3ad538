/** Writes notifications as plain text. Pure. */
import { EMAIL } from '../../dataset/fields.ts'
import type { SitePage } from '../../site/content/page.ts'
import type { Field, StoredSubmission } from '../store/store.ts'

export interface Message {
  /** The same for each attempt, so that mail programs can tell. */
  id?: string
  subject: string
  text: string
  replyTo?: string | undefined
}

/**
 * Returns the notification of a submission. `page` is the one with the form, unless it is gone. All
 * that a visitor has written in its headers is the address to reply to, which is valid as in HTML.
 */
export function notificationOf(submission: StoredSubmission, page: SitePage | undefined): Message {
  const { receipt, path, receivedAt, status, fields } = submission
  const title = page?.title ?? path
  const names = page?.form?.fields.filter(({ type }) => type === 'email').map(({ name }) => name)
  const values = fields.flatMap(([name, value]) => (names?.includes(name) ? [value.trim()] : []))
  const replyTo = values.find((value) => EMAIL.test(value))
  return {
    id: receipt,
    subject: status === 'received' ? title : `Suspected spam: ${title}`,
    text: `A form was sent from the page "${title}".
${formatFields(fields)}
Page      ${path}
Received  ${receivedAt}
Receipt   ${receipt}
${replyTo ? `\nYour reply goes to ${replyTo}, as typed. Nobody has checked this address.\n` : ''}`,
    replyTo,
  }
}

/** Formats fields, each with its name above its value. */
export function formatFields(fields: readonly Field[]): string {
  const entries = fields.map(([name, value]) => {
    const text = value.split(/\r\n|\r|\n/).map((part) => `  ${harmless(part)}\n`)
    return `\n${harmless(name)}\n${text.join('')}`
  })
  return entries.join('')
}

/**
 * Makes text safe to print: what a visitor sent must not control the reader's terminal. Each
 * control character, and each one that changes the writing direction, is replaced by a visible
 * character (a tab by a space).
 */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
