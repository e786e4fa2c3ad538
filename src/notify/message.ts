/** Writes the mails to the owner, of one submission or of several, as plain text. Pure. */
import { EMAIL } from '../page/form-fields.ts'
import type { FormPage } from '../page/page.ts'
import {
  type Announced,
  type Announcement,
  readNumberedReceipt,
  type SentField,
} from '../store/submission.ts'
import { withAsciiDomain } from '../text/domain.ts'
import { printable } from '../text/printable.ts'
import { cut, formatNumber, plural } from '../text/wording.ts'

export interface Message {
  /** The same for each attempt, so that mail programs can tell. */
  id?: string
  subject: string
  text: string
  replyTo?: string | undefined
}

/** RFC 5321, 4.5.3.1.3: the longest address that a mail server must accept. */
const LONGEST_ADDRESS = 254

/** How many submissions one mail shows whole. Of more, it shows a line each. */
const MOST_WHOLE = 20

/** How much of what was sent such a line shows, in characters. */
const LONGEST_EXCERPT = 150

/** Returns the first two groups of a receipt, which are enough for commands, lists and subjects. */
export function startOf(receipt: string): string {
  return readNumberedReceipt(receipt) === undefined ? receipt.slice(0, 9) : receipt
}

/**
 * Returns the notification of a submission. `page` is the one with the form, unless it is gone. All
 * that a visitor has written in its headers is the address to reply to, which is valid as in HTML.
 */
export function notificationOf(
  submission: Announced,
  page: FormPage | undefined,
  id = submission.receipt,
): Message {
  const { receipt, path, status } = submission
  const replyTo = replyAddressOf(submission, page)
  const reply = `\nYour reply goes to ${replyTo}, as typed. Nobody has checked this address.\n`
  return {
    id,
    subject: `${status === 'received' ? '' : 'Suspected spam: '}${page?.title ?? path} (${startOf(receipt)})`,
    text: `A form was sent from the page "${page?.title ?? path}".\n${wholeOf(submission)}${replyTo ? reply : ''}`,
    replyTo,
  }
}

/** Returns the mail about several submissions, without what visitors wrote unless `withWords`. */
export function listOf(
  { message, submissions, count }: Announcement,
  pages: readonly FormPage[],
  withWords = true,
): Message {
  const isWhole = withWords && count <= MOST_WHOLE
  const parts = submissions.map((submission) => {
    if (isWhole) return wholeWithTitle(submission, pages)
    return lineOf(submission, withWords)
  })
  const more = count - submissions.length
  const rest = more > 0 ? `and ${formatNumber(more)} more: npm run submissions\n` : ''
  const explanation = explanationOf(withWords, isWhole)
  return {
    id: message,
    subject: `${plural(count, 'form')} sent (${startOf(message)})`,
    text: `${count === 1 ? 'This form was' : 'These forms were'} sent since the last mail.\n\n${parts.join('')}${rest}\n${explanation}`,
  }
}

/** Says how to see all of a form, if it isn't in the mail, and why mails come as they do. */
function explanationOf(withWords: boolean, isWhole: boolean): string {
  const show = '"npm run submissions -- show RECEIPT" shows all of one.'
  if (!withWords)
    return `The mail server refused a mail with what visitors wrote, so it isn't here. ${show}\n`

  const pace = 'NOTIFY_EVERY sets how often such mails are sent.'
  return isWhole ? `${pace}\n` : `${show}\n${pace}\n`
}

function wholeWithTitle(submission: Announced, pages: readonly FormPage[]): string {
  const page = pages.find(({ path }) => path === submission.path)
  const address = replyAddressOf(submission, page)
  const reply = address ? `Reply to  ${address}, as typed\n` : ''
  const spam = submission.status === 'received' ? '' : ' (suspected spam)'
  const title = printableLine(page?.title ?? submission.path)
  return `--- ${title}${spam} ---\n${wholeOf(submission)}${reply}\n`
}

function wholeOf({ receipt, path, receivedAt, fields, damage }: Announced): string {
  const warning = damage
    ? '\nIt is damaged in the store, so some of its words may be missing or wrong.\n'
    : ''
  return `${warning}${formatFields(fields)}
Page      ${path}
Received  ${receivedAt}
Receipt   ${receipt}
`
}

function lineOf(submission: Announced, withWords: boolean): string {
  const { receipt, path, receivedAt, status, fields } = submission
  const mark = status === 'received' ? '' : `  ${status}`
  const words = withWords ? `  ${cut(inOneLine(fields), LONGEST_EXCERPT)}\n` : ''
  return `${receivedAt.slice(0, 16)}Z  ${receipt}  ${path}${mark}\n${words}`
}

/** Returns the first address in an email field that a reply can go to. */
function replyAddressOf({ fields }: Announced, page: FormPage | undefined): string | undefined {
  const emailFields = page?.form?.fields.filter(({ type }) => type === 'email') ?? []
  const names = new Set(emailFields.map(({ name }) => name))
  for (const [name, value] of fields) {
    const address = withAsciiDomain(value.trim())
    const isAddress = address.length <= LONGEST_ADDRESS && EMAIL.test(address)
    if (names.has(name) && isAddress) return address
  }
  return undefined
}

/** Says how many notifications are not sent; '' when all are. */
export function describeQueued(count: number): string {
  return count > 0 ? `${plural(count, 'notification')} waiting` : ''
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
