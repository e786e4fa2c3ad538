/** Writes the mails to the owner, of one submission or a list, as plain text. Pure. */
import { EMAIL } from '../../page/form-fields.ts'
import type { FormPage } from '../../page/page.ts'
import { withAsciiDomain } from '../../text/domain.ts'
import { printable } from '../../text/printable.ts'
import { cut, formatNumber, plural } from '../../text/wording.ts'
import {
  type Announced,
  type Announcement,
  readNumberedReceipt,
  type SentField,
} from '../store/submission.ts'

export interface Message {
  /** The same for each attempt, so that mail programs can tell. */
  id?: string
  subject: string
  text: string
  replyTo?: string | undefined
}

/** RFC 5321, 4.5.3.1.3: the longest address that a mail server must accept. */
const LONGEST_ADDRESS = 254

/** How much of what was sent a list shows, in characters. */
const LONGEST_EXCERPT = 150

/** Returns the first two groups of a receipt, which are enough for commands, lists and subjects. */
export const startOf = (receipt: string) =>
  readNumberedReceipt(receipt) === undefined ? receipt.slice(0, 9) : receipt

/**
 * Returns the notification of a submission. `page` is the one with the form, unless it is gone. All
 * that a visitor has written in its headers is the address to reply to, which is valid as in HTML.
 */
export function notificationOf(
  submission: Announced,
  page: FormPage | undefined,
  id = submission.receipt,
): Message {
  const { receipt, path, receivedAt, status, fields, damage } = submission
  const title = page?.title ?? path
  const names = page?.form?.fields.filter(({ type }) => type === 'email').map(({ name }) => name)
  const values = fields.flatMap(([name, value]) =>
    names?.includes(name) ? [withAsciiDomain(value.trim())] : [],
  )
  const replyTo = values.find((value) => value.length <= LONGEST_ADDRESS && EMAIL.test(value))
  return {
    id,
    subject: `${status === 'received' ? '' : 'Suspected spam: '}${title} (${startOf(receipt)})`,
    text: `A form was sent from the page "${title}".
${damage ? `\nIt is damaged in the store, so some of its words may be missing or wrong.\n` : ''}${formatFields(fields)}
Page      ${path}
Received  ${receivedAt}
Receipt   ${receipt}
${replyTo ? `\nYour reply goes to ${replyTo}, as typed. Nobody has checked this address.\n` : ''}`,
    replyTo,
  }
}

/** Returns the mail that lists submissions, without their words if these were taken for spam. */
export function listOf(announcement: Announcement, withWords = true): Message {
  const { message, submissions, count } = announcement
  const lines = submissions.map(({ receipt, path, receivedAt, status, fields }) => {
    const facts = `${receivedAt.slice(0, 16)}Z  ${receipt}  ${path}`
    const mark = status === 'received' ? '' : `  ${status}`
    const words = withWords ? `  ${cut(inOneLine(fields), LONGEST_EXCERPT)}\n` : ''
    return `${facts}${mark}\n${words}`
  })
  const more = count - submissions.length
  const rest = more > 0 ? `and ${formatNumber(more)} more: npm run submissions\n` : ''
  return {
    id: message,
    subject: `${plural(count, 'submission')} in one list (${startOf(message)})`,
    text: `More forms were sent than get a mail of their own: by one visitor, or than NOTIFY_MOST allows in an hour.

${lines.join('')}${rest}
npm run submissions -- show RECEIPT shows all of one.
`,
  }
}

/** Says how many notifications are not sent; '' when all are. */
export function describeUnsent(waiting: number): string {
  return waiting > 0 ? `${plural(waiting, 'notification')} waiting` : ''
}

/** Returns the values of fields in one line. */
export function inOneLine(fields: readonly SentField[]): string {
  return printableLine(fields.map(([, value]) => value.trim().replace(/\s+/g, ' ')).join(' · '))
}

/** Formats fields, each with its name above its value. */
export function formatFields(fields: readonly SentField[]): string {
  const entries = fields.map(([name, value]) => {
    const text = value.split(/\r\n|\r|\n/).map((part) => `  ${printableLine(part)}\n`)
    return `\n${printableLine(name)}\n${text.join('')}`
  })
  return entries.join('')
}

/** Makes a line of a visitor safe to print. Blanks of other languages become spaces. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\t\p{Zs}]/gu, ' '))
}
