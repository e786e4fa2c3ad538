/** Writes the mails to the owner, of one submission or a list, as plain text. Pure. */
import { EMAIL } from '../../page/fields.ts'
import type { FormPage } from '../../site/content/page.ts'
import { withAsciiDomain } from '../../text/domain.ts'
import { printable } from '../../text/printable.ts'
import { plural } from '../../text/wording.ts'
import type { DigestEntry, Field, StoredSubmission } from '../store/submission.ts'

export interface Message {
  /** The same for each attempt, so that mail programs can tell. */
  id?: string
  subject: string
  text: string
  replyTo?: string | undefined
}

/** RFC 5321, 4.5.3.1.3: the longest address that a mail server must accept. */
const LONGEST_ADDRESS = 254

/** How many submissions a list names, so that no mail server finds it too large. */
const LONGEST_LIST = 10_000

/** Two groups of a receipt: enough for every command, a list, and a subject that no other has. */
export const startOf = (receipt: string) => receipt.slice(0, 9)

/**
 * Returns the notification of a submission. `page` is the one with the form, unless it is gone. All
 * that a visitor has written in its headers is the address to reply to, which is valid as in HTML.
 */
export function notificationOf(submission: StoredSubmission, page: FormPage | undefined): Message {
  const { receipt, path, receivedAt, status, fields } = submission
  const title = page?.title ?? path
  const names = page?.form?.fields.filter(({ type }) => type === 'email').map(({ name }) => name)
  const values = fields.flatMap(([name, value]) =>
    names?.includes(name) ? [withAsciiDomain(value.trim())] : [],
  )
  const replyTo = values.find((value) => value.length <= LONGEST_ADDRESS && EMAIL.test(value))
  return {
    id: receipt,
    subject: `${status === 'received' ? '' : 'Suspected spam: '}${title} (${startOf(receipt)})`,
    text: `A form was sent from the page "${title}".
${formatFields(fields)}
Page      ${path}
Received  ${receivedAt}
Receipt   ${receipt}
${replyTo ? `\nYour reply goes to ${replyTo}, as typed. Nobody has checked this address.\n` : ''}`,
    replyTo,
  }
}

/** Returns the mail about what an hour has left over. No part of it is a visitor's. */
export function digestOf(listed: readonly [DigestEntry, ...DigestEntry[]]): Message {
  const lines = listed.slice(0, LONGEST_LIST).map(({ receipt, path, receivedAt, status }) => {
    return `${receivedAt.slice(0, 16)}Z  ${receipt}  ${path}${status === 'received' ? '' : `  ${status}`}\n`
  })
  const more = listed.length - lines.length
  const rest = more > 0 ? `and ${plural(more, 'more')}: npm run submissions\n` : ''
  return {
    id: `${listed[0].receipt}-list`,
    subject: `${plural(listed.length, 'submission')} in one list (${startOf(listed[0].receipt)})`,
    text: `More forms were sent in an hour than NOTIFY_MOST allows mails. These are the others:

${lines.join('')}${rest}
npm run submissions -- show RECEIPT shows what one says.
`,
  }
}

/** Formats fields, each with its name above its value. */
export function formatFields(fields: readonly Field[]): string {
  const entries = fields.map(([name, value]) => {
    const text = value.split(/\r\n|\r|\n/).map((part) => `  ${printableLine(part)}\n`)
    return `\n${printableLine(name)}\n${text.join('')}`
  })
  return entries.join('')
}

/** Makes a line of a visitor safe to print. Blanks, of which some languages have others, stay blank. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\t\p{Zs}]/gu, ' '))
}
